/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* The kernel and its modules as images. */
#ifndef ETW_IMAGE_KERNEL_H
#define ETW_IMAGE_KERNEL_H

#include <linux/module.h>
#include "record/image.h"

/* Bytes of a name with its terminator */
#define ETW_KERNEL_IMAGE_NAME	(MODULE_NAME_LEN + 4)

/**
 * struct etw_kernel_images - the loaded modules
 * @entries: image and name of each
 * @count: number of entries
 */
struct etw_kernel_images {
	struct etw_kernel_image {
		struct etw_image image;
		char name[ETW_KERNEL_IMAGE_NAME];
	} *entries;
	u32 count;
};

void etw_module_image(const struct module *module, struct etw_image *image,
		      char name[ETW_KERNEL_IMAGE_NAME]);
bool etw_vmlinux_image(struct etw_image *image);
bool etw_module_is_loaded(const struct etw_kernel_image *entry);
void etw_module_goes(void);
u32 etw_modules_gone(void);
int etw_kernel_images_take(struct etw_kernel_images *images);
void etw_kernel_images_drop(struct etw_kernel_images *images);

#endif /* ETW_IMAGE_KERNEL_H */
