#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
# Sessions with counters of the test PMU: counters_testpmu.sh COUNT, that of load.
# Leaves NAME.etl, NAME.stats, NAME.txt (what tests/vm/counters/check_counters.py
# shall find) of each in /out, and prints the checks that are done here.
count=$1
pmu=/sys/bus/event_source/devices/etw_test
parameters=/sys/module/etw_testpmu/parameters
cpu1=/sys/devices/system/cpu/cpu1/online

# shellcheck source=tests/lib/guest/checks.sh
. /w/checks.sh

# one LAW:STEP SOURCE: its option
one() {
	step=${1#*:}
	case $1 in
	switches:*) echo "-c $2:etw_test:$((1 | step << 8))" ;;
	reads:*) echo "-c $2:etw_test:$((2 | step << 8))" ;;
	clock:*) echo "-c $2:etw_test:$((3 | step << 8))" ;;
	narrow:*) echo "-c $2:etw_test:$((4 | step << 8))" ;;
	cpuclock:*) echo "-c $2:1:0" ;;
	faults:*) echo "-c $2:1:2" ;;
	context:*) echo "-c $2:1:3" ;;
	esac
}
options() { # LAW:STEP...
	source=4096
	for law; do
		one "$law" $source
		source=$((source + 1))
	done
}

# begin NAME 'LAWS' HOOKS FLAGS [OPTION...]
begin() {
	name=$1 laws=$2 hooks=$3 flags=$4
	shift 4
	# shellcheck disable=SC2046,SC2086 # words
	id=$(counters start -n 512 -f "$flags" -H "$hooks" $(options $laws) "$@" "$name") || {
		echo "not ok - $name starts # $id"
		return 1
	}
	printf 'counters=%s\nhooks=%s\nmethods=%s\n' "$laws" "$hooks" \
		"$(counters methods "$id")" >/out/"$name".txt
	session read -S /out/"$name".stats "$id" /out/"$name".etl &
	eval "id_$name=$id reader_$name=$!"
}
# finish NAME [LINE...]: lines go to the description
finish() {
	name=$1
	eval "id=\$id_$name reader=\$reader_$name"
	[ "$id" ] || return
	session stop "$id"
	wait "$reader" || echo "not ok - $name: the reader"
	shift
	for line; do echo "$line"; done >>/out/"$name".txt
}

# In use, as the PMU sees it: slots and events
used() { echo "$(cat $pmu/in_use) $(cat $pmu/live)"; }
# refused 'WHAT' 'WANTED' OPTION...: START is, and leaves the PMU as it was
refused() {
	refusal=$1 wanted=$2 before=$(used)
	shift 2
	found=$(counters start -H 0x524 "$@" refused)
	tell "refused: $refusal" is "refused error=$wanted" "${found% number=*}"
	tell "refused: $refusal: it leaves nothing behind" is "$before" "$(used)"
}
sessions() { find /dev/etw -name 'session*' | wc -l; }

insmod /w/etw_testpmu.ko || exit 1
insmod /w/etw.ko || exit 1
sysctl -qw kernel.sched_rt_runtime_us=-1

# 1 to 7 counters, of all laws
laws=
for law in switches:1 reads:7 narrow:900 clock:1 switches:12345 reads:1 narrow:1; do
	laws="$laws${laws:+ }$law"
	n=$((n + 1))
	begin one$n "$laws" 0x524 0x10
	tell "$n counters: as many slots of each CPU are in use" is "$((2 * n)) $((2 * n))" "$(used)"
	/w/load "$count"
	finish one$n
	tell "$n counters: they are free again" is '0 0' "$(used)"
done

# Two sets at once, and a session with none
begin first 'switches:3 reads:5 narrow:11' 0x524 0x10 -N Alpha,Beta,Gamma
begin second 'reads:2 clock:1 switches:1 narrow:700' 0x524,0x532 0x810
plain=$(session start -n 512 -f 0x10 plain)
session read -S /out/plain.stats "$plain" /out/plain.etl &
reader=$!
tell 'two sessions: the slots of both are in use' is '14 14' "$(used)"
/w/load "$count"
printf 'counters=\nhooks=\nmethods=%s\n' "$(counters methods "$plain")" >/out/plain.txt
session stop "$plain"
wait $reader
finish first names=Alpha,Beta,Gamma
finish second

