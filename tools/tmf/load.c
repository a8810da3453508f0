// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* A TMF file as text in UTF-8, whatever it is encoded in. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "libetl/messages.h"
#include "libetl/text.h"
#include "tmf.h"

/* Files of whole systems have some ten MB. A device would have no end. */
#define MOST		(128u << 20)

static bool read_all(FILE *from, const char *name, uint8_t **bytes, size_t *size)
{
	size_t room = 0;

	for (*size = 0; *size <= MOST; ) {
		if (*size == room) {
			uint8_t *more = realloc(*bytes, room ? 2 * room : 65536);

			if (!more)
				break;
			*bytes = more;
			room = room ? 2 * room : 65536;
		}
		errno = 0;
		*size += fread(*bytes + *size, 1, room - *size, from);
		if (feof(from))
			return true;
		if (ferror(from))
			break;
	}
	if (*size > MOST)
		failed("%s: larger than %u MB: no TMF file", name, MOST >> 20);
	else
		failed("%s: %s", name, strerror(errno ? errno : EIO));
	return false;
}

static void swap_bytes(uint8_t *bytes, size_t size)
{
	size_t i;

	for (i = 0; i + 2 <= size; i += 2) {
		uint8_t first = bytes[i];

		bytes[i] = bytes[i + 1];
		bytes[i + 1] = first;
	}
}

/* Return: the length of the text, which has a NUL at its end */
static size_t decode(uint8_t *bytes, size_t size, char *text, size_t room)
{
	if (size >= 3 && !memcmp(bytes, "\xEF\xBB\xBF", 3)) {
		size -= 3;
		memcpy(text, bytes + 3, size);
		text[size] = 0;
		return size;
	}
	/* with a byte order mark, or by the first character, which is one of ASCII */
	if (size >= 2 && (!memcmp(bytes, "\xFE\xFF", 2) || (!bytes[0] && bytes[1])))
		swap_bytes(bytes, size);
	else if (size < 2 || (memcmp(bytes, "\xFF\xFE", 2) && !(bytes[0] && !bytes[1]))) {
		memcpy(text, bytes, size);
		text[size] = 0;
		return size;
	}
	if (!memcmp(bytes, "\xFF\xFE", 2))
		return text_from_utf16(bytes + 2, size - 2, text, room);
	return text_from_utf16(bytes, size, text, room);
}

char *tmf_load(FILE *from, const char *name)
{
	size_t size, room, length, i;
	uint8_t *bytes = NULL;
	char *text = NULL;

	if (read_all(from, name, &bytes, &size)) {
		/* a unit of UTF-16 has at most three bytes of UTF-8 */
		room = size + size / 2 + 4;
		text = malloc(room);
		if (!text)
			failed("%s: %s", name, strerror(ENOMEM));
	}
	if (text) {
		length = decode(bytes, size, text, room);
		/* a NUL would end the text */
		for (i = 0; i < length; i++)
			if (!text[i])
				text[i] = '?';
	}
	free(bytes);
	return text;
}
