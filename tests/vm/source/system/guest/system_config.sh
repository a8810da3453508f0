#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
# What the kernel says of its machine, and what etw does: system_config.sh
# Leaves etw.etl, truth.txt (lines of a name and, behind a tab, what it is) in /out.
# shellcheck source=tests/lib/guest/drivers.sh
. /w/drivers.sh
insmod /w/etw.ko || exit 1
insmod /w/etw_nics.ko || exit 1
mount -t ext4 -o ro /dev/vda1 /mnt || exit 1
hostname etw-machine
echo example.net >/proc/sys/kernel/domainname
ip addr add 10.77.0.1/24 dev etwnic0 && ip addr add 10.78.0.1/16 dev etwnic0 &&
	ip addr add fd77::1/64 dev etwnic0 && ip link set etwnic0 up || exit 1
# not all that there can be
echo 0 >/sys/devices/system/cpu/cpu2/online || exit 1
# an address is its own when no other interface has it
while ip addr | grep -q tentative; do sleep 0.2; done

tell() { printf '%s\t%s\n' "$1" "$2"; }
file() { [ ! -f "$2" ] || tell "$1" "$(tr -d '\0' <"$2")"; }
cd /sys/devices/system || exit 1
{
	file online cpu/online
	file possible cpu/possible
	for at in cpu/cpu*/topology/thread_siblings_list; do file siblings "$at"; done
	for at in node/node*/cpulist; do file nodes "$at"; done
	file midr cpu/cpu0/regs/identification/midr_el1
	for name in sys_vendor product_name bios_date bios_version; do
		file $name /sys/class/dmi/id/$name
	done
	file model /proc/device-tree/model
	tell memory "$(awk '/^MemTotal/ { print $2 }' /proc/meminfo)"
	tell page "$(awk '/^KernelPageSize/ { print $2; exit }' /proc/self/smaps)"
	tell name "$(hostname)"
	file domain /proc/sys/kernel/domainname
	# arm64's, or the TSC as the kernel measured it last
	tell counter "$(dmesg | sed -nE -e 's/.* timer.* running at ([0-9]+)\..*/\1/p' \
		-e 's/.*tsc: (Detected|Refined TSC clocksource calibration:) ([0-9]+)\..*/\2/p' |
		tail -n 1)"
	tell last "$(last_address)"
	for nic in /sys/class/net/*; do
		tell nic "$(basename "$nic") $(cat "$nic/ifindex" "$nic/addr_len" "$nic/address" |
			tr '\n' ' ')"
	done
	ip -o addr | sed 's/^/address\t/'
	for disk in /sys/block/*; do
		tell disk "$(basename "$disk") $(cat "$disk/queue/logical_block_size" "$disk/size" \
			"$disk/queue/write_cache" | tr '\n' ' ')"
		for part in "$disk"/*/partition; do
			[ ! -e "$part" ] || tell partition "$(basename "$disk") $(cat "$part" \
				"${part%/*}/start" "${part%/*}/size" | tr '\n' ' ')"
		done
	done
	tell system "$(stat -f -c '%S %f %b %T' /mnt)"
	grep -E '^(processor|vendor_id|cpu family|model|model name|stepping)' /proc/cpuinfo |
		tr -d '\t' | sed 's/^/cpuinfo\t/'
} >/out/truth.txt
etw record --raw -N machine -o /out/etw.etl -e process -- true || exit 1
rmmod etw
