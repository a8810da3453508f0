// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Events of user_events that contain an EventHeader, as LinuxTracepoints writes them. */
#include <stdlib.h>
#include <string.h>
#include "event_header.h"
#include "name_guid.h"
#include "tracelogging_form.h"
#include "typed.h"

/* Bytes of the header */
#define HEADER		8
/* The number of bytes of EVENT_HEADER_DATA */
#define COUNT		2

/* Flags of the header */
#define LITTLE_ENDIAN_DATA	0x02
#define HAS_EXTENSION		0x04
/* Extensions */
#define EXTENSION_MORE		0x8000
#define EXTENSION_METADATA	1
#define EXTENSION_ACTIVITY	2

/* Linux.user_events */
static const struct etw_guid user_events = {
	0x1cacb9a1, 0xc306, 0x5c8f,
	{ 0xad, 0x45, 0x75, 0x93, 0x07, 0xe5, 0x9c, 0xcd },
};

/**
 * struct parts - an event while it is read
 * @tracepoint: name of the tracepoint
 * @tracepoint_size: bytes of it
 * @provider_size: bytes of the provider's name in it
 * @header: the bytes of the header
 * @metadata: of the extension
 * @metadata_size: bytes of it
 * @activity: 16 bytes of the activity's id, as text has them; NULL: there is none
 * @data: behind the extensions
 * @data_size: bytes of it
 */
struct parts {
	const uint8_t *tracepoint;
	size_t tracepoint_size;
	size_t provider_size;
	const uint8_t *header;
	const uint8_t *metadata;
	size_t metadata_size;
	const uint8_t *activity;
	const uint8_t *data;
	uint32_t data_size;
};

/*
 * Finds the header in the fields of a format. Up to the header's end they are numbers, because the
 * common fields differ between kernels; otherwise the offset is unknown. All other bytes of the
 * record must follow. Return: offset of the header, or -1
 */
static int find_header(const uint8_t *at, const uint8_t *end)
{
	const uint8_t *zero;
	uint32_t size;
	int offset, header = -1;

	for (offset = 0; (zero = memchr(at, 0, end - at)); offset += size) {
		if (end - zero < 2 || end - zero < 2 + !!(zero[1] & TL_CHAIN))
			return -1;
		if (!strcmp((const char *)at, EVENT_HEADER_DATA))
			return header >= 0 && offset == header + HEADER ? header : -1;
		if (!strcmp((const char *)at, EVENT_HEADER_FLAGS))
			header = offset;
		size = zero[1] & TL_COUNT_MASK ? 0 : typed_number_size(zero[1] & TL_TYPE_MASK, 8);
		if (!size)
			return -1;
		at = zero + 2 + !!(zero[1] & TL_CHAIN);
	}
	return -1;
}

/* The schema that etw makes of such a format: its name. Return: offset of the header, or -1 */
static int read_schema(const struct etl_record *record, struct parts *parts)
{
	struct etl_item item = { .next = NULL };

	while (etl_item_next(record, &item)) {
		/* its size, tags of one byte, the name */
		if (item.type != ETL_ITEM_SCHEMA || item.size < 4 || item.data[2])
			continue;
		parts->tracepoint = item.data + 3;
		parts->tracepoint_size = strnlen((const char *)item.data + 3, item.size - 3);
		return parts->tracepoint_size == item.size - 3u ? -1 :
		       find_header(parts->tracepoint + parts->tracepoint_size + 1,
				   item.data + item.size);
	}
	return -1;
}

/* "PROVIDER_L5K1f" with options behind it: the last such end counts */
static bool read_attributes(struct parts *parts, uint64_t *keyword)
{
	char text[256], *at, *level, *end;

	if (parts->tracepoint_size >= sizeof(text))
		return false;
	memcpy(text, parts->tracepoint, parts->tracepoint_size);
	text[parts->tracepoint_size] = 0;
	at = strrchr(text, '_');
	if (!at || at[1] != 'L')
		return false;
	level = at + 2;
	strtoul(level, &end, 16);
	if (end == level || *end != 'K')
		return false;
	*keyword = strtoull(end + 1, NULL, 16);
	parts->provider_size = at - text;
	return parts->provider_size;
}

