#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
# Messages of a program through the device, etw log, etw mark: wpp.sh PROGRAM
# Leaves in /out what tests/vm/wpp/test_wpp_vm compares.
guid=51d6ba0e-7f3a-4c52-8e17-903c550bd461
other=11111111-2222-3333-4444-555555555555

# shellcheck source=tests/lib/guest/checks.sh
. /w/checks.sh

# says STATUS WORD COMMAND...: exit status, and a word of what it says
says() {
	wanted=$1 word=$2
	shift 2
	"$@" >/tmp/said 2>&1
	if [ $? != "$wanted" ] || ! grep -q -- "$word" /tmp/said; then
		cat /tmp/said
		return 1
	fi
}

# in_file FILE COUNT TEXT: so many of its lines have it
in_file() {
	[ "$(grep -cF -- "$3" "$1")" = "$2" ] || { cat "$1"; return 1; }
}

# stranger WORDS: a command of a user without rights
stranger() {
	su stranger -c "$*"
}

insmod etw.ko || exit 1
echo 'stranger:x:1234:1234::/:/bin/sh' >>/etc/passwd
etw start programs --providers 0 -f /out/random.etl >/dev/null || exit 1
etw enable programs -g $guid -l 5 -F 0xff || exit 1
tell 'a program traces into the session that enables it' sh -c "./$1 device >/out/random.txt"
etw stop programs
tell 'etw check: messages' says 0 ' 0 violations' etw check --ours /out/random.etl

etw start forked --providers 0 -f /tmp/forked.etl >/dev/null || exit 1
etw enable forked -g 6b1f02d4-93ce-4d08-a45e-17f03b62c89d -l 5 -F 0xff || exit 1
tell 'a program that traces forks' /w/forked
etw stop forked
etw tmf /w/forked -o /tmp/forked.tmf
etw dump --tmf /tmp/forked.tmf /tmp/forked.etl >/tmp/forked.txt
for text in 'the parent is 1' 'the child goes on with 2' 'the child by itself is 3' \
	'the parent still is 4'; do
	tell "fork: $text" in_file /tmp/forked.txt 1 "$text"
done
tell 'fork: after ETW_TRACE_CLEANUP() the child is silent' in_file /tmp/forked.txt 0 'nobody hears'

etw start kernel -e PROC_THREAD+CSWITCH --no-provider-kernel --stackwalk Mark -f /tmp/kernel.etl >/dev/null || exit 1
etw start own --providers 0 -f /tmp/own.etl >/dev/null || exit 1
tell 'log: words' etw log own some words
tell 'log: class, type, level, version, bytes' \
	etw log own -g $other -t 7 -l error --version 3 -x '01 02ff'
tell 'log: UTF-16' etw log own --wide -d wide
tell 'log: a priority of syslog' etw log own -p user.err -g $other -t 8 -d prio
printf 'raw\n' >/tmp/raw
tell 'log: a file' etw log own -g $other -t 9 -f /tmp/raw
tell 'log: a message' etw log own -g $other -m 12 -d text
tell 'log: lines, by number' sh -c "printf 'one\n\nthree' | etw log 2"
tell 'log: a session of kernel events takes none' \
	says 1 ERROR_ACCESS_DENIED etw log kernel refused
tell 'log: no such session' says 1 'log: there is no session' etw log nothing x
tell 'log: a stranger needs leave' \
	says 1 ERROR_ACCESS_DENIED stranger /w/etw log 2 stranger
tell 'log: a stranger needs the number' says 1 'by its number' stranger /w/etw log own stranger
head -c 65536 /dev/zero >/tmp/large
etw start open --providers 1234 -f /tmp/open.etl >/dev/null || exit 1
tell 'log: a stranger with leave' stranger /w/etw log 3 let in
tell 'log: a class of the system is refused to a user with leave' \
	says 1 ERROR_ACCESS_DENIED stranger /w/etw log 3 -g ce1dbfb4-137e-4da6-87b0-3f59aa102cbc x
etw stop open
etw start mixed -e PROC_THREAD+CSWITCH -f /tmp/mixed.etl >/dev/null || exit 1
tell 'log: a kernel session that root starts takes what root writes' etw log mixed accepted
tell 'log: and nothing of a stranger' says 1 ERROR_ACCESS_DENIED stranger /w/etw log 3 stranger
etw stop mixed
tell 'log: it is in the file' says 0 accepted etw dump /tmp/mixed.etl
tell 'log: more than an event can have' says 1 ERROR_MORE_DATA etw log own -f /tmp/large
# twice as many digits
tell 'log: more in hexadecimal' says 1 ERROR_MORE_DATA etw log own -x "$(printf %0131000d 0)"
tell 'log: no hexadecimal' says 2 'are no bytes' etw log own -x '01 2'
tell 'mark: every kernel session' etw mark 'first mark'
tell 'mark: a named one' etw mark 'second mark' kernel
tell 'mark: as xperf does' etw -m 'third mark'
tell 'mark: a thread that is not the first of its process' sh -c "marker 'fifth mark' >/tmp/marker"
tell 'mark: no kernel session' says 1 ERROR_INVALID_PARAMETER etw mark x own
tell 'mark: too long' says 1 ERROR_MORE_DATA etw mark "$(printf %5000s x)" kernel
tell 'mark: one of several is wrong' says 1 nothing etw mark 'fourth mark' kernel nothing
etw stop kernel
etw stop own
tell 'mark: none is running' says 1 'no session' etw mark x

etw dump /tmp/kernel.etl >/tmp/kernel.txt
etw dump --json /tmp/own.etl >/tmp/own.txt
for text in first second third fourth; do
	tell "mark: $text, once" in_file /tmp/kernel.txt 1 "Text=\"$text mark\""
done
tell 'mark: PerfInfo/Mark' in_file /tmp/kernel.txt 5 ' PerfInfo/Mark '
tell 'mark: the process and the thread that made it' \
	in_file /tmp/kernel.txt 1 "PerfInfo/Mark $(cat /tmp/marker) Text=\"fifth mark\""
tell 'mark: each has its stack, both parts' \
	in_file /tmp/kernel.txt 10 ' StackWalk/Stack '
tell 'log: words are there' in_file /tmp/own.txt 1 '"fields":{"Text":"some words"}'
tell 'log: bytes and level are there' in_file /tmp/own.txt 1 '"fields":{"Level":2,"Payload":"0102ff"}'
tell 'log: version is there' in_file /tmp/own.txt 1 '"version":3'
tell 'log: UTF-16 is there' in_file /tmp/own.txt 1 '"Text":"wide"'
tell 'log: a file is there' in_file /tmp/own.txt 1 '"Payload":"7261770a"'
tell 'log: a message is there' in_file /tmp/own.txt 1 "Message/$other/12"
tell 'log: lines are there' in_file /tmp/own.txt 1 '"Text":"three"'
tell 'log: the empty line, too' in_file /tmp/own.txt 1 '"Text":""'
tell 'etw check: marks' says 0 ' 0 violations' etw check --ours /tmp/kernel.etl
tell 'etw check: logged events' says 0 ' 0 violations' etw check --ours /tmp/own.etl
tell 'the module unloads' rmmod etw
