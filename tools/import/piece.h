/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Bounded reads from a part of a file. */
#ifndef ETW_IMPORT_PIECE_H
#define ETW_IMPORT_PIECE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/**
 * struct piece - bytes that are read from front to back
 * @at: the next byte
 * @left: bytes from there
 * @bad: a read went beyond the end; all further reads return zeros
 */
struct piece {
	const uint8_t *at;
	uint64_t left;
	bool bad;
};

/* Return: the bytes, or NULL if there are fewer */
static inline const uint8_t *piece_take(struct piece *piece, uint64_t size)
{
	const uint8_t *at = piece->at;

	if (piece->bad || size > piece->left) {
		piece->bad = true;
		return NULL;
	}
	piece->at += size;
	piece->left -= size;
	return at;
}

static inline uint8_t piece_u8(struct piece *piece)
{
	const uint8_t *at = piece_take(piece, 1);

	return at ? *at : 0;
}

static inline uint32_t piece_u32(struct piece *piece)
{
	const uint8_t *at = piece_take(piece, 4);
	uint32_t value = 0;

	if (at)
		memcpy(&value, at, sizeof(value));
	return value;
}

static inline uint64_t piece_u64(struct piece *piece)
{
	const uint8_t *at = piece_take(piece, 8);
	uint64_t value = 0;

	if (at)
		memcpy(&value, at, sizeof(value));
	return value;
}

/* Return: a string behind which its NUL is in the piece; NULL: there is no NUL */
static inline const char *piece_string(struct piece *piece)
{
	const uint8_t *end = piece->bad ? NULL : memchr(piece->at, 0, piece->left);

	if (!end) {
		piece->bad = true;
		return NULL;
	}
	return (const char *)piece_take(piece, end - piece->at + 1);
}

#endif /* ETW_IMPORT_PIECE_H */
