// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* UTF-8 to UTF-16LE, for any bytes: no kernel objects. */
#include <linux/string.h>
#include "utf16.h"

#define REPLACEMENT	0xFFFD

/* The range of the second byte excludes overlong forms and surrogates. */
static u32 sequence_length(u8 lead, u8 *low, u8 *high)
{
	*low = 0x80;
	*high = 0xBF;
	if (lead >= 0xC2 && lead <= 0xDF)
		return 2;
	if (lead >= 0xE0 && lead <= 0xEF) {
		if (lead == 0xE0)
			*low = 0xA0;
		else if (lead == 0xED)
			*high = 0x9F;
		return 3;
	}
	if (lead >= 0xF0 && lead <= 0xF4) {
		if (lead == 0xF0)
			*low = 0x90;
		else if (lead == 0xF4)
			*high = 0x8F;
		return 4;
	}
	return 0;
}

/* One code point; returns the bytes that it took, at least 1. */
static u32 decode(const u8 *from, u32 left, u32 *code)
{
	u32 i, length;
	u8 low, high;

	*code = from[0];
	if (from[0] < 0x80)
		return 1;
	length = sequence_length(from[0], &low, &high);
	if (!length) {
		*code = REPLACEMENT;
		return 1;
	}
	*code = from[0] & (0x7F >> length);
	for (i = 1; i < length; i++) {
		if (i >= left || from[i] < low || from[i] > high) {
			/* the invalid piece ends here; this byte may begin a sequence */
			*code = REPLACEMENT;
			return i;
		}
		*code = *code << 6 | (from[i] & 0x3F);
		low = 0x80;
		high = 0xBF;
	}
	return length;
}

static inline void put_unit(u8 *to, u32 unit)
{
	to[0] = unit;
	to[1] = unit >> 8;
}

/* Most names are ASCII. Four characters at a time; returns the number of those that were put. */
static u32 put_ascii(u8 *to, u32 space, const u8 *from, u32 length)
{
	u32 at = 0, most = length < space ? length : space;
	__u32 bytes;
	__u64 units;

	for (; most - at >= 4; at += 4) {
		memcpy(&bytes, from + at, sizeof(bytes));
		if (bytes & 0x80808080)
			break;
		units = (bytes | (__u64)bytes << 16) & 0x0000FFFF0000FFFF;
		units = (units | units << 8) & 0x00FF00FF00FF00FF;
		memcpy(to + 2 * at, &units, sizeof(units));
	}
	for (; at < most && from[at] < 0x80; at++)
		put_unit(to + 2 * at, from[at]);
	return at;
}

/**
 * etw_utf8_to_utf16() - convert text
 * @to: destination; need not be aligned
 * @space: UTF-16 code units that fit at @to
 * @from: UTF-8; NUL is a character like others
 * @length: bytes of @from
 *
 * Every maximal piece of invalid UTF-8 becomes one U+FFFD. Stops before the
 * first character that does not fit, so that no surrogate stands alone. No
 * terminator is written. (kernel-events.rst 4.1)
 *
 * Context: any.
 * Return: code units written.
 */
u32 etw_utf8_to_utf16(void *to, u32 space, const char *from, u32 length)
{
	const u8 *bytes = (const u8 *)from;
	u8 *out = to;
	u32 at = 0, used = 0, code;

	while (at < length) {
		u32 taken, units, ascii;

		ascii = put_ascii(out + 2 * used, space - used, bytes + at, length - at);
		at += ascii;
		used += ascii;
		if (at == length)
			break;
		taken = decode(bytes + at, length - at, &code);
		units = code > 0xFFFF ? 2 : 1;
		if (used + units > space)
			break;
		if (units == 2) {
			code -= 0x10000;
			put_unit(out + 2 * used, 0xD800 | code >> 10);
			put_unit(out + 2 * used + 2, 0xDC00 | (code & 0x3FF));
		} else {
			put_unit(out + 2 * used, code);
		}
		used += units;
		at += taken;
	}
	return used;
}
