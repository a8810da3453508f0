#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
# A bit of everything, recorded by one session of all groups: mixed.sh
# Leaves etw.etl, groups.txt in /out. /dev/vda1 has a file system; /dev/vdb and /dev/vdc,
# which has no cache of writes, have nothing. short32 is there where 32-bit programs run.
insmod /w/etw.ko || exit 1
# shellcheck source=tests/lib/guest/drivers.sh
. /w/drivers.sh
mount -t ext4 /dev/vda1 /mnt || exit 1
dd if=/dev/urandom of=/mnt/file bs=1M count=1 2>/dev/null
dd if=/dev/zero of=/mnt/swap bs=64k count=80 2>/dev/null
mkswap /mnt/swap >/dev/null && swapon /mnt/swap || exit 1
insmod /w/etw_nics.ko || exit 1
ip addr add 10.77.0.1/24 dev etwnic0 && ip link set etwnic0 up || exit 1
# a missing program is noticed at once
echo 1 >/proc/sys/net/ipv4/neigh/etwnic0/mcast_solicit
echo 100 >/proc/sys/net/ipv4/neigh/etwnic0/retrans_time_ms
sync
echo 3 >/proc/sys/vm/drop_caches
etw list events >/out/groups.txt
groups=$(awk '$2 ~ /^0x/ { printf "%s%s", plus, $1; plus = "+" }' /out/groups.txt)

# processes that are there before and after, in both rundowns
adduser -D -H -u 1000 somebody 2>/dev/null || echo somebody:x:1000:1000::/:/bin/sh >>/etc/passwd
usage stay </dev/null >/dev/null &
stay=$!
fates stay >/dev/null &
fates=$!
su somebody -c 'sleep 1000' &
other=$!
# one of an audit session, and a zombie of it
sh -c 'echo 0 >/proc/self/loginuid; exec su somebody -c "fates zombie"' &
audited=$!
ionice -c 1 niced 7 sleep 1000 &
realtime=$!
ionice -c 3 sleep 1000 &
ionice=$!
fates zombie &
zombie=$!
swapped stay &
swapped=$!
if [ -e /w/short32 ]; then
	short32 &
	short=$!
	sh -c 'short32 x & exec sleep 1000' &
	gone=$!
fi
sleep 1

cat >/tmp/inner.sh <<'END'
load 10 >/dev/null &
load=$!
network early network run >/tmp/network.txt || exit 1
# the same from other addresses, which the interface gets meanwhile
ip addr add 10.9.8.7/32 dev lo
ip addr add fd00::7/128 dev lo
NETWORK_HOST4=10.9.8.7 NETWORK_HOST6=fd00::7 NETWORK_PORTS=7100 network early network run \
	>/tmp/network.txt || exit 1
priorities >/tmp/priorities.txt || exit 1
priorities >/tmp/priorities.txt || exit 1
images run /w/fates /w/session >/tmp/images.txt || exit 1
mkdir /tmp/ops && fileops /tmp/ops >/tmp/fileops.txt
fates run >/tmp/fates.txt
# a zombie that is none before; it and its parent stay until the end
sh -c 'true & exec sleep 1000' &
echo $! >/tmp/zombie
virtual >/tmp/virtual.txt || exit 1
insmod /w/etw_faults.ko
faults 0 /mnt/file >/tmp/faults.txt || exit 1
rmmod etw_faults
usage run >/tmp/usage.txt || exit 1
swapped || exit 1
[ ! -e /w/short32 ] || short32 x || exit 1
nc -w 5 10.77.0.2 7 </dev/null 2>/dev/null
# programs of a disk; their pages are not in memory any more
cp /bin/busybox /w/load /mnt
sync
echo 1 >/proc/sys/vm/drop_caches
/mnt/busybox true
/mnt/load 1 >/dev/null
insmod /w/etw_testpmu.ko && rmmod etw_testpmu
insmod /w/etw_nested.ko && rmmod etw_nested
for directory in /tmp /mnt; do
	mkdir $directory/mixed
	(
		cd $directory/mixed || exit
		echo a >a
		dd if=/dev/zero of=b bs=64k count=16 2>/dev/null
		sync
		echo 1 >/proc/sys/vm/drop_caches
		cat b >c
		mv c d
		# tmpfs has no such thing
		dd if=/dev/zero of=f bs=4k count=4 oflag=direct 2>/dev/null
		dd if=f of=/dev/null bs=4k iflag=direct 2>/dev/null
		ln d e
		chmod 600 d
		ls -l . >/dev/null
		rm a e
		truncate -s 10 d
	)
	rm -r $directory/mixed
done
dd if=/dev/zero of=/dev/vdb bs=64k count=16 conv=fsync 2>/dev/null
dd if=/dev/vdb of=/dev/null bs=4k count=16 iflag=direct 2>/dev/null
ionice -c 3 dd if=/dev/vdb of=/dev/null bs=16k count=4 iflag=direct 2>/dev/null
ionice -c 1 dd if=/dev/zero of=/dev/vdb bs=16k count=4 oflag=direct conv=fsync 2>/dev/null
ionice -c 1 dd if=/dev/zero of=/mnt/flushed bs=16k count=4 conv=fsync 2>/dev/null
ping -q -c 3 -i 0.1 127.0.0.1 >/dev/null
# programs with frame pointers; their stacks come again; so many that two get keys, whatever
# else the small cache is full of
for verb in 'sleep 40' 'futex 40' 'read 40' 'deep 40 20' 'deep 40 30'; do
	# shellcheck disable=SC2086 # words
	chain $verb >/tmp/chain.txt || exit 1
done
etw mark 'a mark'
etw mark 'another mark'
etw update mixed --interval 4ms >/dev/null || exit 1
etw update mixed --interval 3ms --interval context-switches=200 >/dev/null || exit 1
sh -c 'echo 0 >/proc/self/loginuid; su somebody -c "exit 3"'
taskset 1 sh -c 'true & wait'
niced 7 sh -c 'true & wait'
ionice -c 2 -n 7 sh -c 'true & wait'
cat /does/not/exist 2>/dev/null
wait $load
: >/tmp/done
END
etw record --raw -N mixed -o /out/etw.etl -b 256 -n 64:512 --interval 2ms \
	--sample context-switches@100,page-faults@100 \
	-c context-switches,page-faults@CSWITCH --stackwalk CSwitch+ReadyThread+Profile+ProcessCreate \
	--stack-caching 64K:16 -e "$groups" -- sh /tmp/inner.sh || exit 1
[ -e /tmp/done ] || exit 1
kill "$(cat /tmp/zombie)" $stay $fates $other $audited $realtime $ionice $zombie $swapped
[ ! -e /w/short32 ] || kill "$short" "$gone"
wait
rmmod etw
