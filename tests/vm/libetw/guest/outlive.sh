#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
# Sessions with a process of their own that writes the file: started, used and stopped by
# different programs. Run by libetw.sh with the module loaded.
# shellcheck disable=SC2317 # what check calls
bad=0
# check NAME COMMAND...
check() {
	name=$1
	shift
	if "$@"; then echo "ok - $name"; else echo "not ok - $name"; bad=1; fi
}
# says PATTERN COMMAND...: a line of its output
says() {
	pattern=$1
	shift
	"$@" >/tmp/said 2>&1
	grep -qE "$pattern" /tmp/said || { cat /tmp/said; return 1; }
}
# holds FILE COUNT: so many of outlive's events, in a good file
holds() {
	etw check "$1" >/tmp/verdict || { cat /tmp/verdict; return 1; }
	[ "$(etw dump "$1" | grep -c '00000a71-0002')" = "$2" ]
}
# writer FILE: the process that has it open
writer() {
	for process in /proc/[0-9]*; do
		for fd in "$process"/fd/*; do
			[ "$(readlink "$fd")" != "$1" ] || echo "${process#/proc/}"
		done
	done
}
field() { cut -d ' ' -f "$2" "/proc/$1/stat" 2>/dev/null; }
# ended PID: waits; the guest's init need not collect it
ended() { while state=$(field "$1" 3) && [ "$state" ] && [ "$state" != Z ]; do sleep 0.1; done; }
# descriptors PID: what is open
descriptors() { for fd in /proc/"$1"/fd/*; do readlink "$fd"; done; }

for way in return _exit kill; do
	file=/tmp/outlive_$way.etl
	libetw_outlive start $way $file $way >/tmp/started
	check "a program starts a session, and ends by $way" grep -q '^start: 0,' /tmp/started
	check "$way: another program logs" says '^log: 0,' libetw_outlive log $way 20000
	check "$way: a third one stops it, nothing is lost" says '^stop: 0, lost 0$' \
		libetw_outlive stop $way
	check "$way: the file is closed, and has every event" holds $file 20000
done

file=/tmp/outlive_detached.etl
libetw_outlive start detached $file return 9</tmp/plain.etl >/dev/null
pid=$(writer $file)
check 'a session has one writer' [ "$(echo "$pid" | wc -w)" = 1 ]
check 'it has none of the descriptors of the program' \
	[ "$(descriptors "$pid" | grep -c plain.etl)" = 0 ]
check 'its folder is /' [ "$(readlink "/proc/$pid/cwd")" = / ]
check 'it has a session of its own, and no terminal' \
	[ "$(field "$pid" 6) $(field "$pid" 7)" = "$pid 0" ]
check 'it has a real-time priority' [ "$(field "$pid" 41)" = 2 ]
libetw_outlive log detached 1 >/dev/null
before=$(wc -c <$file)
check 'another program flushes' says '^flush: 0,' libetw_outlive flush detached
check 'the flushed buffers are in the file' [ "$(wc -c <$file)" -gt "$before" ]
kill -TERM "$pid"
ended "$pid"
check 'SIGTERM of the writer ends the session' says '4201' libetw_outlive stop detached
check 'and closes the file' holds $file 1

file=/tmp/outlive_killed.etl
libetw_outlive start killed $file return >/dev/null
pid=$(writer $file)
kill -9 "$pid"
ended "$pid"
libetw_outlive log killed 50 >/dev/null
check 'a session whose writer was killed is reported by etw status' \
	says 'outlive_killed.etl .*its writer has ended' etw status killed
# and what the session has recorded about itself
check 'and by StopTrace, with what is lost: 1067' says '^stop: 1067, lost 5[0-9]$' \
	libetw_outlive stop killed
check 'no such session is left' says '4201' libetw_outlive stop killed
check 'its file can be closed' etw close $file

libetw_outlive start moved /tmp/moved1.etl return >/dev/null
libetw_outlive log moved 5000 >/dev/null
check 'UpdateTrace to a file that cannot be: 161' says '^update: 161,' \
	libetw_outlive update moved /nowhere/moved.etl
check 'the session keeps its file then' says 'file /tmp/moved1.etl$' etw status moved
check 'UpdateTrace to another file' says '^update: 0,' libetw_outlive update moved /tmp/moved2.etl
check 'the session has the other file' says 'file /tmp/moved2.etl$' etw status moved
check 'the first file is closed, and has all events before' holds /tmp/moved1.etl 5000
libetw_outlive log moved 3000 >/dev/null
check 'UpdateTrace once more' says '^update: 0,' libetw_outlive update moved /tmp/moved3.etl
libetw_outlive log moved 20 >/dev/null
check 'the session of three files stops' says '^stop: 0, lost 0$' libetw_outlive stop moved
check 'the second file has all events after' holds /tmp/moved2.etl 3000
check 'and the third one' holds /tmp/moved3.etl 20

# switches MODE KB FIRST SECOND: a session of that mode goes on in another file
switches() {
	libetw_outlive start sized "$3" return "$1" "$2" >/dev/null || return 1
	libetw_outlive log sized 500 >/dev/null || return 1
	says '^update: 0,' libetw_outlive update sized "$4" || return 1
	libetw_outlive log sized 700 >/dev/null || return 1
	says '^stop: 0, lost 0$' libetw_outlive stop sized
}
check 'a session with files of limited size goes on in another one' \
	switches 1 1024 /tmp/limited1.etl /tmp/limited2.etl
check 'the first one has all before' holds /tmp/limited1.etl 500
check 'and the second one all after' holds /tmp/limited2.etl 700
check 'a session with a circular file goes on in another one' \
	switches 2 1024 /tmp/ring1.etl /tmp/ring2.etl
check 'the first ring has all before' holds /tmp/ring1.etl 500
check 'and the second ring all after' holds /tmp/ring2.etl 700
check 'a session with one file after another goes on in others' \
	switches 8 1024 /tmp/first%d.etl /tmp/second%d.etl
check 'the first of the old name has all before' holds /tmp/first1.etl 500
check 'and the first of the new name all after' holds /tmp/second1.etl 700
check 'no other file was begun' [ "$(echo /tmp/first*.etl /tmp/second*.etl)" = \
	'/tmp/first1.etl /tmp/second1.etl' ]

libetw_outlive start sized /tmp/one%d.etl return 8 1024 >/dev/null
check 'a name without %d is refused, if there is one file after another: 87' \
	says '^update: 87,' libetw_outlive update sized /tmp/one.etl
libetw_outlive log sized 9 >/dev/null
check 'the session goes on with its files' says '^stop: 0, lost 0$' libetw_outlive stop sized
check 'which have every event' holds /tmp/one1.etl 9

# appends FILE COUNT: a session logs into that file, behind what is in it
appends() {
	libetw_outlive start appended "$1" return 4 >/dev/null || return 1
	libetw_outlive log appended "$2" >/dev/null || return 1
	says '^stop: 0, lost 0$' libetw_outlive stop appended
}
# refuses ERROR FILE: nothing can be appended, and the file stays as it is
refuses() {
	cp "$2" /tmp/before
	says "^start: $1," libetw_outlive start appended "$2" return 4 || return 1
	cmp /tmp/before "$2" && says 4201 libetw_outlive stop appended
}
check 'mode append creates a file' appends /tmp/append.etl 300
check 'and then appends to it' appends /tmp/append.etl 200
check 'the file has the events of both sessions' holds /tmp/append.etl 500
check 'and a third session' appends /tmp/append.etl 7
check 'has its events behind them' holds /tmp/append.etl 507
for mode in 6 12 260 1028 3076; do
	file=/tmp/append.etl
	# mode newfile refuses a name without %d for that reason alone
	[ $mode != 12 ] || file=/tmp/append%d.etl
	check "append and another way to write, mode $mode, exclude each other: 87" \
		says '^start: 87,' libetw_outlive start appended $file return $mode 1024
done
check 'the file is as it was' holds /tmp/append.etl 507
check 'a file of another clock is refused: 87' refuses 87 /tmp/limited1.etl
check 'a circular file is refused: 1392' refuses 1392 /tmp/ring1.etl
echo text >/tmp/text
check 'what is no trace is refused: 1392' refuses 1392 /tmp/text

mkdir -p /tmp/small
mount -t tmpfs -o size=400k none /tmp/small
file=/tmp/small/full.etl
libetw_outlive start full $file return >/dev/null
libetw_outlive log full 20000 >/dev/null
check 'a full disk is reported to the program that stops: 112' says '^stop: 112,' \
	libetw_outlive stop full
lost=$(sed -n 's/.*lost //p' /tmp/said)
held=$(etw dump $file | grep -c '00000a71-0002')
echo "# $held in the file, $lost lost"
check 'all events are in the file or lost' [ $((held + lost)) -ge 20000 ]
check 'the file on the full disk is good' holds $file "$held"
umount /tmp/small
exit $bad
