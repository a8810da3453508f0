// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Times in which a thread may have run without a trace. */
#include <stdlib.h>
#include <string.h>
#include "libetl/array.h"
#include "cpu.h"

int unseen_add(struct unseen *unseen, int64_t from, int64_t to)
{
	if (!array_grow((void **)&unseen->spans, &unseen->room, unseen->count + 1,
			sizeof(*unseen->spans)))
		return -1;
	unseen->spans[unseen->count++] = (struct unseen_span){ .from = from, .to = to };
	return 0;
}

static int by_begin(const void *left, const void *right)
{
	const struct unseen_span *a = left, *b = right;

	return a->from < b->from ? -1 : a->from > b->from;
}

void unseen_seal(struct unseen *unseen)
{
	struct unseen_span *spans = unseen->spans;
	size_t i, n = 0;

	if (!unseen->count)
		return;
	qsort(spans, unseen->count, sizeof(*spans), by_begin);
	for (i = 1; i < unseen->count; i++) {
		if (spans[i].from > spans[n].to)
			spans[++n] = spans[i];
		else if (spans[i].to > spans[n].to)
			spans[n].to = spans[i].to;
	}
	unseen->count = n + 1;
}

bool unseen_overlaps(const struct unseen *unseen, int64_t from, int64_t to)
{
	size_t low = 0, high = unseen->count, middle;

	/* the first that ends behind @from */
	while (low < high) {
		middle = low + (high - low) / 2;
		if (unseen->spans[middle].to > from)
			high = middle;
		else
			low = middle + 1;
	}
	return low < unseen->count && unseen->spans[low].from < to;
}

void unseen_free(struct unseen *unseen)
{
	free(unseen->spans);
	memset(unseen, 0, sizeof(*unseen));
}
