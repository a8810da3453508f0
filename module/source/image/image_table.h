/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Recorded images, so that each image and its end is recorded once. */
#ifndef ETW_IMAGE_TABLE_H
#define ETW_IMAGE_TABLE_H

#include <linux/types.h>

struct etw_user_image;
struct etw_image;
struct mm_struct;
struct inode;

int etw_image_table_prepare(void);
void etw_image_table_unprepare(void);
bool etw_image_table_has(const struct mm_struct *mm, const struct etw_user_image *image);
bool etw_image_table_add(const struct mm_struct *mm, const struct etw_user_image *image);
bool etw_image_table_add_new(const struct mm_struct *mm, const struct etw_user_image *image);
u64 etw_image_table_missed(void);
bool etw_image_table_take(const struct mm_struct *mm, const struct inode *inode,
			  unsigned long start, unsigned long end, struct etw_image *image,
			  bool *more);

#endif /* ETW_IMAGE_TABLE_H */
