#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# A module that misses a function of the kernel: functions.sh MODULE NAME GROUP [REASON]
# With REASON, GROUP is refused, and the kernel's log says so of NAME; all else works.
module=$1 name=$2 group=$3 reason=$4
check() {
	what=$1
	shift
	if "$@" >/tmp/said 2>&1; then
		echo "ok - without $name: $what"
	else
		sed 's/^/# /' /tmp/said
		echo "not ok - without $name: $what"
	fi
}
refused() {
	! etw start -e "$group" refused && [ ! -e /dev/etw/refused ] &&
		dmesg | grep -q "etw: .*$name.*$reason"
}
works() {
	etw start -e "$1" works && etw status works && etw stop --discard works
}
insmod "$module" || exit 1
if [ "$reason" ]; then
	check "$group is refused, $reason" refused
else
	check "$group works" works "$group"
fi
check 'what needs none works' works cswitch
check 'and again' works cswitch
check 'rmmod' rmmod etw
