// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Writes messages in the wire format of Protocol Buffers. */
#include <stdlib.h>
#include <string.h>
#include "libetl/array.h"
#include "protobuf.h"

enum wire_type { WIRE_VARINT = 0, WIRE_FIXED64 = 1, WIRE_BYTES = 2 };

/* Bytes of a length that is written later; each has 7 bits, and all but the last a mark */
#define LENGTH_BYTES	4

/* Return: NULL: no memory */
static uint8_t *grow(struct protobuf *to, size_t size)
{
	uint8_t *at;

	if (to->no_memory || !array_grow((void **)&to->bytes, &to->room, to->used + size, 1)) {
		to->no_memory = true;
		return NULL;
	}
	at = to->bytes + to->used;
	to->used += size;
	return at;
}

static void put_varint(struct protobuf *to, uint64_t value)
{
	uint8_t bytes[10], *at;
	size_t size = 0;

	do {
		bytes[size++] = (value & 0x7F) | (value > 0x7F ? 0x80 : 0);
		value >>= 7;
	} while (value);
	at = grow(to, size);
	if (at)
		memcpy(at, bytes, size);
}

static void put_tag(struct protobuf *to, unsigned int field, enum wire_type type)
{
	put_varint(to, (uint64_t)field << 3 | type);
}

void protobuf_number(struct protobuf *to, unsigned int field, uint64_t value)
{
	put_tag(to, field, WIRE_VARINT);
	put_varint(to, value);
}

/* int32 and int64: a negative number takes 10 bytes, in both */
void protobuf_signed(struct protobuf *to, unsigned int field, int64_t value)
{
	protobuf_number(to, field, value);
}

void protobuf_real(struct protobuf *to, unsigned int field, double value)
{
	uint64_t bits;
	uint8_t *at;
	unsigned int i;

	memcpy(&bits, &value, sizeof(bits));
	put_tag(to, field, WIRE_FIXED64);
	at = grow(to, sizeof(bits));
	for (i = 0; at && i < sizeof(bits); i++)
		at[i] = bits >> 8 * i;
}

void protobuf_bytes(struct protobuf *to, unsigned int field, const void *bytes, size_t size)
{
	uint8_t *at;

	put_tag(to, field, WIRE_BYTES);
	put_varint(to, size);
	at = grow(to, size);
	if (at && size)
		memcpy(at, bytes, size);
}

void protobuf_string(struct protobuf *to, unsigned int field, const char *text)
{
	protobuf_bytes(to, field, text, strlen(text));
}

void protobuf_begin(struct protobuf *to, unsigned int field)
{
	put_tag(to, field, WIRE_BYTES);
	to->open[to->depth++] = to->used;
	grow(to, LENGTH_BYTES);
}

void protobuf_end(struct protobuf *to)
{
	size_t at = to->open[--to->depth], size;
	unsigned int i;

	if (to->no_memory)
		return;
	size = to->used - at - LENGTH_BYTES;
	if (size >= PROTOBUF_MOST) {
		to->no_memory = true;
		return;
	}
	for (i = 0; i < LENGTH_BYTES; i++)
		to->bytes[at + i] = (size >> 7 * i & 0x7F) | (i + 1 < LENGTH_BYTES ? 0x80 : 0);
}

void protobuf_free(struct protobuf *protobuf)
{
	free(protobuf->bytes);
	*protobuf = (struct protobuf){ };
}
