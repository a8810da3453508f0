#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
# Buffers come and go between minimum and maximum, and between CPUs: modes_growth.sh EVENTS PAUSE
# Three sessions get the same events; one may grow, one a little. So do two without a reader
# yet, one of which may grow. Then one whose number is fixed gets all its events on CPU 0. EVENTS
# is how many of the first ones the torture offers to each, at least; PAUSE, microseconds, is
# how often.
events=$1 pause=$2
least=4 most=128 cap=12
P=/sys/module/etw_torture/parameters

# shellcheck source=tests/lib/guest/checks.sh
. /w/checks.sh

value() { # ID LINE FIELD
	session stats "$1" | sed -n "s/^$2 .*[ ]$3=\([0-9]*\).*/\1/p"
}

lost() { # ID
	session stats "$1" | sed -n 's/^all //p' | tr ' ' '\n' |
		awk -F= '/^lost/ { n += $2 } END { print n }'
}

# Every 50 ms until the file is there: how many buffers there are
watch_buffers() { # ID FILE LOG
	while [ ! -e "$2" ]; do
		value "$1" all buffers
		sleep 0.05
	done >"$3"
}

# How many events the torture has offered to a session
offered() { # ID
	awk -v id="$1" '$1 == "counts" && $4 == id { n += $6 } END { print n + 0 }' \
		/sys/kernel/debug/etw_torture/stats
}

# until_true COMMAND...: wait for it; after 100 s the script goes on and fails
until_true() {
	for _ in $(seq 1000); do
		"$@" && return
		sleep 0.1
	done
}
has_offered() { [ "$(offered "$grow")" -ge "$1" ]; }
has_grown() {
	# shellcheck disable=SC2046 # two words
	set -- $(extremes /tmp/grow.log)
	[ "${2:-0}" -gt $((2 * least)) ]
}
has_come_to_its_end() { grep -qx $cap /tmp/capped.log; }
has_shrunk() { [ "$(value "$grow" all buffers)" -le $((3 * least)) ]; }

extremes() { # LOG
	sort -n "$1" | sed -n '1p;$p' | xargs
}

insmod etw.ko && insmod etw_torture.ko sizes=600 burst=8 pause_us="$pause" || exit 1
# the first flush finds that so few buffers are too few
first=$(session start -b 4 -m $least -n $most -t 60000 first) || exit 1
tell 'a session begins with its minimum' [ "$(value "$first" all buffers)" = $least ]
session discard "$first"
grow=$(session start -b 4 -m $least -n $most -t 100 grow) || exit 1
fixed=$(session start -b 4 -n $least -t 100 fixed) || exit 1
capped=$(session start -b 4 -m $least -n $cap -t 100 capped) || exit 1
for name in grow fixed capped; do
	id=$(eval echo "\$$name")
	session read -d 30 -S /tmp/$name.statistics "$id" /tmp/$name.etl &
done
watch_buffers "$grow" /tmp/full /tmp/grow.log &
watchers=$!
watch_buffers "$capped" /tmp/full /tmp/capped.log &
watchers="$watchers $!"
echo 1 >$P/run
until_true has_offered "$events"
until_true has_grown
until_true has_come_to_its_end
: >/tmp/full
# shellcheck disable=SC2086 # words
wait $watchers
echo "# $(offered "$grow") events"
# shellcheck disable=SC2046 # two words
set -- $(extremes /tmp/grow.log)
echo "# from $1 to $2 buffers, of at most $most"
tell 'it grows' [ "$2" -gt $((2 * least)) ]
tell 'never above the maximum' [ "$2" -le $most ]
tell 'never below the minimum' [ "$1" -ge $least ]
# shellcheck disable=SC2046 # two words
set -- $(extremes /tmp/capped.log)
echo "# from $1 to $2 buffers, of at most $cap"
tell 'as far as the maximum, and not beyond' [ "$2" = $cap ]
tell 'without room to grow it stays as it is' [ "$(value "$fixed" all buffers)" = $least ]

echo 0 >$P/run
until_true has_shrunk
tell 'idle, it goes back towards the minimum' has_shrunk

# Without a reader: what is not lost is what there are buffers for. No flush timer ends a buffer
# before it is full
roomy=$(session start -b 4 -m $least -n $most -t 60000 roomy) || exit 1
tight=$(session start -b 4 -n $least -t 60000 tight) || exit 1
has_all() { [ "$(value "$roomy" all buffers)" = $most ] && [ "$(lost "$roomy")" -gt 0 ]; }
echo 1 >$P/run
until_true has_all
echo 0 >$P/run
for name in roomy tight; do
	id=$(eval echo "\$$name")
	echo "# $name: $(offered "$id") offered, $(value "$id" all buffered) kept, $(lost "$id") lost"
done
tell 'without a reader it grows to the maximum' has_all
tell 'both were offered as much' [ "$(offered "$roomy")" = "$(offered "$tight")" ]
tell 'fewer events are lost with growth, by as many as the buffers hold that came' \
	[ $(($(lost "$tight") - $(lost "$roomy"))) -ge \
	$(($(value "$tight" all buffered) * (most / least - 1) * 3 / 4)) ]
for name in roomy tight; do
	session read -d 30 -S /tmp/$name.statistics "$(eval echo "\$$name")" /tmp/$name.etl &
done

for id in "$grow" "$fixed" "$capped" "$roomy" "$tight"; do session stop "$id"; done
wait
cat /sys/kernel/debug/etw_torture/stats >/tmp/stats
for name in grow fixed capped roomy tight; do
	tell "$name: whole, in order, all accounted for" \
		torture_check /tmp/$name.statistics /tmp/stats /tmp/$name.etl
done

# The number is fixed, without a reader: what CPU 1 doesn't need goes to CPU 0, some at a time as
# it runs low. It has events of this script alone, which runs on CPU 0: the longer that takes, the
# more would a kernel's own threads fill of CPU 1's
taskset -p 1 $$ >/dev/null
uneven=$(session start -b 4 -n 64 -f 0x10 -p $$ -C uneven) || exit 1
watch_buffers "$uneven" /tmp/uneven.over /tmp/uneven.log &
before=$(value "$uneven" cpu0 buffers)
more_is_there() {
	pingpong 3000 >/dev/null
	full0=$(value "$uneven" cpu0 buffers)
	[ "$full0" -gt $((before + 16)) ]
}
more_is_there || more_is_there || more_is_there
full1=$(value "$uneven" cpu1 buffers)
: >/tmp/uneven.over
wait
echo "# CPU 0 had $before buffers, has $full0; CPU 1 has $full1"
tell 'buffers of another CPU are there for the busy one' [ "$full0" -gt $((before + 16)) ]
tell 'the idle one keeps some' [ "$full1" -ge 2 ]
tell 'their number stays' [ "$(sort -u /tmp/uneven.log)" = 64 ]
tell 'events were written into them' \
	[ "$(value "$uneven" cpu0 buffered)" -gt $((before * 4096 / 40)) ]
session stop "$uneven"
session read "$uneven" /tmp/uneven.etl
tell 'etw check finds nothing' etw check --ours /tmp/uneven.etl
tell 'the modules unload' rmmod etw_torture etw
