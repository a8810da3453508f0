#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
# In the guest: programs' events and the kernel's, consumed in real time.
insmod etw.ko || exit 1
live || exit
etw start --mode realtime --owner 1000 mine >/dev/null && etw start --mode realtime theirs >/dev/null || exit
(
	sleep 2
	etw stop mine
	etw stop --discard theirs
) >/dev/null 2>&1 &
live user || exit
wait

# Switches of three processors; the consumer sleeps while the session is asked what it has.
etw start -e PROC_THREAD+CSWITCH+DISPATCHER --mode realtime --flush-timer 200ms \
	-n 256 kernel >/dev/null || exit
consume -n kernel >/out/live.txt &
consumer=$!
for _ in 1 2 3 4; do
	pingpong 1500 >/dev/null 2>&1
	ls -lR /proc/self >/dev/null 2>&1
done
kill -STOP $consumer
sleep 0.3
etw stop kernel
etw status --json kernel >/out/status.json
kill -CONT $consumer
wait $consumer

# The kernel's work is done by the first processor: that the second is idle is for us to end.
insmod etw_deaf.ko && echo 1 >/sys/devices/virtual/workqueue/cpumask && deaf || exit
rmmod etw && echo 'ok - nothing of a consumer stays: the module can be unloaded'
