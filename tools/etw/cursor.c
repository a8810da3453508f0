// SPDX-License-Identifier: GPL-2.0
/* Takes a payload apart, field by field. */
#include <string.h>
#include "cursor.h"

uint64_t take(struct cursor *cursor, uint32_t bytes)
{
	uint64_t value = 0;

	if (cursor->left < bytes) {
		cursor->left = 0;
		cursor->fields->truncated = true;
		return 0;
	}
	memcpy(&value, cursor->at, bytes);
	cursor->at += bytes;
	cursor->left -= bytes;
	return value;
}

void skip(struct cursor *cursor, uint32_t bytes)
{
	if (bytes > cursor->left) {
		cursor->fields->truncated = true;
		bytes = cursor->left;
	}
	cursor->at += bytes;
	cursor->left -= bytes;
}

void take_utf16(struct cursor *cursor, const char *name)
{
	uint32_t n = 0;

	while (n + 2 <= cursor->left && (cursor->at[n] || cursor->at[n + 1]))
		n += 2;
	fields_utf16(cursor->fields, name, cursor->at, n);
	skip(cursor, n + 2);
}

void take_array(struct cursor *cursor, const char *name, uint32_t units)
{
	uint32_t n = 0, bytes = 2 * units;

	while (n + 2 <= bytes && n + 2 <= cursor->left && (cursor->at[n] || cursor->at[n + 1]))
		n += 2;
	fields_utf16(cursor->fields, name, cursor->at, n);
	skip(cursor, bytes);
}
