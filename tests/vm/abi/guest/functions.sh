#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
# A module that misses a function of the kernel: functions.sh MODULE NAME GROUP [REASON]
# With REASON, the module refuses GROUP and logs the reason with NAME; all else works.
# Without, GROUP works without NAME, and the module logs once that events will be missing.
module=$1 name=$2 group=$3 reason=$4
# shellcheck source=tests/lib/guest/checks.sh
. /w/checks.sh
refused() {
	! etw start -e "$group" refused && [ ! -e /dev/etw/refused ] &&
		dmesg | grep -q "etw: .*$name.*$reason"
}
logged_once() {
	works "$group" && works "$group" &&
		[ "$(dmesg | grep -c "etw: function $name() not found: its events will be missing")" = 1 ]
}
works() {
	etw start -e "$1" works && etw status works && etw stop --discard works
}
insmod "$module" || exit 1
if [ "$reason" ]; then
	tell "without $name: $group is refused, $reason" refused
else
	tell "without $name: $group works" works "$group"
	tell "without $name: at two more starts, the log reports the missing events once" logged_once
fi
tell "without $name: what needs none works" works cswitch
tell "without $name: and again" works cswitch
tell "without $name: rmmod" rmmod etw
