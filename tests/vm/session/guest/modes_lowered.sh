#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
# What is above a maximum that UPDATE lowers goes back: free buffers at once, others when they
# were read. Without a flush timer, with one that never comes, which gives nothing back, and
# with one that does.
least=4 most=64

# shellcheck source=tests/lib/guest/checks.sh
. /w/checks.sh

value() { # ID FIELD
	session stats "$1" | sed -n "s/^all .*[ ]$2=\([0-9]*\).*/\1/p"
}
# wait for it; after 60 s the script goes on and fails
until_true() {
	for _ in $(seq 600); do
		"$@" && return
		sleep 0.1
	done
}
at_most() { [ "$(value "$id" buffers)" -le "$1" ]; }
at_least() { [ "$(value "$id" buffers)" -ge "$1" ]; }
has_grown() { at_least $((most / 2)); }
# but for what is in the buffers that are being written
is_read() { [ "$(value "$id" buffered)" -lt 600 ]; }
maximum() { etw update "$id" --max-buffers "$1" >/dev/null || exit 1; }

# A session of that period of flushes, ms (0: none), with many buffers that were not read
grown() {
	id=$(session start -b 4 -m $least -n $most -f 0x10 -t "$1" lowered) || exit 1
	for _ in 1 2 3 4 5 6 7 8; do
		has_grown && break
		taskset 1 pingpong 2000 >/dev/null
	done
	tell "$1 ms: it has grown without a reader" has_grown
}
reader() { session read "$id" /tmp/lowered.etl & }
finish() {
	session stop "$id"
	wait
	tell "$1 ms: etw check finds nothing" etw check --ours /tmp/lowered.etl
}

# what is full when the maximum is lowered goes when it was read
full() {
	grown "$1"
	before=$(value "$id" buffers) events=$(value "$id" buffered)
	maximum 8
	echo "# $before buffers, then $(value "$id" buffers); $events events"
	tell "$1 ms: what is full stays" [ "$(value "$id" buffered)" -ge "$events" ]
	reader
	until_true at_most 8
	tell "$1 ms: what was read goes, down to the maximum" at_most 8
	tell "$1 ms: and not below the minimum" at_least $least
	finish "$1"
}

# what is free then goes at once; a maximum that was raised meanwhile wants nothing back
free() {
	grown "$1"
	maximum 8
	maximum $most
	before=$(value "$id" buffers)
	reader
	until_true is_read
	[ "$1" = 100 ] || tell "$1 ms: a maximum that was raised again lets all stay" at_least "$before"
	maximum $least
	until_true at_most $least
	echo "# $before buffers, then $(value "$id" buffers)"
	tell "$1 ms: what is free goes, down to two a CPU" at_most $least
	taskset 1 pingpong 500 >/dev/null
	tell "$1 ms: and stays away" at_most $least
	finish "$1"
}

insmod etw.ko || exit 1
sysctl -qw kernel.sched_rt_runtime_us=-1
for period in 0 3600000 100; do
	full $period
	free $period
done
tell 'the module unloads' rmmod etw
