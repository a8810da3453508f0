#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# What processes use, by their own words and as etw records it: usage.sh
# Leaves etw.etl, said.txt (see tests/guest/usage.c), stays.txt in /out.
insmod /w/etw.ko || exit 1
/w/usage stay </dev/null >/dev/null &
stays=$!
sleep 1
: >/out/said.txt
cat >/tmp/inner.sh <<END
/w/usage run >>/out/said.txt || exit 1
/w/usage look $stays >>/out/stays.txt
END
/w/hold -n truth -f 0x9 -b 64 -B 256 -w 500 -o /out/etw.etl -- sh /tmp/inner.sh || exit 1
kill $stays
/w/etw check /out/etw.etl || exit 1
rmmod etw
