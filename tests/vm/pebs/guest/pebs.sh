#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
# Switches with the PEBS index, on a processor that etw_pebs_hw plays; with it alone, and with
# counters besides, which etw_testpmu plays.
# pebs.sh FORMAT BURSTS [PARAMETER...]   the parameters are for etw_pebs_hw; leaves pebs.etl,
#                     both.etl and other.etl, their statistics and the logs in /out
# pebs.sh torn        the size of records is another than etw.ko thinks
# pebs.sh idle        no user of PEBS
# pebs.sh refused [PARAMETER...]   START has to refuse; the parameters are for etw.ko
# shellcheck source=tests/lib/guest/checks.sh
. /w/checks.sh

start() { # NAME OPTION...
	name=$1
	shift
	session start -b 256 -n 64 -f 0x10 "$@" -i 0x8003:0x524 "$name"
}
pmu() {
	cat /sys/bus/event_source/devices/etw_test/type
}
# compare.py knows their laws: switches, 7 for each reading, 900 for each switch in 16 bits
start_both() {
	type=$(pmu)
	start both -i "0x8001:0x1000,$type,0x101,0,0x1001,$type,0x702,0,0x1002,$type,0x38404,0" \
		-i 0x8002:0x524
}
# counters with the ready threads, which never have an index
start_other() {
	start other -f 0x810 -i "0x8001:0x1000,$(pmu),0x101,0" -i 0x8002:0x532
}

# 21: ETW_REASON_NO_PEBS
refused() {
	start pebs >/tmp/said 2>&1 && return 1
	cat /tmp/said
	grep -q 'reason 21, item 1$' /tmp/said && grep -q 'Operation not supported' /tmp/said &&
		! ls /dev/etw/session* 2>/dev/null
}

# Switches while the processor writes records
record() { # BURSTS
	id=$(start pebs) && both=$(start_both) && other=$(start_other) || return 1
	session read -S /out/pebs.stats "$id" /out/pebs.etl &
	readers=$!
	session read -S /out/both.stats "$both" /out/both.etl &
	readers="$readers $!"
	session read -S /out/other.stats "$other" /out/other.etl &
	readers="$readers $!"
	[ ! -e "$hw" ] || echo 1 >"$hw"
	load 100 "$1"
	[ ! -e "$hw" ] || echo 0 >"$hw"
	session stop "$id" && session stop "$both" && session stop "$other" || return 1
	for reader in $readers; do
		wait "$reader" || return 1
	done
}

# Nothing was written: that is known, and said
nothing() {
	swaps=$(etw dump --csv /out/pebs.etl | tee /tmp/dump | grep -c CSwitch)
	zeros=$(grep -c 'CSwitch.*PebsIndex=0[^0-9]' /tmp/dump)
	echo "$swaps switches, $zeros with index 0"
	[ "$swaps" -gt 500 ] && [ "$zeros" = "$swaps" ] && grep -q '^all .* uncounted=0\>' /out/pebs.stats
}

# With counters: whole switches are whole, STATISTICS has the others
all_or_none() {
	etw dump --csv /out/both.etl | grep CSwitch >/tmp/dump
	whole=$(grep -c 'PebsIndex=0 Counter0=.* Counter2=' /tmp/dump)
	bare=$(grep -cvE 'PebsIndex=|Counter[0-9]=' /tmp/dump)
	echo "$whole whole, $bare bare of $(wc -l </tmp/dump)"
	[ "$bare" -gt 500 ] && [ $((whole + bare)) = "$(wc -l </tmp/dump)" ] &&
		grep -q "^all .* uncounted=$bare\>" /out/both.stats
}

hw=/sys/module/etw_pebs_hw/parameters/run
case $1 in
refused)
	shift
	tell 'the module loads' insmod etw.ko "$@"
	tell 'START is refused: the reason, the item, no session' refused
	# shellcheck disable=SC2016 # its own variable
	tell 'and one without works' sh -c 'id=$(session start -f 0x10 x) && session discard $id'
	tell 'the module unloads' rmmod etw
	;;
idle)
	tell 'the modules load' sh -c 'insmod etw_testpmu.ko && insmod etw.ko pebs_format=3'
	tell 'sessions run' record 400
	tell 'the switches have the index 0' nothing
	tell 'the modules unload' rmmod etw etw_testpmu
	;;
torn)
	# 22 records of 192 bytes and less are a number of 200 bytes only when they are none
	tell 'the modules load' sh -c 'insmod etw_testpmu.ko && insmod etw.ko pebs_format=3 &&
		insmod etw_pebs_hw.ko size=192'
	tell 'sessions run' record 400
	torn=$(sed -n 's/^all .* uncounted=\([0-9]*\)$/\1/p' /out/pebs.stats)
	tell "there are switches without an index # $torn" [ "$torn" -gt 500 ]
	etw dump --csv /out/pebs.etl >/tmp/dump
	tell 'no other has a wrong one' sh -c '! grep -o "PebsIndex=[0-9]*" /tmp/dump | grep -v =0$'
	tell 'a switch without an index has no counters: all or none, and counted' all_or_none
	tell 'the modules unload' rmmod etw_pebs_hw etw etw_testpmu
	;;
*)
	format=$1 bursts=$2
	shift 2
	tell 'the modules load' sh -c \
		"insmod etw_testpmu.ko && insmod etw.ko pebs_format=$format &&
			insmod etw_pebs_hw.ko $*"
	tell 'sessions run' record "$bursts"
	for used in /sys/kernel/debug/etw_pebs_hw/used*; do
		cpu=${used##*/used}
		head -c $((24 * $(cat "$used"))) "${used%/*}/cpu$cpu" >"/out/cpu$cpu"
		nested=$(cat "${used%/*}/nested$cpu")
		tell "CPU $cpu: NMIs drained while another drain was under way # $nested times" \
			[ "$nested" -gt 10 ]
	done
	tell 'the modules unload' rmmod etw_pebs_hw etw etw_testpmu
	;;
esac
