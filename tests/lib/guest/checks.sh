# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
# shellcheck shell=sh
# For scripts to read in: checks, printed by name.

tell() { # NAME COMMAND...
	what=$1
	shift
	if "$@"; then echo "ok - $what"; else echo "not ok - $what"; fi
}
is() { # WANTED FOUND
	[ "$1" = "$2" ] || {
		echo "# wanted: $1; found: $2"
		false
	}
}
