// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Text of a trace: UTF-16 to UTF-8 and back, GUIDs, dates. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "reader.h"
#include "text.h"

#define REPLACEMENT	0xFFFD

/* At to[*done]. Return: whether there was room for the character and a zero */
static bool put_utf8(uint32_t c, char *to, size_t *done, size_t room)
{
	size_t n = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
	static const uint8_t lead[] = { 0, 0, 0xC0, 0xE0, 0xF0 };
	size_t i;

	if (room - *done < n + 1)
		return false;
	to += *done;
	*done += n;
	if (n == 1) {
		to[0] = c;
		return true;
	}
	for (i = n - 1; i; i--) {
		to[i] = 0x80 | (c & 0x3F);
		c >>= 6;
	}
	to[0] = lead[n] | c;
	return true;
}

size_t text_from_utf16(const uint8_t *from, size_t bytes, char *to, size_t room)
{
	size_t i, done = 0;
	uint32_t c, low;

	for (i = 0; i + 2 <= bytes; i += 2) {
		c = get16(from + i);
		low = i + 4 <= bytes ? get16(from + i + 2) : 0;
		if (c >= 0xD800 && c < 0xDC00 && low >= 0xDC00 && low < 0xE000) {
			c = 0x10000 + ((c - 0xD800) << 10) + (low - 0xDC00);
			i += 2;
		} else if (c >= 0xD800 && c < 0xE000) {
			c = REPLACEMENT;
		}
		if (!put_utf8(c, to, &done, room))
			break;
	}
	if (room)
		to[done] = 0;
	return done;
}

size_t text_from_utf32(const uint8_t *from, size_t bytes, char *to, size_t room)
{
	size_t i, done = 0;
	uint32_t c;

	for (i = 0; i + 4 <= bytes; i += 4) {
		c = get32(from + i);
		if (c >= 0x110000 || (c >= 0xD800 && c < 0xE000))
			c = REPLACEMENT;
		if (!put_utf8(c, to, &done, room))
			break;
	}
	if (room)
		to[done] = 0;
	return done;
}

/* Return: bytes of the character at @from, 0 when it is none */
static size_t get_utf8(const uint8_t *from, size_t bytes, uint32_t *c)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	size_t n, i;

	if (from[0] < 0x80) {
		*c = from[0];
		return 1;
	}
	n = from[0] >= 0xF0 ? 4 : from[0] >= 0xE0 ? 3 : 2;
	if (from[0] < 0xC2 || from[0] > 0xF4 || n > bytes)
		return 0;
	*c = from[0] & (0x7F >> n);
	for (i = 1; i < n; i++) {
		if ((from[i] & 0xC0) != 0x80)
			return 0;
		*c = *c << 6 | (from[i] & 0x3F);
	}
	if (*c < least[n] || *c > 0x10FFFF || (*c >= 0xD800 && *c < 0xE000))
		return 0;
	return n;
}

/* @all: whether there was room for all of it */
static size_t put_bytes(const uint8_t *from, size_t bytes, char *to, size_t room, bool *all)
{
	size_t i, taken, done = 0;
	uint32_t c;

	for (i = 0; i < bytes; i += taken) {
		if (from[i] < 0x80) {
			if (room - done < 2)
				break;
			to[done++] = from[i];
			taken = 1;
			continue;
		}
		taken = get_utf8(from + i, bytes - i, &c);
		if (!taken) {
			c = from[i];
			taken = 1;
		}
		if (!put_utf8(c, to, &done, room))
			break;
	}
	*all = i >= bytes;
	if (room)
		to[done] = 0;
	return done;
}

void text_copy(char *to, size_t room, const char *text)
{
	size_t size = strlen(text);

	if (!room)
		return;
	if (size >= room)
		size = room - 1;
	memcpy(to, text, size);
	to[size] = 0;
}

char text_lower(char c)
{
	return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c;
}

bool text_is_same_name(const char *a, const char *b)
{
	while (*a && text_lower(*a) == text_lower(*b)) {
		a++;
		b++;
	}
	return *a == *b;
}

size_t text_from_bytes(const uint8_t *from, size_t bytes, char *to, size_t room)
{
	bool all;

	return put_bytes(from, bytes, to, room, &all);
}

size_t text_from_bytes_marked(const uint8_t *from, size_t bytes, char *to, size_t room)
{
	static const char mark[] = "\u2026";
	size_t done;
	bool all;

	done = put_bytes(from, bytes, to, room, &all);
	if (all || room < sizeof(mark))
		return done;
	done = put_bytes(from, bytes, to, room - strlen(mark), &all);
	memcpy(to + done, mark, sizeof(mark));
	return done + strlen(mark);
}

size_t text_fit(const char *text, size_t most)
{
	const uint8_t *at = (const uint8_t *)text;
	size_t size = strnlen(text, most), begin = size, n;

	/* back to where the last character begins */
	while (begin && size - begin < 4 && (at[begin - 1] & 0xC0) == 0x80)
		begin--;
	if (!begin || at[begin - 1] < 0xC0)
		return size;
	begin--;
	n = at[begin] >= 0xF0 ? 4 : at[begin] >= 0xE0 ? 3 : 2;
	return size - begin < n ? begin : size;
}

