/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* The greater and the lesser. */
#ifndef ETW_SHIM_MINMAX_H
#define ETW_SHIM_MINMAX_H

#define max(a, b)	({ __typeof__(a) _a = (a), _b = (b); _a > _b ? _a : _b; })
#define min(a, b)	({ __typeof__(a) _a = (a), _b = (b); _a < _b ? _a : _b; })

#endif /* ETW_SHIM_MINMAX_H */
