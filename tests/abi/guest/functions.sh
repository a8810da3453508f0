#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# A module that misses a function of the kernel: functions.sh MODULE NAME GROUP [REASON]
# With REASON, GROUP is refused, and the kernel's log says so of NAME; all else works.
# Without, GROUP works without it, and the log names once what is not told.
module=$1 name=$2 group=$3 reason=$4
# shellcheck source=tests/guest/checks.sh
. /w/checks.sh
refused() {
	! etw start -e "$group" refused && [ ! -e /dev/etw/refused ] &&
		dmesg | grep -q "etw: .*$name.*$reason"
}
told_once() {
	works "$group" && works "$group" &&
		[ "$(dmesg | grep -c "etw: there is no $name(): what it does is not told")" = 1 ]
}
works() {
	etw start -e "$1" works && etw status works && etw stop --discard works
}
insmod "$module" || exit 1
if [ "$reason" ]; then
	tell "without $name: $group is refused, $reason" refused
else
	tell "without $name: $group works" works "$group"
	tell "without $name: at two more starts, the log says once that it is not told" told_once
fi
tell "without $name: what needs none works" works cswitch
tell "without $name: and again" works cswitch
tell "without $name: rmmod" rmmod etw
