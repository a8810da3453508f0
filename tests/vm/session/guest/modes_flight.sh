#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
# What a flight recorder holds: its timer, its snapshots and its stop cost it no events.
mount -t debugfs none /sys/kernel/debug 2>/dev/null

# shellcheck source=tests/lib/guest/checks.sh
. /w/checks.sh

# probes: those that sources have registered
probes() {
	wc -l </sys/kernel/debug/kprobes/list
}

# record NAME OPTION...: its node is $node
record() {
	node=$(etw start "$@" --mode buffering --flush-timer 100ms) || exit 1
	node=${node#* }
}

# stop_and_save NAME: its stream is in /tmp/NAME.etl
stop_and_save() {
	taskset 1 etw stop "$1" && cat "$node" >"/tmp/$1.etl"
}

insmod etw.ko || exit 1
# shellcheck source=tests/lib/guest/settled.sh
. /w/settled.sh

# Each mark has a period, and would have a buffer of its own if the timer sealed
record quiet -b 64 -n 8 -e DISK_IO --no-rundown
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do
	taskset 1 etw mark "quiet $i" quiet
	sleep 0.2
done
stop_and_save quiet
tell 'a file of a quiet recorder is whole' etw check --ours /tmp/quiet.etl
tell 'a timer overwrites nothing' \
	[ "$(etw dump --csv /tmp/quiet.etl | grep -c 'quiet [0-9]')" = 16 ]
tell 'and contains the clocks' [ "$(etw dump --csv /tmp/quiet.etl | grep -ci anchor)" -ge 16 ]

# A mark and a snapshot each time: more snapshots than the recorder has buffers
record kept -b 64 -n 8 -e DISK_IO --no-rundown
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do
	taskset 1 etw mark "kept $i" kept
	etw snapshot --raw -q -o /tmp/copy.etl kept || break
done
tell 'each of sixteen snapshots is taken' [ "$i" = 16 ]
tell 'a snapshot overwrites nothing' \
	[ "$(etw status --json kept | sed -n 's/^ *"overwritten": \([0-9]*\),$/\1/p')" = 0 ]
tell 'a snapshot has what the open buffers hold' \
	[ "$(etw dump --csv /tmp/copy.etl | grep -c 'kept [0-9]')" = 16 ]
tell 'a file of a snapshot is whole' etw check --ours /tmp/copy.etl
stop_and_save kept
tell 'the recorder keeps what snapshots copied' \
	[ "$(etw dump --csv /tmp/kept.etl | grep -c 'kept [0-9]')" = 16 ]

# Its rundown is larger than all of its buffers
i=0
while [ $((i += 1)) -le 120 ]; do
	sleep 1000 &
done
record flight -b 4 -n 8 -e PROC_THREAD+LOADER
tell 'sources have probes' [ "$(probes)" -gt 0 ]
# it would overwrite what comes now
settled flight
sleep 1000 &
between() { [ "$1" -le "$2" ] && [ "$2" -le "$3" ]; }
overwritten() { etw status --json flight | sed -n 's/^ *"overwritten": \([0-9]*\),$/\1/p'; }
least=$(overwritten)
etw snapshot --raw -q -o /tmp/copy.etl flight
most=$(overwritten)
got=$(etw stat --json /tmp/copy.etl | sed -n 's/.*"events_overwritten":\([0-9]*\).*/\1/p')
echo "# $least to $most overwritten, $got in the snapshot"
tell 'stat of a snapshot reports what was overwritten before it' \
	between $((least > 0 ? least : 1)) "${got:-0}" "$most"
# the programs above have events, too, which may overwrite older ones
taskset 1 etw mark 'last words' flight
stop_and_save flight
tell 'a file of a stopped recorder is whole' etw check --ours /tmp/flight.etl
etw dump --csv /tmp/flight.etl >/tmp/flight.csv
# its 8 buffers, header and trailer, and once more 8
tell 'the rundown is larger than its buffers' \
	[ "$(stat -c %s /tmp/flight.etl)" -gt $(((8 + 2 + 8) * 4096)) ]
tell 'what was last before the stop is there' grep -q 'last words' /tmp/flight.csv
tell 'the rundown has the processes' \
	[ "$(grep -c 'Process/DCStop.*sleep 1000' /tmp/flight.csv)" = 121 ]
tell 'and comes to its end' \
	sh -c 'sed "1,/last words/d" /tmp/flight.csv | grep -q RundownComplete'
grep Linux/Loss /tmp/flight.csv | grep -v overwritten >/tmp/losses
tell 'nothing was lost' [ ! -s /tmp/losses ]
tell 'and none any more' [ "$(probes)" = 0 ]

# A rundown that has no room waits for its reader, if not for ever, and is reported as long
etw start slow -b 4 -n 8 -e PROC_THREAD >/tmp/slow || exit 1
is_logged() { etw status slow | grep -q 'a rundown is being written'; }
is_logged_once() {
	tries=0
	until is_logged; do
		[ $((tries += 1)) -lt 50 ] || return 1
		etw rundown slow
	done
}
tell 'status reports a rundown that waits' is_logged_once
# a process that has waited for its end sees none any more
(etw rundown --wait slow; : >/tmp/returned) &
until is_logged || [ -e /tmp/returned ]; do sleep 0.05; done
while is_logged; do
	[ ! -e /tmp/returned ] || ! is_logged || : >/tmp/early
done
wait $!
tell 'the wait for its end returns' [ -e /tmp/returned ]
tell 'and not before it' [ ! -e /tmp/early ]
etw stop --discard slow >/dev/null
# shellcheck disable=SC2046 # words
kill $(pidof sleep)
tell 'the module unloads' rmmod etw
