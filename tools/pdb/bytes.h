/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Bytes of a stream while it is built: little-endian numbers, texts, padding. */
#ifndef ETW_PDB_BYTES_H
#define ETW_PDB_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct bytes - a stream that grows
 * @at: the content
 * @size: bytes of it
 * @room: bytes that @at has room for
 * @no_memory: an addition failed; the content is useless
 */
struct bytes {
	uint8_t *at;
	size_t size;
	size_t room;
	bool no_memory;
};

/**
 * bytes_add() - append bytes
 * @bytes: the stream
 * @from: the bytes; NULL: zeros
 * @size: number of bytes
 */
void bytes_add(struct bytes *bytes, const void *from, size_t size);
void bytes_u8(struct bytes *bytes, uint8_t value);
void bytes_u16(struct bytes *bytes, uint16_t value);
void bytes_u32(struct bytes *bytes, uint32_t value);
/* A text and the zero behind it */
void bytes_text(struct bytes *bytes, const char *text);
/* Zeros up to the next multiple of 4 */
void bytes_align(struct bytes *bytes);
/* Replaces a number that an earlier addition reserved. */
void bytes_put_u16(struct bytes *bytes, size_t at, uint16_t value);
void bytes_put_u32(struct bytes *bytes, size_t at, uint32_t value);
void bytes_free(struct bytes *bytes);

#endif /* ETW_PDB_BYTES_H */
