#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
# Page faults as etw records them, and as others count them: faults.sh
# Leaves etw.etl, stat.json, list.txt, vmstat.txt, and on x86 ftrace.txt, stats.txt in /out. With
# brd.ko, ext4.ko and what that needs in /w/disk there are faults from a disk, too.
# shellcheck source=tests/lib/guest/ftrace.sh
. /w/ftrace.sh
insmod /w/etw.ko || exit 1
insmod /w/etw_faults.ko || exit 1
file=
if [ -d /w/disk ]; then
	for module in crc16 crc32c_generic mbcache jbd2 ext4 brd; do
		[ ! -f /w/disk/$module.ko ] || insmod /w/disk/$module.ko || exit 1
	done
	mke2fs /dev/ram0 >/dev/null && mount -t ext4 /dev/ram0 /mnt || exit 1
	file=/mnt/file
	dd if=/dev/urandom of=$file bs=1M count=1 2>/dev/null
	sync
	echo 3 >/proc/sys/vm/drop_caches
fi
# in KB; twice what faults maps, for the copies that a child makes
huge=0
if [ -f /proc/sys/vm/nr_hugepages ]; then
	echo 8 >/proc/sys/vm/nr_hugepages
	huge=$(sed -n 's/^Hugepagesize: *\([0-9]*\) kB/\1/p' /proc/meminfo)
else
	echo 'skip - huge pages # the kernel has none'
fi
ftrace_begin 32768
for event in page_fault_user page_fault_kernel; do
	[ ! -d $T/events/exceptions/$event ] || echo 1 >$T/events/exceptions/$event/enable
done
# ftrace is on within the session only, so each of its events must be in both
cat >/tmp/inner.sh <<END
grep -E '^pg(maj)?fault ' /proc/vmstat | sed 's/^/inner-begin /' >>/out/vmstat.txt
echo 1 >$T/tracing_on
/w/faults $huge $file >/out/list.txt
status=\$?
/w/load 20 >/dev/null
echo 0 >$T/tracing_on
grep -E '^pg(maj)?fault ' /proc/vmstat | sed 's/^/inner-end /' >>/out/vmstat.txt
exit \$status
END
grep -E '^pg(maj)?fault ' /proc/vmstat | sed 's/^/outer-begin /' >/out/vmstat.txt
/w/session hold -r -f 0x3000 -b 64 -n 512 -t 500 -w /out/etw.etl truth -- sh /tmp/inner.sh || exit 1
grep -E '^pg(maj)?fault ' /proc/vmstat | sed 's/^/outer-end /' >>/out/vmstat.txt
ftrace_end
# hard faults alone: the returns of most faults are not looked at then
/w/session hold -f 0x2000 -b 64 -n 64 -t 500 -w /out/hard.etl hard -- \
	sh -c "exec /w/faults $huge >/out/hard.txt" || exit 1
/w/etw check /out/etw.etl || exit 1
/w/etw stat --json /out/etw.etl faults >/out/stat.json || exit 1
rmmod etw_faults
rmmod etw
