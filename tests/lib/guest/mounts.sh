# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
# shellcheck shell=sh
# For scripts to read in, when all is mounted: writes the mount points of a kernel that records
# paths within file systems (tests/lib/etwtest/paths.py).
! grep -q PREEMPT_RT /proc/version || cut -d ' ' -f 2 /proc/self/mounts >/out/mounts.txt
