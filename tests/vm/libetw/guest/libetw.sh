#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
# libetw's calls, then three portable programs and what is in their files.
# shellcheck disable=SC2317 # what check calls
bad=0
# check NAME COMMAND...
check() {
	name=$1
	shift
	if "$@"; then echo "ok - $name"; else echo "not ok - $name"; bad=1; fi
}
# has PATTERN FILE COUNT: so many lines of its dump
has() { [ "$(etw dump "$2" | grep -c "$1")" = "$3" ]; }
said() { grep -q "$1" "$2"; }
good() { etw check "$1" >/tmp/verdict || ! cat /tmp/verdict; }

insmod etw.ko || exit 1
libetw_live || bad=1
for file in plain flushed circular new1 new2 full relative memory a b closed pipe little beside halted \
	survivor many before after roots owned shared both own; do
	check "$file.etl is a good file" good /tmp/$file.etl
done
for number in 0 1 2 3 4 5 6 7; do
	check "keywords$number.etl is a good file" good /tmp/keywords$number.etl
done
check 'dump shows the name of a provider that has traits, and a field that its event describes' \
	has 'Mine.It/Event .*x=77' /tmp/keywords0.etl 1
check 'plain.etl has every event' has '00000054-0002' /tmp/plain.etl 200
check 'closed.etl has every event' has '00000054-0002' /tmp/closed.etl 220
check 'the copy of a memory has every event' has '00000054-0002' /tmp/memory.etl 10

libetw_provider 100 >/tmp/provider &
libetw_controller mine /tmp/mine.etl 3 >/tmp/controller
status=$?
wait
cat /tmp/provider /tmp/controller
check 'the portable controller succeeds' [ $status = 0 ]
check 'it sees its session' said '^1 sessions, 1 of them mine$' /tmp/controller
check 'the portable provider sees level and flags' said 'level 4 flags 0x1234' /tmp/provider
check 'it logs everything, and is let go' said '^disabled$' /tmp/provider
check 'the file is good' good /tmp/mine.etl
class=6a1e6b5c-3a0f-4c8e-9d11-0c4b7a2f5e02
check '100 events are in the file' has "$class/0 .*68656c6c6f00" /tmp/mine.etl 100
check 'the event of MOF_FIELDs is' has "$class/8 .*66726f6d20736f6d65" /tmp/mine.etl 1
check 'the transaction is' has "$class/1 .*InstanceId=1 " /tmp/mine.etl 1
check 'and its part' has "$class/2 .*InstanceId=2 ParentInstanceId=1 ParentGuid=\"$class" \
	/tmp/mine.etl 1

libetw_messages /tmp/messages.etl 5
check 'the portable message logger succeeds' [ $? = 0 ]
check 'its file is good' good /tmp/messages.etl
check '5 messages, in sequence' [ "$(etw dump /tmp/messages.etl |
	sed -n 's/.*0c4b7a2f5e03.* Sequence=\([0-9]*\) .*/\1/p' | tr '\n' ' ')" = '1 2 3 4 5 ' ]
check 'one with a component' has 'Message/00001234/' /tmp/messages.etl 1

# a controller that dies: its session goes on, any user with rights may stop it
libetw_controller orphan /tmp/orphan.etl 60 >/dev/null &
sleep 2
kill -9 $!
wait
check 'a session outlives its controller' sh -c 'etw list | grep -q orphan'
check 'and another program may stop it' etw stop orphan
check 'its file is closed, and good' good /tmp/orphan.etl
sh outlive.sh || bad=1
check 'no session is left' sh -c '! ls /dev/etw/session* 2>/dev/null'
rmmod etw || bad=1
exit $bad
