#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
# Cost of a context switch under every tracer, in one boot: bench.sh [ROUNDS [MODULE-PARAMETER...]]
# PARTS: of tracers, counters, programs, and files, sources, stacks, interrupts, providers, events,
# which no run has by default.
# Prints lines "CONFIGURATION pingpong ..." for tests/bench/summary.py.
rounds=${1:-20000}
shift
T=/sys/kernel/tracing

# once NAME COMMAND...: its lines under its name
once() {
	name=$1
	shift
	"$@" 2>&1 | sed "s/^/$name /"
}
# run NAME COMMAND...: three times
run() {
	for _ in 1 2 3; do
		once "$@"
	done
}
# A fresh session for each run; two buffers of 16 MB hold all of its events, so
# that no buffer is switched and nothing has to be read meanwhile
hold='session hold -f 0x10 -b 16384 -n 2'
etw() { $hold "$@"; }

sysctl -qw kernel.sched_rt_runtime_us=-1
sysctl -qw kernel.watchdog=0 2>/dev/null
insmod /w/etw.ko "$@" || exit 1
echo nop >$T/current_tracer
echo 16384 >$T/buffer_size_kb

# ftrace NAME: the event as its options stand; what it lost
ftrace() {
	echo >$T/trace
	echo 1 >$T/events/sched/sched_switch/enable
	run "$1" pingpong "$rounds"
	echo 0 >$T/events/sched/sched_switch/enable
	sed "s/^/$1 stats /" $T/per_cpu/cpu0/stats
}

tracers() {
	run base pingpong "$rounds"
	insmod /w/etw_nullprobe.ko || exit 1
	run probe pingpong "$rounds"
	rmmod etw_nullprobe

	# The aims speak of these. The program itself takes one of two values in each boot,
	# a third of a session's price apart: many runs, in turn
	# shellcheck disable=SC2086 # words
	for _ in 1 2 3 4 5 6 7; do
		once base pingpong "$rounds"
		once etw etw one -- pingpong "$rounds"
		once etw-2 etw one -- $hold two -- pingpong "$rounds"
		once etw-3 etw one -- $hold two -- $hold three -- pingpong "$rounds"
		once etw-dispatcher etw -f 0x810 one -- pingpong "$rounds"
	done
	run etw-overwrite etw -o one -- pingpong "$rounds"
	run etw-clock2 etw -c 2 one -- pingpong "$rounds"
	# some 100 events a buffer, so that the price of a new buffer shows
	run etw-4k session hold -f 0x10 -b 4 -n 2048 one -- pingpong "$rounds"
	run base pingpong "$rounds"

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
}

# group N: perf's group read at each switch, with N counters
group() {
	events=sched:sched_switch n=$1
	while [ "$n" -gt 0 ]; do
		events=$events,$(counter_name "$n")
		n=$((n - 1))
	done
	# a group of one can't be read as such
	[ "$1" = 0 ] || events="{$events}:S"
	perf record -q -e "$events" -a -m 16384 -o /tmp/perf.data -- pingpong "$rounds"
}

# counting NAME N EVENT: a session with N counters on switches; EVENT names the nth
counting() {
	name=$1 n=0 options=
	while [ $n -lt "$2" ]; do
		n=$((n + 1))
		options="$options -c $((4096 + n)):$($3 $n)"
	done
	[ -z "$options" ] || options="$options -H 0x524"
	# shellcheck disable=SC2086 # words
	run "$name" /w/counters hold -b 16384 -n 2 $options bench pingpong "$rounds"
}