/* Return: false: an extension passes the end */
static bool read_extensions(struct parts *parts)
{
	bool more = parts->header[0] & HAS_EXTENSION;
	uint16_t size, kind;

	while (more) {
		if (parts->data_size < 4)
			return false;
		size = get16(parts->data);
		kind = get16(parts->data + 2);
		more = kind & EXTENSION_MORE;
		kind &= ~EXTENSION_MORE;
		if (parts->data_size - 4 < size)
			return false;
		if (kind == EXTENSION_METADATA) {
			parts->metadata = parts->data + 4;
			parts->metadata_size = size;
		} else if (kind == EXTENSION_ACTIVITY && size >= 16) {
			parts->activity = parts->data + 4;
		}
		parts->data += 4 + size;
		parts->data_size -= 4 + size;
	}
	return true;
}

static bool read_parts(const struct etl_record *record, struct parts *parts, uint64_t *keyword)
{
	uint32_t size;
	int at;

	*parts = (struct parts){ };
	at = read_schema(record, parts);
	if (at < 0 || !read_attributes(parts, keyword) ||
	    record->payload_size < (uint32_t)at + HEADER + COUNT)
		return false;
	parts->header = record->payload + at;
	parts->data = parts->header + HEADER + COUNT;
	parts->data_size = record->payload_size - at - HEADER - COUNT;
	size = get16(parts->header + HEADER);
	if (size > parts->data_size || !(parts->header[0] & LITTLE_ENDIAN_DATA))
		return false;
	parts->data_size = size;
	return read_extensions(parts);
}

/* RFC 4122 has the first three numbers with their highest byte first. */
static struct etw_guid guid_of_bytes(const uint8_t *from)
{
	static const uint8_t order[] = { 3, 2, 1, 0, 5, 4, 7, 6 };
	uint8_t bytes[sizeof(struct etw_guid)];
	struct etw_guid guid;
	size_t i;

	memcpy(bytes, from, sizeof(bytes));
	for (i = 0; i < sizeof(order); i++)
		bytes[i] = from[order[i]];
	memcpy(&guid, bytes, sizeof(guid));
	return guid;
}

void event_header_apply(struct etl_record *record)
{
	struct parts parts;
	uint64_t keyword;
	char name[256];

	if (record->header != ETL_EVENT || !record->items)
		return;
	if (!etl_guid_equal(&record->guid, &user_events) || !read_parts(record, &parts, &keyword))
		return;
	memcpy(name, parts.tracepoint, parts.provider_size);
	name[parts.provider_size] = 0;
	record->has_event_header = true;
	record->guid = guid_of_name(name);
	record->keyword = keyword;
	record->version = parts.header[1];
	record->id = get16(parts.header + 2);
	record->opcode = parts.header[6];
	record->level = parts.header[7];
	if (parts.activity)
		record->activity = guid_of_bytes(parts.activity);
}

bool event_header_of(const struct etl_record *record, struct event_header *header)
{
	struct parts parts;
	uint64_t keyword;
	size_t size;

	if (!record->has_event_header || !read_parts(record, &parts, &keyword))
		return false;
	*header = (struct event_header){
		.provider = parts.tracepoint, .provider_size = parts.provider_size,
		.name = parts.tracepoint, .name_size = parts.tracepoint_size,
		.data = parts.data, .data_size = parts.data_size,
	};
	size = parts.metadata ? strnlen((const char *)parts.metadata, parts.metadata_size) : 0;
	if (!parts.metadata || size == parts.metadata_size)
		return true;
	header->name = parts.metadata;
	/* attributes follow behind a semicolon */
	header->name_size = strcspn((const char *)parts.metadata, ";");
	header->metadata = parts.metadata + size + 1;
	header->metadata_size = parts.metadata_size - size - 1;
	return true;
}
