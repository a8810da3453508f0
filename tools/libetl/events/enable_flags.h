/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* What enables events: the names are those of xperf. */
#ifndef ETW_ENABLE_FLAGS_H
#define ETW_ENABLE_FLAGS_H

#include <stdint.h>

/**
 * struct enable_flag - events that are enabled together
 * @name: xperf's; NULL ends the table
 * @mask: PERF_ values
 * @what: they are; NULL: Windows has them, and this module has them not yet
 */
struct enable_flag {
	const char *name;
	uint32_t mask;
	const char *what;
};

extern const struct enable_flag enable_flags[];

#endif /* ETW_ENABLE_FLAGS_H */
