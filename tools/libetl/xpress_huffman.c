// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Decompresses XPRESS LZ77 with Huffman codes. */
#include "decompress.h"

/*
 * Blocks of 65536 bytes, the last match may reach beyond. Each begins with the lengths
 * of the codes of 512 symbols, half a byte for each: 256 literal bytes, then matches,
 * which are 4 bits of how many bits the distance has, and 4 bits of length. The codes
 * follow in words of 16 bits, highest bit first. A longer length continues in a byte,
 * then in 16, then in 32 bits. These are where the next word is read, and one word is
 * always read ahead (MS-XCA, 2.1 and 2.2).
 */
#define BLOCK_BYTES	65536
#define SYMBOLS		512
#define MOST_BITS	15

/**
 * struct codes - all codes of a block; those of the same length count up
 * @end: per length: the first code that is longer, in its upper MOST_BITS
 * @first: per length: its first code in the same way
 * @index: per length: the first of its symbols in @symbol
 * @symbol: symbols by length, then by number
 */
struct codes {
	uint32_t end[MOST_BITS + 1];
	uint32_t first[MOST_BITS + 1];
	uint16_t index[MOST_BITS + 1];
	uint16_t symbol[SYMBOLS];
};

/**
 * struct bits - the words
 * @from: where they come from
 * @next: the next 32 bits; at least 16 of them are there
 * @extra: how many more are
 * @lacking: how many of all these are zeros from behind the end: the last code is
 *	shorter than what is read ahead of it
 */
struct bits {
	struct packed *from;
	uint32_t next;
	int extra;
	int lacking;
};

static unsigned int length_of(const uint8_t *lengths, unsigned int symbol)
{
	return lengths[symbol / 2] >> (symbol % 2 ? 4 : 0) & 15;
}

/* Return: false: these are no codes, or not all that there are */
static bool read_codes(struct packed *from, struct codes *codes)
{
	const uint8_t *lengths = from->at;
	uint32_t code = 0, symbol;
	unsigned int length, n = 0;

	if (packed_left(from) < SYMBOLS / 2)
		return false;
	from->at += SYMBOLS / 2;
	for (length = 1; length <= MOST_BITS; length++) {
		codes->first[length] = code;
		codes->index[length] = n;
		for (symbol = 0; symbol < SYMBOLS; symbol++) {
			if (length_of(lengths, symbol) != length)
				continue;
			codes->symbol[n++] = symbol;
			code += 1u << (MOST_BITS - length);
		}
		codes->end[length] = code;
	}
	return code == 1u << MOST_BITS;
}

static uint32_t get_word(struct bits *bits)
{
	if (packed_left(bits->from) >= 2)
		return packed_get(bits->from, 2);
	bits->lacking += 16;
	return 0;
}

static void drop(struct bits *bits, unsigned int count)
{
	bits->next <<= count;
	bits->extra -= count;
	if (bits->extra < 0) {
		bits->next |= get_word(bits) << -bits->extra;
		bits->extra += 16;
	}
	if (bits->lacking > 16 + bits->extra)
		bits->from->broken = true;
}

static unsigned int get_symbol(struct bits *bits, const struct codes *codes)
{
	uint32_t code = bits->next >> (32 - MOST_BITS);
	unsigned int length = 1, index;

	/* the last end is that of all codes */
	while (code >= codes->end[length])
		length++;
	index = codes->index[length] + ((code - codes->first[length]) >> (MOST_BITS - length));
	drop(bits, length);
	return codes->symbol[index];
}

/* Return: length of a match with the 4 bits @length; 0: it can't be */
static size_t match_length(struct packed *from, size_t length)
{
	if (length < 15)
		return length + 3;
	length = packed_get(from, 1);
	if (length < 255)
		return length + 15 + 3;
	length = packed_get(from, 2);
	if (!length)
		length = packed_get(from, 4);
	return length < 15 || from->broken ? 0 : length + 3;
}

static size_t get_distance(struct bits *bits, unsigned int count)
{
	size_t distance = 1u << count;

	if (count)
		distance += bits->next >> (32 - count);
	drop(bits, count);
	return distance;
}

/* From @done to @end, or a bit further. Return: how far; before @end: something can't be */
static size_t decompress_block(struct packed *from, const struct codes *codes, uint8_t *to,
			       size_t done, size_t end, size_t room)
{
	struct bits bits = { .from = from, .extra = 16 };
	size_t length, distance;
	unsigned int symbol;

	bits.next = get_word(&bits) << 16;
	bits.next |= get_word(&bits);
	while (done < end) {
		symbol = get_symbol(&bits, codes);
		if (from->broken)
			break;
		if (symbol < 256) {
			to[done++] = symbol;
			continue;
		}
		length = match_length(from, symbol & 15);
		distance = get_distance(&bits, symbol >> 4 & 15);
		if (from->broken || !length || distance > done)
			break;
		done = copy_match(to, done, room, distance, length);
	}
	return done;
}

size_t xpress_huffman_decompress(struct packed *from, uint8_t *to, size_t room)
{
	struct codes codes;
	size_t done = 0, end;

	while (done < room && read_codes(from, &codes)) {
		end = room - done < BLOCK_BYTES ? room : done + BLOCK_BYTES;
		done = decompress_block(from, &codes, to, done, end, room);
		if (done < end)
			break;
	}
	/* one more block, of no bytes */
	if (done == room && !(room % BLOCK_BYTES))
		read_codes(from, &codes);
	return done;
}
