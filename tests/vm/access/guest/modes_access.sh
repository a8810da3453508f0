#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
# The module is loaded before the kernel is locked down, which comes last.
insmod etw.ko || exit 1
mount -t securityfs security /sys/kernel/security
modes_access
status=$?
rmmod etw || exit
exit $status
