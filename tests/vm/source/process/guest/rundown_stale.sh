#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
# Rundowns that wait for a reader while processes end: rundown_stale.sh ROUNDS
# On one CPU: of ten times ROUNDS processes another ten end in each round, while the rundown
# stands somewhere among them: what it was about to write of one is old then. Leaves
# /out/ROUND.etl.
rounds=$1
mkfifo /tmp/never && exec 3<>/tmp/never && insmod etw.ko || exit 1
round=0
while [ $((round += 1)) -le "$rounds" ]; do
	i=0 early='' now='' late=''
	while [ $((i += 1)) -le $((10 * rounds)) ]; do
		sleep 1000 &
		if [ $i -le $((10 * round - 10)) ]; then
			early="$early $!"
		elif [ $i -le $((10 * round)) ]; then
			now="$now $!"
		else
			late="$late $!"
		fi
	done
	etw start waiting -b 4 -n 5 -e PROC_THREAD --flush-timer 0 || exit 1
	# a while in which it comes to wait, and far from the 2 s that it does; without a
	# process of our own: there is one buffer left for what happens
	# shellcheck disable=SC2034,SC3045 # busybox's shell has it
	read -r -t 0.3 line <&3
	# shellcheck disable=SC2086 # words
	kill $now
	# shellcheck disable=SC2086
	wait $now 2>/dev/null
	cat /dev/etw/session1 >/out/$round.etl &
	reader=$!
	etw stop waiting
	wait $reader
	# shellcheck disable=SC2086
	kill $early $late
	# shellcheck disable=SC2086
	wait $early $late 2>/dev/null
done
rmmod etw
