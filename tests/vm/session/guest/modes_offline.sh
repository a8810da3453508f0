#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
# STOP while a CPU is gone; its last buffers became full at any moment of its end.
# shellcheck source=tests/lib/guest/checks.sh
. /w/checks.sh
offline=/sys/devices/system/cpu/cpu1/online
insmod etw.ko || exit 1

stopped=0
for n in $(seq "${1:-60}"); do
	etw start goes -e PROC_THREAD+CSWITCH+DISPATCHER+INTERRUPT+DPC+POOL --mode buffering \
		--buffer-size 4 --max-buffers 16 --flush-timer 0 --no-rundown \
		--stackwalk CSWITCH+READYTHREAD >/dev/null || exit 1
	echo 0 >$offline || exit 1
	etw stop --discard goes >/dev/null &
	for _ in $(seq 400); do
		kill -0 $! 2>/dev/null || break
		sleep 0.05
	done
	if kill -0 $! 2>/dev/null; then
		echo 1 >$offline
		wait $!
		break
	fi
	wait $! || exit 1
	stopped=$n
	echo 1 >$offline || exit 1
done
tell 'STOP does not wait for a CPU that is gone' is "${1:-60}" "$stopped"
tell 'the module unloads' rmmod etw
