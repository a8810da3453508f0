#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
# Recordings with default options under loads with many events: losses.sh [SCALE]. Prints lines
# "LOAD HOW events=N lost=N buffers=N" for tests/bench/losses.
scale=${1:-1}
cd /tmp || exit 1
insmod /w/etw.ko || exit 1
ip link set lo up 2>/dev/null || ifconfig lo up || exit 1

# The highest number of buffers of the session in the file most, until the file over exists
watch_buffers() {
	most=0
	while [ ! -e over ]; do
		n=$(etw status 2>/dev/null | sed -n 's/^ *\([0-9]*\) buffers of .*/\1/p' | sort -n |
			tail -n 1)
		[ "${n:-0}" -le "$most" ] || { most=$n; echo "$most" >most; }
		sleep 0.2
	done
}

# row LOAD HOW: of the file, the highest number of buffers
row() {
	etw stat trace.etl >stat.txt 2>&1
	events=$(awk '$1 == "events" && !n++ { print $2 }' stat.txt)
	lost=$(awk '$1 == "lost" && !n++ { print $2 }' stat.txt)
	echo "$1 $2 events=$events lost=${lost:-0} buffers=$(cat most)"
	rm -f trace.etl trace.etl.old over
}

# watched COMMAND...: watch_buffers meanwhile
watched() {
	echo 0 >most
	watch_buffers &
	"$@"
	: >over
	wait
}

# background COMMAND...: a session in the background while the command runs
background() {
	etw start rush -e PROC_THREAD+CSWITCH+DISPATCHER -o trace.etl || exit 1
	"$@"
	etw stop rush
}

# stalled COMMAND...: into a pipe from which nothing is read until the command has ended
stalled() {
	etw record --raw -o - -- sh -c '"$@"; : >go' sh "$@" | {
		until [ -e go ]; do sleep 0.1; done
		cat >trace.etl
	}
	rm go
}

# recorded LOAD COMMAND...: by etw record, by etw start in the background, by a reader of
# normal priority, by a reader that cannot write while the load runs
recorded() {
	load=$1
	shift
	watched etw record --raw -o trace.etl -- "$@"
	row "$load" record
	watched background "$@"
	row "$load" start
	watched niced 1 etw record --raw -o trace.etl -- niced 0 "$@"
	row "$load" normal-priority
	watched stalled "$@"
	row "$load" stalled
}

recorded messages rush messages $((4 * scale)) 25
recorded forks rush forks 8 $((400 * scale))
recorded requests rush requests 50 $((400 * scale))

if [ -d /opt/redis-server ]; then
	/opt/redis-server/redis-server --save '' --daemonize yes >/dev/null || exit 1
	until /opt/redis-server/redis-benchmark -q -n 1 -t ping >/dev/null 2>&1; do sleep 0.1; done
	recorded redis /opt/redis-server/redis-benchmark -q -n $((10000 * scale)) -t set,get
fi
