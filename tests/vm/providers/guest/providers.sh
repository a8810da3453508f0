# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
# shellcheck shell=sh
# Providers in programs, in the kernel and in the tool.
guid=00000011-0000-0000-0000-000000000000
state=/sys/module/etw_hearer/parameters/state
bad=0

# expect NAME VALUE COMMAND...: what the command prints, within a second
expect() {
	name=$1 value=$2
	shift 2
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		[ "$("$@")" = "$value" ] && break
		sleep 0.1
	done
	if [ "$("$@")" = "$value" ]; then
		echo "ok - $name"
	else
		echo "not ok - $name # $("$@")"
		bad=1
	fi
}

# held_register FUNCTION: a REGISTER that waits for its second piece of memory blocks no other call
held_register() {
	mkfifo /tmp/go /tmp/rest && exec 3<>/tmp/go 4<>/tmp/rest || return
	slow_register <&3 >/tmp/registered &
	process=$!
	until [ -s /tmp/registered ]; do sleep 0.1; done
	insmod etw_held.ko pid=$process function="$1" nth=2 || return
	echo >&3
	while [ "$(cat /sys/module/etw_held/parameters/held)" = N ]; do
		# shellcheck disable=SC2034,SC3045 # busybox's shell has it
		read -r -t 0.01 line <&4
	done
	etw enable one -g 00005109-0000-0000-0000-000000000000 &
	enabler=$!
	# seen waiting, uninterruptibly, so often: for the lock
	blocked=0
	while [ $blocked -lt 100 ] && now=$(awk '{ print $3 }' /proc/$enabler/stat) &&
		[ "$now" != Z ]; do
		[ "$now" != D ] || blocked=$((blocked + 1))
		sleep 0.1
	done
	echo 0 >/sys/module/etw_held/parameters/hold
	wait $enabler && wait $process || return
	rmmod etw_held && etw disable one -g 00005109-0000-0000-0000-000000000000 || return
	[ $blocked -lt 100 ]
}

insmod etw.ko || exit
providers "$@" || bad=1
etw start one >/dev/null && etw start two >/dev/null || exit
function=$(awk '$3 ~ /^(kmalloc_trace|__kmalloc_cache_noprof)$/ { print $3 }' /proc/kallsyms)
if [ -z "$function" ]; then
	echo 'skip - a REGISTER that waits for memory delays no other call # no such function in this kernel'
elif held_register "$function"; then
	echo 'ok - a REGISTER that waits for memory delays no other call'
else
	echo 'not ok - a REGISTER that waits for memory delays no other call'
	bad=1
fi
etw enable one -g $guid -l error -F 0x10
insmod etw_hearer.ko || exit
expect 'a module that comes later is notified' '1 1 1 2 10 1 2' cat $state
etw enable two -g $guid -l 77
expect 'and called when it changes' '2 1 2 77 0 1 77' cat $state
etw update two --max-buffers 64 --flush-timer 2
expect 'an update of the session is no change' '2 1 2 77 0 1 77' cat $state
etw stop two --discard
expect 'the end of the session is' '3 1 1 2 10 1 2' cat $state
expect 'etw providers' "$guid registered 2 session 1 level 2 flags 0x10" etw providers
echo 0 >$state
etw disable one -g $guid
expect 'a provider that was removed is not notified' '3 0 1 2 10 0 0' cat $state
echo 1 >$state
expect 'nor called when it is added without a listener' '3 0 1 2 10 0 0' cat $state
etw enable one -g $guid -l 1
# its function takes 20 ms: the removal waits for it
rmmod etw_hearer || bad=1
etw enable one -g $guid -l 2
expect 'nothing is left of it' "$guid registered 0 session 1 level 2 flags 0x0" etw providers
etw stop one --discard
expect 'nor of the session' '' etw providers
rmmod etw || bad=1
exit $bad
