#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
# One load under sessions of the same events: all of it, some processes, some of their events.
# filters_sources.sh calls|kernel: what programs ask for themselves; or what the kernel does
# for them. Leaves all.etl, pids.etl, hooks.etl, pids.txt, hooks.txt in /out; with kernel
# samples.etl, too.
# shellcheck source=tests/lib/guest/settled.sh
. /w/settled.sh
part=$1
insmod /w/etw.ko || exit 1

# They wait until all sessions listen, then become other programs: a process keeps its
# id. The same programs run again as processes that no filter names.
worker() { # COMMAND...
	# shellcheck disable=SC2016 # for the worker
	sh -c 'mkfifo /tmp/go.$$; read -r line </tmp/go.$$; exec "$@" >/dev/null' worker "$@" &
	list="$list $!"
}
# Of openat(): what the kernel's functions are called that wait in it differs by kernel.
case $(uname -m) in
aarch64) openat=56 ;;
*) openat=257 ;;
esac
# waits_for_fifo PID: sleeps in it, so that a signal could end that: nothing but a fifo is
# waited for like this. $where is what the kernel says of it
waits_for_fifo() {
	where=gone
	call=$(cat "/proc/$1/syscall" 2>/dev/null) || return
	where="$(sed -n 's/^State:[[:space:]]*//p' "/proc/$1/status"), system call $call"
	case $where in
	"S "*"system call $openat "*) [ "$call" = "$(cat "/proc/$1/syscall")" ] ;;
	*) false ;;
	esac
}
# all of them do nothing more until they are let go; after two minutes one never will
waiting() {
	for pid in $list; do
		looks=0
		until waits_for_fifo "$pid"; do
			looks=$((looks + 1))
			case $looks:$where in
			1200:* | *:Z* | *:gone)
				cd "/proc/$pid" && where="$where in $(cat wchan), $(tr '\0' ' ' <cmdline)"
				echo "worker $pid does not wait for its fifo: $where"
				exit 1
				;;
			esac
			sleep 0.1
		done
	done
}
# one after the other: they use the same ports
release() {
	for pid in $list; do
		echo >"/tmp/go.$pid"
		wait "$pid" || { echo "worker $pid: $?"; exit 1; }
	done
}

case $part in
calls)
	insmod /w/etw_faults.ko || exit 1
	events=SYSCALL+ALL_FAULTS+HARD_FAULTS+VIRT_ALLOC+LOADER+NETWORKTRACE+PRIORITY
	events=$events+PROCESS_COUNTERS
	hooks=0x0f33,0x020b,0x0262,0x030a,0x060a,0x0531,0x0320
	workers() {
		list=
		worker virtual
		worker network early network run
		worker priorities
		worker images run /w/fates /w/session
		worker faults
		worker usage run
		waiting
	}
	;;
kernel)
	insmod /w/etw_pool_load.ko || exit 1
	sysctl -qw kernel.sched_rt_runtime_us=-1
	mkdir -p /mnt && mount -t tmpfs none /mnt || exit 1
	# a disk with a worker of the kernel for its requests, and which has a cache to flush
	[ ! -e /w/loop.ko ] || insmod /w/loop.ko max_loop=1 || exit 1
	truncate -s 1M /mnt/disk && losetup /dev/loop0 /mnt/disk || exit 1
	events=FILE_IO+FILE_IO_INIT+DISK_IO+DISK_IO_INIT+LOAD_BALANCER+POOL+INTERRUPT+DPC
	hooks=0x0443,0x044c,0x010a,0x010d,0x010e,0x053d,0x0e20
	# compare_sources.py knows how often each does what
	workers() {
		list=
		worker fileops /mnt
		worker dd if=/dev/loop0 of=/dev/null bs=4k count=64 iflag=direct
		worker dd if=/dev/zero of=/dev/loop0 bs=64k count=8 conv=fsync
		worker migrations 40
		worker sh -c 'echo 300 >/sys/module/etw_pool_load/parameters/round'
		# rests: on a slow machine they take more than a minute
		worker pingpong 5000 100
		waiting
	}
	;;
esac
begin() { # NAME EVENTS OPTION...
	name=$1 what=$2
	shift 2
	# room for all of it: nothing may be lost, however slow the readers are
	etw start "$name" -e "$what" -b 64 -n 256:1024 "$@" >/tmp/start || exit 1
	node=$(sed -n 's|.*\(/dev/etw/session[0-9]*\).*|\1|p' /tmp/start | head -n 1)
	[ "$node" ] || { cat /tmp/start; exit 1; }
	cat "$node" >"/out/$name.etl" &
	readers="$readers $!"
	names="$name $names"
	settled "$name"
}

workers
chosen=$list
echo "$chosen" >/out/pids.txt
echo "$hooks" >/out/hooks.txt
pids=$(printf %s "${chosen# }" | tr ' ' ,)
# to know which thread ran when, and its process
begin all "$events+PROC_THREAD+CSWITCH"
begin pids "$events" --pid "$pids"
begin hooks "$events" --pid "$pids" --hook "$hooks"
# An event that sessions count for themselves, and the context switches of the first one show it;
# an odd number, or of two that take turns always the same one has the sample.
if [ "$part" = kernel ]; then
	echo 0 >/proc/sys/kernel/perf_cpu_time_max_percent
	begin samples PMC_PROFILE --sample context-switches@101 -F 1000 --pid "$pids"
fi
workers
others=$list
list=$others release
list=$chosen release
for name in $names; do
	etw stop "$name" >/dev/null || exit 1
done
# shellcheck disable=SC2086 # a list
wait $readers
for name in $names; do
	etw close "/out/$name.etl" || exit 1
done
[ "$part" = kernel ] || rmmod etw_faults
rmmod etw
