#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
# STATISTICS of each CPU while a reader has begun a buffer and reads no further.
# shellcheck source=tests/lib/guest/checks.sh
. /w/checks.sh

# attempted ID CPU: events, wherever they are by now
attempted() {
	session stats "$1" | awk -v cpu="$2" '$1 == cpu {
		for (i = 2; i <= NF; i++)
			if ($i ~ /^(read|overwritten|discarded|buffered|lost[0-9]*)=/)
				n += substr($i, index($i, "=") + 1)
		print n
	}'
}

insmod etw.ko || exit 1
id=$(session start -f 0x10 -b 4 -n 64 held) || exit 1
load 2 200 >/dev/null
session stop "$id" || exit 1
for cpu in cpu0 cpu1 all; do attempted "$id" $cpu; done >/tmp/before
# the header buffer, and one byte
exec 3<"/dev/etw/session$id"
dd bs=1 count=4097 <&3 >/tmp/read 2>/dev/null || exit 1
for cpu in cpu0 cpu1 all; do attempted "$id" $cpu; done >/tmp/held
tell 'a buffer in hand has its events' is "$(xargs </tmp/before)" "$(xargs </tmp/held)"
tell 'there are some' [ "$(head -n 1 /tmp/before)" -gt 0 ]
exec 3<&-
session discard "$id"
tell 'the module unloads' rmmod etw
