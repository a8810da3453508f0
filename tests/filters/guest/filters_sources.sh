#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# One load under three sessions of the same events: all of it, some processes, some of their events.
# Leaves all.etl, pids.etl, hooks.etl, pids.txt, hooks.txt in /out.
insmod /w/etw.ko || exit 1
insmod /w/etw_faults.ko || exit 1
events=SYSCALL+ALL_FAULTS+HARD_FAULTS+VIRT_ALLOC+LOADER+NETWORKTRACE+PRIORITY+PROCESS_COUNTERS
hooks=0x0f33,0x020b,0x0262,0x030a,0x060a,0x0531,0x0320

# They wait until all sessions listen, then become other programs: a process keeps its
# id. The same programs run again as processes that nobody asked for.
worker() { # COMMAND...
	# shellcheck disable=SC2016 # for the worker
	sh -c 'mkfifo /tmp/go.$$; read -r line </tmp/go.$$; exec "$@" >/dev/null' worker "$@" &
	list="$list $!"
}
workers() {
	list=
	worker virtual
	worker network early network run
	worker priorities
	worker images run /w/fates /w/session
	worker faults
	worker usage run
}
# one after the other: they use the same ports
go() {
	for pid in $list; do
		while [ ! -p "/tmp/go.$pid" ]; do sleep 0.1; done
		echo >"/tmp/go.$pid"
		wait "$pid" || { echo "worker $pid: $?"; exit 1; }
	done
}
begin() { # NAME EVENTS OPTION...
	name=$1 what=$2
	shift 2
	etw start "$name" -e "$what" -b 64 -n 32:512 "$@" >/tmp/start || exit 1
	node=$(sed -n 's|.*\(/dev/etw/session[0-9]*\).*|\1|p' /tmp/start | head -n 1)
	[ "$node" ] || { cat /tmp/start; exit 1; }
	cat "$node" >"/out/$name.etl" &
	readers="$readers $!"
}

workers
chosen=$list
echo "$chosen" >/out/pids.txt
echo "$hooks" >/out/hooks.txt
pids=$(printf %s "${chosen# }" | tr ' ' ,)
# to know who ran when, and whose threads they are
begin all "$events+PROC_THREAD+CSWITCH"
begin pids "$events" --pid "$pids"
begin hooks "$events" --pid "$pids" --hook "$hooks"
sleep 1
workers
others=$list
list=$others go
list=$chosen go
for name in hooks pids all; do
	etw stop $name >/dev/null || exit 1
done
# shellcheck disable=SC2086 # a list
wait $readers
for name in all pids hooks; do
	etw close /out/$name.etl || exit 1
done
rmmod etw_faults
rmmod etw
