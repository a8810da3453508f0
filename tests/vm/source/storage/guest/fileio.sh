#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
# Record the same file operations by ftrace and by etw.
# Leaves etw.etl, ftrace.txt, stats.txt, names.txt, async.txt in /out; names.etl of 60,000 files
# that are opened in turn, twice; blocked.etl, reader.txt of reads while 300 reads of a pipe block.
# shellcheck source=tests/lib/guest/ftrace.sh
. /w/ftrace.sh
insmod /w/etw.ko || exit 1
mkdir -p /mnt && mount -t tmpfs none /mnt || exit 1
# shellcheck source=tests/lib/guest/mounts.sh
. /w/mounts.sh
ftrace_begin 8192
for call in openat read write pread64 pwrite64 readv writev preadv pwritev fsync fdatasync close \
	dup newfstatat newfstat linkat renameat fchmodat mkdirat getdents64 ftruncate fallocate \
	sendfile64 unlinkat; do
	for phase in enter exit; do
		echo 1 >$T/events/syscalls/sys_${phase}_$call/enable || exit 1
	done
done
# ftrace is on within the session only, so each of its events must be in both
cat >/tmp/inner.sh <<END
echo 1 >$T/tracing_on
mkdir /mnt/async && fileasync /mnt/async >/out/async.txt || exit 1
fileops /mnt >/out/names.txt
status=\$?
echo 0 >$T/tracing_on
exit \$status
END
/w/session hold -r -f 0x6000200 -b 64 -n 256 -t 500 -w /out/etw.etl truth -- sh /tmp/inner.sh || exit 1
ftrace_end
mkdir /mnt/many || exit 1
session hold -f 0x200 -b 64 -n 512 -w /out/names.etl names -- many_files /mnt/many 60000 2 || exit 1
echo >/mnt/read
session hold -f 0x6000000 -b 64 -n 64 -w /out/blocked.etl blocked -- \
	sh -c 'exec blocked_reads 300 /mnt/read 1000 >/out/reader.txt' || exit 1
rmmod etw
