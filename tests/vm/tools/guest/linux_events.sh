#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
# Events of Linux, recorded by etw and by ftrace at the same time. /out gets both.

# shellcheck source=tests/lib/guest/checks.sh
. /w/checks.sh

tracing=/sys/kernel/tracing
# the one with libtraceevent, which a static program does not have
etw=/usr/local/bin/etw
[ -d $tracing/events ] || mount -t tracefs tracefs $tracing
echo 'p:etw_test/opened do_sys_openat2 dfd=%di file=+0(%si):ustring' >$tracing/kprobe_events

# The load runs while both record; ftrace is the shorter one
cat >/tmp/load.sh <<'END'
cd /sys/kernel/tracing
echo 0 >tracing_on
echo >trace
echo 4096 >buffer_size_kb
events="sched/sched_process_exec sched/sched_process_fork sched/sched_waking
	syscalls/sys_enter_openat irq/softirq_entry workqueue/workqueue_execute_start
	etw_test/opened"
for event in $events; do echo 1 >events/$event/enable; done
echo 1 >tracing_on
for i in 1 2 3 4 5 6 7 8 9 10; do
	cat /proc/self/status /nothing$i >/dev/null 2>&1
done
sleep 0.2
echo 0 >tracing_on
for event in $events; do echo 0 >events/$event/enable; done
END

tell 'the module can be loaded' insmod etw.ko
tell 'events of Linux can be recorded' $etw record --raw -q -o /out/all.etl \
	-e 'sched:sched_process_*,sched:sched_waking' -e syscalls:sys_enter_openat \
	-e irq:softirq_entry,workqueue:workqueue_execute_start -e etw_test:opened -- sh /tmp/load.sh
cat $tracing/trace >/out/trace.txt
cat $tracing/per_cpu/cpu*/stats >/out/stats.txt
tell 'the events can be read' sh -c "$etw dump --json /out/all.etl >/out/all.json"
$etw stat /out/all.etl providers | head -n 12
# openat has this number on x86_64
tell 'system calls are selected by a condition' $etw record --raw -q -o /out/some.etl \
	--syscalls --filter 'id == 257' -- sh -c 'cat /proc/self/status >/tmp/status'
$etw dump --json /out/some.etl >/out/some.json
tell 'system calls are recorded' $etw record --raw -q -o /out/calls.etl --syscalls \
	-e PROC_THREAD+FILE_IO_INIT -- sh -c '/w/made_calls >/out/calls.txt'
$etw stat /out/calls.etl syscalls --process made_calls --at-least 0 --json >/out/calls.json
$etw stat /out/calls.etl syscalls --process made_calls | head -n 5
tell 'the group of system calls is recorded' $etw record --raw -q -o /out/group.etl \
	-e PROC_THREAD+CSWITCH+SYSCALL --no-addresses -- sh -c '/w/made_calls >/out/group.txt'
$etw stat /out/group.etl syscalls --process made_calls --json >/out/group.json
ifconfig lo 127.0.0.1 up
tell 'paths and addresses of system calls are recorded' $etw record --raw -q -o /out/paths.etl \
	--syscalls -e PROC_THREAD -- \
	sh -c '/w/path_calls /out/paths.txt /bin/true && /w/socket_calls /out/sockets.txt'
$etw stat /out/paths.etl syscalls --at-least 0 --json >/out/paths.json
$etw dump /out/paths.etl --names --json | grep '"Linux\.[rk]' >/out/paths_dump.json
$etw stat /out/paths.etl syscalls --process path_calls | tail -n 12
$etw stat /out/paths.etl syscalls --process socket_calls | tail -n 12
tell 'the probes of paths and addresses are removed' \
	sh -c "[ \"\$(cat $tracing/kprobe_events | wc -l)\" = 1 ]"
tell 'idle states are recorded' $etw record --raw -q -o /out/power.etl -e 'power:*' -- sleep 0.3
tell 'stat power knows them' sh -c "$etw stat /out/power.etl power | grep '\"running\"'"
tell 'a session has no other kernel events' $etw start alone -e none -e etw_test:opened
cat /proc/self/status >/tmp/status
tell 'it stops' $etw stop -d /out/alone.etl alone
$etw dump --json /out/alone.etl >/out/alone.json
echo '-:etw_test/opened' >>$tracing/kprobe_events
tell 'no event keeps the probe' [ ! -s $tracing/kprobe_events ]

# A group as docker names it, with a process that enters it; processes that are in a group before
# the recording, and after it only
groups=/tmp/groups id=$(printf '%064d' 7)
mkdir -p $groups
mount -t cgroup2 cgroup2 $groups
mkdir -p $groups/docker/"$id" $groups/early $groups/late
sleep 1000 &
early=$!
echo $early >$groups/early/cgroup.procs
cat >/tmp/enter.sh <<END
echo \$\$ >$groups/docker/$id/cgroup.procs
cat /proc/self/cgroup >/out/cgroup.txt
END
cat >/tmp/late.sh <<END
sh /tmp/enter.sh
sleep 1000 &
echo \$! | tee /tmp/late >$groups/late/cgroup.procs
# the child shell becomes sleep
sleep 0.2
kill $early
END
in_container() {
	$etw stat /out/containers.etl processes --csv --container "$1" | grep -q "$2"
}
tell 'processes in containers are recorded' $etw record -q -o /out/containers.etl \
	-e PROC_THREAD -e cgroup:cgroup_attach_task -- sh /tmp/late.sh
$etw stat /out/containers.etl processes --container '0*,early,late'
tell 'the kernel has the container, too' grep -q "/docker/$id" /out/cgroup.txt
tell 'a child of a process in a container is in it' in_container 000000000000 'cat'
tell 'a process that ended has the group from before' in_container early "^$early,"
tell 'a process that stays has its last group' in_container late "^$(cat /tmp/late),"
$etw record -q -o /out/containers.etl -e PROC_THREAD -- sleep 0.1
tell 'a rundown needs no events of groups' in_container late "^$(cat /tmp/late),"
kill "$(cat /tmp/late)"
tell 'the module can be unloaded' rmmod etw