# Hardware has a counter of cycles and six that can count instructions. Where there
# is none the kernel counts in memory, and a PMU of the tests in a way of its own.
hardware_event() {
	if [ "$1" = 1 ]; then echo armv8_pmuv3:0x11; else echo armv8_pmuv3:8; fi
}
memory_event() { echo 1:2; }
test_event() { echo etw_test:0x101; }
counter_name() {
	if [ ! -d /sys/bus/event_source/devices/armv8_pmuv3 ]; then
		echo page-faults
	elif [ "$1" = 1 ]; then
		echo cycles
	else
		echo instructions
	fi
}
# a session's counters, as they are read by themselves and by the PMU's function
read_counters() {
	direct=/sys/module/etw/parameters/direct_counters
	if [ -d /sys/bus/event_source/devices/armv8_pmuv3 ]; then
		for n in 1 2 4 7; do
			counting counters-$n $n hardware_event
		done
		echo N >$direct
		for n in 1 2 4 7; do
			counting read-$n $n hardware_event
		done
		echo Y >$direct
		return
	fi
	for n in 1 2 4 7; do
		counting counters-$n $n memory_event
	done
	insmod /w/etw_testpmu.ko || exit 1
	# its probe counts switches
	for n in 0 1 2 4 7; do
		counting read-$n $n test_event
	done
	rmmod etw_testpmu
}
counters() {
	run base pingpong "$rounds"
	counting counters-0 0
	read_counters
	run base pingpong "$rounds"
	if command -v perf >/dev/null; then
		for n in 0 1 2 4 7; do
			run group-$n group $n
		done
	else
		echo 'group skipped: no perf for this machine was given to the run'
	fi
	run base pingpong "$rounds"
}

# cost NAME HOW [UID]: a program's events into a session of their own, or ftrace's buffer
cost() {
	name=$1 how=$2 uid=$3 who=
	# a user other than the owner has a limit, even if it is never reached
	[ -z "$uid" ] || who="--allow-user $uid --provider-rate 100000000"
	echo >$T/trace
	for _ in 1 2 3; do
		# shellcheck disable=SC2086 # words or none
		/w/etw start bench -b 16384 -n 2 $who >/dev/null || exit 1
		# shellcheck disable=SC2086 # one word or none
		/w/eventcost "$how" "$rounds" 1 $uid 2>&1 | sed "s/^/$name /"
		/w/etw status bench | sed -n "s/^ *events: /$name status /p"
		/w/etw stop --discard bench
	done
}

programs() {
	echo nop >$T/current_tracer
	echo 16384 >$T/buffer_size_kb
	cost syscall null
	for how in event mof write message; do
		cost "$how" "$how"
	done
	# not the owner: the rate limit is asked
	cost event-other event 65534
	for how in marker raw; do
		cost "$how" "$how"
		sed "s/^/$how stats /" $T/per_cpu/cpu0/stats
	done
	cost syscall null
}

# calls on files, on none, and page faults: without a session, with the events of one group (the
# begins of operations, hard faults), with those of two (their ends, all faults)
files() {
	mkdir -p /mnt && mount -t tmpfs none /mnt || exit 1
	echo abcdef >/mnt/read
	for how in read stat open pipe; do
		run "file-$how" eventcost $how "$rounds"
		run "file-$how-begin" etw -f 0x4000000 one -- eventcost $how "$rounds"
		run "file-$how-end" etw -f 0x6000000 one -- eventcost $how "$rounds"
	done
	for how in fault map; do
		run "file-$how" eventcost $how "$rounds"
		run "file-$how-begin" etw -f 0x2000 one -- eventcost $how "$rounds"
		run "file-$how-end" etw -f 0x3000 one -- eventcost $how "$rounds"
	done
	run file-null eventcost null "$rounds"
	run file-null-virtual etw -f 0x4000 one -- eventcost null "$rounds"
}

# calls with events of one group: what hold prints contains their number
sources() {
	ifconfig lo 127.0.0.1 up
	for how in udp:0x10000 tcp:0x10000 image:4; do
		for _ in 1 2 3 4 5 6 7; do
			once "source-${how%:*}" eventcost "${how%:*}" "$rounds"
			once "source-${how%:*}-etw" etw -f "${how#*:}" one -- \
				eventcost "${how%:*}" "$rounds"
		done
	done
	# a group that flags can't name
	for _ in 1 2 3 4 5 6 7; do
		once source-pool eventcost pool "$rounds"
		/w/etw start bench -e POOL --no-rundown -b 16384 -n 2 >/dev/null || exit 1
		once source-pool-etw eventcost pool "$rounds"
		/w/etw status bench | sed -n 's/^ *events: /source-pool-etw status /p'
		/w/etw stop --discard bench
	done
}

