#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# What the tool writes in each mode, under load: modes_files.sh CIRCULAR-MB
size=$1
P=/sys/module/etw_torture/parameters
KB=64

# shellcheck source=tests/guest/checks.sh
. /w/checks.sh

between() { [ "$1" -le "$2" ] && [ "$2" -le "$3" ]; }

bytes() { stat -c %s "$@"; }

# A session of the tool gets the test source's events until so much was written;
# leaves /tmp/stats
record_once() { # NAME MB TOOL-OPTION...
	name=$1 want=$2
	shift 2
	# shellcheck disable=SC2086 # a list
	insmod etw_torture.ko $pace || exit 1
	etw start -N "$name" -e CSWITCH+PROC_THREAD -b $KB -n 256:768 "$@" || exit 1
	id=$(etw list | awk -v name="$name" '{ for (i = 1; i <= NF; i++) if ($i == name) print $1 }')
	session enable "$id" 0x08000013 || exit 1
	(while [ ! -e /tmp/over ]; do load 5 20 >/dev/null; done) &
	echo 1 >$P/run
	while :; do
		read=$(session stats "$id" 2>/dev/null | sed -n 's/^all.* buffers_read=\([0-9]*\).*/\1/p')
		[ -n "$read" ] || break
		[ $((read * KB / 1024)) -lt "$want" ] || break
		sleep 0.2
	done
	echo 0 >$P/run
	: >/tmp/over
	session stats "$id" 2>/dev/null | grep ^all
	etw stop "$name"
	wait
	rm /tmp/over
	cat /sys/kernel/debug/etw_torture/stats >/tmp/stats
	rmmod etw_torture
}

# What is lost is a hole, and counted: the files tell. An emulated CPU that gets too
# little of a real one leaves the tool behind for longer than the buffers last; such a
# recording says nothing about holes that are not counted, and is made again.
record() { # NAME MB TOOL-OPTION...
	for try in 1 2 3; do
		rm -f /tmp/"$1"*.etl
		record_once "$@"
		lost=0
		for file in /tmp/"$1"*.etl; do
			n=$(etw stat "$file" | sed -n 's/^lost  *\([0-9]*\) events.*/\1/p')
			[ -n "$n" ] || echo "not ok - etw stat says what $file lost"
			[ "${n:-0}" = 0 ] || lost=1
		done
		[ $lost = 1 ] || return 0
		echo "# recording $try of $1 lost events"
	done
}

insmod etw.ko || exit 1
# more buffers than it needs
pace='sizes=3000 burst=64 pause_us=3000'

record circular $((size * 5 / 4)) -o /tmp/circular.etl --mode circular --max-file "$size"
tell 'circular: etw check' etw check --ours /tmp/circular.etl
tell 'circular: the newest, and no hole in them' modes_file -e /tmp/stats /tmp/circular.etl
got=$(bytes /tmp/circular.etl)
echo "# $got bytes of $((size << 20))"
tell 'circular: as many buffers as fit' \
	between $(((size << 20) - KB * 1024)) "$got" $((size << 20))
rm /tmp/circular.etl

record sequential 12 -o /tmp/sequential.etl --mode sequential --max-file 8
tell 'sequential: etw check' etw check --ours /tmp/sequential.etl
tell 'sequential: the oldest, and no hole in them' modes_file -b /tmp/sequential.etl
got=$(bytes /tmp/sequential.etl)
echo "# $got bytes of $((8 << 20))"
tell 'sequential: as many buffers as fit' \
	between $(((8 << 20) - KB * 1024)) "$got" $((8 << 20))
rm /tmp/sequential.etl

record newfile 10 -o /tmp/newfile%d.etl --mode newfile --max-file 3
n=0 files='' good=1
while [ -e /tmp/newfile$((n + 1)).etl ]; do
	n=$((n + 1))
	files="$files /tmp/newfile$n.etl"
	etw check --ours /tmp/newfile$n.etl || good=0
	[ "$(bytes /tmp/newfile$n.etl)" -le $((3 << 20)) ] || good=0
done
tell "newfile: etw check of $n files, none too large" [ $good = 1 ]
tell 'newfile: one after another' [ $n -ge 3 ]
# shellcheck disable=SC2086 # a list
tell 'newfile: nothing is missing, nor at their ends' modes_file -b -e /tmp/stats $files
rm /tmp/newfile*.etl

# slowly enough for the names, which are asked for with each file, to be in it
pace='sizes=600 burst=8 pause_us=8000 timer_us=2000'
record slow 3 -o /tmp/slow%d.etl --mode newfile --max-file 1
n=1 good=1
while [ -e /tmp/slow$((n + 1)).etl ]; do
	names=$(etw dump /tmp/slow$n.etl | grep -c 'Process/DCStart')
	echo "# file $n: $names processes"
	[ "$names" -gt 4 ] || good=0
	n=$((n + 1))
done
tell 'newfile: each file has names of its own' [ $good$((n >= 3)) = 11 ]
tell 'the module unloads' rmmod etw
