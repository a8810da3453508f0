#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
# START of a process that is killed meanwhile, and its return; one that brings a CPU, likewise: two
# CPUs, little memory.
T=/sys/kernel/tracing
insmod etw_hold_hotplug.ko && insmod etw.ko || exit 1
echo nop >$T/current_tracer
echo 1 >$T/events/syscalls/sys_exit_ioctl/enable || exit 1
echo 1 >$T/tracing_on
start_killed
status=$?
echo 0 >$T/tracing_on
# -EINTR
killed=$(sed -n 's/^killed //p' /out/asked)
if grep -q -- "-$killed .*sys_ioctl -> 0xfffffffffffffffc\$" $T/trace; then
	echo 'ok - killed: it returns -EINTR'
else
	echo 'not ok - killed: it returns -EINTR'
	grep -- "-$killed " $T/trace
	status=1
fi
rmmod etw_hold_hotplug etw || exit 1
exit $status
