#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
# The buffers of a session with a CPU that is offline when it starts, and comes: two CPUs.
offline=/sys/devices/system/cpu/cpu1/online
failed=0

tell() { # NAME COMMAND...
	what=$1
	shift
	if "$@"; then
		echo "ok - $what"
	else
		echo "not ok - $what"
		failed=1
	fi
}

value() { # ID LINE FIELD
	session stats "$1" | sed -n "s/^$2 .*[ ]$3=\([0-9]*\).*/\1/p"
}

insmod etw.ko || exit 1
modes_memory || failed=1

echo 0 >$offline || exit 1
# disks: there are none with events that could want more buffers
fixed=$(session start -f 0x100 -b 4 -n 16 fixed) || exit 1
grows=$(session start -f 0x100 -b 4 -m 8 -n 32 grows) || exit 1
over=$(session start -f 0x100 -b 4 -n 16 -o over) || exit 1
# without a reader: one CPU comes to have what is there for both
most=$(session start -f 0x10 -b 4 -m 4 -n 8 most) || exit 1
for _ in $(seq 3000); do
	[ "$(value "$most" cpu0 buffers)" = 8 ] && break
	sleep 0.01
done
tell 'a CPU that is short gets as much as may be' [ "$(value "$most" cpu0 buffers)" = 8 ]
tell 'a CPU that is there has its share' [ "$(value "$fixed" cpu0 buffers)" = 8 ]
tell 'also of what overwrites' [ "$(value "$over" cpu0 buffers)" = 8 ]
tell 'and of the minimum' [ "$(value "$grows" cpu0 buffers)" = 4 ]
echo 1 >$offline || exit 1
tell 'one that comes has as much' [ "$(value "$fixed" cpu1 buffers)" = 8 ]
tell 'both together have the maximum' [ "$(value "$fixed" all buffers)" = 16 ]
tell 'also of what overwrites, both' [ "$(value "$over" all buffers)" = 16 ]
tell 'and the minimum' [ "$(value "$grows" all buffers)" = 8 ]
session read "$most" /dev/null &
for _ in $(seq 3000); do
	[ "$(value "$most" all buffers)" -le 8 ] && break
	sleep 0.01
done
echo "# $(value "$most" cpu0 buffers) and $(value "$most" cpu1 buffers)"
tell 'what is above the maximum goes as it is read' [ "$(value "$most" all buffers)" = 8 ]
for id in "$fixed" "$grows" "$over" "$most"; do session discard "$id"; done
wait
tell 'the module unloads' rmmod etw
exit $failed
