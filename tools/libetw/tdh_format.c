// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* TdhFormatProperty: a value as text. */
#include <arpa/inet.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "libetl/text.h"
#include "tdh_private.h"

/* Text of a number, a GUID, an address or a time */
#define SHORT_TEXT	256

/**
 * struct formatted - a text in UTF-16, of at most the bytes of a payload and some more
 * @units: from malloc()
 * @count: without a terminator
 * @room: of @units
 */
struct formatted {
	uint16_t *units;
	size_t count;
	size_t room;
};

static void add_text(struct formatted *to, const char *text)
{
	to->count += text_to_utf16(text, to->units + to->count, to->room - to->count);
}

/* Up to a zero, as a buffer of constant size may have one */
static void add_wide(struct formatted *to, const uint8_t *at, size_t bytes)
{
	for (; bytes >= 2 && get16(at) && to->count < to->room; at += 2, bytes -= 2)
		to->units[to->count++] = get16(at);
}

static bool add_narrow(struct formatted *to, const uint8_t *at, size_t bytes)
{
	size_t length = strnlen((const char *)at, bytes);
	char *text = malloc(2 * length + 1);

	if (!text)
		return false;
	text_from_bytes(at, length, text, 2 * length + 1);
	add_text(to, text);
	free(text);
	return true;
}

static bool add_hex(struct formatted *to, const uint8_t *at, size_t bytes)
{
	char *text = malloc(2 * bytes + 3);
	size_t i;

	if (!text)
		return false;
	strcpy(text, "0x");
	for (i = 0; i < bytes; i++)
		sprintf(text + 2 + 2 * i, "%02X", at[i]);
	add_text(to, text);
	free(text);
	return true;
}

static uint64_t number_at(const uint8_t *at, uint32_t size)
{
	uint64_t value = 0;

	memcpy(&value, at, size < sizeof(value) ? size : sizeof(value));
	return value;
}

static bool is_signed(USHORT in)
{
	return in == TDH_INTYPE_INT8 || in == TDH_INTYPE_INT16 || in == TDH_INTYPE_INT32 ||
	       in == TDH_INTYPE_INT64;
}

static bool is_hex(const struct tdh_type *type)
{
	switch (type->in) {
	case TDH_INTYPE_HEXINT32:
	case TDH_INTYPE_HEXINT64:
	case TDH_INTYPE_POINTER:
		return true;
	}
	switch (type->out) {
	case TDH_OUTTYPE_HEXINT8:
	case TDH_OUTTYPE_HEXINT16:
	case TDH_OUTTYPE_HEXINT32:
	case TDH_OUTTYPE_HEXINT64:
	case TDH_OUTTYPE_WIN32ERROR:
	case TDH_OUTTYPE_NTSTATUS:
	case TDH_OUTTYPE_HRESULT:
	case TDH_OUTTYPE_CODE_POINTER:
		return true;
	}
	return false;
}

static void integer_text(const struct tdh_type *type, const uint8_t *at, uint32_t size,
			 char *text)
{
	uint64_t value = number_at(at, size);
	unsigned int unused = 64 - 8 * size;

	if (type->out == TDH_OUTTYPE_PORT && size == 2)
		snprintf(text, SHORT_TEXT, "%u", at[0] << 8 | at[1]);
	else if (type->out == TDH_OUTTYPE_IPV4 && size == 4)
		inet_ntop(AF_INET, at, text, SHORT_TEXT);
	else if (type->in == TDH_INTYPE_BOOLEAN || type->out == TDH_OUTTYPE_BOOLEAN)
		snprintf(text, SHORT_TEXT, "%s", value ? "true" : "false");
	else if (is_hex(type))
		snprintf(text, SHORT_TEXT, "0x%" PRIX64, value);
	else if (is_signed(type->in))
		snprintf(text, SHORT_TEXT, "%" PRId64, (int64_t)(value << unused) >> unused);
	else
		snprintf(text, SHORT_TEXT, "%" PRIu64, value);
}

static void system_time_text(const uint8_t *at, char *text)
{
	snprintf(text, SHORT_TEXT, "%04u-%02u-%02u %02u:%02u:%02u.%03u", get16(at), get16(at + 2),
		 get16(at + 6), get16(at + 8), get16(at + 10), get16(at + 12), get16(at + 14));
}

