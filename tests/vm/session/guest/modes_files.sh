#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
# What the tool writes in each mode, under load: modes_files.sh CIRCULAR-MB
size=$1
P=/sys/module/etw_torture/parameters
KB=64

# shellcheck source=tests/lib/guest/checks.sh
. /w/checks.sh

between() { [ "$1" -le "$2" ] && [ "$2" -le "$3" ]; }

bytes() { stat -c %s "$@"; }

# All CPUs have written what they shall
is_over() { # BYTES
	awk -v most="$1" '$1 == "bytes" && $3 >= most { n++ }
		END { exit n < '"$(nproc)"' }' /sys/kernel/debug/etw_torture/stats
}

# The CPUs may write on once the tool has read all but the buffers in use
lead() { # ID MOST
	[ -n "$step" ] && is_over "$allowed" || return 0
	session stats "$1" | awk '/^all/ { for (i = 1; i <= NF; i++) {
			split($i, part, "="); value[part[1]] = part[2] } }
		END { exit value["free"] + '"$(nproc)"' < value["buffers"] }' || return 0
	allowed=$((allowed + step < $2 ? allowed + step : $2))
	echo $allowed >$P/most
}

# A session of the tool gets so many events of the test source; leaves /tmp/stats. It has
# buffers for all of it: an emulated CPU may leave the tool behind for any time, and what
# is lost is a fault.
record() { # NAME MB TOOL-OPTION...
	name=$1 most=$(($2 * 1024 * 1024 / $(nproc)))
	buffers=$(($2 * 2048 / KB + 64))
	shift 2
	allowed=${step:-$most}
	# shellcheck disable=SC2086 # a list
	insmod etw_torture.ko most="$allowed" $pace || exit 1
	etw start -N "$name" -e CSWITCH+PROC_THREAD -b $KB -n $buffers:$buffers "$@" || exit 1
	id=$(etw list | awk -v name="$name" '{ for (i = 1; i <= NF; i++) if ($i == name) print $1 }')
	session enable "$id" 0x08000013 || exit 1
	# it would not wait for the tool
	[ -n "$step" ] || (while [ ! -e /tmp/over ]; do load 5 20 >/dev/null; done) &
	echo 1 >$P/run
	# a sequential file ends its session when it is full
	until is_over "$most" || ! session stats "$id" >/dev/null 2>&1; do
		lead "$id" "$most"
		sleep 0.1
	done
	echo 0 >$P/run
	: >/tmp/over
	session stats "$id" 2>/dev/null | grep ^all
	etw stop "$name"
	wait
	rm /tmp/over
	cat /sys/kernel/debug/etw_torture/stats >/tmp/stats
	rmmod etw_torture
	lost=0
	for file in /tmp/"$name"*.etl; do
		[ "$(etw stat "$file" | sed -n 's/^lost  *\([0-9]*\) events.*/\1/p')" = 0 ] || lost=1
	done
	tell "$name: nothing is lost" [ $lost = 0 ]
}

insmod etw.ko || exit 1
pace='sizes=3000 burst=64 pause_us=3000' step=

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
tell "newfile: etw check passes each file, none is too large # $n files" [ $good = 1 ]
tell 'newfile: one after another' [ $n -ge 3 ]
# shellcheck disable=SC2086 # a list
tell 'newfile: nothing is missing, nor at their ends' modes_file -b -e /tmp/stats $files
rm /tmp/newfile*.etl

# at the tool's own pace: the names, which are asked for with each file, are in it
pace='sizes=600 burst=8 pause_us=1000' step=98304
record slow 3 -o /tmp/slow%d.etl --mode newfile --max-file 1
n=1 good=1
while [ -e /tmp/slow$((n + 1)).etl ]; do
	names=$(etw dump /tmp/slow$n.etl | grep -c 'Process/DCStart')
	echo "# file $n: $names processes"
	[ "$names" -gt 4 ] || good=0
	n=$((n + 1))
done
tell 'newfile: each file has names of its own' [ $good$((n >= 3)) = 11 ]

# A disk that is full: what was read and can't be written is in the numbers of the file
lost_in() { # FILE
	etw stat "$1" | sed -n 's/^lost  *\([0-9]*\) events.*/\1/p'
}
text='' code=0
attempt() { # COMMAND...: leaves its status in $code, what it says in $text
	code=0
	text=$("$@" 2>&1 >/dev/null) || code=$?
	echo "# $text"
}
said() { case $text in *"$1"*) ;; *) false ;; esac; }
is_partial() { # FILE: exit status 1, and a closed file that says what is missing
	is 1 $code && etw check --ours "$1" && [ "$(lost_in "$1")" -gt 0 ] &&
		etw dump "$1" | grep -q 'Loss.*not written'
}
mkdir -p /mnt
mount -t tmpfs -o size=400k none /mnt || exit 1
attempt etw record --raw -o /mnt/full.etl -b 16 -n 512:512 -e CSWITCH -- pingpong 20000
tell 'record on a full disk: the file reports the loss' is_partial /mnt/full.etl
tell 'and so does the summary' said " $(lost_in /mnt/full.etl) lost"
rm /mnt/full.etl	# it would become full.etl.old, and fill the disk
attempt etw record --raw -o /mnt/full.etl --mode circular --max-file 4 -b 16 -n 512:512 -e CSWITCH -- \
	pingpong 20000
tell 'a circular file on a full disk reports the loss' is_partial /mnt/full.etl
rm /mnt/full.etl*

echo previous >/mnt/none.etl
dd if=/dev/zero of=/mnt/rest bs=4k 2>/dev/null
attempt etw record --raw -o /mnt/none.etl -b 16 -n 512:512 -e CSWITCH -- pingpong 200
tell 'record on a disk without any room fails' is 1 $code
tell 'and gives the reason' said 'No space left on device'
tell 'and the file of before has its name' is previous "$(cat /mnt/none.etl)"
rm /mnt/none.etl
attempt etw record --raw -o /mnt/none.etl -b 16 -n 512:512 -e CSWITCH -- pingpong 200
tell 'and no empty file is left' is '1 rest' "$code $(ls /mnt)"
rm /mnt/rest

etw start full -f /mnt/full.etl -b 16 -n 512:512 -e CSWITCH || exit 1
pingpong 20000
while etw list | grep -q full; do sleep 0.1; done
attempt etw status full
tell 'status of a session whose file failed has the reason' said 'No space left on device'
attempt etw stop full
tell 'stop, too' said 'No space left on device'
tell 'the file in the background reports the loss' is_partial /mnt/full.etl
rm /mnt/full.etl*

etw start full --flight 2M -b 16 -e CSWITCH || exit 1
pingpong 20000
attempt etw snapshot --raw full -o /mnt/full.etl
tell 'a snapshot on a full disk reports the loss' is_partial /mnt/full.etl
rm /mnt/full.etl*
etw stop full
attempt etw stop --raw full -d /mnt/full.etl
tell 'a save on a full disk reports what it has not read' is_partial /mnt/full.etl
missing=$(lost_in /mnt/full.etl)
attempt etw stop full
stay=$(echo "$text" | sed -n 's/.*; \([0-9]*\) events stay in memory.*/\1/p')
# with the records of the session about itself in its last buffer
tell 'and leaves it in the session' between "$missing" "${stay:-0}" $((missing + 32))
attempt etw stop --raw full -d /tmp/rest.etl
tell 'from where it can be saved' is 0 $code
tell 'as a whole file' etw check --ours /tmp/rest.etl
tell 'and then the session is gone' sh -c '! etw list | grep -q full'
tell 'the module unloads' rmmod etw