# within NAME 'COMMAND' OPTION...: three times, each in a session that takes all; what it lost
within() {
	name=$1 command=$2
	shift 2
	for _ in 1 2 3; do
		id=$(session start -b 16384 -n 4 "$@" bench) || exit 1
		$command 2>&1 | sed "s/^/$name /"
		session stats "$id" | sed -n "s/^all/$name session:/p"
		session read "$id" /tmp/bench.etl &
		session stop "$id"
		wait $!
		[ -e "/tmp/$name.events" ] && continue
		# how long the stacks are
		/w/etw dump --json --hook 0x1820,0x1824 /tmp/bench.etl | head -n 20000 |
			sed -n 's/.*"Stack":\[\([^]]*\)\].*/\1/p' | awk -F, '
				{ n[($1 ~ /0xffff/ ? "kernel" : "user") " " NF]++ }
				END { for (i in n) print i " " n[i] }' |
			sort -k 3 -n -r | head -n 4 | sed "s/^/$name frames /"
		: >"/tmp/$name.events"
	done
}

# The same switches by ftrace, perf and BPF, without stacks and with both parts
peers_of_stacks() {
	echo 65536 >$T/buffer_size_kb
	ftrace peer-ftrace
	echo 1 >$T/options/stacktrace
	ftrace peer-ftrace-kernel
	echo 1 >$T/options/userstacktrace
	ftrace peer-ftrace-stack
	echo 0 >$T/options/stacktrace
	echo 0 >$T/options/userstacktrace
	echo 4 >$T/buffer_size_kb
	run peer-bpf bpfring pingpong "$rounds"
	run peer-bpf-stack bpfring -s pingpong "$rounds"
	if ! command -v perf >/dev/null; then
		echo 'peer-perf skipped: no perf for this machine was given to the run'
		return
	fi
	set -- perf record -q -e sched:sched_switch -a -m 32768 -o /tmp/perf.data
	run peer-perf "$@" -- pingpong "$rounds"
	run peer-perf-stack "$@" -g -- pingpong "$rounds"
	run peer-perf-dwarf "$@" --call-graph dwarf -- pingpong "$rounds"
	rm -f /tmp/perf.data
}

# Context swaps of two programs; system calls some and many calls deep, each entry recorded
stacks() {
	cs='-f 0x10 -H 0x524' sc='-f 0x80 -H 0xF33' w='-i 3:0x524' e='-i 3:0xF33'
	cache='-i 5:4194304,4096'
	run base pingpong "$rounds"
	# shellcheck disable=SC2086 # words
	{
		within swap "pingpong $rounds" $cs
		within swap-user "pingpong $rounds" $cs $w -A
		within swap-stack "pingpong $rounds" $cs $w
		within swap-keys "pingpong $rounds" $cs $w $cache
		for depth in 4 64; do
			run enter-$depth chain null "$rounds" $depth
			within enter-$depth-event "chain null $rounds $depth" $sc
			within enter-$depth-user "chain null $rounds $depth" $sc $e -A
			within enter-$depth-stack "chain null $rounds $depth" $sc $e
			within enter-$depth-keys "chain null $rounds $depth" $sc $e $cache
		done
	}
	peers_of_stacks
	run base pingpong "$rounds"
}

