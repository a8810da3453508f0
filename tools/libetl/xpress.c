// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Decompresses XPRESS plain LZ77. */
#include "decompress.h"

/*
 * A word of 32 flags, highest bit first, is followed by one item for each flag: a literal
 * byte, or a match of 16 bits, 13 of distance and 3 of length. A longer length continues in
 * half a byte, which two matches share. After that it continues in 8, 16 and 32 bits
 * (MS-XCA, 2.3 and 2.4).
 */

/* @half: byte with a free upper half, for the next long match */
static uint32_t get_half(struct packed *from, const uint8_t **half)
{
	uint32_t value;

	if (*half) {
		value = **half >> 4;
		*half = NULL;
		return value;
	}
	*half = from->at;
	value = packed_get(from, 1) & 15;
	if (from->broken)
		*half = NULL;
	return value;
}

/* Return: length of a match with the 3 bits @length; 0: it can't be */
static size_t match_length(struct packed *from, const uint8_t **half, size_t length)
{
	if (length < 7)
		return length + 3;
	length = get_half(from, half);
	if (length < 15)
		return length + 7 + 3;
	length = packed_get(from, 1);
	if (length < 255)
		return length + 15 + 7 + 3;
	length = packed_get(from, 2);
	if (!length)
		length = packed_get(from, 4);
	return length < 15 + 7 ? 0 : length + 3;
}

size_t xpress_decompress(struct packed *from, uint8_t *to, size_t room)
{
	const uint8_t *half = NULL;
	uint32_t flags = 0, match;
	unsigned int left = 0;
	size_t done = 0, length, distance;

	while (done < room) {
		if (!left) {
			flags = packed_get(from, 4);
			left = 32;
		}
		if (from->at == from->end)
			break;
		if (!(flags >> --left & 1)) {
			to[done++] = *from->at++;
			continue;
		}
		match = packed_get(from, 2);
		length = match_length(from, &half, match & 7);
		distance = (match >> 3) + 1;
		if (from->broken || !length || distance > done)
			break;
		done = copy_match(to, done, room, distance, length);
	}
	/* flags of which none was needed */
	if (done == room && !left && packed_left(from) == 4)
		packed_get(from, 4);
	return done;
}
