// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Decompresses what stands in the standard input, one piece after the other, for compression.py. */
#include <stdio.h>
#include <stdlib.h>
#include "tools/libetl/decompress.h"

/* @method: enum compression */
struct question {
	uint32_t method;
	uint32_t room;
	uint32_t size;
};

struct answer {
	uint32_t done;
	uint32_t left;
};

static size_t decompress(uint32_t method, struct packed *from, uint8_t *to, size_t room)
{
	switch (method) {
	case COMPRESSION_LZNT1:
		return lznt1_decompress(from, to, room);
	case COMPRESSION_XPRESS:
		return xpress_decompress(from, to, room);
	default:
		return xpress_huffman_decompress(from, to, room);
	}
}

/* In memory of its own, so that the sanitizers see a byte too far. */
static void *allocate(size_t size)
{
	void *bytes = malloc(size ? size : 1);

	if (!bytes)
		exit(1);
	return bytes;
}

int main(void)
{
	struct question question;
	struct answer answer;
	struct packed packed;
	uint8_t *from, *to;

	while (fread(&question, sizeof(question), 1, stdin) == 1) {
		from = allocate(question.size);
		to = allocate(question.room);
		if (fread(from, 1, question.size, stdin) != question.size)
			return 1;
		packed = (struct packed) { .at = from, .end = from + question.size };
		answer.done = decompress(question.method, &packed, to, question.room);
		answer.left = packed_left(&packed);
		fwrite(&answer, sizeof(answer), 1, stdout);
		fwrite(to, 1, answer.done, stdout);
		free(from);
		free(to);
	}
	return 0;
}
