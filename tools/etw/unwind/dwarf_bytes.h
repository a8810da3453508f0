/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Reads the numbers of call frame information, within bounds. */
#ifndef ETW_DWARF_BYTES_H
#define ETW_DWARF_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/**
 * struct dwarf_bytes - bytes that are read
 * @at: the next one
 * @end: behind the last one
 * @bad: a number reached beyond @end; all later ones are 0
 */
struct dwarf_bytes {
	const uint8_t *at;
	const uint8_t *end;
	bool bad;
};

static inline bool dwarf_skip(struct dwarf_bytes *bytes, uint64_t count)
{
	if (bytes->bad || count > (uint64_t)(bytes->end - bytes->at)) {
		bytes->bad = true;
		bytes->at = bytes->end;
		return false;
	}
	bytes->at += count;
	return true;
}

/* @size: 1, 2, 4 or 8; all files that etw reads are little-endian */
static inline uint64_t dwarf_number(struct dwarf_bytes *bytes, size_t size)
{
	uint64_t value = 0;

	if (dwarf_skip(bytes, size))
		memcpy(&value, bytes->at - size, size);
	return value;
}

static inline int64_t dwarf_signed(struct dwarf_bytes *bytes, size_t size)
{
	unsigned int shift = 64 - 8 * size;

	return (int64_t)(dwarf_number(bytes, size) << shift) >> shift;
}

/* LEB128: 7 bits a byte, the lowest first; bit 6 of the last one is the sign, if there is one */
static inline uint64_t dwarf_leb(struct dwarf_bytes *bytes, bool is_signed)
{
	unsigned int shift = 0;
	uint64_t value = 0, byte;

	do {
		byte = dwarf_number(bytes, 1);
		if (shift < 64)
			value |= (byte & 0x7F) << shift;
		shift += 7;
	} while (byte & 0x80);
	if (is_signed && shift < 64 && byte & 0x40)
		value |= ~0ULL << shift;
	return value;
}

static inline uint64_t dwarf_uleb(struct dwarf_bytes *bytes)
{
	return dwarf_leb(bytes, false);
}

static inline int64_t dwarf_sleb(struct dwarf_bytes *bytes)
{
	return dwarf_leb(bytes, true);
}

#endif /* ETW_DWARF_BYTES_H */
