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

# in_proof: whether the long form is wanted, see tests/run
in_proof() { [ "${ETW_TIER:-check}" = proof ]; }

# targets: the kernels of this run: ETW_TARGETS, or what the test's head says it needs,
# see tests/run
targets() {
	local needs
	needs=$(sed -n '1,/^[^#]/s/^# needs: *//p' "$0")
	! in_proof || needs+=" $(sed -n '1,/^[^#]/s/^# proof needs: *//p' "$0")"
	printf '%s\n' "${ETW_TARGETS:-$needs}" | tr ' ' '\n' | sed '/^host$/d; /^$/d'
}

# and_watched TARGET: what a command in that guest ends with, so that lockdep which gave up
# doesn't look like lockdep that found nothing
and_watched() {
	case $1 in
	um-*) printf ' && sh /w/watched.sh' ;;
	esac
}

# host_tools: the tool for this machine
host_tools() { tests/vm/build host >/dev/null; }
