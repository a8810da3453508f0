#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
# Images under a session: images.sh [MODULE-PARAMETER...]. Leaves in /out: etw.etl, known.txt
# and stayed.txt (from tests/lib/guest/images.c and apart.c), maps and modules before and after, symbols.txt, files/
# and a copy of the vDSO. Where the kernel has overlayfs, some are of one.
insmod /w/etw.ko "$@" || exit 1
mkdir -p /out/files
export merged=/w
if [ -e /w/mod/overlay.ko ]; then
	insmod /w/mod/overlay.ko || exit 1
	merged=/merged
	mkdir $merged /tmp/empty
	mount -t overlay -o lowerdir=/w:/tmp/empty overlay $merged || exit 1
fi
# shellcheck source=tests/lib/guest/mounts.sh
. /w/mounts.sh
uname -r >/out/release.txt
images vdso >/out/vdso || exit 1
cp /bin/busybox /w/images /w/session /w/fates /w/apart /w/apart_far /out/files

# a process that has images before, and keeps them
$merged/images stay /w/fates $merged/session /w/apart_far >>/out/stayed.txt &
stay=$!
/w/apart stay >>/out/stayed.txt &
stay="$stay $!"
/w/apart_far stay >>/out/stayed.txt &
stay="$stay $!"
fates stay >/tmp/fates &
fates=$!
while [ "$(cat /tmp/fates)" != ready ] || [ "$(wc -l </out/stayed.txt)" != 5 ]; do sleep 0.1; done

cat >/tmp/inner.sh <<'END'
# the rundown is through
sleep 2
images maps >/out/before.txt
cat /proc/modules >/out/modules-before.txt
images run /w/fates "$merged/session" /w/apart /w/apart_far >/out/known.txt || exit 1
(sleep 0) | (sleep 0)
fates run >/dev/null
insmod /w/etw_testpmu.ko || exit 1
cat /proc/modules >/out/modules-between.txt
rmmod etw_testpmu
sleep 1
images maps >/out/after.txt
cat /proc/modules >/out/modules-after.txt
END
session hold -r -f 0x7 -b 64 -n 512 -w /out/etw.etl images -- sh /tmp/inner.sh >/out/statistics.txt
status=$?
cat /out/statistics.txt
awk '$3 ~ /^_(text|stext|einittext|end)$|sys_call_table$|_compat_sys_execve$/ { print $1, $3 }' /proc/kallsyms >/out/symbols.txt
# shellcheck disable=SC2086 # three of them
kill $stay $fates
wait
rmmod etw || exit 1
etw check /out/etw.etl || exit 1
exit $status
