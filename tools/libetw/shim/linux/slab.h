/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* The kernel spreads what linux/mm.h has here over two headers. */
#include <linux/mm.h>
