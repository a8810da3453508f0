#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
# Move threads between processors, recorded by etw and by ftrace: migrations.sh ROUNDS
# Leaves etw.etl, ftrace.txt, stats.txt, said.txt in /out.
# shellcheck source=tests/lib/guest/ftrace.sh
. /w/ftrace.sh
insmod /w/etw.ko || exit 1
ftrace_begin 4096
# One order for all processors: by the usual clock, and by "global" where two events have the same
# time, a thread left where it had not come to. This one counts.
echo counter >$T/trace_clock || exit 1
echo 1 >$T/events/sched/sched_migrate_task/enable
ftrace_around "migrations $1"
etw record --raw -o /out/etw.etl -e LOAD_BALANCER -- sh /tmp/inner.sh || exit 1
ftrace_end
etw check /out/etw.etl || exit 1
rmmod etw
