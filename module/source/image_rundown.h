/* SPDX-License-Identifier: GPL-2.0 */
/* The part of a rundown that tells images. */
#ifndef ETW_IMAGE_RUNDOWN_H
#define ETW_IMAGE_RUNDOWN_H

#include <linux/limits.h>
#include <linux/types.h>
#include "../record/image.h"

struct etw_rundown;
struct etw_task_entry;

/**
 * struct etw_image_walk - a rundown of images
 * @wanted: there is one
 * @end: DCEnd, not DCStart
 * @path: of a file
 * @payload: the payload under way
 */
struct etw_image_walk {
	bool wanted;
	bool end;
	char path[PATH_MAX];
	u8 payload[ETW_IMAGE_PAYLOAD] __aligned(8);
};

void etw_rundown_user_images(struct etw_rundown *rundown, struct etw_image_walk *walk,
			     const struct etw_task_entry *entry, u32 count);
void etw_rundown_kernel_images(struct etw_rundown *rundown, struct etw_image_walk *walk);

#endif /* ETW_IMAGE_RUNDOWN_H */
