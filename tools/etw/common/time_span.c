// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Lengths of time as options spell them. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "time_span.h"

bool time_span_parse(const char *text, uint64_t *ns)
{
	static const struct {
		const char *name;
		uint64_t ns;
	} units[] = {
		{ "us", 1000 }, { "ms", 1000000 }, { "s", 1000000000 }, { "m", 60000000000 },
		{ "h", 3600000000000 },
	};
	unsigned long long number;
	char *end;
	size_t i;

	errno = 0;
	number = strtoull(text, &end, 10);
	if (text[0] < '0' || text[0] > '9' || errno || !number)
		return false;
	for (i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (strcmp(end, units[i].name))
			continue;
		*ns = number * units[i].ns;
		return number <= INT64_MAX / units[i].ns;
	}
	return false;
}
