// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Bytes that grow: headers of fixed size first, and the texts that they refer to behind. */
#include <stdlib.h>
#include <string.h>
#include "libetl/array.h"
#include "libetl/messages.h"
#include "libetl/text.h"
#include "manifest.h"

bool blob_add(struct blob *blob, const void *from, size_t size)
{
	if (!array_grow((void **)&blob->bytes, &blob->room, blob->size + size, 1)) {
		no_memory();
		return false;
	}
	if (from)
		memcpy(blob->bytes + blob->size, from, size);
	else
		memset(blob->bytes + blob->size, 0, size);
	blob->size += size;
	return true;
}

/* A character of UTF-8 has as many bytes as units of UTF-16, or more */
bool blob_text(struct blob *blob, const char *text, size_t place)
{
	const uint32_t at = blob->size - blob->base;
	uint16_t *to;
	size_t units = strlen(text) + 1;

	if (!blob_add(blob, NULL, units * sizeof(uint16_t)))
		return false;
	to = (uint16_t *)(blob->bytes + blob->base + at);
	units = text_to_utf16(text, to, units - 1);
	blob->size = blob->base + at + (units + 1) * sizeof(uint16_t);
	memcpy(blob->bytes + place, &at, sizeof(at));
	return true;
}

bool blob_wide(struct blob *blob, const uint8_t *text, size_t bytes, size_t place)
{
	const uint32_t at = blob->size - blob->base;

	if (!blob_add(blob, text, bytes) || !blob_add(blob, NULL, sizeof(uint16_t)))
		return false;
	memcpy(blob->bytes + place, &at, sizeof(at));
	return true;
}
