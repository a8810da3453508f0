#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
# Updates under load, with an account of everything: modes_update.sh COUNT SEED TORTURE-PARAMETER...
count=$1 seed=$2
shift 2

# shellcheck source=tests/lib/guest/checks.sh
. /w/checks.sh

# by the monotonic clock, which programs can read, too
insmod etw.ko qpc=monotonic && insmod etw_torture.ko "$@" || exit 1
mkdir /tmp/update
echo 1 >/sys/module/etw_torture/parameters/run
(while [ ! -e /tmp/over ]; do load 10 20 >/dev/null; done) &
modes_update "$count" "$seed" /tmp/update
: >/tmp/over
echo 0 >/sys/module/etw_torture/parameters/run
wait
cat /sys/kernel/debug/etw_torture/stats >/tmp/stats
cd /tmp/update || exit
grep '^all' mixed.statistics pure.statistics truth.statistics
tell 'each event of the test source is in the updated session, once' \
	torture_check -k mixed.statistics /tmp/stats mixed.etl
tell 'one that runs short of buffers accounts for every event' \
	torture_check pure.statistics /tmp/stats pure.etl
tell 'what its swaps are compared with has lost none' \
	is none "$(grep '^all' truth.statistics | grep -o 'lost[0-9]=[1-9][0-9]*' || echo none)"
modes_swaps truth.etl mixed.etl updates
tell 'etw check: mixed' etw check --ours mixed.etl
tell 'etw check: truth' etw check --ours truth.etl
tell 'the modules unload' rmmod etw_torture etw
