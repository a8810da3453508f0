// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Events that describe themselves: TraceLogging. */
#include <stdio.h>
#include <string.h>
#include "event_header.h"
#include "text.h"
#include "tracelogging.h"
#include "tracelogging_form.h"
#include "typed.h"

/*
 * The description is an extended item: its size, tags, the event's name, and for
 * each field its name, type, how it is best shown, tags, and how many there are.
 * A structure has the number of its fields where others have how they are shown.
 */

#define MAX_DEPTH	8

struct tl_field {
	struct typed typed;
	uint8_t counting;
	uint16_t count;
};

/* The description and the payload, side by side */
struct walk {
	const uint8_t *at;
	const uint8_t *end;
	struct cursor cursor;
	unsigned int depth;
	unsigned int steps;
};

static bool get_byte(struct walk *walk, uint8_t *value)
{
	if (walk->at == walk->end)
		return false;
	*value = *walk->at++;
	return true;
}

static bool get_word(struct walk *walk, uint16_t *value)
{
	if (walk->end - walk->at < 2)
		return false;
	*value = get16(walk->at);
	walk->at += 2;
	return true;
}

static bool skip_tags(struct walk *walk)
{
	uint8_t tag;

	do {
		if (!get_byte(walk, &tag))
			return false;
	} while (tag & TL_CHAIN);
	return true;
}

static bool get_name(struct walk *walk, const uint8_t **name, size_t *length)
{
	const uint8_t *zero = memchr(walk->at, 0, walk->end - walk->at);

	if (!zero)
		return false;
	*name = walk->at;
	*length = zero - walk->at;
	walk->at = zero + 1;
	return true;
}

static bool get_field(struct walk *walk, const char *prefix, struct tl_field *field)
{
	const uint8_t *name;
	uint8_t type, out = 0;
	uint16_t size;
	size_t length;

	if (!get_name(walk, &name, &length) || !get_byte(walk, &type))
		return false;
	if ((type & TL_CHAIN) && (!get_byte(walk, &out) || ((out & TL_CHAIN) && !skip_tags(walk))))
		return false;
	field->typed.in = type & TL_TYPE_MASK;
	field->typed.out = out & ~TL_CHAIN;
	field->counting = type & TL_COUNT_MASK;
	field->count = 1;
	if (field->counting == TL_COUNT_CONSTANT && !get_word(walk, &field->count))
		return false;
	if (field->counting == TL_COUNT_CUSTOM) {
		if (!get_word(walk, &size) || walk->end - walk->at < size)
			return false;
		walk->at += size;
	}
	field->typed.name = fields_name(walk->cursor.fields, prefix, name, length);
	return true;
}

static bool put_fields(struct walk *walk, unsigned int count, const char *prefix, bool quiet);

/* The description of its fields stands once, however many of it there are. */
static bool put_struct(struct walk *walk, const struct tl_field *field, bool quiet)
{
	const int length = text_fit(field->typed.name, 200);
	const uint8_t *begin = walk->at;
	char prefix[256];
	unsigned int i;

	if (walk->depth == MAX_DEPTH)
		return false;
	walk->depth++;
	for (i = 0; i < field->count || !i; i++) {
		if (field->counting)
			snprintf(prefix, sizeof(prefix), "%.*s[%u].", length, field->typed.name, i);
		else
			snprintf(prefix, sizeof(prefix), "%.*s.", length, field->typed.name);
		walk->at = begin;
		if (!typed_may_step(&walk->cursor, &walk->steps) ||
		    !put_fields(walk, field->typed.out, prefix, quiet || !field->count))
			return false;
	}
	walk->depth--;
	return true;
}

