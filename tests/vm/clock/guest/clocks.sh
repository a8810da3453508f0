#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
# Record with every clock, over a step of the wall clock and over a suspend.

# Three sessions of the fallback clock: what the first one records, the others do at that time
insmod etw.ko qpc=monotonic || exit 1
for name in one two; do
	etw start $name --mode buffering -b 64 -n 64 -e CSWITCH+DISPATCHER+SYSCALL >/dev/null
done
etw start stacks --mode buffering -b 64 -n 64 -e CSWITCH --stackwalk 0x0524 >/dev/null
i=0
while [ $((i += 1)) -le 30 ]; do ls -lR /sys/class >/dev/null; done
for name in one two stacks; do
	etw snapshot --raw -q -o /out/$name.etl $name
	etw stop --discard $name >/dev/null
done
rmmod etw || exit 1

insmod etw.ko "qpc=$1" || exit 1
for clock in qpc system cycle; do
	etw record --raw -o /out/$clock.etl --clock $clock -e CSWITCH -- sleep 1 2>/out/$clock.err
	echo "$clock $?" >>/out/status
done
# shellcheck disable=SC2016 # the inner shell's
etw record --raw -o /out/step.etl -e CSWITCH -- sh -c '
	sleep 2; date -s @$(($(date +%s) + 3600)); sleep 3' 2>/dev/null
echo "step $?" >>/out/status
# up to where only interrupts of the boot CPU are left, 5 s, and back again
if echo core >/sys/power/pm_test; then
	# shellcheck disable=SC2016 # the inner shell's
	etw record --raw -o /out/suspend.etl -e CSWITCH -- sh -c '
		sleep 1; echo mem >/sys/power/state
		echo "slept $?" >>/out/status; sleep 2' 2>/dev/null
fi
rmmod etw || exit 1
# which is no clock for any session then, unless its counter was demanded
[ "$1" = counter ] || dmesg | sed -n '/Marking TSC unstable/p' >/out/unstable
