#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
# Traces for tests/bench/reading: reading.sh MB PEER-MB. Records the same kinds of events
# under the same load with etw (MB of file), perf and trace-cmd (PEER-MB each), and leaves
# the files as a tar archive on the disk.
size=$1 peer=$2
cd /tmp || exit 1
tar -cf /dev/null /etc/passwd || exit 1
for module in /w/disk/*.ko; do
	insmod "$module" || exit 1
done
insmod /w/etw.ko || exit 1
sysctl -qw kernel.perf_event_paranoid=-1

# System calls by the hundred thousand, and switches between the pipe's two ends
burden() {
	while :; do
		dd if=/dev/zero bs=512 count=100000 2>/dev/null | dd of=/dev/null bs=64 2>/dev/null
	done
}
burden &
load=$!

# until FILE MB: wait for a file's growth
until_size() {
	while [ "$(($(stat -c %s "$1" 2>/dev/null || echo 0) >> 20))" -lt "$2" ]; do
		sleep 0.2
	done
}

etw record --raw -q -b 1024 -n 64 -e PROC_THREAD+CSWITCH+DISPATCHER+SYSCALL -o etw.etl &
recorder=$!
until_size etw.etl "$size"
kill -INT $recorder
wait $recorder || exit 1

events='-e sched:sched_switch -e sched:sched_waking -e raw_syscalls:sys_enter
	-e raw_syscalls:sys_exit'
if command -v perf >/dev/null; then
	# shellcheck disable=SC2086 # words
	perf record -q $events -a -m 16384 -o perf.data &
	recorder=$!
	until_size perf.data "$peer"
	kill -INT $recorder
	wait $recorder
fi
if command -v trace-cmd >/dev/null; then
	# shellcheck disable=SC2086
	trace-cmd record -q $events -b 16384 -o trace.dat >trace-cmd.log 2>&1 &
	recorder=$!
	until_size trace.dat.cpu0 "$((peer / 2))"
	kill -INT $recorder
	wait $recorder
fi
kill $load
ls -l /tmp
# shellcheck disable=SC2046
tar -cf /dev/vda $(ls etw.etl perf.data trace.dat 2>/dev/null) && sync
