#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
# A CPU without interrupts does not keep another one from getting buffers: two CPUs.
# shellcheck source=tests/lib/guest/checks.sh
. /w/checks.sh
# shellcheck source=tests/lib/guest/workers.sh
. /w/workers.sh
insmod etw.ko && insmod etw_shut.ko || exit 1
id=$(etw start shut -e none --buffer-size 4 --buffers 4:64 --flush-timer 0 | cut -d " " -f 1)
# a worker brings buffers, which waits for its turn where the scheduler has put it
workers_on 2 || exit 1
# and kthreadd, which makes more of them, waits for the CPU that is shut, always and not by chance
taskset -p 1 2 >/dev/null || exit 1
echo "$id" >/sys/module/etw_shut/parameters/session || exit 1
tell 'buffers come while another CPU takes no interrupts' \
	is 0 "$(cat /sys/module/etw_shut/parameters/session)"
session stats "$id"
session discard "$id"
tell 'the modules unload' rmmod etw_shut etw
