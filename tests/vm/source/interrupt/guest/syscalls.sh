#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
# Record the same system calls by ftrace and by etw: syscalls.sh
# Leaves etw.etl, ftrace.txt, stats.txt, symbols.txt, ptrace.txt, release.txt in /out, and
# compat.etl of a program of 32 bits, where it is in /w.
# shellcheck source=tests/lib/guest/ftrace.sh
. /w/ftrace.sh
insmod /w/etw.ko || exit 1
ftrace_begin 32768
echo 1 >$T/events/raw_syscalls/enable
# ftrace is on within the session only, so each of its events must be in both
cat >/tmp/inner.sh <<END
echo 1 >$T/tracing_on
/w/load 20
status=\$?
for n in 1 2 3; do
	cat /does/not/exist 2>/dev/null
	ls -l /proc/self/fd >/dev/null
	sleep 0.1
	kill -0 99999 2>/dev/null
done
/w/traced /out/ptrace.txt || status=\$?
echo 0 >$T/tracing_on
exit \$status
END
/w/session hold -r -f 0x90 -b 64 -n 2048 -t 500 -w /out/etw.etl truth -- sh /tmp/inner.sh || exit 1
ftrace_end
# it knows what it was not asked for: status 2, by the one call that it makes
if [ -f /w/compat32 ]; then
	/w/session hold -r -f 0x87 -b 64 -n 512 -w /out/compat.etl compat -- \
		sh -c '/w/compat32; [ $? = 2 ]' || exit 1
fi
# of calls that a kernel was made without the functions are weak
awk '$2 ~ /[tTwW]/ && /_sys_/ { print $1, $3 }' /proc/kallsyms >/out/symbols.txt
uname -r >/out/release.txt
rmmod etw
