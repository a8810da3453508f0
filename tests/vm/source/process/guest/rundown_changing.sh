#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
# Rundowns of snapshots, and of a flight recorder's STOP, that meet an exec which is being recorded,
# and go on looking at it. Leaves /out/changing-ROUND.etl, and in /out/changing.txt the process
# and how often they met.
insmod etw.ko || exit 1
taskset 2 /w/execs_itself leader &
process=$!
insmod etw_changing.ko pid=$process || exit 1
at=/sys/module/etw_changing/parameters
etw start flight --mode buffering -b 64 -n 64 -e PROC_THREAD >/dev/null || exit 1
# by then it listens no more
etw start other -b 64 -n 64 -e PROC_THREAD >/dev/null || exit 1
met=0 round=0
meet() { # COMMAND...; the rundown has the other CPU than the exec
	echo 1 >$at/step
	taskset 1 "$@" || exit 1
	if [ "$(cat $at/step)" -ge 3 ]; then met=$((met + 1)); fi
	echo 4 >$at/step
	echo "# $*: the rundown looked $(cat $at/looks) times"
}
while [ $met -lt 3 ] && [ $((round += 1)) -le 20 ]; do
	rm -f /out/changing-$((met + 1)).etl
	meet etw snapshot --raw -q flight -o /out/changing-$((met + 1)).etl
done
meet etw stop --raw -q -d /out/changing-4.etl flight
echo "$process $met" >/out/changing.txt
etw stop --discard other || exit 1
rmmod etw_changing
kill $process
rmmod etw
