/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Parts of a test program, which its arguments choose by name. */
#ifndef ETW_TEST_PARTS_H
#define ETW_TEST_PARTS_H

#include <string.h>

struct part {
	const char *name;
	void (*run)(void);
};

/* @names: arguments, up to a NULL; without any all parts are wanted */
static inline int is_wanted(const struct part *part, char **names)
{
	if (!*names)
		return 1;
	while (*names)
		if (!strcmp(part->name, *names++))
			return 1;
	return 0;
}

#endif /* ETW_TEST_PARTS_H */
