/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* What the first page of an ELF file contains about the image; pure. */
#ifndef ETW_IMAGE_ELF_H
#define ETW_IMAGE_ELF_H

#include <linux/types.h>

/**
 * struct etw_image_elf - an ELF file
 * @low: lowest address of a loadable segment, rounded down to its page
 * @size: bytes from @low to the end of the last loadable segment
 * @stamp: first 4 bytes of its build-id; 0 without one in the first page
 * @has_code: the requested offset is code, and offset 0 is at @low
 * @code: with @has_code: bytes from @low to the address of that code
 */
struct etw_image_elf {
	u64 low;
	u64 size;
	u32 stamp;
	bool has_code;
	u64 code;
};

u32 etw_build_id_stamp(const void *notes, u32 size);
bool etw_image_elf_read(const void *head, u32 size, u64 offset, struct etw_image_elf *elf);

#endif /* ETW_IMAGE_ELF_H */
