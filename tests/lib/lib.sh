# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
# shellcheck shell=bash
# Helpers for the scripts that tests/run starts: report checks by name.

# A test prints its checks as KTAP, the kernel's test format, and exits with 1 if any check failed,
# also when it is run by hand. This shell, its subshells, guests and helper programs all print checks
# in the form of tests/lib/etwtest/ktap.py, so only the output contains them all: the test runs as a
# child, and that program numbers the checks in the output. Bash keeps the script open as descriptor
# 255, which identifies the test even if the script has changed the folder or calls another test.
script=$(readlink "/proc/$$/fd/255")
if [ "${ETW_CHECKS_OF:-}" != "$script" ]; then
	set +e
	# as typed, if that still names the script: a copied tree links to the folders of tests
	program=$0
	[ "$program" -ef "$script" ] || program=$script
	ETW_CHECKS_OF=$script "$program" "$@" | python3 tests/lib/etwtest/ktap.py
	ended=("${PIPESTATUS[@]}")
	[ "${ended[0]}" = 0 ] || exit "${ended[0]}"
	exit "${ended[1]}"
fi

# the package etwtest, for the Python programs
export PYTHONPATH=$PWD/tests/lib PYTHONDONTWRITEBYTECODE=1

failed=0	# checks of this script so far, and of its guests

# ok NAME [DETAIL], not_ok NAME [DETAIL], skip NAME REASON: NAME is the same in every run, DETAIL
# contains the figures of this run
ok() { printf 'ok - %s\n' "$1${2:+ # $2}"; }
not_ok() {
	printf 'not ok - %s\n' "$1${2:+ # $2}"
	failed=$((failed + 1))
}
skip() { printf 'skip - %s # %s\n' "$1" "$2"; }

# check NAME[ # DETAIL] COMMAND...: the check is the command's exit status
check() {
	local name=${1%% # *} detail='' status=0
	[ "$name" = "$1" ] || detail=${1#* # }
	shift
	"$@" || status=$?
	if [ $status = 0 ]; then
		ok "$name" "$detail"
	else
		not_ok "$name" "${detail:+$detail, }exit status $status"
	fi
}

# agrees NAME python3 SCRIPT...: a comparison; the last line that SCRIPT prints is the check's detail
agrees() {
	local name="$1: ${3##*/} finds no difference" said status=0
	shift
	said=$("$@" 2>&1) || status=$?
	printf '%s\n' "$said"
	check "$name # ${said##*$'\n'}" [ $status = 0 ]
}

# writer TARGET: etw-writer for tests/infra/vm/run, where libetw's programs look for it
writer() { printf 'build/%s/tools/libetw/etw-writer:/usr/local/lib/etw/etw-writer\n' "$1"; }

# guest NAME OPTION... TARGET COMMAND: tests/infra/vm/run of these words, its checks become NAME's,
# and one more: that it ended well, without a complaint of the kernel. Its output is in "$guest_output"
guest() {
	local name=$1 status=0 line
	shift
	guest_output=$(tests/infra/vm/run "$@" 2>&1) || status=$?
	while IFS= read -r line; do printf '   %s\n' "$line"; done <<<"$guest_output"
	sed -nE "s/^(ok|not ok|skip) - /&$name: /p" <<<"$guest_output"
	failed=$((failed + $(grep -c '^not ok - ' <<<"$guest_output" || :)))
	check "$name: the kernel has no complaint" [ $status = 0 ]
}

# proof KIND EVENTS: what tests/infra/proof/run writes down of this script; it fails as its checks did
proof() {
	printf 'proof: %s events=%s seconds=%s findings=%s\n' "$1" "${2:-0}" $SECONDS $failed
	[ $failed = 0 ]
}

# in_proof: whether the long form is wanted, see tests/run
in_proof() { [ "${ETW_TIER:-check}" = proof ]; }

# is_debug TARGET: a kernel of tests/infra/vm/configs, for which all takes longer, and which has few drivers
is_debug() { case $1 in kasan-* | kcsan-* | a64kasan-* | gcov-*) ;; *) return 1 ;; esac }

# is_arm64 TARGET: whether it runs on such a processor
is_arm64() { case $1 in arm64-* | a64*) ;; *) return 1 ;; esac }

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
host_tools() { tests/infra/vm/build host >/dev/null; }

# build32 SOURCE PROGRAM: a program of 32 bits, without a libc of that kind
build32() {
	local headers=${2%/*}/headers32

	mkdir -p "$headers/gnu"
	: >"$headers/gnu/stubs-32.h"
	gcc -m32 -O2 -Wall -Wextra -Werror -ffreestanding -nostdlib -static -no-pie -fno-pie \
		-fno-stack-protector -mno-sse -I . -I "$headers" \
		-idirafter "/usr/include/$(gcc -print-multiarch)" -o "$2" "$1"
}

# short32 DIRECTORY MACHINE: such a one, which $short32 names then; none where the guest, of
# that machine, runs none
# shellcheck disable=SC2034 # its caller reads it
short32() {
	short32=
	[ "$2" = x86_64 ] || return 0
	build32 tests/lib/short32.c "$1/short32"
	short32=$1/short32
}
