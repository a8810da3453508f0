#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
# Rundowns whose CPU stands, just when they have looked at what image a process has, while that
# execs on another CPU. Leaves /out/stopped-ROUND.etl, and in /out/stopped.txt the process and
# how often the CPU stood.
# shellcheck source=tests/lib/guest/workers.sh
. /w/workers.sh
insmod etw.ko || exit 1
# not at once: a process that execs each time that a rundown looks again is named by its execs alone
taskset 2 /w/execs_itself leader 20 &
process=$!
insmod etw_stopped.ko pid=$process || exit 1
# a rundown has the other CPU than the execs
workers_on 1 || exit 1
for round in 1 2 3; do
	taskset 1 etw record --raw -q -b 64 -n 64 -e PROC_THREAD -o /out/stopped-$round.etl -- true || exit 1
done
echo "$process $(cat /sys/module/etw_stopped/parameters/stopped)" >/out/stopped.txt
workers_on 3
rmmod etw_stopped
kill $process
rmmod etw
