#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
# Stacks of chains that are known, beside ftrace's: stacks.sh PART[,PART...] [UNITS]
# Leaves NAME.etl, NAME.stats of each session in /out, what chain said, ftrace's stacks,
# kallsyms, and what /proc/PID/stack had of one that waited.
T=/sys/kernel/tracing
parts=$1 units=${2:-100}
# processes, threads, images, context swaps, samples, page faults
masks=0x01001017
# context swaps, samples, page faults by demand for zeros
hooks=0x0524,0x0F2E,0x020B
# where a sample takes longer, they come after TIMES as long
times=${TIMES:-1}
samples=0x8004:0,$((10000 * times))
status=0
try() {
	"$@" || {
		echo "stacks.sh: failed: $*"
		status=1
	}
}

# begin NAME OPTION...
begin() {
	name=$1
	shift
	id=$(session start -b 64 "$@" "$name") || exit 1
	session read -S /out/"$name".stats "$id" /out/"$name".etl &
	eval "id_$name=$id reader_$name=$!"
}
finish() { # NAME [no-check]
	eval "id=\$id_$1 reader=\$reader_$1"
	try session stop "$id"
	wait "$reader" || status=1
	[ $# -gt 1 ] || try etw check "/out/$1.etl"
}

ftrace() {
	echo nop >$T/current_tracer
	echo 0 >$T/tracing_on
	echo 8192 >$T/buffer_size_kb
	echo 0 >$T/options/record-cmd
	# a whole stack, as addresses
	echo 1 >$T/options/sym-addr
	echo 1 >$T/options/stacktrace
	echo 1 >$T/events/sched/sched_switch/enable
	echo 1 >$T/tracing_on
}
ftrace_off() {
	echo 0 >$T/tracing_on
	echo 0 >$T/events/sched/sched_switch/enable
	echo 0 >$T/options/stacktrace
	# those of one processor behind the other: an event and its stack are two entries
	for cpu in "$T"/per_cpu/cpu*; do
		cat "$cpu/stats" >>/out/ftrace.stats
		cat "$cpu/trace" >>/out/ftrace.txt
	done
}

# Every verb of chain, in a session without and one with caching at once
chain() {
	begin plain -n 512 -r -f $masks -i 3:$hooks -i $samples
	begin cached -n 512 -r -f $masks -i 3:$hooks -i $samples -i 5:4194304,512
	ftrace
	for verb in "burn $times" 'sleep 40' 'futex 40' 'read 40' 'touch 100' 'deep 20 400' \
		    'deep 20 60' 'broken 5'; do
		# shellcheck disable=SC2086 # words
		try /w/chain $verb >>/out/chain.txt
	done
	/w/chain park 600 >>/out/chain.txt &
	park=$!
	: >/out/park.txt
	# not every kernel has the file; the thread has to get there first
	if [ -e /proc/self/stack ]; then
		until grep -q nanosleep /out/park.txt; do
			sleep 0.1
			cat /proc/$park/stack >/out/park.txt || break
		done
		echo end >>/out/park.txt
	fi
	# no other wait of it is as long
	sleep 2
	kill $park
	wait $park
	ftrace_off
	finish cached
	finish plain
}

# Code comes, changes and goes: a module, breakpoints, and return addresses of kretprobes
code_changes() {
	for _ in 1 2 3; do
		try insmod /w/etw_nullprobe.ko
		try sh -c "echo 'p:entry try_to_wake_up' >$T/kprobe_events"
		try sh -c "echo 'r:back vfs_read' >>$T/kprobe_events"
		try sh -c "echo 1 >$T/events/kprobes/enable"
		try /w/chain read 3 >/dev/null
		try sh -c "echo 0 >$T/events/kprobes/enable"
		try sh -c "echo >$T/kprobe_events"
		try rmmod etw_nullprobe
	done
}

# Each walk by the table beside the unwinder's: of threads, and in interrupts of idle CPUs, also
# while the kernel's code changes
compared() {
	mask=/sys/module/etw/parameters/stack_compare_mask
	was=$(cat $mask)
	try sh -c "echo 0 >$mask"
	# context switches, readied threads, page faults, system calls, interrupts, timers
	begin compared -n 512 -r -f 0x000018F7 -i 3:0x0524,0x0532,0x020B,0x0F33,0x0F43,0x0F45
	for verb in 'sleep 200' 'futex 40' 'read 40' 'touch 200'; do
		# shellcheck disable=SC2086 # words
		try /w/chain $verb >/dev/null
	done
	/w/load 5 >/dev/null &
	load=$!
	code_changes
	try wait $load
	finish compared
	try sh -c "echo $was >$mask"
}

# A cache that is far too small: keys go, and say what they were
small() {
	begin small -n 512 -r -f $masks -i 3:$hooks -i $samples -i 5:4096,16
	try /w/chain burn "$times" >>/out/small.txt
	try /w/chain deep 40 30 >>/out/small.txt
	try /w/load 5 >/dev/null
	finish small
}

# A user that may not see kernel addresses gets no kernel part; the rest is as before
hidden() {
	begin hidden -n 256 -A -r -f $masks -i 3:$hooks -i $samples
	try /w/chain sleep 30 >>/out/hidden.txt
	try /w/chain burn "$times" >>/out/hidden.txt
	finish hidden
}

# Only one process's events, so only its stacks
filtered() {
	/w/chain sleep 1500 >/out/filtered.txt &
	chain=$!
	begin filtered -n 128 -r -f $masks -i 3:$hooks -p $chain
	wait $chain
	# what the threads between did is not recorded, so switches don't go on from each other
	finish filtered no-check
}

# Two processes that yield to each other, while NMIs take samples
twins() {
	begin twins -n 512 -r -f 0x01000003 -i 3:0x0F2E -i 0x8004:0,10000
	try /w/chain twins 5 >/out/twins.txt
	finish twins
}

# Allocations: what calls their tracepoint may be a function of its own
pooled() {
	try etw record --raw -o /out/pooled.etl -b 64 -n 64:512 -e POOL --stackwalk 0x0E20 -- \
		/w/fates run >/dev/null
}

# Workers that the kernel (6.10 and later) makes in a program, which never are in it
workers() {
	insmod /w/etw_worker.ko || exit 1
	begin workers -n 128 -r -f 0x17 -i 3:0x0524
	try /w/chain worker 2 >/out/workers.txt
	finish workers
	rmmod etw_worker
}

# Stacks come and go while the session runs, and with the hook ids that are asked for
updated() {
	begin updated -n 256 -r -f $masks
	try /w/chain sleep 20 >/out/updated.before
	try etw update updated --stackwalk CSwitch
	try /w/chain sleep 20 >/out/updated.with
	try etw update updated --no-stackwalk
	try /w/chain sleep 20 >/out/updated.after
	finish updated
}

# Too little room: what is lost is counted, stacks too
law() {
	id=$(session start -b 4 -n 8 -f 0x01001090 -i 3:0x0524,0x0F2E,0x020B,0x0F33 \
		-i 0x8004:0,10000 law) || exit 1
	session read -d 20 -S /out/law.stats "$id" /out/law.etl &
	reader=$!
	try /w/load 20 400 >/dev/null
	try session stop "$id"
	wait $reader || status=1
	try etw check /out/law.etl
}

# A build, in a session without and one with caching at once
compile() {
	masks=0x01001097
	hooks=0x0524,0x020B,0x0F33
	mkdir -p /tmp/build
	try /w/compile /tmp/build 2 2
	begin whole -n 4096 -r -f $masks -i 3:$hooks
	# seven entries a bucket: of one each, the secret would decide how many keys give way
	begin keyed -n 2048 -r -f $masks -i 3:$hooks -i 5:16777216,2048
	try /w/compile /tmp/build "$units" 2
	finish keyed
	finish whole
}

insmod /w/etw.ko || exit 1
# a virtual CPU takes longer for a sample than perf allows
echo 0 >/proc/sys/kernel/perf_cpu_time_max_percent
sysctl -qw kernel.kptr_restrict=0
for part in $(echo "$parts" | tr , ' '); do
	case $part in
	chain) chain ;;
	compared) compared ;;
	small) small ;;
	hidden) hidden ;;
	filtered) filtered ;;
	pooled) pooled ;;
	twins) twins ;;
	workers) workers ;;
	updated) updated ;;
	law) law ;;
	compile) compile ;;
	*) status=1 ;;
	esac
done
cat /proc/kallsyms >/out/kallsyms
rmmod etw || exit 1
exit $status
