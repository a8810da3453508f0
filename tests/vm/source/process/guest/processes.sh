#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
# Processes of known fates under a session; /proc before, during and after.
# Leaves in /out: etw.etl, before.txt, after.txt, known.txt (from tests/lib/guest/fates.c),
# memory.txt: "ready", or "lacks" without memfd_create(), zombie.txt: of one that ended under
# the session, areas.txt: where the kernel's stacks are. short32 is there where 32-bit
# programs run. machine.txt: which kind of processor it is.
insmod /w/etw.ko "$@" || exit 1
uname -m >/out/machine.txt

# a process that lives through all of it, with threads of given names and an
# empty argument; one that lives on without its first thread; one with a file in no
# file system; a zombie; one with a user, a folder and a priority that no other one has; one of
# 32 bits; and one with arguments that are not ASCII
fates stay '' 'an argument' >/tmp/stay &
stay=$!
fates headless 'an argument' >/tmp/headless &
headless=$!
fates memory >/out/memory.txt &
memory=$!
fates zombie >/dev/null &
zombie=$!
fates set >/tmp/set &
set=$!
short=
if [ -e /w/short32 ]; then
	short32 &
	short=$!
fi
sh -c 'sleep 1000' 'Grüße, мир' &
odd=$!
while [ "$(cat /tmp/stay /tmp/headless /tmp/set)" != readyreadyready ] || [ ! -s /out/memory.txt ] ||
	! grep -q '^State:.Z' /proc/$headless/status; do
	sleep 0.1
done
sleep 1

cat >/tmp/inner.sh <<'END'
# the rundown has begun; a process that is here now was here before it
sleep 2
fates run >/out/known.txt
fates zombie >/out/zombie.txt &
echo $! >/tmp/late
sleep 1
proclist >/out/after.txt
# shows addresses to users with the right
echo 1 >/proc/sys/kernel/kptr_restrict
cat /proc/vmallocinfo >/out/areas.txt
END
sh -c 'proclist >/out/before.txt
	exec session hold -r -f 0x13 -b 64 -n 512 -w /out/etw.etl processes -- sh /tmp/inner.sh'
status=$?
kill $stay $headless $memory $zombie $set $short $odd "$(cat /tmp/late)"
wait
rmmod etw || exit 1
exit $status
