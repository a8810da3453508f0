#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
# What processes use, by their own words and as etw records it: usage.sh
# Leaves etw.etl, said.txt (see tests/lib/guest/usage.c), stays.txt in /out.
insmod /w/etw.ko || exit 1
/w/usage stay </dev/null >/dev/null 9>/tmp/stays.open &
stays=$!
# its first thread ends, and it lives on
/w/usage headless </dev/null >/dev/null 9>/tmp/headless.open &
headless=$!
while [ ! -s /tmp/stays.open ] || ! grep -q '^State:.Z' /proc/$headless/status; do
	sleep 0.1
done
for thread in "/proc/$headless/task"/*; do
	thread=${thread##*/}
	[ "$thread" = $headless ] || break
done
: >/out/said.txt
cat >/tmp/inner.sh <<END
/w/usage run >>/out/said.txt || exit 1
/w/usage look stays $stays $stays >>/out/stays.txt || exit 1
/w/usage look headless $headless $thread >>/out/stays.txt
END
/w/session hold -r -f 0x209 -b 64 -n 256 -t 500 -w /out/etw.etl truth -- sh /tmp/inner.sh || exit 1
kill $stays $headless
/w/etw check /out/etw.etl || exit 1
rmmod etw
