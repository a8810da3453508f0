// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Between which times the images of all processes stay what they are. */
#include <stdlib.h>
#include "image_epochs.h"

static int by_value(const void *left, const void *right)
{
	const uint64_t *a = left, *b = right;

	return *a < *b ? -1 : *a > *b;
}

void image_epochs_find(struct image_epochs *epochs, const struct images *images)
{
	const struct image *image;
	size_t i;

	epochs->change = calloc(3 * images->count + 1, sizeof(*epochs->change));
	for (i = 0; epochs->change && i < images->count; i++) {
		image = &images->list[i];
		epochs->change[epochs->count++] = image->from;
		epochs->change[epochs->count++] = image->to;
		epochs->change[epochs->count++] = image->named;
	}
	if (epochs->count)
		qsort(epochs->change, epochs->count, sizeof(*epochs->change), by_value);
}

/* The time of a change is an epoch of its own: the image may be there or not. */
uint64_t image_epoch_at(struct image_epochs *epochs, uint64_t time)
{
	size_t low = 0, high = epochs->count, middle;

	if (!epochs->change)
		return time;
	if (time > epochs->after && time < epochs->before)
		return epochs->epoch;
	while (low < high) {
		middle = low + (high - low) / 2;
		if (epochs->change[middle] < time)
			low = middle + 1;
		else
			high = middle;
	}
	if (low < epochs->count && epochs->change[low] == time)
		return 2 * low + 1;
	epochs->after = low ? epochs->change[low - 1] : 0;
	epochs->before = low < epochs->count ? epochs->change[low] : UINT64_MAX;
	epochs->epoch = 2 * low;
	return epochs->epoch;
}
