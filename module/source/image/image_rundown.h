/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* The part of a rundown that writes images. */
#ifndef ETW_IMAGE_RUNDOWN_H
#define ETW_IMAGE_RUNDOWN_H

#include <linux/limits.h>
#include <linux/types.h>
#include "record/image.h"
#include "image_user.h"
#include "source/rundown/rundown_space.h"

struct etw_rundown;
struct etw_task_entry;

/**
 * struct etw_image_walk - a rundown of images
 * @wanted: the session wants images
 * @end: DCEnd, not DCStart
 * @space: of the process
 * @found: the current image
 * @known: @found was in the table when it was looked up
 * @gone: etw_modules_gone() when the current module was looked up
 * @path: of a file
 * @payload: the payload under way
 */
struct etw_image_walk {
	bool wanted;
	bool end;
	struct etw_space_walk space;
	struct etw_user_image found;
	bool known;
	u32 gone;
	char path[PATH_MAX];
	u8 payload[ETW_IMAGE_PAYLOAD] __aligned(8);
};

void etw_rundown_user_images(struct etw_rundown *rundown, struct etw_image_walk *walk,
			     const struct etw_task_entry *entry, u32 count);
void etw_rundown_kernel_images(struct etw_rundown *rundown, struct etw_image_walk *walk);

#endif /* ETW_IMAGE_RUNDOWN_H */