static void real_text(const uint8_t *at, uint32_t size, char *text)
{
	double value;
	float narrow;

	if (size == sizeof(narrow)) {
		memcpy(&narrow, at, sizeof(narrow));
		snprintf(text, SHORT_TEXT, "%.9g", (double)narrow);
	} else {
		memcpy(&value, at, sizeof(value));
		snprintf(text, SHORT_TEXT, "%.17g", value);
	}
}

/* Return: false: the type's text is not short */
static bool short_text(const struct tdh_type *type, const uint8_t *at, uint32_t size, char *text)
{
	uint32_t head = type->in == TDH_INTYPE_WBEMSID && size > 4 ? 2 * type->pointer : 0;
	struct etw_guid guid;

	*text = 0;
	switch (type->in) {
	case TDH_INTYPE_NULL:
		return true;
	case TDH_INTYPE_FLOAT:
	case TDH_INTYPE_DOUBLE:
		real_text(at, size, text);
		return true;
	case TDH_INTYPE_GUID:
		memcpy(&guid, at, sizeof(guid));
		text_from_guid(&guid, text);
		return true;
	case TDH_INTYPE_FILETIME:
		text_from_filetime(number_at(at, size), text, SHORT_TEXT);
		return true;
	case TDH_INTYPE_SYSTEMTIME:
		system_time_text(at, text);
		return true;
	case TDH_INTYPE_SID:
	case TDH_INTYPE_WBEMSID:
		if (size >= head + 8)
			text_from_sid(at + head, size - head, text, SHORT_TEXT);
		return true;
	case TDH_INTYPE_BINARY:
		if (type->out != TDH_OUTTYPE_IPV6 || size != 16)
			return false;
		inet_ntop(AF_INET6, at, text, SHORT_TEXT);
		return true;
	case TDH_INTYPE_MANIFEST_COUNTEDBINARY:
		if (type->out != TDH_OUTTYPE_IPV6 || size != 18)
			return false;
		inet_ntop(AF_INET6, at + 2, text, SHORT_TEXT);
		return true;
	}
	if ((type->in < TDH_INTYPE_INT8 || type->in > TDH_INTYPE_HEXINT64) &&
	    type->in != TDH_INTYPE_SIZET)
		return false;
	integer_text(type, at, size, text);
	return true;
}

/* Strings and bytes. Return: false: no memory */
static bool long_text(const struct tdh_type *type, const uint8_t *at, uint32_t size,
		      struct formatted *to)
{
	switch (type->in) {
	case TDH_INTYPE_UNICODESTRING:
	case TDH_INTYPE_NONNULLTERMINATEDSTRING:
	case TDH_INTYPE_UNICODECHAR:
		add_wide(to, at, size);
		return true;
	case TDH_INTYPE_MANIFEST_COUNTEDSTRING:
	case TDH_INTYPE_COUNTEDSTRING:
	case TDH_INTYPE_REVERSEDCOUNTEDSTRING:
		add_wide(to, at + 2, size - 2);
		return true;
	case TDH_INTYPE_MANIFEST_COUNTEDBINARY:
		return add_hex(to, at + 2, size - 2);
	case TDH_INTYPE_BINARY:
		return add_hex(to, at, size);
	case TDH_INTYPE_HEXDUMP:
		return add_hex(to, at + 4, size - 4);
	case TDH_INTYPE_MANIFEST_COUNTEDANSISTRING:
	case TDH_INTYPE_COUNTEDANSISTRING:
	case TDH_INTYPE_REVERSEDCOUNTEDANSISTRING:
		return add_narrow(to, at + 2, size - 2);
	default:
		return add_narrow(to, at, size);
	}
}

