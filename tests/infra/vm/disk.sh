# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# For tests with guests that have disks: one with a partition and a file system, and its drivers.

# disk_image FILE: 33 MB, of which a partition is 32, with an ext4 of blocks of 4 KB
disk_image() {
	truncate -s 33M "$1"
	# one Linux partition, sectors 2048 to the end; then the signature
	printf '\0\0\0\0\203\0\0\0\0\010\0\0\0\0\001\0' |
		dd of="$1" bs=1 seek=446 conv=notrunc status=none
	printf '\125\252' | dd of="$1" bs=1 seek=510 conv=notrunc status=none
	/sbin/mke2fs -q -F -t ext4 -b 4096 -O ^metadata_csum -E "offset=$((2048 * 512))" "$1" 32M
}

# disk_drive ID FILE [PROPERTY...]: QEMU's words for it, in $drives
disk_drive() {
	local IFS=,
	drives+=" -drive file=$2,format=raw,if=none,id=$1 -device virtio-blk-pci,drive=$1"
	[ $# = 2 ] || drives+=",${*:3}"
}

# mixed_disks DIR: what tests/vm/events/guest/mixed.sh works on: /dev/vda1 with a file system, and
# /dev/vdb and /dev/vdc, which has no cache of writes, with nothing; in $drives
mixed_disks() {
	disk_image "$1/disk"
	truncate -s 8M "$1/other" "$1/third"
	disk_drive a "$1/disk"
	disk_drive b "$1/other" logical_block_size=4096 physical_block_size=4096
	disk_drive c "$1/third" write-cache=off
}

# disk_modules TARGET [MODULE...]: the drivers, and others, in the order in which
# tests/lib/guest/drivers.sh loads them, in $files
disk_modules() {
	local file list n=100
	list=$(tests/infra/vm/modules "$1" virtio_pci virtio_blk crc32c_generic? ext4 "${@:2}")
	for file in $list; do
		files+=("$file:/w/mod/$((n++))-${file##*/}")
	done
}