# Counters of each kind together; other records than context swaps
begin kinds 'context:1 faults:1 cpuclock:1 switches:2' 0x524 0x810
/w/load "$count"
finish kinds
begin ready 'switches:4 reads:1 context:1' 0x532 0x810
/w/load "$count"
finish ready
# pseudo-NMIs: there samples come in NMIs, which don't read a PMU like this one
nmis=
! grep -q gicv3_pseudo_nmi=1 /proc/cmdline || nmis='uncounted=some nmis=0xf2e'
begin profile 'switches:4 reads:1' 0x524,0x532,0xf2e 0x1000810
/w/load "$count"
# shellcheck disable=SC2086 # words
finish profile $nmis
begin samples 'switches:4 reads:1' 0xf2e 0x1000810
/w/load "$count"
# shellcheck disable=SC2086 # words
finish samples $nmis ${nmis:+few=1}

# A flight recorder's snapshot names its counters, too
id=$(counters start -o -f 0x10 -H 0x524 -N Alpha,Beta -c 4096:etw_test:0x101 \
	-c 4097:etw_test:0x201 flight)
/w/load "$count"
tell 'a snapshot is taken' counters snapshot "$id" /out/snapshot.etl
printf 'counters=switches:1 switches:2\nhooks=0x524\nnames=Alpha,Beta\nmethods=%s\n' \
	"$(counters methods "$id")" >/out/snapshot.txt
session discard "$id"
tell 'the flight recorder is gone, its counters too' is '0 0' "$(used)"

# CPU 1 goes and comes, again and again, and switches threads while its counts are kept
begin hotplug 'reads:3 switches:5 narrow:9' 0x524 0x10
echo Y >$parameters/disturb
(while [ ! -e /tmp/plugged ]; do /w/load "$count" 50 && echo one >>/tmp/loads; done) &
load=$!
# loads: two that ended from now on, so one of them began now
loads() {
	wanted=$(($(wc -l </tmp/loads) + 2))
	while [ "$(wc -l </tmp/loads)" -lt $wanted ]; do sleep 0.05; done
}
: >/tmp/loads
gone='0x1000:none 0x1001:none 0x1002:none'
for _ in 1 2 3 4; do
	echo 0 >$cpu1
	loads
	# shellcheck disable=SC2154 # begin sets it
	is "$gone" "$(counters methods "$id_hotplug" 1)" ||
		echo 'not ok - hotplug: COUNTING of a CPU that is gone'
	is '3 3' "$(used)" || echo 'not ok - hotplug: the counters of a CPU that is gone'
	echo 1 >$cpu1
	loads
	is '6 6' "$(used)" || echo 'not ok - hotplug: the counters of a CPU that came'
done
: >/tmp/plugged
wait $load
echo N >$parameters/disturb
finish hotplug uncounted=some away=1
tell 'hotplug: all is given back' is '0 0' "$(used)"

# When it comes back, another user has the counters
begin robbed 'switches:5 reads:3' 0x524 0x10
/w/load "$count"
echo 0 >$cpu1
/w/load "$count" 50
echo 1 >$parameters/short_slots
echo 1 >$parameters/short_cpu
echo 1 >$cpu1
# each child is a switch or two of CPU 1's
seq 200 | taskset 2 xargs -n 1 true
/w/load "$count" 50
finish robbed uncounted=some away=1 robbed=1
echo -1 >$parameters/short_cpu
tell 'robbed: all is given back' is '0 0' "$(used)"

# One event of CPU 0's is in error, for want of a counter; when there is one for each of
# them again, and no more, they are made anew as soon as any CPU comes or goes
begin remade 'switches:5 reads:3' 0x524 0x10
/w/load "$count"
echo 1 >$parameters/short_slots
echo 0 >$parameters/short_cpu
echo 2 >$parameters/slots
found=$(counters start -H 0x524 -c 4096:etw_test:0x103 disturbs)
tell 'remade: a refused session disturbs' is \
	'refused error=EBUSY reason=BUSY item=1 dword=0 cpu=0' "${found% number=*}"
tell 'remade: the set has a counter less' is '3 4' "$(used)"
echo -1 >$parameters/short_cpu
/w/load "$count"
echo 0 >$cpu1
tries=0
until [ "$(used)" = '2 2' ] || [ $((tries += 1)) -gt 50 ]; do sleep 0.1; done
tell 'remade: the CPU that stays has all again' is '2 2' "$(used)"
/w/load "$count" 50
echo 1 >$cpu1
/w/load "$count"
finish remade uncounted=some remade=1
echo 7 >$parameters/slots

# The stop rundown of a session that overwrites is on no CPU that counts
id=$(counters start -o -r -f 0x210 -H 0x424 -c 4096:etw_test:0x101 stoprun)
/w/load "$count" 50
session stop "$id"
session read -S /out/stoprun.stats "$id" /out/stoprun.etl

