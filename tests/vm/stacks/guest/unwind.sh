#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
# A program without frame pointers, with unwind tables of each kind: unwind.sh. /w/tables has the
# tables. Leaves NAME.etl and NAME.stats of each session in /out, what was refused, and kallsyms.
status=0
try() {
	"$@" || {
		echo "unwind.sh: failed: $*"
		status=1
	}
}

# begin NAME: processes, threads, images, context swaps and samples; stacks of the last two
begin() {
	id=$(session start -b 64 -n 256 -r -f 0x01000017 -i 3:0x0524,0x0F2E -i 0x8004:0,10000 "$1") ||
		exit 1
	session read "$id" "/out/$1.etl" &
	reader=$!
}

finish() { # NAME
	try session stats "$id" "/out/$1.stats"
	try session stop "$id"
	wait $reader || status=1
	try etw check "/out/$1.etl"
}

# of the session, in all
count() { # WORD
	session stats "$id" | sed -n "s/^all .* $1=\([0-9]*\).*/\1/p"
}

# The program begins its chain when its mappings are known.
chain() { # TIMES TABLE NAME
	rm -f /tmp/go
	/w/unwound "$1" 50000 1 /tmp/go &
	program=$!
	echo "$3 $program" >>/out/programs
	while [ "$2" ] && ! session stats "$id" | grep -q '^all .* unwind_end.=[1-9]'; do
		sleep 0.05
	done
	touch /tmp/go
}

# Whether it is still in its chain. It waits afterwards, so that no stack is that of its end.
is_in_chain() { [ -e /tmp/go ] && kill -0 "$program"; }

end_program() {
	touch /tmp/go
	wait $program || status=1
}

# with NAME TABLE: one session, one table
with() {
	begin "$1"
	[ -z "$2" ] || try /w/unwind_table "$id" /w/unwound "/w/tables/$2"
	chain 60 "$2" "$1"
	while is_in_chain; do sleep 0.05; done
	finish "$1"
	end_program
}

# Leaves the id of the session with tables, once a stack was whole. The numbers are those of an
# earlier session until the first table is there, so they count at a second look.
known() {
	whole='^all .* unwind_tables=[1-9].* unwind_end1=[1-9]'
	for id in 1 2 3 4; do
		session stats $id 2>/dev/null | grep -q "$whole" && return
	done
	return 1
}

# recorded NAME COMMAND...
# The tool makes the tables of all programs. Only the program has stacks, because of --pid.
recorded() {
	name=$1
	shift
	rm -f /tmp/go
	"$@" >"/out/$name.says" &
	program=$!
	echo "$name $program" >>/out/programs
	etw record --raw -q -o "/out/$name.etl" -b 64 -n 64:512 -F 997 \
		-e PROC_THREAD+CSWITCH+PROFILE --stackwalk CSwitch+Profile --pid $program &
	reader=$!
	until known && known; do
		kill -0 $reader || return 1
		sleep 0.05
	done
	touch /tmp/go
	while is_in_chain; do sleep 0.05; done
	try session stats "$id" "/out/$name.stats"
	kill -INT $reader
	wait $reader || status=1
	end_program
}

# A program that did not run before gets its table before it starts: the one of its first stack.
fresh() {
	rm -f /tmp/go
	cp /w/unwound /tmp/fresh
	etw record --raw -q -o /out/fresh.etl -b 64 -n 64:512 -F 997 \
		-e PROC_THREAD+LOADER+CSWITCH+PROFILE --stackwalk CSwitch+Profile \
		-- /tmp/fresh 20 50000 1 /tmp/go &
	reader=$!
	until program=$(pidof fresh); do
		kill -0 $reader || return 1
		sleep 0.05
	done
	echo "fresh $program" >>/out/programs
	touch /tmp/go
	while is_in_chain; do sleep 0.05; done
	touch /tmp/go
	wait $reader || status=1
}

replaced() {
	begin replaced
	try /w/unwind_table "$id" /w/unwound /w/tables/good
	chain 200 good replaced
	n=0
	while is_in_chain; do
		try /w/unwind_table "$id" /w/unwound /w/tables/split
		try /w/unwind_table "$id" /w/unwound /w/tables/good
		n=$((n + 2))
	done
	echo "replaced $n" >>/out/refused
	finish replaced
	end_program
}

# of 720 KB each, so one fits
exhausted() {
	memory=/sys/module/etw/parameters/unwind_memory
	for name in a b; do
		cp /w/unwound /tmp/$name
	done
	begin exhausted
	echo 1 >$memory
	try /w/unwind_table "$id" /tmp/a /w/tables/large
	try /w/unwind_table "$id" /tmp/b /w/tables/large
	echo "fits $(count unwind_tables) $(count unwind_given_back)" >>/out/refused
	echo 0 >$memory
	echo "none $(/w/unwind_table "$id" /tmp/a /w/tables/good)" >>/out/refused
	echo 64 >$memory
	echo "bad $(/w/unwind_table "$id" /tmp/a /w/tables/bad)" >>/out/refused
	echo "folder $(/w/unwind_table "$id" /tmp /w/tables/good)" >>/out/refused
	finish exhausted
}

insmod /w/etw.ko || exit 1
echo 0 >/proc/sys/kernel/perf_cpu_time_max_percent
with without ''
with good good
with lies lies
replaced
exhausted
recorded recorded /w/unwound 60 50000 1 /tmp/go || status=1
recorded vdso /w/asks_time /tmp/go || status=1
fresh || status=1
cat /proc/kallsyms >/out/kallsyms
rmmod etw || exit 1
exit $status
