#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
# Record the same allocations by ftrace and by etw, some of them by tag: pool.sh [MODULE-PARAMETER...]
# To be booted with no_hash_pointers: a key of etw's belongs to one address, and is none.
# Leaves in /out: all.etl, tags.etl, updated.etl, NAME.check of each, ftrace.txt, stats.txt.
# shellcheck source=tests/lib/guest/ftrace.sh
. /w/ftrace.sh
insmod /w/etw.ko "$@" || exit 1
insmod /w/etw_pool_load.ko || exit 1
round=/sys/module/etw_pool_load/parameters/round
mark=/sys/module/etw_pool_load/parameters/mark
ftrace_begin 16384
for event in kmalloc kmem_cache_alloc kfree kmem_cache_free; do
	echo 1 >$T/events/kmem/$event/enable || exit 1
done

begin() { # NAME OPTION...
	name=$1
	shift
	etw start "$name" -e POOL --no-rundown --buffer-size 64 "$@" >/tmp/start || exit 1
	node=$(sed -n 's|.*\(/dev/etw/session[0-9]*\).*|\1|p' /tmp/start | head -n 1)
	[ "$node" ] || { cat /tmp/start; exit 1; }
	cat "$node" >"/out/$name.etl" &
}
begin tags --max-buffers 128 --pool-tags ew7p,k64k
begin updated --max-buffers 128 --pool-tags none
begin all --max-buffers 1024

# what is between the marks must be in both; ftrace's first and last events may be in the
# middle of others, which their interrupts then precede in one tracer and follow in the other
echo 1 >$T/tracing_on
echo 1 >$mark || exit 1
echo 300 >$round || exit 1
ls -lR /proc/self/ >/dev/null 2>&1
for n in 1 2 3 4 5 6; do
	grep -q State /proc/self/status
	echo "$n" >/tmp/file.$n
done
etw update updated --pool-tags ew7p || exit 1
echo 500 >$round || exit 1
etw update updated --pool-tags none || exit 1
echo 700 >$round || exit 1
echo 1 >$mark || exit 1
echo 0 >$T/tracing_on
for name in all tags updated; do
	etw stop $name >/dev/null || exit 1
done
wait
for name in all tags updated; do
	etw close /out/$name.etl || exit 1
	etw check /out/$name.etl >/out/$name.check 2>&1 || { cat /out/$name.check; exit 1; }
done
ftrace_end
rmmod etw_pool_load && rmmod etw
