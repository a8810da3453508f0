// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Payloads of image records: 030A, 1402, 1403, 1404. */
#include <linux/string.h>
#include "image.h"
#include "utf16.h"

/**
 * etw_image_layout() - write the payload of an image record
 * @to: ETW_IMAGE_PAYLOAD bytes
 * @space: bytes that fit into a buffer; the name is cut to fit
 * @image: values
 * @name: file name, UTF-8; at most PATH_MAX bytes with its terminator
 *
 * (kernel-events.rst 5.4) Context: any. Return: bytes.
 */
u32 etw_image_layout(void *to, u32 space, const struct etw_image *image, const char *name)
{
	struct wmi_image_load *fixed = to;
	u32 units = (space - sizeof(*fixed)) / 2 - 1;

	memset(fixed, 0, sizeof(*fixed));
	fixed->image_base = image->base;
	fixed->image_size = image->size;
	fixed->process_id = image->process_id;
	fixed->time_date_stamp = image->stamp;
	fixed->default_base = image->default_base;
	units = etw_utf8_to_utf16(fixed + 1, units, name, strlen(name));
	memset((u8 *)(fixed + 1) + 2 * units, 0, 2);
	return sizeof(*fixed) + 2 * units + 2;
}