void text_escape_control(char *text)
{
	const uint8_t *at = (const uint8_t *)text;

	text[text_fit(text, SIZE_MAX)] = 0;
	for (; *at; at++, text++) {
		bool second = at[0] == 0xC2 && at[1] >= 0x80 && at[1] < 0xA0;

		*text = second || *at < ' ' || *at == 0x7F ? '?' : *at;
		at += second;
	}
	*text = 0;
}

size_t text_from_hex(const uint8_t *from, size_t bytes, char *to, size_t room)
{
	static const char digit[] = "0123456789abcdef";
	size_t i;

	for (i = 0; i < bytes && 2 * i + 3 <= room; i++) {
		to[2 * i] = digit[from[i] >> 4];
		to[2 * i + 1] = digit[from[i] & 15];
	}
	if (room)
		to[2 * i] = 0;
	return 2 * i;
}

size_t text_from_unsigned(uint64_t value, char *to)
{
	char digits[20], *at = digits + sizeof(digits);
	size_t size;

	do {
		at--;
		*at = '0' + value % 10;
		value /= 10;
	} while (value);
	size = digits + sizeof(digits) - at;
	memcpy(to, at, size);
	return size;
}

size_t text_from_signed(int64_t value, char *to)
{
	if (value >= 0)
		return text_from_unsigned(value, to);
	to[0] = '-';
	return 1 + text_from_unsigned(-(uint64_t)value, to + 1);
}

size_t text_from_hex_number(uint64_t value, char *to)
{
	size_t size = value ? (67 - __builtin_clzll(value)) / 4 : 1, i;

	for (i = size; i-- > 0; value >>= 4)
		to[i] = "0123456789abcdef"[value & 15];
	return size;
}

size_t text_to_utf16(const char *from, uint16_t *to, size_t units)
{
	const uint8_t *at = (const uint8_t *)from;
	size_t left = strlen(from), done = 0, n;
	uint32_t c;

	for (; left; at += n, left -= n) {
		n = get_utf8(at, left, &c);
		if (!n) {
			c = REPLACEMENT;
			n = 1;
		}
		if (units - done < 1u + (c > 0xFFFF))
			break;
		if (c > 0xFFFF) {
			to[done++] = 0xD800 + ((c - 0x10000) >> 10);
			c = 0xDC00 + (c & 0x3FF);
		}
		to[done++] = c;
	}
	return done;
}

void text_from_guid(const struct etw_guid *guid, char to[GUID_TEXT])
{
	const __u8 *d = guid->data4;

	snprintf(to, GUID_TEXT, "%08x-%04x-%04x-%02x%02x-%02x%02x%02x%02x%02x%02x",
		 guid->data1, guid->data2, guid->data3,
		 d[0], d[1], d[2], d[3], d[4], d[5], d[6], d[7]);
}

bool text_to_guid(const char *text, struct etw_guid *guid)
{
	static const char form[] = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";
	bool braces = text[0] == '{';
	unsigned int d[8];
	size_t i;

	text += braces;
	for (i = 0; form[i]; i++)
		if (form[i] == '-' ? text[i] != '-' : !isxdigit((unsigned char)text[i]))
			return false;
	if (strcmp(text + i, braces ? "}" : ""))
		return false;
	guid->data1 = strtoul(text, NULL, 16);
	guid->data2 = strtoul(text + 9, NULL, 16);
	guid->data3 = strtoul(text + 14, NULL, 16);
	sscanf(text + 19, "%2x%2x-%2x%2x%2x%2x%2x%2x", &d[0], &d[1], &d[2], &d[3], &d[4], &d[5],
	       &d[6], &d[7]);
	for (i = 0; i < 8; i++)
		guid->data4[i] = d[i];
	return true;
}

void text_from_sid(const uint8_t *sid, size_t bytes, char *to, size_t room)
{
	uint64_t authority = 0;
	size_t i, n;

	for (i = 0; i < 6; i++)
		authority = authority << 8 | sid[2 + i];
	n = snprintf(to, room, "S-%u-%llu", sid[0], (unsigned long long)authority);
	for (i = 8; i + 4 <= bytes && n < room; i += 4)
		n += snprintf(to + n, room - n, "-%u", get32(sid + i));
}

void text_from_filetime(uint64_t filetime, char *to, size_t room)
{
	int64_t units = (int64_t)(filetime - FILETIME_OF_UNIX);
	time_t seconds = units / 10000000;
	struct tm tm;
	char date[32];

	if (!filetime || (int64_t)filetime < 0 || units < 0 || !gmtime_r(&seconds, &tm) ||
	    !strftime(date, sizeof(date), "%Y-%m-%d %H:%M:%S", &tm))
		snprintf(to, room, "%llu", (unsigned long long)filetime);
	else
		snprintf(to, room, "%s.%07lld", date, (long long)(units % 10000000));
}
