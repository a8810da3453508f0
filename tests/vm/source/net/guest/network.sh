#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
# Speak over lo, recorded by etw and, as far as it goes, by ftrace and by /proc/net.
# Leaves etw.etl, ftrace.txt, stats.txt, said.txt, probes.txt, before/ and after/ in /out.
# shellcheck source=tests/lib/guest/ftrace.sh
. /w/ftrace.sh
insmod /w/etw.ko || exit 1
insmod /w/etw_carrier.ko || exit 1
ftrace_begin 16384
echo 1 >$T/events/sock/inet_sock_set_state/enable
echo 1 >$T/events/tcp/tcp_retransmit_skb/enable
mkdir /out/before /out/after
mount -t debugfs none /sys/kernel/debug 2>/dev/null
# ftrace is on within the session only, so each of its events must be in both
cat >/tmp/inner.sh <<END
echo 1 >$T/tracing_on
cp /proc/net/snmp /proc/net/snmp6 /out/before
uname -m >/out/probes.txt
grep tcp_push /sys/kernel/debug/kprobes/list >>/out/probes.txt
# before the load, which would have no places in the module's table then
network places && network run >/out/said.txt
status=\$?
# connections end a while after their last close
sleep 0.5
cp /proc/net/snmp /proc/net/snmp6 /out/after
echo 0 >$T/tracing_on
[ \$status = 0 ] || cat /out/said.txt
exit \$status
END
network early /w/session hold -r -f 0x10000 -b 64 -n 1024 -t 500 -w /out/etw.etl truth -- \
	sh /tmp/inner.sh || exit 1
ftrace_end
etw check /out/etw.etl || exit 1
rmmod etw_carrier etw
