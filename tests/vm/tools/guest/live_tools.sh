#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
# etw top and etw watch: what they show and save, and that no session stays.

# shellcheck source=tests/lib/guest/checks.sh
. /w/checks.sh

# listed TEXT: a session has such a name
listed() { etw list | grep -q "$1"; }
# await COMMAND...: until it succeeds, for at most a minute
await() {
	i=0
	until "$@"; do
		[ $((i += 1)) -le 600 ] || return 1
		sleep 0.1
	done
}
appears() { await listed "$1"; }
is_not_listed() { ! listed "$1"; }
gone() { await is_not_listed "$1"; }
# count FILE...: a pattern of the caller's has become names
count() { [ -e "$1" ] && echo $#; }
# number NAME FILE: the first one of that name
number() { sed -n "s/.*\"$1\":\([0-9]*\).*/\1/p" "$2" | head -1; }
# in_order FIRST SECOND FILE: both texts are in the trace, in this order
in_order() { etw dump --csv "$3" | tr '\n' ' ' | grep -q "$1.*$2"; }

insmod etw.ko || exit 1

# A thread that never waits has most of a processor's time
sh -c 'while :; do :; done' &
busy=$!
etw top --json --top 1 -n 3 -d 300ms >/tmp/top.json
tell 'top shows as many intervals as it should' is 3 "$(grep -c interval_ns /tmp/top.json)"
tail -1 /tmp/top.json >/tmp/last.json
tell 'top has a busy thread in its first line' grep -q "\"threads\":\[{\"tid\":$busy," /tmp/last.json
ran=$(sed 's/.*"threads"//; s/.*"cpu_ns":\([0-9]*\).*/\1/' /tmp/last.json)
length=$(number interval_ns /tmp/last.json)
echo "# the busy thread ran $ran of $length ns"
tell 'no thread has more time than the interval' [ "$ran" -le "$length" ]
kill $busy
tell 'top leaves no session' gone etw-top

for signal in TERM HUP KILL; do
	etw top -b >/dev/null &
	top=$!
	appears etw-top-$top
	kill -$signal $top
	wait $top 2>/dev/null
	tell "top leaves no session after SIG$signal" gone etw-top-$top
done
timeout -s INT 1 etw top -b >/dev/null
tell 'top leaves no session after SIGINT' gone etw-top

# A recorder, and a mark that comes three times
cat >/tmp/hook <<'END'
#!/bin/sh
printf '%s|%s|%s|%s\n' "$#" "$1" "$ETW_SESSION" "$ETW_REASON" >>/tmp/hook.out
END
chmod +x /tmp/hook
etw start flight --flight 8M -e PROC_THREAD+CSWITCH+DISPATCHER >/dev/null || exit 1
etw watch flight --when mark:needle --debounce 1h --exec /tmp/hook -o '/tmp/mark-%d.etl' \
	>/tmp/watch.out 2>/tmp/watch.err &
watch=$!
appears etw-watch-$watch
sleep 0.5
etw mark 'much hay'
needle="the needle; echo \$(id)"
etw mark "$needle"
sleep 0.3
etw mark 'the needle again'
await [ -s /tmp/hook.out ]
kill $watch
wait $watch
tell 'watch ends well by SIGTERM' is 0 $?
tell 'watch leaves no session of its own' gone etw-watch
tell 'watch leaves the recorder running' listed flight
tell 'watch makes exactly one snapshot' is 1 "$(count /tmp/mark-*.etl)"
tell 'the snapshot contains the triggering event, and what came before it' \
	in_order 'much hay' 'the needle' /tmp/mark-1.etl
tell 'the snapshot is a whole file' etw check --ours /tmp/mark-1.etl
tell 'watch prints the file and the reason' grep -q '^/tmp/mark-1.etl: .*the needle' /tmp/watch.out
tell 'a command gets the path, and texts that no shell has read' is \
	"1|/tmp/mark-1.etl|flight|event PerfInfo/Mark: $needle" "$(cat /tmp/hook.out)"
sed 's/^/# /' /tmp/watch.err

# A wait is noticed before it ends; the process has the name of its file
cp /bin/busybox /tmp/busybox-nap
etw watch flight --when wait:300ms --process busybox-nap -n 1 --json -o /tmp/wait.etl >/tmp/wait.json &
watch=$!
appears etw-watch-$watch
/tmp/busybox-nap sleep 60 &
sleeper=$!
wait $watch
tell 'a wait makes a snapshot while it lasts' kill -0 $sleeper
tell 'the reason names the thread' grep -q "\"reason\":\"thread $sleeper (.*) of process $sleeper waited" /tmp/wait.json
tell 'the snapshot contains a mark with the reason' \
	sh -c "etw dump --csv /tmp/wait.etl | grep -q 'thread $sleeper .* waited'"
kill $sleeper
tell 'status shows what an hour takes' sh -c "etw status flight | grep -q 'an hour of events takes [0-9.]* [MG]B'"
etw stop --discard flight

# A recorder of the watch's own
etw watch own --flight 4M -e PROC_THREAD --when signal:SEGV --debounce 1ms --limit 0/h \
	-o '/tmp/own-%d.etl' >/tmp/own.out &
watch=$!
appears etw-watch-$watch
sleep 0.5
sh -c 'kill -TERM $$'
sh -c 'kill -SEGV $$'
await grep -q own-1 /tmp/own.out
kill -USR1 $watch
await grep -q own-2 /tmp/own.out
tell 'a process that a signal ended is seen' grep -q 'own-1.*ended with signal 11' /tmp/own.out
tell 'another signal is not' is 1 "$(grep -c 'ended with signal' /tmp/own.out)"
tell 'SIGUSR1 asks for a snapshot' grep -q 'own-2.*SIGUSR1' /tmp/own.out
kill -KILL $watch
wait $watch 2>/dev/null
tell 'no session stays of a watch that was killed' gone etw-watch
tell 'nor its recorder' gone own
tell 'the module can be unloaded' rmmod etw
