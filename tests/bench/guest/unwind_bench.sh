#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
# Programs of Debian under etw record, with unwind tables and with frame pointers alone:
# unwind_bench.sh SCALE PROGRAM... Leaves what etw stat counts in /out/PROGRAM.HOW.json, and what
# it counts after the first second in /out/PROGRAM.HOW.later.json.
scale=$1
shift
r=/tmp/programs/r

run_perl() {
	# shellcheck disable=SC2016 # variables of perl
	record perl-base perl -e 'my (%h, $s); for my $i (1 .. shift() * 300000) {
		my $k = "k" . ($i * 7919 % 5003); $h{$k} .= "x"; $h{$k} =~ s/x{5}/y/;
		$s += length $h{$k} } print "$s\n"; my @k = sort { $h{$a} cmp $h{$b} } keys %h;' "$scale"
}

run_python3() {
	PYTHONPATH=/opt/python record python3.11-minimal python3.11 -S -c '
import sys
sys.path.insert(0, "/opt/python")
def fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)
words = {}
for i in range(int(sys.argv[1]) * 48):
    fib(18)
    for k in range(4000):
        words[str(k * i % 7919)] = sorted([k, i, 3])
print(len(words))' "$scale"
}

run_sqlite3() {
	record sqlite3 sqlite3 :memory: "CREATE TABLE t(a INTEGER PRIMARY KEY, b, c);
		WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < $scale * 60000)
		INSERT INTO t SELECT i, i * 7919 % 10007, 'x' || i FROM n;
		CREATE INDEX u ON t(b); SELECT b, count(*), max(c) FROM t GROUP BY b ORDER BY 2, 3
		LIMIT 1; SELECT count(*) FROM t x JOIN t y ON x.b = y.a WHERE x.c LIKE '%7%';"
}

# The server ends when the client has ended.
run_redis() {
	(
		i=0
		until [ -s /tmp/programs/pid ] || [ $((i += 1)) -gt 100 ]; do sleep 0.1; done
		sleep 1
		LD_LIBRARY_PATH=/opt/redis-server /opt/redis-server/redis-benchmark.program -q \
			-n $((scale * 5000)) -t set,get,lpush,lrange_100
		kill "$(cat /tmp/programs/pid)"
	) >/dev/null &
	record redis-server redis-server --save '' --daemonize no --pidfile /tmp/programs/pid && wait
}

run_bash() {
	# shellcheck disable=SC2016 # variables of the recorded bash
	record bash bash -c 'f() { local x=${1//a/bb}; y=${#x}; }; declare -A m
		for ((i = 0; i < $1 * 12000; i++)); do f "a$i$i"; m[$((i % 97))]+=${x:0:1}$y; done
		echo ${#m[*]}' bash "$scale"
}

run_git() {
	export HOME=/tmp/programs GIT_CONFIG_NOSYSTEM=1
	rm -rf $r
	LD_LIBRARY_PATH=/opt/git /opt/git/git.program init -q --template= $r
	mkdir $r/d
	for i in 1 2 3 4 5 6; do
		od -v /w/etw.ko | head -c $((scale * 800000)) | sed "s/7/$i/g" >$r/d/$i
	done
	record git git -C $r add .
}

run_cc1plus() {
	i=0
	echo 'template <int N, typename T, int M> struct A { A<N - 1, T, M> a; T t[N];
		template <typename U> U sum(U u) { for (int i = 0; i < N; i++) u += t[i] * u;
		return a.sum(u) + N; } }; template <typename T, int M> struct A<0, T, M> {
		template <typename U> U sum(U u) { return u; } };' >x.cc
	while [ $((i += 1)) -le $((scale * 8)) ]; do
		echo "long f$i(long x) { A<2$((i % 10)), int, $i> a{}; A<1$((i % 10)), long, $i> b{};
		return a.sum(x) + b.sum(x); }"
	done >>x.cc
	record g++-12 cc1plus -quiet -fpreprocessed -O2 x.cc -o x.s
}

# record PACKAGE PROGRAM ARGUMENT...: the program is what the kernel executes
record() {
	directory=/opt/$1
	file=$2.program
	shift 2
	ln -sf "$directory/ld-linux-x86-64.so.2" /lib64/
	LD_LIBRARY_PATH=$directory etw record --raw -q -o trace.etl -b 64 -n 64:1024 -F 1000 \
		--unwind "$how" -e PROC_THREAD+LOADER+PROFILE --stackwalk Profile -- \
		"$directory/$file" "$@" >/dev/null
}

# count FILE OPTION...: names of processes have 15 characters
count() {
	to=$1
	shift
	etw stat --json --ends --process "$file,$(echo "$file" | cut -c 1-15)" "$@" trace.etl \
		stacks >"/out/$to" || exit 1
}

insmod /w/etw.ko || exit 1
ip link set lo up 2>/dev/null || ifconfig lo up || exit 1
mkdir -p /tmp/programs /lib64
cd /tmp/programs || exit 1
whole=$scale
for program; do
	for how in tables fp; do
		# nearly all stacks by frame pointers end early, so that a short run is enough
		[ $how = tables ] && scale=$whole || scale=1
		"run_$program" || exit 1
		count "$program.$how.json"
		count "$program.$how.later.json" --range 1-
		cp trace.etl "/out/$program.$how.etl"
	done
done
rmmod etw
