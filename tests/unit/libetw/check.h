/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Checks of a test program, the name first. */
#ifndef CHECK_H
#define CHECK_H

#include "tests/lib/guest/check.h"

static inline void check(const char *name, int passed)
{
	check_that(passed, "%s", name);
}

/* A result is also the last error. */
static inline void check_error(const char *name, unsigned int got, unsigned int want)
{
	unsigned int last = GetLastError();

	if (got != want || last != want)
		printf("   %s: %u, last error %u, not %u\n", name, got, last, want);
	check(name, got == want && last == want);
}

#endif /* CHECK_H */
