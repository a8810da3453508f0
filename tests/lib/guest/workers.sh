# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
# shellcheck shell=sh
# Where the kernel's workers run that are bound to no CPU: rundowns, and the buffers' supply.

# workers_on CPUS: a mask, in hexadecimal
workers_on() { echo "$1" >/sys/devices/virtual/workqueue/cpumask; }
