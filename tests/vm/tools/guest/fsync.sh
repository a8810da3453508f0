#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
# A program waits in fsync for an ext4 on a slow disk: record.sh is the recording of
# howto/slow-fsync. /out gets its reports, or a file "skip" that names what the kernel lacks.

# shellcheck source=tests/lib/guest/checks.sh
. /w/checks.sh
# shellcheck source=tests/lib/guest/drivers.sh
. /w/drivers.sh

tracing=/sys/kernel/tracing
# the one with libtraceevent, which a static program does not have
etw=/usr/local/bin/etw
[ -d $tracing/events ] || mount -t tracefs tracefs $tracing
mkdir -p /mnt
mount -t ext4 /dev/vda1 /mnt || exit 1
for event in ext4/ext4_sync_file_enter jbd2/jbd2_start_commit block/block_rq_issue \
	writeback/writeback_single_inode; do
	[ -d $tracing/events/$event ] && continue
	echo "skip - tracepoint $event is missing in this kernel" | tee /out/skip
	exit 0
done
tell 'the module can be loaded' insmod etw.ko
tell 'the recording of the page succeeds' sh /usr/local/bin/record.sh
$etw dump --json /out/fsync.etl >/out/fsync.json
tell 'there are system calls' sh -c "$etw stat /out/fsync.etl syscalls --process slow_fsync \
	--json >/out/calls.json"
tell 'there are waits' sh -c "$etw stat /out/fsync.etl waits --json >/out/waits.json"
tell 'there are requests' sh -c "$etw stat /out/fsync.etl disk --json >/out/disk.json"
{
	$etw stat /out/fsync.etl syscalls --process slow_fsync --top 5
	$etw stat /out/fsync.etl waits --process slow_fsync --top 2
	$etw stat /out/fsync.etl disk --top 5
} >/out/reports.txt 2>&1
umount /mnt
tell 'the module can be unloaded' rmmod etw
