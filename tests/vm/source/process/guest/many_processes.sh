#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# many_processes.sh COUNT: so many processes at once under a session. Leaves in /out: etw.etl,
# pids.txt.
insmod /w/etw.ko || exit 1
echo 65536 >/proc/sys/kernel/pid_max
echo "$(($1 + 4096))" >/proc/sys/kernel/threads-max
session hold -r -f 0x1 -b 64 -n 2048 -w /out/etw.etl many -- \
	sh -c "many_processes $1 >/out/pids.txt"
status=$?
rmmod etw || exit 1
exit $status
