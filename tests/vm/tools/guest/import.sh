#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
# Switches, recorded by etw and by perf at the same time. /out gets both.

# shellcheck source=tests/lib/guest/checks.sh
. /w/checks.sh

cat >/tmp/load.sh <<'END'
for i in 1 2 3 4 5 6 7 8 9 10; do
	cat /proc/self/status | cat >/dev/null
	sleep 0.02
done
END

[ -d /sys/kernel/tracing/events ] || mount -t tracefs tracefs /sys/kernel/tracing
tell 'the module can be loaded' insmod etw.ko
tell 'etw and perf record at once' etw record --raw -q -o /out/own.etl -e CSWITCH+DISPATCHER -- \
	perf record -q -a -m 1024 -k CLOCK_MONOTONIC -e sched:sched_switch,sched:sched_waking \
	-o /out/perf.data -- sh /tmp/load.sh
tell 'the module can be unloaded' rmmod etw
