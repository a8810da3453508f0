#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
# Virtual memory by known calls: virtual.sh. Leaves etw.etl, list.txt, maps.txt in /out; and
# updated.etl of a session that asks for it, and for names of files, later.
# shellcheck source=tests/lib/guest/settled.sh
. /w/settled.sh
insmod /w/etw.ko || exit 1
# where the kernel has huge pages, there must be some
huge=/proc/sys/vm/nr_hugepages
if [ -f $huge ]; then
	echo 4 >$huge && [ "$(cat $huge)" = 4 ] || exit 1
fi
/w/virtual stay >/dev/null &
stays=$!
sleep 1
cat /proc/$stays/maps >/out/maps.txt
echo $stays >/out/stays.txt
/w/session hold -r -f 0x4000 -b 64 -n 256 -t 500 -w /out/etw.etl truth -- \
	sh -c '/w/virtual >/out/list.txt && /w/load 20 >/dev/null' || exit 1
etw start updated -e PROC_THREAD -f /out/updated.etl >/dev/null || exit 1
settled updated
etw update updated -e PROC_THREAD+VIRT_ALLOC+FILENAME >/dev/null || exit 1
settled updated
etw stop updated >/dev/null || exit 1
kill $stays
/w/etw check /out/updated.etl || exit 1
/w/etw check /out/etw.etl || exit 1
rmmod etw
