#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Buffers come and go between minimum and maximum, and between CPUs: modes_growth.sh EVENTS PAUSE [TIMES...]
# Three sessions get the same events; one may grow, one a little. Then one whose number is fixed
# gets all its events on CPU 0. EVENTS is how many of the first ones the torture offers to each,
# at least; PAUSE, microseconds, is how often; with TIMES, less than half as much is lost by who
# may grow, at that pace or at such times of it.
events=$1 pause=$2
shift 2
more=$*
least=4 most=128 cap=12
P=/sys/module/etw_torture/parameters

# shellcheck source=tests/guest/checks.sh
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

# until_true COMMAND...: wait for it; who waits too long, 100 s, goes on and fails
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

# Once more from what is left; and where no room was enough, at paces at which the reader may
# keep up with that much
offer_more() { until_true has_offered $(($(offered "$grow") + events / 3)); }
# is_half WITH WITHOUT: fewer than half as many are lost with growth
is_half() {
	echo "# lost $1 with growth, $2 without"
	[ "$1" -lt $(($2 / 2)) ]
}
loses_fewer() {
	offer_more
	is_half "$(lost "$grow")" "$(lost "$fixed")" && return
	for times in $more; do
		echo $((pause * times)) >$P/pause_us
		with=$(lost "$grow") without=$(lost "$fixed")
		offer_more
		is_half $(($(lost "$grow") - with)) $(($(lost "$fixed") - without)) && return
	done
	return 1
}
echo 1 >$P/run
[ ! "$more" ] || tell 'fewer events are lost with growth' loses_fewer
for id in "$grow" "$fixed" "$capped"; do session stop "$id"; done
echo 0 >$P/run
wait
cat /sys/kernel/debug/etw_torture/stats >/tmp/stats
for name in grow fixed capped; do
	tell "$name: whole, in order, all accounted for" \
		torture_check /tmp/$name.statistics /tmp/stats /tmp/$name.etl
done

# The number is fixed, nobody reads: what CPU 1 doesn't need goes to CPU 0, some at a time as
# it runs low
uneven=$(session start -b 4 -n 64 -f 0x10 uneven) || exit 1
watch_buffers "$uneven" /tmp/uneven.over /tmp/uneven.log &
before=$(value "$uneven" cpu0 buffers)
more_is_there() {
	taskset 1 pingpong 3000 >/dev/null
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
