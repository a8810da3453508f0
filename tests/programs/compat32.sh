# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# For tests to read in: a program of 32 bits.

# compat32 DIRECTORY: compat32 in it, without a libc of that kind
compat32() {
	mkdir -p "$1/gnu"
	: >"$1/gnu/stubs-32.h"
	gcc -m32 -O2 -Wall -Wextra -Werror -ffreestanding -nostdlib -static -no-pie -fno-pie \
		-fno-stack-protector -mno-sse -I "$1" \
		-idirafter "/usr/include/$(gcc -print-multiarch)" \
		-o "$1/compat32" tests/programs/compat32.c
}
