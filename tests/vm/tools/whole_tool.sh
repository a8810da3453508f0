# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
# shellcheck shell=bash
# For tests that need the tool with its libraries in a guest, which has none.

# whole_tool ROOT: puts etw and its libraries below the folder, for the guest's /
whole_tool() {
	local dw library libraries
	mkdir -p "$1/usr/local/bin"
	cp build/host/tools/etw "$1/usr/local/bin"
	# libdw is loaded when names of variables need it
	dw=$(ldconfig -p | sed -n 's/.*libdw\.so\.1 (.*x86-64.* => //p' | head -n 1)
	[ -n "$dw" ] || die 'libdw.so.1 is needed (Debian: libdw1)'
	mapfile -t libraries < <({ ldd build/host/tools/etw; ldd "$dw"; echo "$dw"; } |
		grep -o '/[^ ]*')
	for library in "${libraries[@]}"; do
		mkdir -p "$1${library%/*}"
		cp -L "$library" "$1$library"
	done
	strip "$1/usr/local/bin/etw"
}
