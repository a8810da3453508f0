#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
# Counters by every kind of name, on a machine with a PMU that counts instructions.

# shellcheck source=tests/lib/guest/checks.sh
. /w/checks.sh

# refused TEXT OPTION...: the session does not start, and says so
refused() {
	text=$1
	shift
	if etw start refused "$@" >/tmp/refusal 2>&1; then
		etw stop --discard refused
		return 1
	fi
	grep -q "$text" /tmp/refusal || { cat /tmp/refusal; return 1; }
}

# available NAME: the list has it, and that it can be counted
available() {
	grep -q "^$1 *yes " /tmp/list
}

# same_deltas FILE: from the first switch to the last, all counters but the
# first have counted the same; they are read one after another, and begin so
same_deltas() {
	etw dump "$1" | sed -n 's/.*Thread.CSwitch //p' | awk '
		{
			for (i = 1; i <= 5; i++) {
				split($i, part, "=")
				if (NR == 1)
					first[i] = part[2]
				if (part[2] + 0 < last[i] + 0)
					backwards++
				last[i] = part[2]
			}
		}
		END {
			least = last[2] - first[2]
			most = least
			for (i = 3; i <= 5; i++) {
				delta = last[i] - first[i]
				if (delta < least)
					least = delta
				if (delta > most)
					most = delta
			}
			print NR, "switches,", least, "to", most, "instructions"
			exit !(NR > 20 && !backwards && least > 1000000 && most - least < 1000)
		}'
}

# count EVENT [TEXT]: events in the last file, with a text in them
count() {
	etw dump /tmp/c.etl | grep " $1 " | grep -c "${2:-}"
}

# some EVENT TEXT: at least one
some() {
	[ "$(count "$@")" -gt 0 ]
}

# of_the_loop THREAD: of the samples in which something ran, most are of the shell that
# worked. How long the processor idles beside it is the tool's affair.
of_the_loop() {
	all=$(count PerfInfo/Sample)
	idle=$(count PerfInfo/Sample 'ThreadId=0 ')
	its=$(count PerfInfo/Sample "ThreadId=$1 ")
	echo "$its of $all samples, $idle idle"
	[ "$its" -gt 100 ] && [ $((its * 10)) -gt $(((all - idle) * 8)) ]
}

insmod etw.ko || exit 1
etw list counters >/tmp/list
pmu=$(sed -n 's,^\([a-z0-9_]*\)/inst_retired/ .*,\1,p' /tmp/list)
library=$(sed -n 's,^\([a-z0-9_]*\)::INST_RETIRED .*,\1,p' /tmp/list)
for name in cycles instructions TotalCycles InstructionRetired page-faults \
	"$pmu/inst_retired/" "$library::INST_RETIRED"; do
	tell "there is $name" available "$name"
done
list=cycles,instructions,r08,$pmu/event=8/,$library::INST_RETIRED

# shellcheck disable=SC2016 # for the shell that is recorded
etw record --raw -q -o /tmp/a.etl -c "$list@CSWITCH" -- sh -c '
	etw status --json >/tmp/status
	i=0
	while [ $i -lt 3000 ]; do i=$((i + 1)); [ $((i % 100)) != 0 ] || sleep 0; done'
tell 'recorded' etw check --ours /tmp/a.etl
tell 'one event by four names counts the same' same_deltas /tmp/a.etl
tell 'status has the names' grep -q '"name": "'"$pmu"'/event=8/"' /tmp/status
tell 'status has the way they are read' [ "$(grep -c '"read": "[dp]' /tmp/status)" = 5 ]
tell 'no record went without them' grep -q '"uncounted": 0,' /tmp/status

etw record --raw -q -o /tmp/b.etl -pmc InstructionRetired,TotalCycles CSWITCH strict -- true
tell 'as xperf says it' etw check --ours /tmp/b.etl
tell 'refused: not of this PMU' refused 'counter bus-cycles on CPU 0: no PMU' \
	-c cycles,bus-cycles
# all but cycles (r11) need one of six
tell 'refused: more than it has' refused 'counter r18 on CPU 0: no counter is free' \
	-c r10,r12,r13,r14,r16,r17,r18
tell 'refused: PEBS' refused 'the processor has no PEBS' --pebs index

etw start samples -c cycles -F 1000 --sample instructions@500000,cycles@1000000 >/tmp/node
tell 'status has the profile' sh -c 'etw status samples | grep -q "every 1.0000 ms"'
i=0
while [ $i -lt 20000 ]; do i=$((i + 1)); done
etw update samples --interval instructions=100000 --interval 500us
tell 'status has the new interval' sh -c 'etw status samples | grep -q "every 0.5000 ms"'
etw stop --raw samples -d /tmp/c.etl >/dev/null 2>&1
tell 'samples are recorded' etw check --ours /tmp/c.etl
tell 'samples of what runs' of_the_loop $$
tell 'samples of instructions' some PerfInfo/PMCSample ProfileSource=2
tell 'samples of cycles' some PerfInfo/PMCSample ProfileSource=19
tell 'the timer has a new interval' some PerfInfo/SetInterval 'Source=0 NewInterval=5000'
tell 'a source has a new interval' some PerfInfo/SetInterval 'Source=2 NewInterval=100000'
tell 'names of the sources' some PerfInfo/CollectionEnd 'SourceName="instructions"'
etw record --raw -q -o /tmp/c.etl -e PROC_THREAD+PROFILE -- true
tell 'PROFILE alone' some PerfInfo/CollectionStart 'NewInterval=10000'
tell 'nothing is left' [ -z "$(etw list)" ]
tell 'the module unloads' rmmod etw
