#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Cost of a context switch under every tracer, in one boot: bench.sh [ROUNDS [MODULE-PARAMETER...]]
# Prints lines "CONFIGURATION pingpong ..." for tests/bench/summary.py.
rounds=${1:-20000}
shift
T=/sys/kernel/tracing

# run NAME COMMAND...: three times, its lines under its name
run() {
	name=$1
	shift
	for _ in 1 2 3; do
		"$@" 2>&1 | sed "s/^/$name /"
	done
}
# A fresh session for each run; two buffers of 16 MB hold all of its events, so
# that no buffer is switched and nothing has to be read meanwhile
etw() { hold -R -b 16384 -B 2 "$@"; }

sysctl -qw kernel.sched_rt_runtime_us=-1
sysctl -qw kernel.watchdog=0 2>/dev/null
insmod /w/etw.ko "$@" || exit 1
echo nop >$T/current_tracer
echo 16384 >$T/buffer_size_kb

run base pingpong "$rounds"
insmod /w/etw_nullprobe.ko || exit 1
run probe pingpong "$rounds"
rmmod etw_nullprobe

run etw etw -- pingpong "$rounds"
run etw-2 etw -n one -- hold -n two -R -b 16384 -B 2 -- pingpong "$rounds"
run etw-dispatcher etw -f 0x810 -- pingpong "$rounds"
run etw-overwrite etw -O -- pingpong "$rounds"
run etw-clock2 etw -c 2 -- pingpong "$rounds"
# some 100 events a buffer, so that the price of a new buffer shows
run etw-4k hold -R -b 4 -B 2048 -- pingpong "$rounds"
run base pingpong "$rounds"

# ftrace NAME: the event as its options stand; what it lost
ftrace() {
	echo >$T/trace
	echo 1 >$T/events/sched/sched_switch/enable
	run "$1" pingpong "$rounds"
	echo 0 >$T/events/sched/sched_switch/enable
	sed "s/^/$1 stats /" $T/per_cpu/cpu0/stats
}
ftrace ftrace
echo 0 >$T/options/record-cmd
ftrace ftrace-nocmd
echo 1 >$T/options/record-cmd
echo 4 >$T/buffer_size_kb

run bpf bpfring pingpong "$rounds"
echo "bpf jit $(cat /proc/sys/net/core/bpf_jit_enable)"
if command -v perf >/dev/null; then
	run perf perf record -q -e sched:sched_switch -a -m 16384 -o /tmp/perf.data -- \
		pingpong "$rounds"
else
	echo 'perf skipped: no perf for this machine was given to the run'
fi
run base pingpong "$rounds"
