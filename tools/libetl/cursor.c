// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Takes a payload apart, field by field. */
#include <arpa/inet.h>
#include <string.h>
#include "cursor.h"
#include "reader.h"
#include "text.h"

/* The usual sizes without a call of memcpy() */
static uint64_t number_at(const uint8_t *at, uint32_t bytes)
{
	uint64_t value = 0;

	switch (bytes) {
	case 1:
		return *at;
	case 2:
		return get16(at);
	case 4:
		return get32(at);
	case 8:
		return get64(at);
	}
	memcpy(&value, at, bytes);
	return value;
}

uint64_t take(struct cursor *cursor, uint32_t bytes)
{
	uint64_t value;

	if (cursor->left < bytes) {
		cursor->left = 0;
		cursor->fields->truncated = true;
		return 0;
	}
	value = number_at(cursor->at, bytes);
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

void skip_rest(struct cursor *cursor)
{
	skip(cursor, cursor->left);
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

void take_bytes(struct cursor *cursor, const char *name)
{
	uint32_t n = strnlen((const char *)cursor->at, cursor->left);

	fields_bytes(cursor->fields, name, cursor->at, n);
	skip(cursor, n + 1);
}

uint64_t take_leb(struct cursor *cursor)
{
	unsigned int shift = 0;
	uint64_t value = 0, byte;

	do {
		byte = take(cursor, 1);
		if (shift < 64)
			value |= (byte & 0x7F) << shift;
		shift += 7;
	} while (byte & 0x80);
	return value;
}

void take_counted(struct cursor *cursor, const char *name)
{
	uint32_t bytes = take(cursor, 2);

	if (bytes > cursor->left) {
		cursor->fields->truncated = true;
		bytes = cursor->left;
	}
	fields_bytes(cursor->fields, name, cursor->at, bytes);
	skip(cursor, bytes);
}

void take_guid(struct cursor *cursor, const char *name)
{
	struct etw_guid guid = { };
	char text[GUID_TEXT];

	if (cursor->left >= sizeof(guid))
		memcpy(&guid, cursor->at, sizeof(guid));
	skip(cursor, sizeof(guid));
	text_from_guid(&guid, text);
	fields_string(cursor->fields, name, text);
}

void take_sid(struct cursor *cursor, const char *name)
{
	uint32_t size = cursor->left < 8 ? 8 : 8u + 4 * cursor->at[1];
	char text[256];

	if (size > cursor->left || cursor->at[1] > 15) {
		cursor->fields->truncated = true;
		return;
	}
	text_from_sid(cursor->at, size, text, sizeof(text));
	fields_string(cursor->fields, name, text);
	skip(cursor, size);
}

void take_token_sid(struct cursor *cursor, const char *name)
{
	bool none = cursor->left >= 4 && !get32(cursor->at);

	if (none && !cursor->sid) {
		skip(cursor, 4);
		return;
	}
	skip(cursor, 2 * cursor->pointer);
	take_sid(cursor, name);
}

static void take_address(struct cursor *cursor, const char *name, int family, uint32_t bytes)
{
	char text[INET6_ADDRSTRLEN] = "";

	if (cursor->left >= bytes)
		inet_ntop(family, cursor->at, text, sizeof(text));
	skip(cursor, bytes);
	fields_string(cursor->fields, name, text);
}

void take_address4(struct cursor *cursor, const char *name)
{
	take_address(cursor, name, AF_INET, 4);
}

void take_address6(struct cursor *cursor, const char *name)
{
	take_address(cursor, name, AF_INET6, 16);
}

void take_list(struct cursor *cursor, const char *name, uint32_t bytes)
{
	fields_list(cursor->fields, name);
	while (cursor->left >= bytes)
		fields_list_hex(cursor->fields, take(cursor, bytes));
}
