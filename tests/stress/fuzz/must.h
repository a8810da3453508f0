/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* What has to hold whatever the input: libFuzzer keeps the input that ends a target. */
#ifndef ETW_FUZZ_MUST_H
#define ETW_FUZZ_MUST_H

#include <stdio.h>
#include <stdlib.h>

#define MUST(condition) \
	do { \
		if (!(condition)) { \
			fprintf(stderr, "line %d: %s\n", __LINE__, #condition); \
			abort(); \
		} \
	} while (0)

#endif /* ETW_FUZZ_MUST_H */
