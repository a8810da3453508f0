#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
# Samples of a program that is known, made final here: symbols.sh. Leaves in /out: final.etl,
# hidden.etl of a session without addresses, late.etl whose names come of 'etw rundown' alone,
# stacks.etl and keys.etl of known chains of calls, kallsyms, notes, and root/ with the programs.
insmod /w/etw.ko || exit 1
# a virtual CPU takes longer for a sample than perf allows
echo 0 >/proc/sys/kernel/perf_cpu_time_max_percent
what='-e PROC_THREAD+LOADER+PROFILE -F 997'
status=0
try() {
	"$@" || {
		echo "symbols.sh: failed: $*"
		status=1
	}
}

mkdir -p /out/root/w /out/root/bin
cp /w/hogs /w/chain /w/etw /out/root/w
cp /bin/busybox /out/root/bin
cp /sys/kernel/notes /out/notes
cp /sys/module/etw/notes/.note.gnu.build-id /out/notes.etw
uname -r >/out/release

# by seconds, and by rounds: where each takes long, most samples are in them all the same
# shellcheck disable=SC2086 # words
try etw record -q --finalize $what -o /out/final.etl -- sh -c \
	'hogs 2 0:0:60 1:0:60 >/dev/null; hogs loop 300000000 >/dev/null
	dd if=/dev/zero of=/dev/null bs=64k count=5000 2>/dev/null'
# shellcheck disable=SC2086
try etw record -q --finalize --no-addresses $what -o /out/hidden.etl -- \
	hogs 0.5 0:0:60 >/dev/null

# stacks, whole and by key; a second of a busy machine's has some 80 samples
for name in stacks keys; do
	caching=
	[ $name = stacks ] || caching='--stack-caching 1M:1024'
	# shellcheck disable=SC2086
	try etw record -q --finalize -F 997 -e PROC_THREAD+LOADER+PROFILE+CSWITCH --stackwalk CSwitch+Profile $caching \
		-o /out/$name.etl -- sh -c \
			"chain burn 3 >/dev/null; chain sleep 100 >/out/$name.sleeps"
done

# until it ends; a slow machine takes its time to start a session, and has few samples a second
hogs 900 0:0:60 1:0:60 >/dev/null &
hogs=$!
# shellcheck disable=SC2086
try etw start -N late --no-rundown $what -f /out/late.etl
sleep "${TIMES:-1}"
for dir in /proc/[0-9]*; do basename "$dir"; done >/out/before
try etw rundown late
sleep "${TIMES:-1}"
for dir in /proc/[0-9]*; do basename "$dir"; done >/out/after
try etw stop --finalize late
killall hogs
wait $hogs
echo $hogs >/out/hogs

cat /proc/kallsyms >/out/kallsyms
rmmod etw || exit 1
for file in /out/*.etl; do
	try etw check "$file"
done
# it is done once
etw finalize /out/final.etl 2>/dev/null && status=1
exit $status
