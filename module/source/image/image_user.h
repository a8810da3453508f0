/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Programs, libraries and the vDSO in an address space: files that are mapped to be executed. */
#ifndef ETW_IMAGE_USER_H
#define ETW_IMAGE_USER_H

#include <linux/types.h>
#include "record/image.h"

struct file;
struct mm_struct;
struct vm_area_struct;

/**
 * struct etw_user_image - an image in an address space
 * @image: values for its records; without a process
 * @text: start of its first executable mapping; the image exists as long as this mapping
 * @file: the file; take a reference before releasing mmap_lock. NULL: the vDSO
 */
struct etw_user_image {
	struct etw_image image;
	unsigned long text;
	struct file *file;
};

bool etw_may_be_image(struct vm_area_struct *vma);
bool etw_user_image_of(struct vm_area_struct *vma, struct etw_user_image *found);
int etw_user_image_next(struct mm_struct *mm, unsigned long *from, struct etw_user_image *found,
			u32 most);
const char *etw_user_image_name(const struct file *file, char *buffer);

#endif /* ETW_IMAGE_USER_H */
