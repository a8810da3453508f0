// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Buffers of a stream that are not in its file: their numbers are missing. */
#include <stdlib.h>
#include <string.h>
#include "holes.h"
#include "messages.h"
#include "trace.h"

static int by_value(const void *left, const void *right)
{
	const uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;

	return a < b ? -1 : a > b;
}

int holes_find(struct holes *holes, const struct trace *trace)
{
	size_t i;

	*holes = (struct holes){ .sequence = calloc(trace->count + 1, sizeof(*holes->sequence)) };
	if (!holes->sequence)
		return no_memory();
	for (i = 0; i < trace->count; i++)
		holes->sequence[i] = trace->buffers[i].header.sequence_number;
	holes->count = trace->count;
	qsort(holes->sequence, holes->count, sizeof(*holes->sequence), by_value);
	return 0;
}

bool holes_between(const struct holes *holes, uint64_t a, uint64_t b)
{
	const uint64_t *from, *to;

	if (b <= a)
		return false;
	from = bsearch(&a, holes->sequence, holes->count, sizeof(a), by_value);
	to = bsearch(&b, holes->sequence, holes->count, sizeof(b), by_value);
	return !from || !to || (uint64_t)(to - from) != b - a;
}

void holes_free(struct holes *holes)
{
	free(holes->sequence);
	memset(holes, 0, sizeof(*holes));
}
