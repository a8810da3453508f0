#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
# A process is killed while STOP's rundown asks for its arguments: the address space, of which
# STOP has the last reference then, must be taken down by the kernel's worker, not by STOP.
tracing=/sys/kernel/tracing
[ -e $tracing/kprobe_events ] || mount -t tracefs tracefs $tracing || exit 1
insmod etw.ko && mkfifo /tmp/last /tmp/rest && exec 3<>/tmp/last 4<>/tmp/rest || exit 1
sleep 1000 &
victim=$!
etw start last -b 64 -n 64 -e PROC_THREAD || exit 1
sh -c 'read -r go <&3; exec etw stop last' &
stopper=$!
insmod etw_held.ko pid=$stopper function=etw_command_line space_of=$victim || exit 1
echo 'p:last mmput_async_fn' >$tracing/kprobe_events || exit 1
echo 1 >$tracing/events/kprobes/last/enable || exit 1
echo go >&3
while [ "$(cat /sys/module/etw_held/parameters/held)" = N ]; do
	kill -0 $stopper || exit 1
	# shellcheck disable=SC2034,SC3045 # busybox's shell has it
	read -r -t 0.01 line <&4
done
kill -9 $victim
wait $victim
taken() { awk '$1 == "last" { print $2 }' $tracing/kprobe_profile; }
before=$(taken)
echo 0 >/sys/module/etw_held/parameters/hold
wait $stopper || exit 1
i=0
while [ "$(taken)" = "$before" ] && [ $((i += 1)) -le 100 ]; do
	sleep 0.1
done
if [ "$before" = 0 ] && [ "$(taken)" = 1 ]; then
	echo "ok - a process that is killed in STOP's rundown is not taken down by STOP"
else
	echo "not ok - a process that is killed in STOP's rundown is not taken down by STOP # $before, $(taken)"
fi
echo 0 >$tracing/events/kprobes/last/enable
echo >$tracing/kprobe_events
rmmod etw_held && cat /dev/etw/session1 >/dev/null && rmmod etw
