/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Cache lines. */
#ifndef ETW_SHIM_CACHE_H
#define ETW_SHIM_CACHE_H

#define ____cacheline_aligned	__attribute__((aligned(64)))

#endif /* ETW_SHIM_CACHE_H */
