# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
# shellcheck shell=bash
# What is a finding of libFuzzer's, for tests that run it: what doesn't depend on the machine.

# An input that is slow is slower beside other load, so none is reported for that, and only an
# endless loop takes as long as this: that work has a bound is for other tests to hold.
# shellcheck disable=SC2034 # of those tests
patient=(-timeout=300 -report_slow_units=1000000)

# findings DIRECTORY: how many of its files libFuzzer left for a crash, which is a sanitizer's
# report, too, for memory, for an endless loop or for a leak
findings() {
	find "$1" -type f \( -name '*crash-*' -o -name '*oom-*' -o -name '*timeout-*' -o \
		-name '*leak-*' \) | wc -l
}
