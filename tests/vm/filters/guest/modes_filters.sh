#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
# The same switches and wakeups by ftrace and by sessions with filters: modes_filters.sh CLOCK COUNT [MODULE-PARAMETER...]
# Leaves in /out, for tests/vm/filters/compare_filters.py: NAME.etl of each session,
# ftrace.txt with waking.txt and begun.txt apart, pid.txt and family.txt of ftrace's own filters,
# stats.txt, tgids.txt, kthreads.txt, parents.txt, who.txt.
clock=$1 count=$2
shift 2
# shellcheck source=tests/lib/guest/ftrace.sh
. /w/ftrace.sh

insmod /w/etw.ko "$@" || exit 1
sysctl -qw kernel.sched_rt_runtime_us=-1

# Before there is a load, beside which a debug kernel takes too long to make instances and buffers.
room() { # INSTANCE-DIRECTORY
	echo 0 >"$1/tracing_on"
	echo "$clock" >"$1/trace_clock" || exit 1
	echo 32768 >"$1/buffer_size_kb" || exit 1
}
echo nop >$T/current_tracer
echo 0 >$T/options/record-cmd
mkdir $T/instances/pid $T/instances/family || exit 1
for directory in $T $T/instances/pid $T/instances/family; do
	room "$directory"
done
modes_crew family "$count" &
family=$!
modes_crew pair &
pair=$!
while [ ! -e /tmp/family.pid ] || [ ! -e /tmp/pair.pid ]; do sleep 0.1; done
modes_crew self $pair &
self=$!
while [ ! -e /tmp/self.pid ]; do sleep 0.1; done
printf '%s\n' "family $family" "pair $pair" "self $self" >/out/who.txt

begin() { # NAME OPTION...
	name=$1
	shift
	id=$(session start -f 0x810 -b 64 -n 64 -t $((500 * ${TIMES:-1})) "$@" "$name") || exit 1
	echo "$name $id" >>/tmp/sessions
}
begin all
begin pid -p "$family"
begin kernel -p 4
begin tree -p "$family" -C
begin ready -H 0x0532
while read -r name id; do
	session read -S "/out/$name.statistics" "$id" "/out/$name.etl" &
done </tmp/sessions

# of all tracers, the first to begin and the last to end is the one that sees all
one() { # INSTANCE-DIRECTORY
	for event in switch waking wakeup wakeup_new process_fork; do
		echo 1 >"$1/events/sched/sched_$event/enable"
	done
}
one $T
ftrace_sleeps || exit 1
echo 1 >$T/events/task/task_newtask/enable
for tid in "/proc/$family/task"/*; do
	echo "${tid##*/}" >>$T/instances/pid/set_event_pid
	echo "${tid##*/}" >>$T/instances/family/set_event_pid
done
for tid in "/proc/$(cat /tmp/child.pid)/task"/*; do
	echo "${tid##*/}" >>$T/instances/family/set_event_pid
done
echo 1 >$T/instances/family/options/event-fork
one $T/instances/pid
one $T/instances/family
processes() { # FILE
	sed 's/(.*)/-/' /proc/[0-9]*/stat 2>/dev/null >"$1"
	# thread and process of each
	for task in /proc/[0-9]*/task/*; do
		process=${task#/proc/}
		echo "${task##*/} ${process%%/*}"
	done >>/out/tgids.txt
}
processes /tmp/before
awk '{ print $1, $4 }' /tmp/before >/out/parents.txt

echo 1 >$T/tracing_on
echo 1 >$T/instances/pid/tracing_on
echo 1 >$T/instances/family/tracing_on
: >/tmp/go
while [ ! -e /tmp/grown.pid ]; do sleep 0.1; done
echo 0 >$T/instances/family/tracing_on
echo 0 >$T/instances/pid/tracing_on
echo 0 >$T/tracing_on
processes /tmp/after
# one that begins after the first look and before ftrace is in the second one
awk '{ if (int($9 / 2097152) % 2) print $1 }' /tmp/before /tmp/after >/out/kthreads.txt
: >/tmp/over
wait $family $pair $self
while read -r name id; do
	case $name in self | combined) ;; *) session stop "$id" || exit 1 ;; esac
done </tmp/sessions
wait
for directory in $T $T/instances/pid $T/instances/family; do
	cat "$directory"/per_cpu/cpu*/stats
done >/out/stats.txt
grep -v '^#' $T/trace >/tmp/ftrace
grep -v ' sched_waking: \| task_newtask: ' /tmp/ftrace >/out/ftrace.txt
grep ' sched_waking: ' /tmp/ftrace >/out/waking.txt
grep ' task_newtask: ' /tmp/ftrace >/out/begun.txt
for name in pid family; do
	grep -v '^#' $T/instances/$name/trace >/out/$name.txt
done
wc -l /out/*.txt
rmmod etw
