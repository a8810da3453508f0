/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Disk numbers in records. */
#ifndef ETW_DISK_NUMBER_H
#define ETW_DISK_NUMBER_H

#include <linux/types.h>

struct gendisk;

u32 etw_disk_number(const struct gendisk *disk);
void etw_disk_behind(const struct gendisk *disk, dev_t head);

#endif /* ETW_DISK_NUMBER_H */
