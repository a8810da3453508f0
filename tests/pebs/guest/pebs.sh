#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Switches with the PEBS index, on a processor that etw_pebs_hw plays.
# pebs.sh FORMAT BURSTS [PARAMETER...]   the parameters are for etw_pebs_hw; leaves
#                     pebs.etl, its statistics and the logs in /out
# pebs.sh torn        the size of records is another than etw.ko thinks
# pebs.sh idle        nobody uses PEBS
# pebs.sh refused [PARAMETER...]   START has to refuse; the parameters are for etw.ko
# shellcheck source=tests/guest/checks.sh
. /w/checks.sh

start() {
	session start -b 256 -n 64 -f 0x10 -i 0x8003:0x524 pebs
}

# 21: ETW_REASON_NO_PEBS
refused() {
	start >/tmp/said 2>&1 && return 1
	cat /tmp/said
	grep -q 'reason 21, item 1$' /tmp/said && grep -q 'Operation not supported' /tmp/said &&
		! ls /dev/etw/session* 2>/dev/null
}

# Switches while the processor writes records
record() { # BURSTS
	id=$(start) || return 1
	session read -S /out/statistics "$id" /out/pebs.etl &
	[ ! -e "$hw" ] || echo 1 >"$hw"
	load 100 "$1"
	[ ! -e "$hw" ] || echo 0 >"$hw"
	session stop "$id" || return 1
	wait $!
}

# Nothing was written: that is known, and said
nothing() {
	swaps=$(etw dump --csv /out/pebs.etl | tee /tmp/dump | grep -c CSwitch)
	zeros=$(grep -c 'CSwitch.*PebsIndex=0[^0-9]' /tmp/dump)
	echo "$swaps switches, $zeros with index 0"
	[ "$swaps" -gt 500 ] && [ "$zeros" = "$swaps" ] && grep -q '^all .* uncounted=0$' /out/statistics
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
	tell 'the module loads' insmod etw.ko pebs_format=3
	tell 'a session runs' record 400
	tell 'its switches have the index 0' nothing
	tell 'the module unloads' rmmod etw
	;;
torn)
	# 22 records of 192 bytes and less are a number of 200 bytes only when they are none
	tell 'the modules load' sh -c 'insmod etw.ko pebs_format=3 && insmod etw_pebs_hw.ko size=192'
	tell 'a session runs' record 400
	torn=$(sed -n 's/^all .* uncounted=\([0-9]*\)$/\1/p' /out/statistics)
	tell "switches without index: $torn" [ "$torn" -gt 500 ]
	etw dump --csv /out/pebs.etl >/tmp/dump
	tell 'no other has a wrong one' sh -c '! grep -o "PebsIndex=[0-9]*" /tmp/dump | grep -v =0$'
	tell 'the modules unload' rmmod etw_pebs_hw etw
	;;
*)
	format=$1 bursts=$2
	shift 2
	tell 'the modules load' sh -c \
		"insmod etw.ko pebs_format=$format && insmod etw_pebs_hw.ko $*"
	tell 'a session runs' record "$bursts"
	for used in /sys/kernel/debug/etw_pebs_hw/used*; do
		cpu=${used##*/used}
		head -c $((24 * $(cat "$used"))) "${used%/*}/cpu$cpu" >"/out/cpu$cpu"
	done
	tell 'the modules unload' rmmod etw_pebs_hw etw
	;;
esac
