/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Text on its way to a file: a call of stdio for each number costs more than the number itself. */
#ifndef ETW_TEXT_OUT_H
#define ETW_TEXT_OUT_H

#include <stdio.h>
#include <string.h>
#include "libetl/text.h"

/**
 * struct text_out - text that is collected
 * @to: the file; errors stay in it, see ferror()
 * @used: bytes of @bytes
 */
struct text_out {
	FILE *to;
	size_t used;
	char bytes[4096];
};

/* @bytes stay undefined */
static inline void text_out_begin(struct text_out *out, FILE *to)
{
	out->to = to;
	out->used = 0;
}

static inline void text_out_flush(struct text_out *out)
{
	fwrite(out->bytes, 1, out->used, out->to);
	out->used = 0;
}

/* Makes room for @size bytes, at most those of a number. Return: where they go */
static inline char *text_out_room(struct text_out *out, size_t size)
{
	if (sizeof(out->bytes) - out->used < size)
		text_out_flush(out);
	return out->bytes + out->used;
}

static inline void text_out_char(struct text_out *out, char c)
{
	*text_out_room(out, 1) = c;
	out->used++;
}

static inline void text_out_bytes(struct text_out *out, const char *text, size_t size)
{
	if (sizeof(out->bytes) - out->used < size) {
		text_out_flush(out);
		if (size > sizeof(out->bytes)) {
			fwrite(text, 1, size, out->to);
			return;
		}
	}
	memcpy(out->bytes + out->used, text, size);
	out->used += size;
}

static inline void text_out_string(struct text_out *out, const char *text)
{
	text_out_bytes(out, text, strlen(text));
}

static inline void text_out_unsigned(struct text_out *out, uint64_t value)
{
	out->used += text_from_unsigned(value, text_out_room(out, TEXT_NUMBER));
}

static inline void text_out_signed(struct text_out *out, int64_t value)
{
	out->used += text_from_signed(value, text_out_room(out, TEXT_NUMBER));
}

/* Behind 0x */
static inline void text_out_hex(struct text_out *out, uint64_t value)
{
	text_out_bytes(out, "0x", 2);
	out->used += text_from_hex_number(value, text_out_room(out, TEXT_NUMBER));
}

#endif /* ETW_TEXT_OUT_H */
