#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
# Traces of every kind into /out, for readers on the host: all groups, stacks written in full and
# by key, a flight recorder's copy, a merged trace, a finalized one, one that was not closed.
insmod /w/etw.ko || exit 1
groups=$(etw list events | awk '$2 ~ /^0x/ { printf "%s%s", plus, $1; plus = "+" }')
some=PROC_THREAD+LOADER+CSWITCH+DISPATCHER
stacks=ProcessCreate+ThreadCreate+CSwitch+ReadyThread
cat >/tmp/busy.sh <<'END'
ls -R /proc/self >/dev/null 2>&1
dd if=/dev/zero of=/tmp/busy bs=64k count=10 2>/dev/null
sh -c 'cat /tmp/busy >/dev/null; rm /tmp/busy'
etw mark 'a mark' >/dev/null
for session in 1 2; do etw log $session 'an event of a program' >/dev/null 2>&1; done
sleep 0.1
END
record() { # NAME OPTION...
	name=$1
	shift
	etw record $raw -q -o "/out/$name.etl" "$@" -- sh /tmp/busy.sh || exit 1
}
raw=--raw
record all -e "$groups" --sample context-switches@100
record stacks -e $some --stackwalk $stacks
record keys -e $some --stackwalk $stacks --stack-caching 64K:16
raw=
record finalized -e $some+PROFILE -F 1000 --stackwalk Profile
etw dump --symbols --json /out/finalized.etl >/out/finalized.etl.symbols || exit 1
etw merge -o /out/merged.etl /out/all.etl /out/stacks.etl >/dev/null || exit 1

etw start flight --flight 4M -e $some >/dev/null || exit 1
sh /tmp/busy.sh
etw snapshot -q flight -o /out/flight.etl || exit 1
etw stop -q --discard flight || exit 1

etw start open -e $some >/tmp/node || exit 1
cat /dev/etw/session* >/out/unclosed.etl &
sh /tmp/busy.sh
etw stop -q open
wait
