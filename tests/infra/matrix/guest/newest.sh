#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
# One boot of a kernel that is new to the module: newest.sh COUNT MINIMUM
# All groups at once while their probes are called; then the short run of everything
# (smoke.sh COUNT), then COUNT and MINIMUM of switches.sh. Leaves what these leave and all.etl
# in /out.
count=$1 minimum=$2

insmod /w/etw.ko || exit 1
etw list events >/tmp/groups
groups=$(awk '$2 ~ /^0x/ { printf "%s%s", plus, $1; plus = "+" }' /tmp/groups)
cat >/tmp/inner.sh <<'END'
network early network run >/tmp/network.txt || exit 1
priorities >/tmp/priorities.txt || exit 1
mkdir /tmp/ops && fileops /tmp/ops >/tmp/fileops.txt || exit 1
virtual >/tmp/virtual.txt || exit 1
fates run >/tmp/fates.txt || exit 1
# modules come and go, and processes fork on both CPUs at once
insmod /w/etw_nullprobe.ko && rmmod etw_nullprobe || exit 1
for cpu in 1 2; do
	taskset $cpu sh -c 'for i in 1 2 3 4 5 6 7 8 9 10; do true & done; wait' &
done
wait
END
# a filter that follows children has a probe of its own
etw record --raw -o /tmp/family.etl -e PROC_THREAD --pid $$ --children -- true || exit 1
etw record --raw -o /out/all.etl -b 256 -n 64:512 --sample context-switches@100 -e "$groups" -- \
	sh /tmp/inner.sh || exit 1
rmmod etw || exit 1
sh /w/smoke.sh "$count" 200 1 || exit 1
sh /w/switches.sh mono_raw "$count" "$minimum"
