#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
# On a debug kernel, after a test: lockdep stops for good with its first report, also one
# of the boot, and says nothing from then on. Was it still there?
if ! [ -e /proc/lockdep_stats ]; then
	echo 'skip - lockdep watched to the end # this kernel has none'
elif grep -q '^ *debug_locks: *1$' /proc/lockdep_stats; then
	echo 'ok - lockdep watched to the end'
else
	echo 'not ok - lockdep watched to the end'
	exit 1
fi