/* The names of a number. A part without a name is added as a number. */
static void add_names(const EVENT_MAP_INFO *map, uint64_t value, struct formatted *to)
{
	const bool bits = map->Flag & (EVENTMAP_INFO_FLAG_MANIFEST_BITMAP |
				       EVENTMAP_INFO_FLAG_WBEM_BITMAP);
	char rest[32];
	ULONG i;

	for (i = 0; i < map->EntryCount; i++) {
		const EVENT_MAP_ENTRY *entry = &map->MapEntryArray[i];
		const uint8_t *name = (const uint8_t *)map + entry->OutputOffset;

		if (bits && value ? !entry->Value || (value & entry->Value) != entry->Value :
				    value != entry->Value)
			continue;
		if (to->count)
			add_text(to, " | ");
		add_wide(to, name, 2 * (to->room - to->count));
		value &= ~(uint64_t)entry->Value;
		if (!value)
			return;
	}
	snprintf(rest, sizeof(rest), bits ? "%s0x%" PRIX64 : "%s%" PRIu64, to->count ? " | " : "",
		 value);
	add_text(to, rest);
}

static ULONG format(const struct tdh_type *type, const EVENT_MAP_INFO *map, const uint8_t *at,
		    uint32_t size, struct formatted *to)
{
	char text[SHORT_TEXT];

	to->room = 2 * (size_t)size + SHORT_TEXT + (map ? USHRT_MAX : 0);
	to->units = malloc(2 * to->room);
	if (!to->units)
		return ERROR_OUTOFMEMORY;
	if (map && size <= 8 && type->in >= TDH_INTYPE_INT8 && type->in <= TDH_INTYPE_HEXINT64)
		add_names(map, number_at(at, size), to);
	else if (short_text(type, at, size, text))
		add_text(to, text);
	else if (!long_text(type, at, size, to))
		return ERROR_OUTOFMEMORY;
	return ERROR_SUCCESS;
}

static ULONG give(const struct formatted *text, ULONG *size, WCHAR *to)
{
	ULONG had = *size, needed = 2 * (text->count + 1);

	*size = needed;
	if (!to || had < needed)
		return ERROR_INSUFFICIENT_BUFFER;
	memcpy(to, text->units, needed - 2);
	to[text->count] = 0;
	return ERROR_SUCCESS;
}

/**
 * TdhFormatProperty() - the text of a value
 * @EventInfo: not used
 * @MapInfo: names of values; NULL: a number stays one
 * @PointerSize: bytes of a pointer of the event: 4 or 8
 * @PropertyInType: what the bytes are
 * @PropertyOutType: how they are shown
 * @PropertyLength: characters of a string, or bytes; 0: they have a terminator or a count
 * @UserDataLength: bytes at @UserData
 * @UserData: the value, and what follows it in the payload
 * @BufferSize: bytes at @Buffer; out: bytes of the text and its terminator
 * @Buffer: out
 * @UserDataConsumed: out: bytes of the value
 *
 * Return: ERROR_SUCCESS; ERROR_INSUFFICIENT_BUFFER, with @BufferSize set;
 * ERROR_EVT_INVALID_EVENT_DATA: the payload ends before the end of the value;
 * ERROR_INVALID_PARAMETER; ERROR_OUTOFMEMORY.
 */
TDHSTATUS TdhFormatProperty(PTRACE_EVENT_INFO EventInfo, PEVENT_MAP_INFO MapInfo,
			    ULONG PointerSize, USHORT PropertyInType, USHORT PropertyOutType,
			    USHORT PropertyLength, USHORT UserDataLength, PBYTE UserData,
			    PULONG BufferSize, PWCHAR Buffer, PUSHORT UserDataConsumed)
{
	const struct tdh_type type = {
		.in = PropertyInType, .out = PropertyOutType, .length = PropertyLength,
		.has_length = PropertyLength, .pointer = PointerSize,
	};
	struct formatted text = { };
	int64_t size;
	ULONG err;

	(void)EventInfo;
	if (!BufferSize || !UserDataConsumed || (!UserData && UserDataLength) ||
	    (PointerSize != 4 && PointerSize != 8))
		return ERROR_INVALID_PARAMETER;
	size = tdh_value_size(&type, UserData, UserDataLength);
	if (size < 0)
		return ERROR_EVT_INVALID_EVENT_DATA;
	err = format(&type, MapInfo, UserData, size, &text);
	if (!err)
		err = give(&text, BufferSize, Buffer);
	if (!err)
		*UserDataConsumed = size;
	free(text.units);
	return err;
}
