/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Payloads of image records from plain values: pure. */
#ifndef ETW_IMAGE_H
#define ETW_IMAGE_H

#include <linux/limits.h>
#include <linux/types.h>
#include "etw_hooks.h"

/* The largest payload; a UTF-16 text has no more units than UTF-8 has bytes */
#define ETW_IMAGE_PAYLOAD	(sizeof(struct wmi_image_load) + 2 * PATH_MAX)

/**
 * struct etw_image - values of an image record, except its name
 * @base: address where the file's first byte is or would be mapped
 * @size: bytes from @base
 * @default_base: address that the file requests; 0 when unknown
 * @process_id: process of the mapping; 0 for the kernel
 * @stamp: first bytes of the build-id; 0 when unknown
 */
struct etw_image {
	u64 base;
	u64 size;
	u64 default_base;
	u32 process_id;
	u32 stamp;
};

u32 etw_image_layout(void *to, u32 space, const struct etw_image *image, const char *name);

#endif /* ETW_IMAGE_H */
