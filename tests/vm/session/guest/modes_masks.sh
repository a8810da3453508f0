#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
# UPDATE records other groups, without a rundown and with one.
# shellcheck source=tests/lib/guest/checks.sh
. /w/checks.sh
insmod etw.ko || exit 1

# recorded NAME ETW-START-OPTION...: the groups that the stream has, of three settings
recorded() {
	name=$1
	shift
	etw start "$name" -e PROC_THREAD+CSWITCH "$@" >/tmp/start || exit 1
	node=$(sed -n 's|.*\(/dev/etw/session[0-9]*\).*|\1|p' /tmp/start | head -n 1)
	# what an update writes is lost where no buffer is free for it
	cat "$node" >"/tmp/$name.etl" &
	etw update "$name" -e PROC_THREAD || exit 1
	etw update "$name" -e PROC_THREAD+CSWITCH || exit 1
	etw stop "$name" >/dev/null || exit 1
	wait
	# whether context swaps are among them: the word of their group, of each record
	etw dump --json --hook 0x0005,0x0020 "/tmp/$name.etl" |
		sed -n 's/.*"hook":"00\(05\|20\)".*"Mask1":"0x\([^"]*\)".*/\1:\2/p' | xargs
}

# first that of the header
changes='20:4 05:0 20:0 05:4'
tell 'without a rundown each change is recorded' is "05:4 $changes" "$(recorded none --no-rundown)"
tell 'with a rundown, too, between its beginning and its end' \
	is "05:4 20:0 05:4 $changes 20:4 05:0" "$(recorded names)"
tell 'the module unloads' rmmod etw
