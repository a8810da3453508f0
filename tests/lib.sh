# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Helpers for the scripts that tests/run starts: report checks by name.

ok() { printf 'ok - %s\n' "$1"; }
not_ok() { printf 'not ok - %s\n' "$1"; }
skip() { printf 'skip - %s: %s\n' "$1" "$2"; }

# check NAME COMMAND...: the check is the command's exit status
check() {
	local name=$1 status=0
	shift
	"$@" || status=$?
	if [ $status = 0 ]; then
		ok "$name"
	else
		not_ok "$name (exit status $status)"
	fi
}
