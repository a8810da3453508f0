#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
# Record the same switches and ready threads by ftrace and by etw: switches.sh CLOCK COUNT MINIMUM [MODULE-PARAMETER...]
# CLOCK is ftrace's; load COUNT runs until the kernel has counted
# MINIMUM switches: how many a second has depends on the machine. Leaves etw.etl, ftrace.txt, stats.txt, kthreads.txt in /out.
clock=$1 count=$2 minimum=$3
shift 3
# shellcheck source=tests/lib/guest/ftrace.sh
. /w/ftrace.sh
insmod /w/etw.ko "$@" || exit 1
sysctl -qw kernel.sched_rt_runtime_us=-1
ftrace_begin 65536
echo "$clock" >$T/trace_clock || exit 1
echo 1 >$T/events/sched/sched_switch/enable
for event in sched_waking sched_wakeup sched_wakeup_new sched_process_fork; do
	echo 1 >$T/events/sched/$event/enable
done
echo 1 >$T/events/power/cpu_idle/enable
ftrace_sleeps || exit 1
# the kernel threads when it begins; later ones are children of kthreadd
for stat in /proc/[0-9]*/stat; do
	sed 's/(.*)/-/' "$stat"
done | awk '{ if (int($9 / 2097152) % 2) print $1 }' >/out/kthreads.txt
# ftrace is on within the session only, so each of its events must be in both
cat >/tmp/inner.sh <<END
echo 1 >$T/tracing_on
switches() { sed -n 's/^ctxt //p' /proc/stat; }
begun=\$(switches)
status=0
while [ \$status = 0 ] && [ \$((\$(switches) - begun)) -lt $minimum ]; do
	/w/load $count
	status=\$?
done
echo 0 >$T/tracing_on
exit \$status
END
/w/session hold -r -f 0x810 -b 64 -n 2048 -t 500 -w /out/etw.etl truth -- sh /tmp/inner.sh || exit 1
ftrace_end
rmmod etw