static bool put_field(struct walk *walk, const char *prefix, bool quiet)
{
	struct tl_field field;

	if (!get_field(walk, prefix, &field))
		return false;
	if (!quiet && field.counting == TL_COUNT_VARIABLE)
		field.count = take(&walk->cursor, 2);
	if (field.typed.in == IN_STRUCT)
		return put_struct(walk, &field, quiet);
	if (quiet)
		return true;
	if (field.counting == TL_COUNT_CUSTOM) {
		field.typed.in = IN_COUNTED_BINARY;
		typed_take_counted(&walk->cursor, &field.typed);
		return true;
	}
	if (!field.counting)
		return typed_take(&walk->cursor, &field.typed);
	return typed_take_array(&walk->cursor, &field.typed, field.count, &walk->steps);
}

/* @quiet: the description is walked over, and nothing of the payload */
static bool put_fields(struct walk *walk, unsigned int count, const char *prefix, bool quiet)
{
	while (count-- && walk->at < walk->end)
		if (!typed_may_step(&walk->cursor, &walk->steps) || !put_field(walk, prefix, quiet))
			return false;
	return true;
}

static bool find_item(const struct etl_record *record, uint16_t type, struct etl_item *item)
{
	item->next = NULL;
	if (record->header != ETL_EVENT)
		return false;
	while (etl_item_next(record, item))
		if (item->type == type)
			return true;
	return false;
}

/* To the event's name, behind size and tags */
static bool open_schema(const struct etl_record *record, struct walk *walk, const uint8_t **name,
			size_t *length)
{
	struct etl_item item;
	uint16_t size;

	memset(walk, 0, sizeof(*walk));
	if (!find_item(record, ETL_ITEM_SCHEMA, &item))
		return false;
	walk->at = item.data;
	walk->end = item.data + item.size;
	if (!get_word(walk, &size) || size < 2 || size > item.size)
		return false;
	walk->end = item.data + size;
	return skip_tags(walk) && get_name(walk, name, length);
}

bool tracelogging_decode(const struct etl_record *record, struct fields *fields)
{
	struct event_header header;
	const uint8_t *name;
	struct walk walk;
	size_t length;

	if (event_header_of(record, &header)) {
		event_header_decode(&header, fields);
		return true;
	}
	if (!open_schema(record, &walk, &name, &length))
		return false;
	walk.cursor = (struct cursor){
		.at = record->payload, .left = record->payload_size, .fields = fields,
		.pointer = record->pointer_size,
	};
	if (!put_fields(&walk, UINT32_MAX, "", false))
		fields->truncated = true;
	if (walk.cursor.left)
		fields_dump(fields, "Rest", walk.cursor.at, walk.cursor.left);
	return true;
}

bool tracelogging_names(const struct etl_record *record, struct tracelogging_names *names)
{
	struct event_header header;
	struct etl_item item;
	struct walk walk;
	bool traits;

	if (event_header_of(record, &header)) {
		*names = (struct tracelogging_names){
			.provider = header.provider, .provider_size = header.provider_size,
			.event = header.name, .event_size = header.name_size,
		};
		return true;
	}
	*names = (struct tracelogging_names){ };
	traits = find_item(record, ETL_ITEM_TRAITS, &item);
	if (traits && item.size > 2 && item.data[2]) {
		names->provider = item.data + 2;
		names->provider_size = strnlen((const char *)item.data + 2, item.size - 2);
	}
	if (!open_schema(record, &walk, &names->event, &names->event_size))
		names->event = NULL;
	return traits || names->event;
}

/* All that the provider does not need is the event's. */
bool tracelogging_name(const struct etl_record *record, char *to, size_t room)
{
	struct tracelogging_names names;
	size_t done;

	if (!tracelogging_names(record, &names))
		return false;
	if (names.provider) {
		done = text_from_bytes_marked(names.provider, names.provider_size, to, room / 2);
	} else {
		text_from_guid(&record->guid, to);
		done = strlen(to);
	}
	to[done++] = '/';
	if (names.event)
		text_from_bytes_marked(names.event, names.event_size, to + done, room - done);
	else
		snprintf(to + done, room - done, "%u", record->id);
	return true;
}
