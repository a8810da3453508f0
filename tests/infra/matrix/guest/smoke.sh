#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
# A short run of everything: smoke.sh COUNT BURSTS TORTURE-SECONDS
# COUNT and BURSTS are those of load. Leaves in /out what tests/infra/matrix/check.py
# reads: smoke.etl with record.txt, small.etl with small.txt, known.txt, cpus.txt;
# and prints the checks that are done here.
# shellcheck source=tests/lib/guest/checks.sh
. /w/checks.sh

# A child of a name of its own on each CPU, "PID CPU STATUS" for each
children() {
	cp /w/load /tmp/smoke-child
	while read -r cpu; do
		what=nothing
		# with no arguments it complains, and exits with status 2
		[ $((cpu % 2)) = 0 ] || what=
		# shellcheck disable=SC2086 # what may be none
		taskset "$(printf %x $((1 << cpu)))" /tmp/smoke-child $what 2>/dev/null &
		child=$!
		wait $child
		echo "$child $cpu $?"
	done </out/cpus.txt >/out/known.txt
}

# Under the big session, a small one without a reader: its buffers run out
work() { # COUNT BURSTS
	session hold -r -f 0x10 -b 4 -n 4 -l /out/small.etl small -- /w/load "$1" "$2" \
		>/out/small.txt || return 1
	children
}

# Writers in every context, while a reader saves it all
write_wildly() {
	insmod /w/etw_torture.ko sizes=3000 burst=32 pause_us=2000 || return 1
	id=$(session start -b 16 -n 64 -t 200 wild) || return 1
	session read -S /tmp/statistics "$id" /tmp/stream &
	echo 1 >/sys/module/etw_torture/parameters/run
	sleep "$torture"
	session stop "$id" || return 1
	echo 0 >/sys/module/etw_torture/parameters/run
	wait $! || return 1
	cat /sys/kernel/debug/etw_torture/stats >/tmp/stats
	rmmod etw_torture
}

# A flight recorder: what it holds, before and after only one process is wanted
flight() {
	etw start flight --flight 1M -b 16 -e PROC_THREAD+CSWITCH >/dev/null || return 1
	/tmp/smoke-child 2>/dev/null
	etw snapshot --raw -q flight -o /tmp/all.etl && etw check --ours /tmp/all.etl &&
		etw stat -n 0 /tmp/all.etl | grep -qw smoke-child || return 1
	etw update flight --pid $$ && etw status flight | grep -qw "process ids: $$" &&
		etw snapshot --raw -q flight -o /tmp/one.etl &&
		etw check --ours --filtered /tmp/one.etl || return 1
	etw stop --discard flight
}

# A counter that patches no code, on every switch, and samples
counted() {
	etw record --raw -o /out/counted.etl -c cpu-clock@CSWITCH -F 500 -- /w/load 100 \
		2>/tmp/counted.txt && etw check --ours /out/counted.etl || return 1
	etw stat /out/counted.etl counters >/tmp/counters || return 1
	head -n 3 /tmp/counters
	grep -q 'cpu-clock' /tmp/counters && grep -qw load /tmp/counters &&
		etw stat /out/counted.etl profile | grep -qw load
}

if [ "$1" = work ]; then
	shift
	work "$@"
	exit
fi
torture=$3
for cpu in /sys/devices/system/cpu/cpu[0-9]*; do
	if [ ! -e "$cpu/online" ] || [ "$(cat "$cpu/online")" = 1 ]; then
		echo "${cpu##*/cpu}"
	fi
done | sort -n >/out/cpus.txt
uname -r >/out/release.txt

tell 'the module loads' insmod /w/etw.ko
tell 'a workload is recorded' etw record --raw -o /out/smoke.etl \
	-e PROC_THREAD+CSWITCH+DISPATCHER -- sh /w/smoke.sh work "$1" "$2" \
	2>/out/record.txt
cat /out/record.txt /out/small.txt
tell 'etw check finds nothing' etw check --ours /out/smoke.etl
tell 'etw stat knows the workload' sh -c 'etw stat -n 0 /out/smoke.etl | grep -qw load'
tell 'a flight recorder: snapshots, a filter' flight
tell 'a counter on context switches, and samples' counted
tell 'torture: it runs' write_wildly
torture_check /tmp/statistics /tmp/stats /tmp/stream >/out/torture.txt
status=$?
cat /out/torture.txt
tell 'torture: whole, in order, all accounted for' [ $status = 0 ]
if [ -e /w/etw_kunit.ko ]; then
	tell 'KUnit' sh -c 'insmod /w/etw_kunit.ko && rmmod etw_kunit'
fi
tell 'the module unloads' rmmod etw
