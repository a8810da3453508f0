# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
# shellcheck shell=sh
# In the guest: what the tool prints of messages is what sentences.txt says of them.

# row ID FILE PATTERN...: each of them is in one line of the text
row() {
	id=$1 file=$2 verdict=good
	shift 2
	for pattern in "$@"; do
		[ "$(grep -ciE "$pattern" "$file")" = 1 ] || verdict=bad
	done
	echo "row $id $verdict: $*"
}

etw dump --tmf /w/tool.tmf /tmp/widths.etl >/tmp/widths.txt
row M40 /tmp/widths.txt "the first GUID's 42" "the second GUID's 2a"
if [ -e /w/compat32 ]; then
	row M41 /tmp/widths.txt 'at [0x]*0*123456789abc, then 42' 'at [0x]*0*1234abcd, then 42'
else
	row M41 /tmp/widths.txt 'at [0x]*0*123456789abc, then 42'
fi
# none of them has a stamp
if [ "$(grep -c ' Message/' /tmp/widths.txt)" = "$(grep -c '^ *0\.0.* Message/' /tmp/widths.txt)" ]; then
	echo 'ok - messages without a stamp are not older than their trace'
else
	echo 'not ok - messages without a stamp are not older than their trace'
fi
wpp && etw dump --tmf /w/wpp.tmf /tmp/wpp.etl >/tmp/wpp.txt
row M07 /tmp/wpp.txt 'the answer to all is 42'
cat /tmp/widths.txt /tmp/wpp.txt
