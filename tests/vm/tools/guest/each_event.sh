#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
# Tracepoints of this kernel, a group of them after the other: etw and ftrace record each group
# while a load runs. each_event.sh GLOB[,GLOB...]; /out gets what both recorded.

# shellcheck source=tests/lib/guest/checks.sh
. /w/checks.sh

tracing=/sys/kernel/tracing
# the one with libtraceevent, which a static program does not have
etw=/usr/local/bin/etw
group=48
[ -d $tracing/events ] || mount -t tracefs tracefs $tracing

# Events of a process count from its first to its last one, because both record before it begins
# and after it has ended. They are compared for these processes.
cat >/tmp/each_load.sh <<'END'
echo $$ >>/tmp/each.pids
for i in 1 2 3; do
	sh -c 'echo $$ >>/tmp/each.pids; exec cat /proc/self/status /nothing' >/dev/null 2>&1
	sh -c 'echo $$ >>/tmp/each.pids; exec sleep 0.01'
	sh -c 'echo $$ >>/tmp/each.pids; exec dd if=/dev/zero of=/tmp/each.data bs=64k count=4' 2>/dev/null
	sh -c 'echo $$ >>/tmp/each.pids; kill -USR1 $$; :' >/dev/null 2>&1
	sh -c 'echo $$ >>/tmp/each.pids; exec rm /tmp/each.data'
done
END
cat >/tmp/each.sh <<'END'
cd /sys/kernel/tracing
echo 0 >tracing_on
echo >trace
echo 8192 >buffer_size_kb
printf '%s\n' "$@" >set_event
echo 1 >tracing_on
sh /tmp/each_load.sh
sleep 0.1
echo 0 >tracing_on
echo >set_event
END

one_group() { # NUMBER EVENT...
	number=$1
	shift
	printf '%s\n' "$@" >"/out/each_$number.events"
	: >/tmp/each.pids
	$etw record --raw -q -o /tmp/each.etl --buffer-size 256 --buffers 64:64 \
		-e "$(echo "$@" | tr ' ' ,)" -- sh /tmp/each.sh "$@" || return 1
	cat $tracing/trace >"/out/each_$number.txt"
	cat $tracing/per_cpu/cpu*/stats >"/out/each_$number.stats"
	cp /tmp/each.pids "/out/each_$number.pids"
	$etw dump --json /tmp/each.etl | grep '"event": *"Linux\.' >"/out/each_$number.json"
}

groups() { # EVENT...
	number=0
	while [ $# -gt 0 ]; do
		events=
		for _ in $(seq $group); do
			[ $# -gt 0 ] || break
			events="$events $1"
			shift
		done
		# shellcheck disable=SC2086 # words
		one_group $number $events || return 1
		number=$((number + 1))
	done
}

names=
# shellcheck disable=SC2046 # words
for glob in $(echo "$1" | tr , ' '); do
	names="$names $($etw list events "$glob")"
done
tell 'the module can be loaded' insmod etw.ko
# shellcheck disable=SC2086 # words
tell 'tracepoints can be recorded in groups' groups $names
tell 'the module can be unloaded' rmmod etw
