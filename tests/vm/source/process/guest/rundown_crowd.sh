#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
# Rundowns that wait for a reader among a crowd that it names, while all of it ends.
# On one CPU. Each has nothing else that there is much of, so what it stands at is one of
# the crowd. Leaves /out/NAME.etl and /out/NAME.txt (ended_crowd.c).
mkfifo /tmp/pause /tmp/go /tmp/done && exec 3<>/tmp/pause 4<>/tmp/go 5<>/tmp/done || exit 1
mkfifo /tmp/asked /tmp/answer && exec 7<>/tmp/asked 8<>/tmp/answer || exit 1
insmod etw.ko || exit 1
wait_buffers <&7 >&8 &
asker=$!

# waits COMMAND...: as long as it fails, and not for ever
waits() {
	tries=0
	until "$@"; do
		[ $((tries += 1)) -le 500 ] || { echo "it is not so: $*"; exit 1; }
		# shellcheck disable=SC2034,SC3045 # busybox's shell has it
		read -r -t 0.01 line <&3
	done
}

# start_stands BUFFERS: until the start rundown stands, as all but the one that is left for what
# happens are full. No program is begun to learn it, since that is recorded, too, and then there
# would be no room for the end of a module.
start_stands() {
	echo "$1" >&7
	read -r line <&8
	[ "$line" = 'so many' ] || { echo "not $1 buffers wait: $line"; exit 1; }
}

# The stop rundown does: STOP sleeps in the module's make_room(), or was not looked at for so long
# that it waited no longer. QUERY would wait for STOP.
stop_stands() {
	[ -e "/proc/$stopping" ] || return 0
	# no line: there is no end of it
	read -r function <"/proc/$stopping/wchan"
	[ "$function" = make_room ]
}

# crowd NAME running|ended|unmapping|execing start|stop GROUP
crowd() {
	ended_crowd "$2" 250 "/out/$1.txt" <&4 >&5 &
	one=$!
	read -r line <&5
	etw start waiting -b 4 -n 5 --clock system -e "$4" --flush-timer 0 || exit 1
	exec 6</dev/etw/session1
	if [ "$3" = stop ]; then
		etw stop waiting &
		stopping=$!
		waits stop_stands
	else
		start_stands 4
	fi
	echo >&4
	# shellcheck disable=SC2034
	read -r line <&5
	# what it has written by then is older than what it writes from here on
	# shellcheck disable=SC2034,SC3045
	read -r -t 0.1 line <&3
	cat <&6 >"/out/$1.etl" &
	reader=$!
	exec 6<&-
	if [ "$3" = stop ]; then wait "$stopping"; else etw stop waiting; fi
	echo >&4
	wait "$reader" "$one"
}

# The last of them goes: a list of modules that was taken before the wait would have it.
modules() {
	module_crowd 40 etw_nothing.ko etw_nothing
	last=$(sed -n 's/^\(039_[^ ]*\) .*/\1/p' /proc/modules)
	etw start waiting -b 4 -n 2 -e LOADER --flush-timer 0 || exit 1
	start_stands 1
	rmmod "$last"
	cat /dev/etw/session1 >/out/modules.etl &
	reader=$!
	etw stop waiting
	wait "$reader"
}

crowd images running start LOADER
crowd unmapped unmapping start LOADER
crowd counters running stop PROCESS_COUNTERS
crowd zombies ended stop PROCESS
crowd memory running start VIRT_ALLOC
crowd given-back unmapping start VIRT_ALLOC
crowd execed execing start VIRT_ALLOC
modules
kill $asker && wait $asker
rmmod etw
