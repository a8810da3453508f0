#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
# Record the same interrupts by ftrace and by etw: interrupts.sh CLOCK BURSTS [MODULE-PARAMETER...]
# CLOCK is ftrace's, BURSTS are those of load; /dev/vda1 is read. Leaves etw.etl, ftrace.txt,
# stats.txt, symbols.txt, and messages.txt, the interrupts that messages signal, in /out.
clock=$1 bursts=$2
shift 2
# shellcheck source=tests/lib/guest/ftrace.sh
. /w/ftrace.sh
# shellcheck source=tests/lib/guest/drivers.sh
. /w/drivers.sh
insmod /w/etw.ko "$@" || exit 1
ftrace_begin 32768
echo "$clock" >$T/trace_clock || exit 1
for event in irq/irq_handler_entry irq/irq_handler_exit irq/softirq_entry irq/softirq_exit \
	irq/tasklet_entry irq/tasklet_exit timer/timer_expire_entry timer/timer_expire_exit \
	irq_vectors/local_timer_entry irq_vectors/local_timer_exit \
	irq_vectors/reschedule_entry irq_vectors/reschedule_exit \
	irq_vectors/call_function_entry irq_vectors/call_function_exit \
	irq_vectors/call_function_single_entry irq_vectors/call_function_single_exit \
	irq_vectors/irq_work_entry irq_vectors/irq_work_exit; do
	[ ! -d $T/events/$event ] || echo 1 >$T/events/$event/enable
done
# ftrace is on within the session only, so each of its events must be in both
cat >/tmp/inner.sh <<END
echo 1 >$T/tracing_on
ping -q -c 30 -i 0.1 127.0.0.1 >/dev/null &
/w/load 40 $bursts
status=\$?
# interrupts of a device: the console's
for n in 1 2 3 4 5 6 7 8 9; do echo "# \$n"; sleep 0.05; done
# handlers that call handlers
insmod /w/etw_nested.ko || exit 1
dd if=/dev/vda1 of=/dev/null bs=4k count=100 iflag=direct 2>/dev/null || exit 1
wait
echo 0 >$T/tracing_on
exit \$status
END
/w/session hold -r -f 0x60 -b 64 -n 1024 -t 500 -w /out/etw.etl truth -- sh /tmp/inner.sh || exit 1
ftrace_end
grep -l MSI /sys/kernel/irq/*/chip_name | cut -d / -f 5 >/out/messages.txt
awk '$2 ~ /[tT]/ && !seen[$1]++ { print $1, $3 }' /proc/kallsyms >/out/symbols.txt
rmmod etw_nested etw
