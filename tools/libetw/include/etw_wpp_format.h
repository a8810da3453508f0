/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* What etw_wpp.h puts into a program's section .etw_wpp, and etw tmf finds there. */
#ifndef ETW_WPP_FORMAT_H
#define ETW_WPP_FORMAT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/*
 * The section is not loaded: nothing of it is in memory when the program runs.
 * It is a sequence of entries, 8-aligned, in the program's byte order:
 *
 *	u32 size of the entry, without padding	u32 ETW_WPP_MAGIC
 *	u32 message number	u32 line	u32 level	u32 flags
 *	u64 types of the arguments: ETW_WPP_*, 4 bits each, the first lowest
 *	GUID of the provider's control
 *	5 addresses, of the program's width: provider, format, file, the file
 *	that was compiled, function; strings with NUL
 */
#define ETW_WPP_SECTION		".etw_wpp"
#define ETW_WPP_MAGIC		0x31505057U	/* "WPP1" */
/* Offsets in an entry */
#define ETW_WPP_OFFSET_NUMBER	0x08
#define ETW_WPP_OFFSET_LINE	0x0C
#define ETW_WPP_OFFSET_LEVEL	0x10
#define ETW_WPP_OFFSET_FLAGS	0x14
#define ETW_WPP_OFFSET_TYPES	0x18
#define ETW_WPP_OFFSET_CONTROL	0x20
#define ETW_WPP_OFFSET_STRINGS	0x30
enum etw_wpp_string {
	ETW_WPP_PROVIDER,
	ETW_WPP_FORMAT,
	ETW_WPP_FILE,
	ETW_WPP_UNIT,
	ETW_WPP_FUNCTION,
	ETW_WPP_NR_STRINGS,
};

#define ETW_WPP_ARGUMENTS	16

/* What an argument is, and so how it is written */
#define ETW_WPP_NONE		0
#define ETW_WPP_INT32		1	/* 4 bytes */
#define ETW_WPP_INT64		2	/* 8 bytes */
#define ETW_WPP_DOUBLE		3	/* 8 bytes */
#define ETW_WPP_POINTER		4	/* 4 or 8 bytes, as the record's header says */
#define ETW_WPP_STRING		5	/* bytes with NUL */
#define ETW_WPP_STRING16	6	/* UTF-16 with NUL */
#define ETW_WPP_GUID		7	/* 16 bytes */
#define ETW_WPP_BYTES		8	/* u16 length, then that many */
/* Given in another way, written as STRING, STRING16 and GUID */
#define ETW_WPP_TEXT		9
#define ETW_WPP_TEXT16		10
#define ETW_WPP_GUID_VALUE	11

static inline uint64_t etw_wpp_fnv(uint64_t hash, const void *from, size_t size)
{
	const uint8_t *at = (const uint8_t *)from;

	while (size--)
		hash = (hash ^ *at++) * 0x100000001B3ULL;
	return hash;
}

/*
 * The GUID of a compiled file's messages, 16 bytes: its provider's control GUID
 * and its name, as an UUID of version 8. (WPP also has one for each file.)
 */
static inline void etw_wpp_message_guid(const void *control, const char *file, void *to)
{
	uint8_t *guid = (uint8_t *)to;
	size_t size = strlen(file);
	uint64_t half[2];
	int i;

	half[0] = etw_wpp_fnv(0xCBF29CE484222325ULL, control, 16);
	half[0] = etw_wpp_fnv(half[0], file, size);
	half[1] = etw_wpp_fnv(half[0] ^ size, file, size);
	half[1] = etw_wpp_fnv(half[1], control, 16);
	/* as text reads them: in the order that GUIDs of either byte order share */
	for (i = 0; i < 16; i++)
		guid[i] = (uint8_t)(half[i / 8] >> 8 * (i % 8));
	guid[7] = (guid[7] & 0x0F) | 0x80;
	guid[8] = (guid[8] & 0x3F) | 0x80;
}

#endif /* ETW_WPP_FORMAT_H */
