/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* UTF-8 to UTF-16: pure. */
#ifndef ETW_UTF16_H
#define ETW_UTF16_H

#include <linux/types.h>

/* Code units of a string, without its terminator */
static inline u32 etw_utf16_length(const u16 *string)
{
	u32 n = 0;

	while (string[n])
		n++;
	return n;
}

u32 etw_utf8_to_utf16(void *to, u32 space, const char *from, u32 length);

#endif /* ETW_UTF16_H */
