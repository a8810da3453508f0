#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
# Unloading: refused while a session exists, and nothing stays behind after it.
# unload.sh CYCLES: started with the module loaded, which then comes and goes so often;
# from 20 times on also the kernel's own memory must be back.
cycles=$1
T=/sys/kernel/tracing/events/sched
failed=0
result() {
	if [ "$1" = 0 ]; then
		echo "ok - $2"
	else
		echo "not ok - $2"
		failed=1
	fi
}

# A check of probes needs /proc/kcore, which small debug kernels lack.
about_probes() {
	if [ -e /proc/kcore ]; then
		result "$1" "$2"
	else
		echo "skip - $2 # no /proc/kcore"
	fi
}

# The kernel's static key of the tracepoint is on while it has a probe
echo 1 >$T/sched_switch/enable
[ "$(probes sched_switch)" = 1 ]
about_probes $? 'the way to see probes sees those of ftrace'
echo 0 >$T/sched_switch/enable
[ "$(probes sched_switch)" = 0 ]
about_probes $? 'sched_switch has no probe without a session'
session hold -f 0 -k other >/dev/null &
other=$!
sleep 1
# shellcheck disable=SC2016 # expanded by the inner shell
session hold -f 0x10 hold -- sh -c '[ "$(probes sched_switch)" = 1 ]' >/dev/null
about_probes $? 'sched_switch has a probe while a session wants it'
[ "$(probes sched_switch)" = 0 ]
about_probes $? 'sched_switch has none after it, though another session runs'
# shellcheck disable=SC2016
session hold -f 0x800 hold -- \
	sh -c '[ "$(probes sched_switch) $(probes sched_waking)" = "0 1" ]' >/dev/null
about_probes $? 'DISPATCHER alone puts no probe on sched_switch'
[ "$(probes sched_waking)" = 0 ]
about_probes $? 'sched_waking has none after it'

kill $other
wait $other
! rmmod etw 2>/tmp/error && grep -qi -e busy -e unavailable /tmp/error && grep -q '^etw ' /proc/modules
result $? "rmmod is refused while a session exists: $(cat /tmp/error)"
# -k left it running, as logger 1: reading it after STOP is its end
[ -c /dev/etw/session1 ]
result $? 'the session runs on without its starter'
session hold -f 0 tied -- sh -c '! rmmod etw' >/dev/null 2>&1
result $? 'rmmod is refused while two exist'
dd if=/dev/etw/session1 of=/dev/null bs=4096 count=1 2>/dev/null
result $? 'its header can be read'
# shellcheck disable=SC2217 # it only holds the stream open
sleep 1000 </dev/etw/session1 &
reader=$!
sleep 1
session stop 1
! rmmod etw 2>/dev/null
result $? 'rmmod is refused while a stream is open'
kill $reader
wait $reader 2>/dev/null
cat /dev/etw/session1 >/dev/null
result $? 'the rest can be read'
rmmod etw
result $? 'rmmod works when all is closed'
[ "$(ls /dev/etw 2>/dev/null)" = '' ]
result $? 'no node is left'

# kB of a line of /proc/meminfo
kb() { sed -n "s/^$1: *\([0-9]*\) kB/\1/p" /proc/meminfo; }
# kB of pages that are mapped, but for stacks of threads: the kernel begins and ends its own as
# it likes, and keeps two of each CPU for the next ones
vmalloc_kb() {
	awk '/ pages=/ && $3 !~ /^(kernel_clone|fork_idle)\+/ { sum += $2 }
		END { print int(sum / 1024) }' /proc/vmallocinfo
}
cycle() {
	insmod /w/etw.ko || exit 1
	session hold -f 0x10 -b 64 -n 64 -d one -- true >/dev/null &&
	session hold -f 0x10 -b 64 -n 64 -t 10 two -- sleep 0.03 >/dev/null &&
	session hold -r -f 0x813 -b 1024 -n 8 -l /dev/null three -- true >/dev/null
	rmmod etw || exit 1
}
# KASAN keeps what was freed, until a cache shrinks
shrink() { for cache in /sys/kernel/slab/*/shrink; do echo 1 >"$cache"; done; }
i=0
# the first ones fill the kernel's caches
warm=$((cycles / 2))
while [ $i -lt $((warm + cycles)) ]; do
	if [ $i = $warm ]; then
		shrink
		slab=$(kb Slab) vmalloc=$(vmalloc_kb) percpu=$(kb Percpu)
	fi
	cycle
	i=$((i + 1))
done
sleep 1
shrink
slab=$(($(kb Slab) - slab)) vmalloc=$(($(vmalloc_kb) - vmalloc))
percpu=$(($(kb Percpu) - percpu))
echo "after $cycles cycles: Slab $slab kB, vmalloc $vmalloc kB, Percpu $percpu kB more"
# one leaked buffer a cycle would be 1280 kB, a leaked session 60 kB or more
if [ "$cycles" -ge 20 ]; then
	[ $slab -lt 400 ]
	result $? "Slab is back after $cycles cycles: $slab kB more"
	[ $percpu -lt 25 ]
	result $? "Percpu is back: $percpu kB more"
fi
[ $vmalloc -lt 50 ]
result $? "vmalloc is back: $vmalloc kB more"
! grep -l '^etw' /proc/[0-9]*/comm
result $? 'no thread of the module stays'
! grep etw /proc/vmallocinfo
result $? 'nothing in vmallocinfo names etw'
[ "$(probes sched_switch)" = 0 ]
about_probes $? 'sched_switch has no probe'
exit $failed
