#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
# Hardware counters, of sessions, beside what is known and beside perf: counters_arm64.sh [quick]
# quick: nothing that takes billions of instructions, no perf.
# Leaves NAME.etl, NAME.stats, NAME.methods of each session in /out, what `known`
# and perf said, and prints the checks that are done here.
pmu=armv8_pmuv3
user=2	# ETW_COUNTER_EXCLUDE_KERNEL

# begin NAME COUNTER...
begin() {
	name=$1
	shift
	counters=
	for counter; do counters="$counters -c $counter"; done
	# shellcheck disable=SC2086 # words
	id=$(counters start -b 256 -n 64 -H 0x524 $counters "$name") || {
		echo "not ok - $name starts # $id"
		return 1
	}
	counters methods "$id" >/out/"$name".methods
	session read -S /out/"$name".stats "$id" /out/"$name".etl &
	eval "id_$name=$id reader_$name=$!"
}
finish() {
	reader=
	eval "id=\$id_$1 reader=\$reader_$1"
	session stop "$id"
	wait "$reader" || echo "not ok - $1: the reader"
}

# Four programs at once, each beside perf stat; /out/perf.NAME, /out/pid.NAME.
# perf counts from an exec to a place in the exit; the thread of before and after
# runs some 1.2 million instructions more in the kernel, so they are long ones.
beside() {
	name=$1
	shift
	perf stat -x, -o /out/perf."$name" -e r08:u,r08,r11 -- \
		sh -c "echo \$\$ >/out/pid.$name; exec $*" >/dev/null
}
programs() {
	beside awk "awk 'BEGIN { for (i = 0; i < 150000; i++) x += i % 7; print x }'" &
	all=$!
	beside sum 'sha256sum /tmp/data /tmp/data' &
	all="$all $!"
	beside gzip 'gzip -c /tmp/data' &
	all="$all $!"
	beside copy 'dd if=/dev/zero of=/dev/null bs=64 count=120000 status=none' &
	# shellcheck disable=SC2086 # numbers
	wait $all $!
}

if [ "$1" = programs ]; then
	begin programs 2:$pmu:8:$user 4096:$pmu:8 19:$pmu:0x11
	programs
	finish programs
	exit
fi

insmod /w/etw.ko || exit 1
direct=/sys/module/etw/parameters/direct_counters

# Instructions known to the last one; by both ways to read
loops='1 1000 101000 3000001 20000003'
for way in Y N; do
	echo $way >$direct
	begin known$way 2:$pmu:8:$user 4096:$pmu:8 19:$pmu:0x11
	# shellcheck disable=SC2086 # words
	{
		known $loops
		known -1 $loops
	} >/out/known$way.txt
	finish known$way
done

# One that perf gives another register: the first is free again when it schedules them anew
echo Y >$direct
begin before 2:$pmu:8:$user
begin moved 2:$pmu:8:$user
finish before
begin after 2:$pmu:8:$user
# shellcheck disable=SC2086 # words
known $loops >/out/moved.txt
finish after
finish moved

# More than a counter of 32 bits holds, twice: it overflows under way
echo Y >$direct
if [ "$1" != quick ]; then
	begin wide 2:$pmu:8:$user
	known 2200000000 >/out/wide.txt
	finish wide
fi

# Both ways at once, the same switches
begin direct 2:$pmu:8:$user 4096:$pmu:8
echo N >$direct
begin slow 2:$pmu:8:$user 4096:$pmu:8
load 30
finish slow
finish direct
echo Y >$direct

if [ "$1" = quick ]; then
	:
elif command -v perf >/dev/null; then
	head -c 3000000 /dev/urandom >/tmp/data
	perf stat -a -x, -o /out/perf.all -e r08 -- sh /w/counters_arm64.sh programs
else
	echo 'skip - perf beside # no perf for this machine was given to the run'
fi
# A CPU that goes and comes, its counters read directly: no counts are exact from here on
cpu1=/sys/devices/system/cpu/cpu1/online
echo 1 >$cpu1
begin hotplug 4096:$pmu:8 19:$pmu:0x11
load 10
for _ in 1 2; do
	echo 0 >$cpu1
	load 5
	echo 1 >$cpu1
	load 10
done
finish hotplug

rmmod etw || echo 'not ok - the module unloads'
