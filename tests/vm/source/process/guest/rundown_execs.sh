#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
# Rundowns while processes exec the image that they have, all the time: rundown_execs.sh ROUNDS
# Leaves /out/execs-ROUND.etl.
insmod etw.ko || exit 1
for thread in leader leader leader other; do
	/w/execs_itself $thread &
done
round=0
while [ $((round += 1)) -le "$1" ]; do
	etw record --raw -q -b 64 -n 64 -e PROC_THREAD -o /out/execs-$round.etl -- true || exit 1
done
# shellcheck disable=SC2046 # words
kill $(jobs -p)
rmmod etw