# One sample for each hundred switches, where the PMU's record says and where it doesn't
for precise in p ''; do
	name=sampled$precise
	etw start "$name" -e PROC_THREAD+CSWITCH --sample "etw_test/switches/$precise@100" \
		-f "/out/$name" >/dev/null || echo "not ok - $name starts"
	# none of several that are sampled needs the counters of two
	tell "$name: a slot of each CPU" is '2 2' "$(used)"
	/w/load "$count"
	etw stop "$name" >/dev/null || echo "not ok - $name stops"
	tell "$name: they are free again" is '0 0' "$(used)"
done
grep -wE 'at_precise|at_skid' /proc/kallsyms >/out/sampled.symbols

# An interval changes: CPU 0 has the new one long before CPU 1, and the record that says so stands
# before both. One that the PMU has not is adjusted, and comes back.
source="-s 0x1000 -c 0x1000:$(cat $pmu/type):0x101"
# interval VERB INTERVAL OBJECT
interval() {
	# shellcheck disable=SC2086 # words
	profile "$1" -f 0x10,0x400 $source -i 0x1000:"$2" "$3"
}
id=$(interval start 300 changed)
session read -S /out/changed.stats "$id" /out/changed.etl &
reader=$!
(while [ ! -e /tmp/changed ]; do /w/load "$count" 50 && echo one >>/tmp/loads; done) &
load=$!
loads
loads
echo 500 >$parameters/behind
tell 'changed: another interval' is '' "$(interval update 100 "$id")"
echo 0 >$parameters/behind
loads
echo 200 >$parameters/refused_period
tell 'changed: one that the PMU has not' \
	is 'refused error=ERANGE reason=2 cpu=0 type=0x8004 dword=2' "$(interval update 200 "$id")"
echo 0 >$parameters/refused_period
loads
: >/tmp/changed
wait $load
session stop "$id"
wait $reader

# A sampler in error, for want of a counter, is made anew by an UPDATE of its interval
id=$(interval start 300 mended)
echo 0 >$parameters/short_slots
echo 0 >$parameters/short_cpu
counters start -H 0x524 -c 4096:etw_test:0x103 disturbs >/dev/null
tell 'mended: a CPU without samples' is '1 2' "$(used)"
echo -1 >$parameters/short_cpu
interval update 100 "$id"
tries=0
until [ "$(used)" = '2 2' ] || [ $((tries += 1)) -gt 50 ]; do sleep 0.1; done
tell 'mended: by another interval' is '2 2' "$(used)"
session discard "$id"

# A sample in the middle of each tenth reading of the counter that it would carry
id=$(profile start -f 0x10,0x400 -s 0x1000 -i 0x1000:1000000 -c "0x1000:$(cat $pmu/type):0x101:0x10" \
	-c "0x1001:$(cat $pmu/type):0x101" -H 0x524,0xf2f nested)
session read -S /out/nested.stats "$id" /out/nested.etl &
reader=$!
echo 10 >$parameters/nest
/w/load "$count"
echo 0 >$parameters/nest
session stop "$id"
wait $reader

# in_nmis NAME INTERVAL COUNTER...: samples that come in NMIs, ten events a switch; COUNTER:
# TYPE:CONFIG
in_nmis() {
	name=$1 interval=$2 next=0x1001 options=
	shift 2
	for counter; do
		options="$options -c $next:$counter"
		next=$((next + 1))
	done
	before=$(cat $pmu/nmis)
	echo Y >$parameters/nmi
	# shellcheck disable=SC2086 # words
	id=$(profile start -f 0x10,0x400 -s 0x1000 -i 0x1000:"$interval" \
		-c "0x1000:$(cat $pmu/type):0xa01:0x10" $options -H 0x524,0xf2f "$name") ||
		echo "not ok - $name starts # $id"
	session read -S /out/"$name".stats "$id" /out/"$name".etl &
	reader=$!
	/w/load "$count" 50
	session stop "$id"
	wait $reader
	echo N >$parameters/nmi
	echo $(($(cat $pmu/nmis) - before)) >/out/"$name".nmis
}
# Counters that are not read in NMIs, and such that are: context switches, page faults, a clock
if [ -e $parameters/nmi ]; then
	in_nmis nmi 100 "$(cat $pmu/type):0x101" "$(cat $pmu/type):0x702"
	in_nmis nmisoftware 100 1:3 1:2 1:0
else
	echo 'skip - samples in NMIs # this PMU has none here'
fi

