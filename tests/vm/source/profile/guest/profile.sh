#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
# Sessions that sample, beside perf: profile.sh PART CPUS EVENT [SECONDS]
# EVENT is what perf samples. Leaves NAME.etl, NAME.stats of each session in /out, what
# hogs said, and what perf sampled; prints the checks that are done here.
part=$1 cpus=$2 event=$3 seconds=${4:-6}
pmu=$(cat /sys/bus/event_source/devices/armv8_pmuv3/type 2>/dev/null)
rate=1000
clock=2	# ETW_PROFILE_CLOCK_CYCLES
[ "$event" = cycles ] || clock=1

# shellcheck source=tests/lib/guest/checks.sh
. /w/checks.sh

# begin NAME OPTION...
begin() {
	name=$1
	shift
	id=$(profile start "$@" "$name") || {
		echo "not ok - $name starts # $id"
		return 1
	}
	session read -S /out/"$name".stats "$id" /out/"$name".etl &
	eval "id_$name=$id reader_$name=$!"
}
finish() { # NAME
	reader=
	eval "id=\$id_$1 reader=\$reader_$1"
	profile counting "$id" >/out/"$1".counting
	session stop "$id"
	wait "$reader" || echo "not ok - $1: the reader"
}
clock_of() { sed 's/clock=\([0-9]*\).*/\1/' /out/"$1".counting; }

# CPUs shared by niceness, and one that idles most of the time, sampled by two
# sessions of ours and by perf
split() {
	# as we do: frequency mode samples a CPU that idles the more often while it runs.
	# QEMU has 10^9 cycles in a second
	how="-F $rate"
	[ "$event" = cycles ] && how="-c $((1000000000 / rate))"
	work="hogs $seconds 0:0:100 0:5:100 0:-5:20 $((cpus - 1)):0:30:2"
	begin split -f 0x01000000 -i 0:$((10000000 / rate))
	begin slow -f 0x01000000 -i 0:37000 -A
	# shellcheck disable=SC2086,SC2154 # words; begin sets the ids
	if [ -x /bin/perf ]; then
		perf record -q -a -e "$event" $how -m 256 -o /tmp/perf.data -- \
			$work >/out/split.hogs 2>/tmp/perf.err || cat /tmp/perf.err
		perf script -i /tmp/perf.data -F pid,tid,ip 2>/dev/null >/out/perf.txt
	else
		$work >/out/split.hogs
	fi
	finish split
	finish slow
	tell 'both sessions sample by the clock that is to be had' \
		is "$clock $clock" "$(clock_of split) $(clock_of slow)"
}

# Another interval, off, and on again, while all CPUs are busy: until hogs is killed
changes() {
	begin changes -f 0x01000000 -i 0:20000
	# shellcheck disable=SC2154 # begin sets it
	id=$id_changes
	hogs 600 0:0:100 $((cpus - 1)):0:100:2 >/out/changes.hogs &
	hogs=$!
	sleep 1
	profile update -i 0:5000 "$id"
	sleep 1
	for i in 1 2 3 4 5 6 7 8; do
		profile update -f 0 "$id"
		profile update -f 0x01000000 -i 0:$((5000 + i)) "$id"
	done
	tell 'COUNTING returns the interval' is interval=5008 \
		"$(profile counting "$id" | grep -o 'interval=[0-9]*')"
	profile update -f 0 "$id"
	sleep 0.5
	tell 'a profile that is off has neither clock nor interval' is 'clock=0 interval=0' \
		"$(profile counting "$id" | sed 's/ throttled.*//')"
	profile update -f 0x01000000 -i 0:20000 "$id"
	sleep 1
	kill $hogs 2>/dev/null
	finish changes
	unlogged
}

# An interval that changes while there is no room to say so
unlogged() {
	id=$(profile start -n 8 -f 0x01000010 -i 0:20000 unlogged) ||
		echo "not ok - unlogged starts # $id"
	until is_full "$id"; do load 5 >/dev/null; done
	profile update -i 0:5000 -f 0x01000010 "$id"
	await 'who tells it late gives up for want of room' has_no_rundown "$id"
	session read -S /out/unlogged.stats "$id" /out/unlogged.etl &
	reader=$!
	await 'the flush timer writes it, since there is room' is_logged /out/unlogged.etl 5000
	session stop "$id"
	wait "$reader" || echo 'not ok - unlogged: the reader'
}
# Whether each CPU has lost records for want of a buffer: none has room for one more
is_full() { full=$(session stats "$1") && ! echo "$full" | grep -q ' lost0=0'; }
has_no_rundown() { etw status --json "$1" | grep -q '"rundown": *false'; }
# Whether there is the beginning of such an interval in what was read so far
is_logged() { etw dump --json --hook 0xf49 "$1" 2>/dev/null | grep -q "NewInterval\":$2\b"; }
# await 'WHAT' COMMAND...: until it succeeds, which takes seconds; after ten it never will
await() {
	awaited=$1 tries=0
	shift
	until "$@" || [ $((tries += 1)) -gt 100 ]; do sleep 0.1; done
	tell "unlogged: $awaited" [ $tries -le 100 ]
}

