#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
# Boot the Debian on /dev/vda beside this one, by this kernel and with all its rights: the
# module is the one that DKMS built there. It shuts itself down; /tests in it is what its
# units said. Then see what became of its recorder.
tell() { # NAME COMMAND...
	what=$1
	shift
	if "$@"; then echo "ok - $what"; else echo "not ok - $what"; fi
}
# lists_none: not even by a control device that is gone
lists_none() {
	etw list >/tmp/list && ! grep -q flight /tmp/list
}

for module in /w/mod/*; do
	insmod "$module" || exit 1
done
until [ -b /dev/vda ]; do sleep 0.2; done
mkdir -p /debian
mount -t ext4 /dev/vda /debian || exit 1
container=etw-test unshare -m -p -f sh -c '
	mount -t proc proc /debian/proc
	mount -t sysfs sys /debian/sys
	mount --bind /dev /debian/dev
	mount -t tmpfs tmp /debian/run
	mount -t cgroup2 cgroup /debian/sys/fs/cgroup
	exec chroot /debian /lib/systemd/systemd'
cat /debian/tests
tell 'shutdown ends the recorder' lists_none
tell 'and leaves a whole file of it' etw check --ours /debian/var/lib/etw/flight-latency.etl
tell 'that only root may read' [ "$(stat -c %a /debian/var/lib/etw)" = 700 ]
umount /debian
tell 'the module unloads' rmmod etw
