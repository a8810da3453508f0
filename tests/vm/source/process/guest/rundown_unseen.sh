#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
# Rundowns that meet an exec that began before the probes, and is about to record its end. Leaves
# /out/unseen-ROUND.etl, and in /out/unseen.txt the process and how often they met.
# shellcheck source=tests/lib/guest/workers.sh
. /w/workers.sh
insmod etw.ko || exit 1
taskset 2 /w/execs_itself leader &
process=$!
insmod etw_unseen.ko pid=$process || exit 1
step=/sys/module/etw_unseen/parameters/step
mkfifo /tmp/unseen && exec 3<>/tmp/unseen || exit 1
# a rundown has the other CPU than the exec
workers_on 1 || exit 1
met=0 round=0
while [ $met -lt 3 ] && [ $((round += 1)) -le 20 ]; do
	echo 1 >$step
	while [ "$(cat $step)" = 1 ]; do
		# shellcheck disable=SC2034,SC3045 # busybox's shell has it
		read -r -t 0.01 line <&3
	done
	taskset 1 etw record --raw -q -b 64 -n 64 -e PROC_THREAD -o /out/unseen-$round.etl -- \
		sleep 0.2 || exit 1
	if [ "$(cat $step)" = 5 ]; then met=$((met + 1)); else rm /out/unseen-$round.etl; fi
done
echo "$process $met" >/out/unseen.txt
workers_on 3
rmmod etw_unseen
kill $process
rmmod etw
