/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Bits of words. */
#ifndef ETW_SHIM_BITS_H
#define ETW_SHIM_BITS_H

#define BIT_ULL(n)	(1ULL << (n))
#define GENMASK_ULL(high, low)	(~0ULL >> (63 - (high)) & ~0ULL << (low))

#endif /* ETW_SHIM_BITS_H */
