// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Events of user_events that contain an EventHeader, as LinuxTracepoints writes them. */
#include <stdlib.h>
#include <string.h>
#include "event_header.h"
#include "name_guid.h"

/* What a record of the format has before the header: common_flags, common_preempt_count */
#define COMMON		2
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

/* Whether the schema has a field of that name; the zero behind it is part of it */
static bool has_field(const struct etl_item *schema, const char *name)
{
	const size_t size = strlen(name) + 1;
	size_t at;

	for (at = 0; at + size <= schema->size; at++)
		if (!memcmp(schema->data + at, name, size))
			return true;
	return false;
}

/* The schema that etw makes of such a format: its name, and whether it is one */
static bool read_schema(const struct etl_record *record, struct parts *parts)
{
	struct etl_item item = { .next = NULL };

	while (etl_item_next(record, &item)) {
		/* its size, tags of one byte, the name */
		if (item.type != ETL_ITEM_SCHEMA || item.size < 4 || item.data[2])
			continue;
		parts->tracepoint = item.data + 3;
		parts->tracepoint_size = strnlen((const char *)item.data + 3, item.size - 3);
		return has_field(&item, EVENT_HEADER_FLAGS) && has_field(&item, EVENT_HEADER_DATA);
	}
	return false;
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

	*parts = (struct parts){ };
	if (!read_schema(record, parts) || !read_attributes(parts, keyword) ||
	    record->payload_size < COMMON + HEADER + COUNT)
		return false;
	parts->header = record->payload + COMMON;
	parts->data = parts->header + HEADER + COUNT;
	parts->data_size = record->payload_size - COMMON - HEADER - COUNT;
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
