#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
# A session without a number of buffers grows as far as its share of the memory; a session with
# a number does not.

# shellcheck source=tests/lib/guest/checks.sh
. /w/checks.sh

value() { # SESSION FIELD
	etw status --json "$1" | sed -n "s/^ *\"$2\": *\([0-9]*\),*$/\1/p" | head -n 1
}
lost() { etw status "$1" | sed -n 's/^  events: .* \([0-9]*\) lost$/\1/p'; }

insmod etw.ko || exit 1
cpus=$(nproc)
memory=$(sed -n 's/^MemTotal: *\([0-9]*\) kB$/\1/p' /proc/meminfo)
limit=$((memory / 20 / 64))
[ $limit -le 8192 ] || limit=8192
limit=$((limit / cpus * cpus))

# Both sessions have no reader: the load writes more than the first buffers of a CPU hold
etw start default -e CSWITCH+DISPATCHER >/dev/null || exit 1
etw start named -n $((4 * cpus)) -e CSWITCH+DISPATCHER >/dev/null || exit 1
tell 'by default the maximum is a twentieth of the memory' \
	is $limit "$(value default maximum_buffers)"
tell 'and the session starts with 16 buffers for each CPU' \
	is $((16 * cpus)) "$(value default minimum_buffers)"
# Threads that get a processor later switch less often: a round more then
for _ in 1 2 3 4 5 6 7 8; do
	taskset 1 rush messages 4 25
	most=$(value default most_buffers)
	[ "$most" -le $((16 * cpus)) ] || break
done
echo "# default: $most buffers, $(lost default) lost; named: $(lost named) lost"
tell 'without a reader the session grows before it loses an event' is 0 "$(lost default)"
tell 'to more buffers than it started with' [ "$most" -gt $((16 * cpus)) ]
tell 'a session with a number of buffers keeps to it' \
	is "$((4 * cpus)) $((4 * cpus))" "$(value named maximum_buffers) $(value named most_buffers)"
tell 'and loses what they do not hold' [ "$(lost named)" -gt 0 ]
etw status default >/tmp/status
tell 'etw status shows the share of the memory' \
	grep -q "at most $limit (.* MB, 5\.0 % of the memory)" /tmp/status
etw stop --discard default
etw stop --discard named

etw record -o /tmp/default.etl -- true 2>/tmp/summary
tell 'so does the summary of a recording' grep -q \
	"at most [0-9]* buffers were in use (.*; the limit was $limit (.* MB, 5\.0 % of the memory)" \
	/tmp/summary
etw record --raw -n $((4 * cpus)) -o /tmp/named.etl -- true 2>/tmp/summary
tell 'of a number of buffers, too' grep -q "the limit was $((4 * cpus)) (" /tmp/summary
etw record -q -o /tmp/quiet.etl -- true 2>/tmp/summary
tell 'a quiet recording has no summary' [ ! -s /tmp/summary ]
etw start background -o /tmp/background.etl >/dev/null && etw stop background 2>/tmp/summary
tell 'etw stop shows the share, too' grep -q "the limit was $limit (" /tmp/summary

# All default sessions together have a quarter of the memory; more sessions can start.
for i in 1 2 3 4 5 6; do
	etw start "many$i" >/dev/null || exit 1
done
tell 'the sixth default session does not grow' \
	is "$limit $((16 * cpus))" "$(value many1 maximum_buffers) $(value many6 maximum_buffers)"
tell 'a session with a number still gets its share' \
	etw start explicit -n $limit
for name in many1 many2 many3 many4 many5 many6 explicit; do
	etw stop --discard $name
done
tell 'the module unloads' rmmod etw
