#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
# Snapshots of two flight recorders under load: modes_snapshot.sh COUNT BUFFERS TORTURE-PARAMETER...
# One has kernel events, too; the other one only what etw_torture writes, so that
# its account is exact. BUFFERS of 4 KB are of all CPUs together.
count=$1 buffers=$2
shift 2

# shellcheck source=tests/lib/guest/checks.sh
. /w/checks.sh

insmod etw.ko && insmod etw_torture.ko "$@" || exit 1
mixed=$(session start -o -r -b 4 -n "$buffers" -f 0x08000013 -t 500 mixed) || exit 1
pure=$(session start -o -b 4 -n "$buffers" -t 300 pure) || exit 1
echo 1 >/sys/module/etw_torture/parameters/run
(while [ ! -e /tmp/over ]; do load 20 40 >/dev/null; done) &
sleep 0.5

begun=$(cut -d. -f1 /proc/uptime)
tell "snapshots beside kernel events are whole # $count snapshots" modes_snapshot "$mixed" "$count"
tell "snapshots are whole # $count snapshots" modes_snapshot "$pure" "$count"
echo "# $(($(cut -d. -f1 /proc/uptime) - begun)) seconds"
: >/tmp/over

# Unharmed: what the sessions hold at the end, and where the rest went
session stop "$mixed"
session stop "$pure"
echo 0 >/sys/module/etw_torture/parameters/run
cat /sys/kernel/debug/etw_torture/stats >/tmp/stats
for name in mixed pure; do
	id=$(eval echo "\$$name")
	session read -S /tmp/$name.statistics "$id" /tmp/$name.etl
	grep '^all' /tmp/$name.statistics
done
tell 'the session that was copied accounts for every event' \
	torture_check /tmp/pure.statistics /tmp/stats /tmp/pure.etl
tell 'etw check: nothing wrong with what is left' etw check --ours /tmp/mixed.etl
wait
tell 'the modules unload' rmmod etw_torture etw
