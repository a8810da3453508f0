#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
# Rundowns while a thread ends, its Stop recorded, which is held before the kernel has it off
# its lists. Leaves /out/ending.etl, and the thread in /out/ending.txt.
insmod etw.ko && mkfifo /tmp/ending /tmp/thread && exec 3<>/tmp/ending 4<>/tmp/thread || exit 1
/w/ending_thread <&3 >&4 &
process=$!
read -r thread <&4
echo "$thread" >/out/ending.txt
insmod etw_held.ko pid="$thread" function=exit_files || exit 1
etw start ending -b 64 -n 64 -e PROC_THREAD || exit 1
exec 5</dev/etw/session1
echo >&3
held=/sys/module/etw_held/parameters/held
while [ "$(cat $held)" = N ]; do
	# shellcheck disable=SC2034,SC3045 # busybox's shell has it
	read -r -t 0.01 line <&4
done
# a start's rundown, and STOP waits for it
etw rundown ending || exit 1
etw stop ending || exit 1
[ "$(cat $held)" = Y ] || exit 1
rmmod etw_held
cat <&5 >/out/ending.etl
exec 5<&-
kill $process
rmmod etw