# What START refuses
busy='EBUSY reason=BUSY item=1'
none='EOPNOTSUPP reason=NO_EVENT item=1'
# shellcheck disable=SC2046 # words
{
	echo 6 >$parameters/slots
	refused 'seven counters of six' "$busy dword=24 cpu=0" \
		$(options switches:1 reads:1 clock:1 narrow:1 switches:2 reads:2 clock:2)
	echo 7 >$parameters/slots
	begin holder 'switches:1 reads:1 switches:2' 0x524 0x10
	refused 'five more when three are taken' "$busy dword=16 cpu=0" \
		$(options switches:1 reads:1 clock:1 narrow:1 switches:2)
	tell 'one that is refused disturbs no other' /w/load "$count"
	finish holder
	echo 1 >$parameters/short_cpu
	echo 2 >$parameters/short_slots
	refused 'one CPU is short of one' "$busy dword=8 cpu=1" \
		$(options switches:1 reads:1 clock:1)
	echo 0 >$parameters/short_cpu
	refused 'the other one is' "$busy dword=12 cpu=0" \
		$(options context:1 switches:1 reads:1 clock:1)
	echo -1 >$parameters/short_cpu
	echo 1 >$parameters/shared
	found=$(counters start -H 0x524 $(options context:1 switches:1) refused)
	tell 'refused: a PMU of several CPUs' is \
		'refused error=EOPNOTSUPP reason=SHARED item=1 dword=4' "${found% cpu=*}"
	tell 'refused: a PMU of several CPUs: it leaves nothing behind' is '0 0' "$(used)"
	echo 0 >$parameters/shared
	refused 'a type that nobody has' "$none dword=4 cpu=0" $(options switches:1) -c 4097:4242:1
	refused 'an event that the PMU has not' "$none dword=0 cpu=0" -c 4097:etw_test:0x63
	refused 'a PMU that leaves nothing out' \
		'EOPNOTSUPP reason=MANNER item=1 dword=4 cpu=0' \
		$(options switches:1) -c 4097:etw_test:0x101:2
	refused 'nor what it has not' "$none dword=0 cpu=0" -c 4097:etw_test:0x63:2
	if [ -d /sys/bus/event_source/devices/armv8_pmuv3 ]; then
		echo 'skip - refused: a processor without a PMU # this one has one'
	else
		refused 'a processor without a PMU' "$none dword=0 cpu=0" -c 19:0:0
	fi
}

# A PMU without an interrupt has no samples: START and UPDATE say so, where nothing would come
source="$source -i 0x1000:100"
# manner VERB MASKS OBJECT: how it is refused
manner() {
	# shellcheck disable=SC2086 # words
	profile "$1" -f "$2" $source "$3"
}
# shellcheck disable=SC2086 # words
id=$(profile start -f 0x10 $source quiet)
echo 1 >$parameters/silent
silent='refused error=EOPNOTSUPP reason=23 cpu=0 type=0x8001 dword=1'
tell 'refused: a PMU that only counts' is "$silent" "$(manner start 0x10,0x400 silent)"
tell 'refused: an UPDATE that would sample by it' is "$silent" "$(manner update 0x10,0x400 "$id")"
tell 'refused: a PMU that only counts: it leaves nothing behind' is '0 0' "$(used)"
echo 0 >$parameters/silent
tell 'taken: one that samples' is '' "$(manner update 0x10,0x400 "$id")"
tell 'taken: one that samples: it is there' is '2 2' "$(used)"
session discard "$id"

# A CPU's hotplug machinery refuses a set when others have it, and their worker is under way.
# What is freed is overwritten here: it would be seen (slab_debug, test_testpmu)
state=$(sed -n 's/^ *\([0-9]*\): etw:perf$/\1/p' /sys/devices/system/cpu/hotplug/states)
if [ ! -e ${cpu1%online}hotplug/fail ] || [ ! "$state" ]; then
	echo 'skip - refused: a CPU refuses # this kernel lets none refuse'
else
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		echo "$state" >${cpu1%online}hotplug/fail
		found=$(counters start -H 0x524 -c 4096:etw_test:0x101 refused)
		is 'refused error=EAGAIN reason=other item=1 dword=0 cpu=0 number=0' "$found" || echo "not ok - refused: a CPU refuses # $found"
	done
	tell 'refused: a CPU refuses: it leaves nothing behind' is '0 0' "$(used)"
fi
tell 'no session is left' is 0 "$(sessions)"

# The PMU stays while it is needed, and goes then
begin last 'switches:1' 0x524 0x10
tell 'the PMU is in use' sh -c '! rmmod etw_testpmu 2>/dev/null'
finish last few=1
tell 'the PMU unloads' rmmod etw_testpmu

# One that may be read in NMIs: in those that come in the middle of a reading it is not
if [ -e /out/nmi.nmis ]; then
	insmod /w/etw_testpmu.ko own=1 || exit 1
	in_nmis nmiown 100 "$(cat $pmu/type):0x101" "$(cat $pmu/type):0x702"
	echo 7 >$parameters/nest
	in_nmis nminested 1000000 "$(cat $pmu/type):0x101" "$(cat $pmu/type):0x301"
	tell 'the PMU that NMIs read unloads' rmmod etw_testpmu
fi
tell 'the module unloads' rmmod etw
