#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
# Torture two sessions at once: torture.sh SECONDS STALLED [step] [hotplug] [MODULE-PARAMETER...]
# For so many SECONDS, or Nr: until each CPU tried to write N records.
# Readers of the session STALLED (discard or overwrite) stall and die; the reader of the
# other session is steady. ETW_PARAMETERS are etw.ko's. step: by single instructions while it runs.
seconds=$1 stalled=$2
shift 2
step='' hotplug=''
while :; do
	case $1 in
	step) step=1 ;;
	hotplug) hotplug=1 ;;
	*) break ;;
	esac
	shift
done
T=/sys/module/etw_torture/parameters

# shellcheck source=tests/lib/guest/checks.sh
. /w/checks.sh

steady() { # ID NAME
	session read -S "/tmp/$2.statistics" "$1" "/tmp/$2.1"
}

# One stalls in the middle of a buffer and goes on, one dies in another, the
# last one reads what is left.
stall() { # ID NAME
	session read -n 20011 -s 1000 -k "$1" "/tmp/$2.1" || return 1
	session read -c 777 -n 150001 -s 500 -k "$1" "/tmp/$2.2" || return 1
	session read -n 300007 -s 1500 -S "/tmp/$2.statistics" "$1" "/tmp/$2.3"
}

read_as() { # ID NAME
	if [ "$2" = "$stalled" ]; then stall "$@"; else steady "$@"; fi
}

flushes() {
	while [ ! -e /tmp/over ]; do
		session flush "$1" || return 1
		session flush "$2" || return 1
		sleep 0.05
	done
}

# Sessions that come and go beside the two, stopped with and without a reader
churn() {
	while [ ! -e /tmp/over ]; do
		id=$(session start -b 8 -n 4 -t 20 churn) || return 1
		sleep 0.1
		session discard "$id" || return 1
		id=$(session start -o -b 4 -n 8 churn) || return 1
		session read "$id" /tmp/churn &
		sleep 0.1
		session stop "$id" || return 1
		wait $! || return 1
	done
}

plug() {
	while [ ! -e /tmp/over ]; do
		for state in 0 1; do
			echo $state >/sys/devices/system/cpu/cpu1/online || return 1
			sleep 0.3
		done
	done
}

# tried: records of the session with readers that stall, by the CPU that tried fewest
tried() {
	awk -v id="$1" -v cpus="$(nproc)" '$1 == "counts" && $4 == id { n[$2] += $6 }
		END {
			for (cpu in n)
				if (!seen++ || n[cpu] < least)
					least = n[cpu]
			print (seen == cpus ? least : 0)
		}' /sys/kernel/debug/etw_torture/stats
}

go_on() {
	case $seconds in
	*r)
		id=$discard
		[ "$stalled" = discard ] || id=$overwrite
		while [ "$(tried "$id")" -lt "${seconds%r}" ]; do sleep 0.2; done
		;;
	*) sleep "$seconds" ;;
	esac
}

# shellcheck disable=SC2086 # a list
if ! insmod etw.ko $ETW_PARAMETERS || ! insmod etw_torture.ko "$@"; then
	echo 'not ok - the modules load'
	exit 1
fi
discard=$(session start -b 4 -n 24 -t 200 discard) || exit 1
overwrite=$(session start -b 32 -n 8 -o -t 300 overwrite) || exit 1
(read_as "$discard" discard; echo $? >/tmp/discard.status) &
(read_as "$overwrite" overwrite; echo $? >/tmp/overwrite.status) &

(flushes "$discard" "$overwrite"; echo $? >/tmp/flushes.status) &
(churn; echo $? >/tmp/churn.status) &
[ -z "$hotplug" ] || { (plug; echo $? >/tmp/plug.status) & }

[ -z "$step" ] || echo '@@SINGLESTEP@@'
echo 1 >$T/run
go_on
[ -z "$step" ] || echo '@@NOSTEP@@'
: >/tmp/over
while [ ! -e /tmp/flushes.status ] || [ ! -e /tmp/churn.status ] ||
      { [ "$hotplug" ] && [ ! -e /tmp/plug.status ]; }; do
	sleep 0.1
done
# the two are stopped while everybody writes
session stop "$discard"
session stop "$overwrite"
echo 0 >$T/run
wait
cat /sys/kernel/debug/etw_torture/stats >/tmp/stats

tell 'flushes end' [ "$(cat /tmp/flushes.status)" = 0 ]
tell 'other sessions come and go' [ "$(cat /tmp/churn.status)" = 0 ]
[ -z "$hotplug" ] || tell 'a CPU comes and goes' [ "$(cat /tmp/plug.status)" = 0 ]
for name in discard overwrite; do
	how='steady reader'
	[ $name != "$stalled" ] || how='readers that stall and die'
	tell "$name mode, $how: read to the end" [ "$(cat /tmp/$name.status)" = 0 ]
	tell "$name mode, $how: whole, in order, all accounted for" \
		torture_check /tmp/$name.statistics /tmp/stats /tmp/$name.[1-3]
done

# Would it have been noticed? A byte of the steady reader's stream, and an event.
notices() { # WHAT-IT-SAYS STATS STREAM
	torture_check "/tmp/$name.statistics" "$2" "$3" | grep -q "$1"
}
name=discard
[ "$stalled" != discard ] || name=overwrite
head -c 262144 /tmp/$name.1 >/tmp/spoilt
printf '\252\125\252\125' | dd of=/tmp/spoilt bs=1 seek=131200 conv=notrunc 2>/dev/null
tell 'a spoilt stream is noticed' notices 'torn\|record' /tmp/stats /tmp/spoilt
awk '$1 == "counts" { $6 += 1 } { print }' /tmp/stats >/tmp/stats.spoilt
tell 'an event that is missing is noticed' notices 'attempted: ' /tmp/stats.spoilt /tmp/$name.1
grep nested /tmp/stats
tell 'the modules unload' rmmod etw_torture etw
