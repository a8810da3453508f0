#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
# A session with each group of kernel events alone: each_group.sh TARGET. User Mode Linux lacks what
# some groups need; other kernels must record all.
insmod /w/etw.ko || exit 1
case $1 in um-*) may_lack='not supported here' ;; *) may_lack='needs another setting' ;; esac
started=0 refused=0
for group in $(etw list events | awk '$2 ~ /^0x/ { print $1 }'); do
	if etw record --raw -q -o /tmp/group.etl -e "$group" -- ls / >/dev/null 2>/tmp/message; then
		etw check /tmp/group.etl >/tmp/message || { echo "# $group: $(cat /tmp/message)"; bad=1; }
		started=$((started + 1))
	elif grep -qE "needs another setting|$may_lack" /tmp/message; then
		refused=$((refused + 1))
	else
		echo "# $group: $(cat /tmp/message)"
		bad=1
	fi
done
echo "# $started groups recorded, $refused refused"
rmmod etw || bad=1
name='each group alone records a valid trace, or is refused with the reason'
if [ "${bad:-}" ] || [ $started -lt 12 ]; then echo "not ok - $name"; else echo "ok - $name"; fi
