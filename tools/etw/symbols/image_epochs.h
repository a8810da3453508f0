/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Between which times the images of all processes stay what they are. */
#ifndef ETW_IMAGE_EPOCHS_H
#define ETW_IMAGE_EPOCHS_H

#include "libetl/images.h"

/**
 * struct image_epochs - the times at which images change
 * @change: sorted, @count of them; NULL: no memory, and each time has an epoch of its own
 * @epoch: the last one that was looked for
 * @after: it begins after this time
 * @before: it ends before this time
 */
struct image_epochs {
	uint64_t *change;
	size_t count;
	uint64_t epoch;
	uint64_t after;
	uint64_t before;
};

/* After images_ready(). The caller frees @change. */
void image_epochs_find(struct image_epochs *epochs, const struct images *images);
/* Return: the same number for two times if no image changes at or between them */
uint64_t image_epoch_at(struct image_epochs *epochs, uint64_t time);

#endif /* ETW_IMAGE_EPOCHS_H */