# A CPU that goes and comes, busy before and after
hotplug() {
	cpu1=/sys/devices/system/cpu/cpu1/online
	begin hotplug -f 0x01000000 -i 0:10000
	hogs 2 1:0:100 >/out/hotplug.before
	echo 0 >$cpu1
	hogs 1 0:0:100 >/out/hotplug.without
	echo 1 >$cpu1
	hogs 2 1:0:100 >/out/hotplug.after
	finish hotplug
}

# What perf will not have: its limit is below what is asked for
limits() {
	sysctl=/proc/sys/kernel
	echo 99 >$sysctl/perf_cpu_time_max_percent	# 0 keeps the rate, too
	max=$(cat $sysctl/perf_event_max_sample_rate)
	echo 250 >$sysctl/perf_event_max_sample_rate
	begin limits -f 0x01000000 -i 0:10000
	hogs 1 0:0:100 >/dev/null
	finish limits
	tell 'perf silences samplers above its limit, and that is counted' \
		[ "$(sed 's/.*throttled=//' /out/limits.counting)" -gt 0 ]
	echo "$max" >$sysctl/perf_event_max_sample_rate
	echo 0 >$sysctl/perf_cpu_time_max_percent
}

# Without a PMU, or with counters that are not there: nothing starts
refusals() {
	tell 'a profile of overflows needs sources' \
		is 'refused error=EINVAL reason=16 cpu=0 type=0x1 dword=2' \
		"$(profile start -f 0,0x400 none)"
	tell 'a counter that no PMU knows is refused at its entry' \
		is 'refused error=EOPNOTSUPP reason=18 cpu=0 type=0x8001 dword=1' \
		"$(profile start -f 0,0x400 -s 0x1000 -c 0x1000:12345:0 none)"
	[ "$event" = cpu-clock ] || return
	tell 'a source without a PMU is refused at its dword' \
		is 'refused error=EOPNOTSUPP reason=18 cpu=0 type=0x8005 dword=2' \
		"$(profile start -f 0x01000000,0x400 -s 0x1000,19 -c 0x1000:1:0 none)"
	tell 'and the session is not there' session_is_gone
}
session_is_gone() { [ ! -e /dev/etw/session1 ]; }

# Overflows of several sources with names, on one CPU; all instructions are counted, too.
# QEMU 7.2 looks at counters of instructions late, perf record's own too, unless cycles
# overflow meanwhile: they do so more often. perf makes up for less than a period.
overflows() {
	begin overflows -f 0x01000000,0x400 -i 0:10000 -s 0x1000,19,2 \
		-i 0x1000:1000000 -i 2:1000000 -i 19:100000 \
		-c "0x1000:$pmu:8:0x12" -c "0x1001:$pmu:8" -H 0x0F2F -N InstRetired,Instructions
	hogs loop 200000000 >/out/overflows.hogs
	finish overflows
	id=$(profile start -o -f 0x01000000,0x400 -s 0x1000 -c "0x1000:$pmu:8" -H 0x0F2E flight)
	hogs 0.3 0:0:100 >/dev/null
	profile snapshot "$id" /out/flight.etl
	session discard "$id"
}

# Where the counter's interrupt is an NMI: samples of interrupts, and of the recorder
# with counters it reads while others of this session read them. QEMU counts cycles (0x11); of
# instructions only where it counts them itself
nmi() {
	begin nmi -f 0x01000010,0x204 -i 0:5000 -c "0x1000:$pmu:0x11" -c "0x1001:$pmu:0x11:2" \
		-c 0x1002:1:2 -H 0x0F2E,0x0524
	# its PMU's own function, which NMIs come into
	echo N >/sys/module/etw/parameters/direct_counters
	begin nmi2 -f 0x01000010 -i 0:7000 -c "0x1000:$pmu:0x11" -c "0x1001:$pmu:0x11:2" \
		-c 0x1002:1:2 -H 0x0F2E,0x0524
	hogs 3 0:0:50 &
	load 5 40 >/dev/null
	wait $!
	finish nmi2
	finish nmi
}

insmod etw.ko || exit 1
# a virtual CPU takes longer for a sample than perf allows
echo 0 >/proc/sys/kernel/perf_cpu_time_max_percent
for each in $(echo "$part" | tr , ' '); do $each; done
for file in /out/*.etl; do
	tell "etw check: $(basename "$file")" etw check --ours "$file"
done
tell 'the module unloads' rmmod etw
