#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
# many_processes.sh COUNT PROCESSES PLACES: so many processes at once under a session, then
# PROCESSES with PLACES images each. Leaves in /out: etw.etl, pids.txt; images.etl, mappers.txt.
insmod /w/etw.ko || exit 1
echo 65536 >/proc/sys/kernel/pid_max
echo "$(($1 + 4096))" >/proc/sys/kernel/threads-max
session hold -r -f 0x1 -b 64 -n 2048 -w /out/etw.etl many -- \
	sh -c "many_processes $1 >/out/pids.txt"
status=$?
session hold -f 0x4 -b 64 -n 1024 -w /out/images.etl images -- \
	sh -c "many_images $2 $3 >/out/mappers.txt" || status=1
rmmod etw || exit 1
exit $status
