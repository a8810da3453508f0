#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
# What no other guest program does: parameters, the tool's verbs, odd configurations.
failed=0
tell() { # NAME COMMAND...
	what=$1
	shift
	if "$@" >/tmp/said 2>&1; then
		echo "ok - $what"
	else
		echo "not ok - $what"
		cat /tmp/said
		failed=1
	fi
}

# shellcheck disable=SC2317 # called by its name
fails() { ! "$@"; }

# has FILE TEXT
# shellcheck disable=SC2317
has() { etw dump "$1" | grep -q "$2"; }

id_of() { etw list | awk -v name="$1" '$0 ~ name { print $1; exit }'; }

tell 'a wrong clock is refused' fails insmod etw.ko qpc=sundial
for clock in auto monotonic counter; do
	tell "qpc=$clock: loads" insmod etw.ko qpc=$clock
	tell "qpc=$clock: records" etw record --raw -q -o /tmp/clock.etl -- sleep 0.2
	tell "qpc=$clock: a valid trace" etw check /tmp/clock.etl
	if [ $clock = counter ]; then
		break
	fi
	# QEMU emulates no counter that the kernel trusts
	tell "qpc=$clock: no cycle counter" fails etw record --raw -q -o /tmp/clock.etl --clock cycle -- true
	tell "qpc=$clock: unloads" rmmod etw
done

# the machine has a domain and interfaces with addresses
echo example.org >/proc/sys/kernel/domainname
ip addr add 127.0.0.2/8 dev lo
for clock in qpc system cycle; do
	tell "record, clock $clock" etw record --raw -q -o /tmp/$clock.etl --clock $clock \
		-e PROC_THREAD+CSWITCH+DISPATCHER -- sh -c 'true; true'
	tell "record, clock $clock: a valid trace" etw check /tmp/$clock.etl
done
tell 'the trace contains the domain' has /tmp/qpc.etl example

tell 'start' etw start plain -e CSWITCH -n 16 --flush-timer 1
tell 'start, overwrite mode' etw start flight -e PROC_THREAD+CSWITCH -b 4 -n 8 --mode buffering
tell 'start, processes alone' etw start processes -e PROCESS
tell 'start, threads alone' etw start threads -e THREAD
tell 'start of a name that is there' fails etw start plain -e CSWITCH
sh -c 'i=0; while [ $i -lt 50 ]; do sh -c true; i=$((i + 1)); done'
sleep 2
for name in plain flight processes threads; do
	tell "flush $name" etw flush $name
	tell "status $name" etw status --cpu $name
done
tell 'status of all' etw status --json
tell 'list' etw list
id=$(id_of plain)
tell 'stop plain' etw stop plain
tell 'stop again is refused' fails etw stop plain
tell 'read plain' sh -c "cat /dev/etw/session$id >/tmp/plain.etl && etw close /tmp/plain.etl"
tell 'plain is valid' etw check /tmp/plain.etl
id=$(id_of flight)
tell 'stop flight' etw stop flight
tell 'read flight' sh -c "cat /dev/etw/session$id >/tmp/flight.etl && etw close /tmp/flight.etl"
tell 'flight is valid' etw check /tmp/flight.etl
tell 'stop processes' etw stop --discard processes
tell 'stop threads' etw stop --discard threads
tell 'nothing is left' [ "$(echo /dev/etw/*)" = '/dev/etw/control /dev/etw/provider' ]

# alone: no other session may want what these leave out
tell 'processes alone' etw record --raw -q -o /tmp/one.etl -e PROCESS -- sh -c 'true; true'
tell 'the trace contains no thread' fails has /tmp/one.etl Thread/
tell 'threads alone' etw record --raw -q -o /tmp/one.etl -e THREAD -- sh -c 'true; true'
tell 'the trace contains no process' fails has /tmp/one.etl Process/

# a rundown without a reader gives up, and loses what it could not write
tell 'a rundown without a reader ends' session hold -r -f 0x3 -b 4 -n 4 -l /tmp/unread.etl \
	unread -- sleep 5
tell 'what came before is valid' sh -c 'etw close /tmp/unread.etl && etw check /tmp/unread.etl'
tell 'ready threads without a reader' session hold -f 0x800 -b 4 -n 4 -l /tmp/ready.etl unread -- \
	pingpong 3000
tell 'their losses are recorded' sh -c 'etw close /tmp/ready.etl && etw check /tmp/ready.etl &&
	etw dump /tmp/ready.etl | grep Loss'
# buffers above 1 MB have another version in their header
tell 'buffers of 2 MB' session hold -r -f 0x10 -b 2048 -n 4 -d large -- sleep 0.2

# the kernel starts this one: no program is its parent
echo /bin/true >/proc/sys/kernel/modprobe
tell 'a helper of the kernel' etw record --raw -q -o /tmp/helper.etl -e PROC_THREAD -- cover helper
tell 'a helper of the kernel is recorded' has /tmp/helper.etl 'net-pf-9'
tell 'a leader that ends alone' etw record --raw -q -o /tmp/exit.etl -e PROC_THREAD -- cover exit
tell 'its exit code is recorded' sh -c \
	'etw dump /tmp/exit.etl | grep Process/Stop | grep -q "ExitStatus=0x4d .*=\"cover\""'

# a source that goes while a session listens to it
tell 'a source comes' insmod etw_torture.ko
id=$(session start orphan)
tell 'it writes' sh -c 'echo 1 >/sys/module/etw_torture/parameters/run; sleep 1
	echo 0 >/sys/module/etw_torture/parameters/run'
tell 'it goes, the session stays' rmmod etw_torture
tell 'the session can be flushed' session flush "$id"
tell 'the session can be stopped' session stop "$id"
tell 'the session can be read' session read "$id" /tmp/orphan.etl
tell 'events came from the source' [ "$(wc -c </tmp/orphan.etl)" -gt 65536 ]

tell 'odd processes' cover
tell 'unloads' rmmod etw
exit $failed
