// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Decompresses LZNT1. */
#include "decompress.h"

/*
 * Independent chunks of at most 4096 bytes. Each begins with 16 bits: its size less 3, 3
 * in bits 12 to 14, and whether it is compressed. It contains flag bytes, lowest bit first,
 * each followed by one item for each flag: a literal byte or a match of 16 bits. The longer
 * the chunk already is, the more bits of a match are its distance, and the fewer are its
 * length (MS-XCA, 2.5).
 */
#define CHUNK_BYTES		4096
#define CHUNK_COMPRESSED	0x8000
#define CHUNK_SIGNATURE		0x3000

/* @done: bytes of the chunk. Return: bits of a match that are its length */
static unsigned int length_bits(size_t done)
{
	unsigned int bits = 12;

	while (bits > 4 && (size_t)1 << (16 - bits) < done)
		bits--;
	return bits;
}

/* @room: not more than a chunk has. Return: bytes written */
static size_t decompress_chunk(struct packed *from, uint8_t *to, size_t room)
{
	uint32_t flags = 0, match;
	unsigned int left = 0, bits;
	size_t done = 0, length, distance;

	while (done < room && packed_left(from)) {
		if (!left) {
			flags = packed_get(from, 1);
			left = 8;
			continue;
		}
		left--;
		if (!(flags >> (7 - left) & 1)) {
			to[done++] = *from->at++;
			continue;
		}
		match = packed_get(from, 2);
		bits = length_bits(done);
		length = (match & ((1u << bits) - 1)) + 3;
		distance = (match >> bits) + 1;
		if (from->broken || distance > done) {
			from->broken = true;
			break;
		}
		done = copy_match(to, done, room, distance, length);
	}
	/* flags of which none was needed */
	if (done == room && !left && packed_left(from) == 1)
		packed_get(from, 1);
	return done;
}

static size_t copy_chunk(struct packed *from, uint8_t *to, size_t room)
{
	size_t size = packed_left(from) < room ? packed_left(from) : room;

	memcpy(to, from->at, size);
	from->at += size;
	return size;
}

size_t lznt1_decompress(struct packed *from, uint8_t *to, size_t room)
{
	size_t done = 0, size, most, now;
	struct packed chunk;
	uint32_t header;

	while (done < room) {
		header = packed_get(from, 2);
		if ((header & 0x7000) != CHUNK_SIGNATURE)
			break;		/* 0: the end */
		size = (header & 0xFFF) + 1;
		if (size > packed_left(from))
			size = packed_left(from);
		chunk = (struct packed) { .at = from->at, .end = from->at + size };
		from->at += size;
		most = room - done < CHUNK_BYTES ? room - done : CHUNK_BYTES;
		if (header & CHUNK_COMPRESSED)
			now = decompress_chunk(&chunk, to + done, most);
		else
			now = copy_chunk(&chunk, to + done, most);
		done += now;
		/* the place of further chunks is not known any more */
		if (packed_left(&chunk) || chunk.broken) {
			from->at = chunk.at;
			return done;
		}
	}
	/* 0: the end */
	if (done == room && packed_left(from) == 2 && !from->at[0] && !from->at[1])
		packed_get(from, 2);
	return done;
}
