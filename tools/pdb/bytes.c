// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Bytes of a stream while it is built: little-endian numbers, texts, padding. */
#include <stdlib.h>
#include <string.h>
#include "bytes.h"

void bytes_add(struct bytes *bytes, const void *from, size_t size)
{
	size_t wanted;
	uint8_t *bigger;

	if (bytes->no_memory || !size)
		return;
	if (size > bytes->room - bytes->size) {
		wanted = 2 * bytes->room + size + 256;
		bigger = realloc(bytes->at, wanted);
		if (!bigger) {
			bytes->no_memory = true;
			return;
		}
		bytes->at = bigger;
		bytes->room = wanted;
	}
	if (from)
		memcpy(bytes->at + bytes->size, from, size);
	else
		memset(bytes->at + bytes->size, 0, size);
	bytes->size += size;
}

void bytes_u8(struct bytes *bytes, uint8_t value)
{
	bytes_add(bytes, &value, sizeof(value));
}

void bytes_u16(struct bytes *bytes, uint16_t value)
{
	const uint8_t raw[] = { value, value >> 8 };

	bytes_add(bytes, raw, sizeof(raw));
}

void bytes_u32(struct bytes *bytes, uint32_t value)
{
	const uint8_t raw[] = { value, value >> 8, value >> 16, value >> 24 };

	bytes_add(bytes, raw, sizeof(raw));
}

void bytes_text(struct bytes *bytes, const char *text)
{
	bytes_add(bytes, text, strlen(text) + 1);
}

void bytes_align(struct bytes *bytes)
{
	bytes_add(bytes, NULL, -bytes->size & 3);
}

void bytes_put_u16(struct bytes *bytes, size_t at, uint16_t value)
{
	if (bytes->no_memory)
		return;
	bytes->at[at] = value;
	bytes->at[at + 1] = value >> 8;
}

void bytes_put_u32(struct bytes *bytes, size_t at, uint32_t value)
{
	bytes_put_u16(bytes, at, value);
	bytes_put_u16(bytes, at + 2, value >> 16);
}

void bytes_free(struct bytes *bytes)
{
	free(bytes->at);
	*bytes = (struct bytes){ };
}
