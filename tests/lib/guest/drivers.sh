# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
# shellcheck shell=sh
# For scripts to read in: the drivers of tests/infra/vm/disk.sh are loaded, and its disk is there.
for module in /w/mod/*; do
	[ -e "$module" ] || continue # built in
	insmod "$module" || exit 1
done
tries=0
while [ ! -b /dev/vda1 ] && [ $((tries += 1)) -lt 50 ]; do sleep 0.2; done
