#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
# Change priorities, recorded by etw and, as far as it goes, by ftrace.
# Leaves etw.etl, ftrace.txt, stats.txt, said.txt in /out.
# shellcheck source=tests/lib/guest/ftrace.sh
. /w/ftrace.sh
insmod /w/etw.ko || exit 1
ftrace_begin 4096
echo 1 >$T/events/sched/sched_pi_setprio/enable
ftrace_around priorities
# first of a thread that is ending; its I/O context is left alone
etw record --raw -o /out/etw.etl -e PRIORITY -- \
	sh -c 'insmod /w/etw_ended.ko && rmmod etw_ended && exec sh /tmp/inner.sh' || exit 1
ftrace_end
etw check /out/etw.etl || exit 1
rmmod etw
