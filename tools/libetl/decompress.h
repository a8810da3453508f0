/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Decompresses what compressed buffers have: LZNT1, XPRESS, XPRESS with Huffman codes. */
#ifndef ETW_DECOMPRESS_H
#define ETW_DECOMPRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Windows' numbers of them */
enum compression {
	COMPRESSION_LZNT1 = 2,
	COMPRESSION_XPRESS = 3,
	COMPRESSION_XPRESS_HUFFMAN = 4,
};

/**
 * struct packed - what is still to be read
 * @at: the next byte
 * @end: behind the last one
 * @broken: more was asked for than there is, or it can't be
 */
struct packed {
	const uint8_t *at;
	const uint8_t *end;
	bool broken;
};

static inline size_t packed_left(const struct packed *from)
{
	return from->end - from->at;
}

/* The next up to 4 bytes, lowest first; 0 when there are fewer */
static inline uint32_t packed_get(struct packed *from, unsigned int bytes)
{
	uint32_t value = 0;
	unsigned int i;

	if (packed_left(from) < bytes) {
		from->at = from->end;
		from->broken = true;
		return 0;
	}
	for (i = 0; i < bytes; i++)
		value |= (uint32_t)from->at[i] << 8 * i;
	from->at += bytes;
	return value;
}

/*
 * @length bytes that stand @distance before @done, as far as there is room. A match
 * may reach into what it writes: then it repeats. Return: the new @done
 */
static inline size_t copy_match(uint8_t *to, size_t done, size_t room, size_t distance,
				size_t length)
{
	const uint8_t *from = to + done - distance;

	if (length > room - done)
		length = room - done;
	if (distance >= length) {
		memcpy(to + done, from, length);
		return done + length;
	}
	while (length--)
		to[done++] = *from++;
	return done;
}

/*
 * Pure; read and write only what they were given. They stop when @to is full, at
 * the end of @from, or at something that can't be.
 * Return: bytes written to @to
 */
size_t lznt1_decompress(struct packed *from, uint8_t *to, size_t room);
size_t xpress_decompress(struct packed *from, uint8_t *to, size_t room);
size_t xpress_huffman_decompress(struct packed *from, uint8_t *to, size_t room);

#endif /* ETW_DECOMPRESS_H */
