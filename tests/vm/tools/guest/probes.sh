#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
# Probes that etw makes: what they record goes to /out; nothing of them stays in the kernel.

# shellcheck source=tests/lib/guest/checks.sh
. /w/checks.sh

tracing=/sys/kernel/tracing
# the one with libtraceevent, which a static program does not have
etw=/usr/local/bin/etw
[ -d $tracing/events ] || mount -t tracefs tracefs $tracing

left() {
	cat $tracing/kprobe_events $tracing/uprobe_events
}
none() { # a process that ends may need a moment
	for _ in $(seq 200); do
		[ -n "$(left)" ] || return 0
		sleep 0.05
	done
	left
	return 1
}
until_made() {
	for _ in $(seq 200); do
		[ -z "$(left)" ] || [ ! -e /dev/etw/session1 ] || return 0
		sleep 0.05
	done
	return 1
}
refused() { # TEXT ARGUMENT...
	text=$1
	shift
	$etw record -q -o /tmp/bad.etl "$@" -- true 2>/tmp/said && return 1
	grep -qF "$text" /tmp/said || { cat /tmp/said; return 1; }
}
children_of() { # PID
	grep -l ") . $1 " /proc/[0-9]*/stat | cut -d/ -f3
}

tell 'the module can be loaded' insmod etw.ko
cat >/tmp/record.sh <<'END'
exec /usr/local/bin/etw record --raw -q -o /out/probes.etl \
	--probe 'p:do_sys_openat2 dfd=%di:s32 file=+0(%si):ustring' \
	--uprobe "$PWD/probed:work number=%di:s32 text=+0(%si):string" \
	--uprobe "r:$PWD/probed:work result=\$retval:s32" \
	--probe 'opened=do_sys_openat2 dfd filename' \
	--uprobe "named=/usr/local/bin/probed-g:work number text" \
	--uprobe "/usr/local/bin/probed-g:probed.c:$(cat /usr/local/bin/probed.line) twice text" \
	--usdt "$PWD/probed:probed:*" --stackwalk 'uprobes:*' \
	-- sh -c './probed 50 >/out/ticks && /usr/local/bin/probed-g 50 >/dev/null'
END
tell 'probes can be made and recorded' sh /tmp/record.sh
tell 'no probe stays after a recording' none
tell 'the events of probes can be read' \
	sh -c "$etw dump --json /out/probes.etl >/out/probes.json"
tell 'a semaphore is counted down when the recording ends' is 0 "$(./probed 5)"

tell 'a register that there is not is refused by its name' \
	refused "Invalid register name: at '%foo'" --probe 'do_sys_openat2 x=%foo'
tell 'a function that there is not is refused' \
	refused "there_is_none" --probe 'p:there_is_none'
tell 'a probe is refused with the probes before it' \
	refused 'no such function' --probe do_sys_openat2 --uprobe "$PWD/probed:wrk"
tell 'no refused option leaves a probe' is '' "$(left)"

# one that etw record waits for, and one that ends it at once
for signal in TERM ABRT; do
	$etw record --raw -q -o /tmp/signal.etl --probe do_sys_openat2 &
	tell "there is a probe before SIG$signal" until_made
	kill -$signal $!
	wait $! 2>/dev/null
	tell "no probe stays after SIG$signal" none
done

$etw record --raw -q -o /tmp/killed.etl --probe do_sys_openat2 &
tell 'there is a probe before SIGKILL' until_made
kill -KILL $!
wait $! 2>/dev/null
tell 'no probe stays after SIGKILL of etw record alone' none
$etw record --raw -q -o /tmp/killed.etl --probe do_sys_openat2 &
until_made
# the process that would remove the probes first
children_of $! | xargs kill -KILL
kill -KILL $!
wait $! 2>/dev/null
$etw doctor >/tmp/doctor
tell 'doctor names a probe that was left behind' \
	grep -q 'ended etw processes.*etw_kprobes_.*:do_sys_openat2' /tmp/doctor
tell 'doctor names the command that removes it' grep -q 'fix: etw doctor --fix' /tmp/doctor
$etw doctor --fix >/tmp/doctor
tell 'doctor --fix removes it' is '' "$(left)"

tell 'a session can be started with probes' $etw start kept --probe do_sys_openat2 -e none
tell 'its probe outlives etw start' grep -q do_sys_openat2 $tracing/kprobe_events
$etw doctor --fix >/tmp/doctor
tell 'doctor --fix leaves the probe of a session' \
	grep -q '1 probe of ended etw processes recorded by a session' /tmp/doctor
tell 'the probe is there after doctor --fix' grep -q do_sys_openat2 $tracing/kprobe_events
tell 'a session gets other probes' $etw update kept --probe 'later=do_sys_openat2'
tell 'the probes that the session has no more are removed' sh -c \
	"grep -q later $tracing/kprobe_events && [ \$(wc -l <$tracing/kprobe_events) = 1 ]"
tell 'the session stops' $etw stop -d /tmp/kept.etl -q kept
tell 'no probe stays after stop' none
tell 'a session with a file gets probes' $etw start filed -f /tmp/filed.etl \
	--probe do_sys_openat2
tell 'its probe is there while the session runs' grep -q do_sys_openat2 $tracing/kprobe_events
tell 'the session with a file stops' $etw stop -q filed
tell 'no probe stays after stop of a session with a file' none
tell 'the module without probes can be unloaded' rmmod etw
