#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
# Record the same I/O of disks by ftrace and by etw. /dev/vda1 has a file system,
# /dev/vdb is scratch. Leaves etw.etl, ftrace.txt, stats.txt, before.txt and after.txt
# (diskstats), stat.json, files.txt in /out; special.etl of a disk that is read as a file; and
# nvme.etl of one behind which another is hidden.
# shellcheck source=tests/lib/guest/ftrace.sh
. /w/ftrace.sh
# shellcheck source=tests/lib/guest/drivers.sh
. /w/drivers.sh
insmod /w/etw.ko || exit 1
mkdir -p /mnt/d
mount -t ext4 /dev/vda1 /mnt/d || exit 1
# shellcheck source=tests/lib/guest/mounts.sh
. /w/mounts.sh
echo 'written before the session' >/mnt/d/old
sync
echo 3 >/proc/sys/vm/drop_caches
ftrace_begin 8192
echo mono_raw >$T/trace_clock
for event in block_getrq block_bio_frontmerge block_rq_issue block_rq_complete; do
	echo 1 >$T/events/block/$event/enable
done

# disk.py knows what becomes of it: names, sizes, priorities
cat >/tmp/load.sh <<'END'
dd if=/dev/urandom of=/mnt/d/large bs=64k count=48 conv=fsync
dd if=/dev/zero of=/mnt/d/small bs=4k count=5 conv=fsync
dd if=/dev/zero of=/mnt/d/gone bs=4k count=9 conv=fsync
rm /mnt/d/gone
for n in 1 2 3; do
	dd if=/dev/zero of=/mnt/d/direct bs=4k count=8 oflag=direct conv=fsync
done
echo changed >>/mnt/d/old
sync
echo 3 >/proc/sys/vm/drop_caches
cat /mnt/d/large /mnt/d/small /mnt/d/old
dd if=/mnt/d/direct of=/dev/null bs=8k iflag=direct
dd if=/dev/zero of=/dev/vdb bs=64k count=16 conv=fsync
ionice -c 3 dd if=/dev/vdb of=/dev/null bs=16k count=4 iflag=direct
ionice -c 1 dd if=/dev/vdb of=/dev/null bs=16k count=4 iflag=direct
ionice -c 2 -n 7 dd if=/dev/vdb of=/dev/null bs=16k count=4 iflag=direct
dd if=/dev/vdb of=/dev/null bs=4k count=64
sync
END

# ftrace is on within the session only, so each of its events must be in both
cat >/tmp/inner.sh <<END
sync
sleep 0.3
cat /proc/diskstats >/out/before.txt
echo 1 >$T/tracing_on
sh /tmp/load.sh >/dev/null 2>/tmp/load.err || { cat /tmp/load.err; exit 1; }
sleep 0.5
echo 0 >$T/tracing_on
cat /proc/diskstats >/out/after.txt
END
etw record --raw -q -b 64 -n 2048 -e PROC_THREAD+DISK_IO+DISK_IO_INIT -o /out/etw.etl -- \
	sh /tmp/inner.sh || exit 1
ftrace_end
# no I/O of disks, which would name it, too
etw record --raw -q -e FILE_IO_INIT -o /out/special.etl -- \
	dd if=/dev/vdb of=/dev/null bs=12k count=16 2>/dev/null || exit 1
# debug kernels are made without its driver
if [ -d /sys/module/nvme_core ]; then
	tries=0
	while [ ! -b /dev/nvme0n1 ] && [ $((tries += 1)) -lt 50 ]; do sleep 0.2; done
	[ "$(cat /sys/block/nvme0c0n1/hidden)" = 1 ] || exit 1
	etw record --raw -q -e DISK_IO+DISK_IO_INIT -o /out/nvme.etl -- sh -c '
		dd if=/dev/nvme0n1 of=/dev/null bs=12k count=8 iflag=direct
		dd if=/dev/zero of=/dev/nvme0n1 bs=12k count=4 oflag=direct conv=fsync' \
		2>/dev/null || exit 1
else
	: >/out/no-nvme
fi
for file in large small old direct; do
	echo "/mnt/d/$file $(stat -c %s /mnt/d/$file)"
done >/out/files.txt
cat /sys/block/vda/dev /sys/block/vdb/dev >/out/disks.txt
umount /mnt/d
etw check --ours /out/etw.etl || exit 1
etw stat --json /out/etw.etl disk >/out/stat.json || exit 1
rmmod etw
