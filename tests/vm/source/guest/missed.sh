#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
# Changes of priority, some of which the kernel's function probes miss: missed.sh CALLS
# Leaves etw.etl, status.json in /out.
insmod /w/etw.ko || exit 1
cat >/tmp/inner.sh <<END
insmod /w/etw_missed.ko calls=$1 || exit 1
etw status missed --json >/out/status.json
rmmod etw_missed
END
# no session listens, so none lost a call
insmod /w/etw_missed.ko calls=7 && rmmod etw_missed || exit 1
etw record --raw -N missed -o /out/etw.etl -e PRIORITY -- sh /tmp/inner.sh || exit 1
etw check /out/etw.etl || exit 1
# what one session missed is not the next one's
etw record --raw -N next -o /out/next.etl -e PRIORITY -- true || exit 1
etw check /out/next.etl || exit 1
rmmod etw
