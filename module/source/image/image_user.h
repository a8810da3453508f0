/* SPDX-License-Identifier: GPL-2.0 */
/* Programs and libraries in an address space: files that are mapped to be executed. */
#ifndef ETW_IMAGE_USER_H
#define ETW_IMAGE_USER_H

#include <linux/types.h>
#include "record/image.h"

struct file;
struct mm_struct;
struct vm_area_struct;

/**
 * struct etw_user_image - an image in an address space
 * @image: what records say; without a process
 * @text: begin of its first executable mapping: while this is there, it is
 * @file: the file; who lets go of mmap_lock takes a reference first
 */
struct etw_user_image {
	struct etw_image image;
	unsigned long text;
	struct file *file;
};

bool etw_user_image_of(struct vm_area_struct *vma, struct etw_user_image *found);
bool etw_user_image_next(struct mm_struct *mm, unsigned long *from,
			 struct etw_user_image *found);
const char *etw_user_image_name(const struct file *file, char *room);

#endif /* ETW_IMAGE_USER_H */
