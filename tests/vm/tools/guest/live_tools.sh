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
# says TEXT FILE: a program has printed it there
says() { await grep -qs "$1" "$2"; }
# count FILE...: a pattern of the caller's has become names
count() { [ -e "$1" ] && echo $#; }
# number NAME FILE: the first one of that name
number() { sed -n "s/.*\"$1\":\([0-9]*\).*/\1/p" "$2" | head -1; }
# in_order FIRST SECOND FILE: both texts are in the trace, in this order
in_order() { etw dump --csv "$3" | tr '\n' ' ' | grep -q "$1.*$2"; }

tell 'the module can be loaded' insmod etw.ko

# A thread that never waits has most of a processor's time
sh -c 'while :; do :; done' &
busy=$!
etw top --json --top 3 -n 3 -d 300ms >/tmp/top.json
tell 'top shows as many intervals as it should' is 3 "$(grep -c interval_ns /tmp/top.json)"
tail -1 /tmp/top.json >/tmp/last.json
tell 'top has a busy thread in its first lines' grep -q "\"tid\":$busy," /tmp/last.json
ran=$(sed "s/.*\"tid\":$busy,[^}]*\"cpu_ns\":\([0-9]*\).*/\1/" /tmp/last.json)
length=$(number interval_ns /tmp/last.json)
echo "# the busy thread ran $ran of $length ns"
tell 'no thread has more time than the interval' [ "$ran" -le "$length" ]
kill $busy
tell 'top leaves no session' gone etw-top

# settings: of a terminal that is not the console
settings() { stty -g <&8; }
is_raw() { ! is "$before" "$(settings)" >/dev/null; }
exec 8<>/dev/tty2
before=$(settings)
for signal in TERM HUP; do
	etw top <&8 >&8 2>/tmp/top.err &
	top=$!
	tell "top has a terminal for itself before SIG$signal" await is_raw
	kill -$signal $top
	wait $top 2>/dev/null
	tell "top restores the terminal after SIG$signal" is "$before" "$(settings)"
	tell "top leaves no session after SIG$signal" gone etw-top-$top
done
# of what a shell runs beside itself, SIGINT is ignored
timeout -s INT 1 etw top <&8 >&8 2>>/tmp/top.err
tell 'top restores the terminal after SIGINT' is "$before" "$(settings)"
tell 'top leaves no session after SIGINT' gone etw-top
sed 's/^/# /' /tmp/top.err
etw top -b >/dev/null &
top=$!
appears etw-top-$top
kill -KILL $top
wait $top 2>/dev/null
tell 'top leaves no session after SIGKILL' gone etw-top-$top

# A recorder, and a mark that comes three times
cat >/tmp/hook <<'END'
#!/bin/sh
printf '%s|%s|%s|%s\n' "$#" "$1" "$ETW_SESSION" "$ETW_REASON" >>/tmp/hook.out
END
chmod +x /tmp/hook
etw start flight --flight 8M -e PROC_THREAD+CSWITCH+DISPATCHER >/dev/null || exit 1
# a child that the watch did not start, as a script leaves one
sh -c "true & exec etw watch flight --when mark:needle --debounce 1h --exec /tmp/hook \\
	-o /tmp/mark-%d.etl" >/tmp/watch.out 2>/tmp/watch.err &
watch=$!
says watching /tmp/watch.err
etw mark 'much hay'
needle="the needle; echo \$(id)"
etw mark "$needle"
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

# A disk that is full
mkdir /tmp/full
mount -t tmpfs -o size=16k tmpfs /tmp/full
etw watch flight --when mark:full -n 1 -o /tmp/full/x.etl 2>/tmp/full.err &
watch=$!
says watching /tmp/full.err
etw mark full
wait $watch
tell 'watch fails if its only snapshot cannot be written' is 1 $?
tell 'a full disk is reported, with the reason' \
	grep -q 'no complete snapshot of: .*Mark: full' /tmp/full.err
tell 'no piece of a snapshot stays on a full disk' is '' "$(ls /tmp/full)"
sed 's/^/# /' /tmp/full.err

# A wait is noticed before it ends; the process has the name of its file
cp /bin/busybox /tmp/busybox-nap
etw watch flight --when wait:300ms --process busybox-nap -n 1 --json -o /tmp/wait.etl \
	>/tmp/wait.json 2>/tmp/wait.err &
watch=$!
says watching /tmp/wait.err
/tmp/busybox-nap sleep 600 &
sleeper=$!
wait $watch
tell 'a wait makes a snapshot while it lasts' kill -0 $sleeper
tell 'the reason names the thread' grep -q "\"reason\":\"thread $sleeper (.*) of process $sleeper waited" /tmp/wait.json
tell 'the snapshot contains a mark with the reason' \
	sh -c "etw dump --csv /tmp/wait.etl | grep -q 'thread $sleeper .* waited'"
kill $sleeper
tell 'status shows what an hour takes' \
	await sh -c "etw status flight | grep -q 'an hour of events takes [0-9.]* [MG]B'"
etw stop --discard flight

# A recorder of the watch's own
sh -c "trap '' HUP; exec etw watch own --flight 4M -e PROC_THREAD --when signal:SEGV \\
	--debounce 1ms --limit 0/h -o /tmp/own-%d.etl" >/tmp/own.out 2>/tmp/own.err &
watch=$!
says watching /tmp/own.err
sh -c 'kill -TERM $$'
sh -c 'kill -SEGV $$'
says own-1 /tmp/own.out
kill -HUP $watch
kill -USR1 $watch
says own-2 /tmp/own.out
tell 'a watch under nohup goes on after SIGHUP' is 0 $?
tell 'a process that a signal ended is seen' grep -q 'own-1.*ended with signal 11' /tmp/own.out
tell 'another signal is not' is 1 "$(grep -c 'ended with signal' /tmp/own.out)"
tell 'SIGUSR1 asks for a snapshot' grep -q 'own-2.*SIGUSR1' /tmp/own.out
kill -KILL $watch
wait $watch 2>/dev/null
tell 'no session stays of a watch that was killed' gone etw-watch
tell 'nor its recorder' gone own
tell 'the module can be unloaded' rmmod etw