# an interrupt in each call: without, with one and two sessions, with ftrace's begin and end
interrupts() {
	event=irq/irq_handler
	[ ! -d $T/events/irq_vectors ] || event=irq_vectors/local_timer
	# shellcheck disable=SC2086 # words
	for _ in 1 2 3 4 5 6 7; do
		once timer eventcost timer "$rounds"
		once timer-etw etw -f 0x40 one -- eventcost timer "$rounds"
		once timer-etw-2 etw -f 0x40 one -- $hold -f 0x40 two -- eventcost timer "$rounds"
	done
	echo >$T/trace
	echo 1 >$T/events/${event}_entry/enable
	echo 1 >$T/events/${event}_exit/enable
	run timer-ftrace eventcost timer "$rounds"
	echo 0 >$T/events/enable
	sed "s/^/timer-ftrace stats /" $T/per_cpu/cpu0/stats
}

# provided NAME HOW SESSIONS: events of a provider that so many sessions have enabled
provided() {
	for _ in 1 2 3; do
		for i in $(seq "$3"); do
			/w/etw start "bench$i" -b 4096 -n 2 >/dev/null &&
				/w/etw enable "bench$i" -g 66000000-0001-0002-0304-050607080910 \
					-k 1 -l 5 || exit 1
		done
		/w/providercost "$2" "$rounds" 2>&1 | sed "s/^/$1 /"
		for i in $(seq "$3"); do
			/w/etw status "bench$i" | sed -n "s/^ *events: /$1 status /p"
			/w/etw stop --discard "bench$i"
		done
	done
}

providers() {
	echo nop >$T/current_tracer
	echo 16384 >$T/buffer_size_kb
	provided provider-loop loop 0
	for how in write tracelogging; do
		for sessions in 0 1 8; do
			provided "provider-$how-$sessions" "$how" "$sessions"
		done
	done
	echo >$T/trace
	provided provider-marker marker 0
	sed "s/^/marker stats /" $T/per_cpu/cpu0/stats
}

# event_sessions NAME N: the same, in N sessions of the tool with libtraceevent
event_sessions() {
	for i in $(seq "$2"); do
		/usr/local/bin/etw start "bench$i" -e none -e task:task_rename --no-rundown -b 16384 \
			-n 2 >/dev/null || exit 1
	done
	once "$1" eventcost rename "$rounds"
	for i in $(seq "$2"); do
		/w/etw status "bench$i" | sed -n "s/^ *events: /$1 status /p"
		/w/etw stop --discard "bench$i"
	done
}

# a tracepoint of the kernel, by each tracer
events() {
	echo nop >$T/current_tracer
	echo 16384 >$T/buffer_size_kb
	if [ -x /usr/local/bin/etw ]; then
		for _ in 1 2 3 4 5 6 7; do
			once event-none eventcost rename "$rounds"
			event_sessions event-etw 1
			event_sessions event-etw-2 2
		done
	else
		run event-none eventcost rename "$rounds"
		echo 'event-etw skipped: the tool with libtraceevent is for this machine only'
	fi
	echo >$T/trace
	echo 1 >$T/events/task/task_rename/enable
	run event-ftrace eventcost rename "$rounds"
	echo 0 >$T/events/task/task_rename/enable
	sed "s/^/event-ftrace stats /" $T/per_cpu/cpu0/stats
	echo 4 >$T/buffer_size_kb
	if command -v perf >/dev/null; then
		run event-perf perf record -q -e task:task_rename -a -m 16384 -o /tmp/perf.data -- \
			eventcost rename "$rounds"
	else
		echo 'event-perf skipped: no perf for this machine was given to the run'
	fi
	run event-none eventcost rename "$rounds"
}

case ${PARTS:-tracers counters programs} in *tracers*) tracers ;; esac
case ${PARTS:-tracers counters programs} in *counters*) counters ;; esac
case ${PARTS:-tracers counters programs} in *programs*) programs ;; esac
case ${PARTS:-} in *files*) files ;; esac
case ${PARTS:-} in *sources*) sources ;; esac
case ${PARTS:-} in *stacks*) stacks ;; esac
case ${PARTS:-} in *interrupts*) interrupts ;; esac
case ${PARTS:-} in *providers*) providers ;; esac
case ${PARTS:-} in *events*) events ;; esac
