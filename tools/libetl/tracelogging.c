// SPDX-License-Identifier: GPL-2.0
/* Events that describe themselves: TraceLogging. */
#include <stdio.h>
#include <string.h>
#include "cursor.h"
#include "text.h"
#include "tracelogging.h"

/*
 * The description is an extended item: its size, tags, the event's name, and for
 * each field its name, type, how it is best shown, tags, and how many there are.
 * A structure has the number of its fields where others have how they are shown.
 */
enum in_type {
	IN_NULL, IN_UTF16, IN_BYTES, IN_INT8, IN_UINT8, IN_INT16, IN_UINT16, IN_INT32, IN_UINT32,
	IN_INT64, IN_UINT64, IN_FLOAT, IN_DOUBLE, IN_BOOL32, IN_BINARY, IN_GUID, IN_POINTER,
	IN_FILETIME, IN_SYSTEMTIME, IN_SID, IN_HEX32, IN_HEX64, IN_COUNTED_UTF16,
	IN_COUNTED_BYTES, IN_STRUCT, IN_COUNTED_BINARY,
};

#define TYPE_MASK	0x1F
#define COUNT_MASK	0x60
#define COUNT_CONSTANT	0x20
#define COUNT_VARIABLE	0x40
#define COUNT_CUSTOM	0x60
#define CHAIN		0x80	/* another byte follows */

enum out_type {
	OUT_HEX = 4,
	OUT_PORT = 7,
	OUT_IPV4 = 8,
	OUT_IPV6 = 9,
	OUT_NTSTATUS = 14,
	OUT_HRESULT = 15,
	OUT_SIGNED = 17,
	OUT_UNSIGNED = 18,
	OUT_CODE_POINTER = 37,
};

#define MAX_DEPTH	8
/* Fields and members of arrays; a record can't say more than this in earnest */
#define MAX_STEPS	16384

struct tl_field {
	const char *name;
	uint8_t in;
	uint8_t out;
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
	} while (tag & CHAIN);
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
	if ((type & CHAIN) && (!get_byte(walk, &out) || ((out & CHAIN) && !skip_tags(walk))))
		return false;
	field->in = type & TYPE_MASK;
	field->out = out & ~CHAIN;
	field->counting = type & COUNT_MASK;
	field->count = 1;
	if (field->counting == COUNT_CONSTANT && !get_word(walk, &field->count))
		return false;
	if (field->counting == COUNT_CUSTOM) {
		if (!get_word(walk, &size) || walk->end - walk->at < size)
			return false;
		walk->at += size;
	}
	field->name = fields_name(walk->cursor.fields, prefix, name, length);
	return true;
}

/* Return: bytes of a number, 0: it is none */
static uint32_t number_size(const struct walk *walk, uint8_t in)
{
	static const uint8_t size[] = {
		[IN_INT8] = 1, [IN_UINT8] = 1, [IN_INT16] = 2, [IN_UINT16] = 2, [IN_INT32] = 4,
		[IN_UINT32] = 4, [IN_INT64] = 8, [IN_UINT64] = 8, [IN_FLOAT] = 4, [IN_DOUBLE] = 8,
		[IN_BOOL32] = 4, [IN_FILETIME] = 8, [IN_HEX32] = 4, [IN_HEX64] = 8,
	};

	if (in == IN_POINTER)
		return walk->cursor.pointer;
	return in < sizeof(size) ? size[in] : 0;
}

static bool is_hex(const struct tl_field *field)
{
	return field->in == IN_HEX32 || field->in == IN_HEX64 || field->in == IN_POINTER ||
	       field->out == OUT_HEX || field->out == OUT_NTSTATUS || field->out == OUT_HRESULT ||
	       field->out == OUT_CODE_POINTER;
}

static bool is_signed(const struct tl_field *field)
{
	if (field->out == OUT_SIGNED || field->out == OUT_UNSIGNED)
		return field->out == OUT_SIGNED;
	return field->in == IN_INT8 || field->in == IN_INT16 || field->in == IN_INT32 ||
	       field->in == IN_INT64;
}

static double real_of(uint8_t in, uint64_t bits)
{
	uint32_t half = bits;
	double real;
	float single;

	memcpy(&single, &half, sizeof(single));
	memcpy(&real, &bits, sizeof(real));
	return in == IN_FLOAT ? single : real;
}

static void put_number(struct walk *walk, const struct tl_field *field, uint32_t size, bool list)
{
	struct fields *fields = walk->cursor.fields;
	uint64_t value = take(&walk->cursor, size);
	int64_t sign = (int64_t)(value << (64 - 8 * size)) >> (64 - 8 * size);

	if (field->in == IN_FILETIME && !list) {
		fields_time(fields, field->name, value);
		return;
	}
	if (field->out == OUT_PORT && size == 2)
		value = (value << 8 | value >> 8) & 0xFFFF;
	if (field->in == IN_FLOAT || field->in == IN_DOUBLE) {
		if (list)
			fields_list_real(fields, real_of(field->in, value));
		else
			fields_real(fields, field->name, real_of(field->in, value));
	} else if (is_hex(field)) {
		if (list)
			fields_list_hex(fields, value);
		else
			fields_hex(fields, field->name, value);
	} else if (is_signed(field)) {
		if (list)
			fields_list_signed(fields, sign);
		else
			fields_signed(fields, field->name, sign);
	} else if (list) {
		fields_list_unsigned(fields, value);
	} else {
		fields_unsigned(fields, field->name, value);
	}
}

/* Strings and bytes that say their length */
static void put_counted(struct walk *walk, const struct tl_field *field)
{
	struct cursor *cursor = &walk->cursor;
	uint32_t size = take(cursor, 2);

	if (size > cursor->left) {
		cursor->fields->truncated = true;
		size = cursor->left;
	}
	if (field->in == IN_COUNTED_UTF16)
		fields_utf16(cursor->fields, field->name, cursor->at, size);
	else if (field->in == IN_COUNTED_BYTES)
		fields_bytes(cursor->fields, field->name, cursor->at, size);
	else if (field->out == OUT_IPV6 && size == 16)
		return take_address6(cursor, field->name);
	else
		fields_dump(cursor->fields, field->name, cursor->at, size);
	skip(cursor, size);
}

static void put_system_time(struct cursor *cursor, const char *name)
{
	uint16_t part[8];
	char text[64];
	int i;

	for (i = 0; i < 8; i++)
		part[i] = take(cursor, 2);
	snprintf(text, sizeof(text), "%04u-%02u-%02u %02u:%02u:%02u.%03u", part[0], part[1],
		 part[3], part[4], part[5], part[6], part[7]);
	fields_string(cursor->fields, name, text);
}

/* Return: false for a type that nobody knows: then nothing behind it can be found */
static bool put_value(struct walk *walk, const struct tl_field *field)
{
	struct cursor *cursor = &walk->cursor;
	uint32_t size = number_size(walk, field->in);

	switch (field->in) {
	case IN_NULL:
		return true;
	case IN_UTF16:
		take_utf16(cursor, field->name);
		return true;
	case IN_BYTES:
		take_bytes(cursor, field->name);
		return true;
	case IN_GUID:
		take_guid(cursor, field->name);
		return true;
	case IN_SYSTEMTIME:
		put_system_time(cursor, field->name);
		return true;
	case IN_SID:
		take_sid(cursor, field->name);
		return true;
	case IN_BINARY:
	case IN_COUNTED_BINARY:
	case IN_COUNTED_UTF16:
	case IN_COUNTED_BYTES:
		put_counted(walk, field);
		return true;
	default:
		if (field->out == OUT_IPV4 && size == 4)
			take_address4(cursor, field->name);
		else if (size)
			put_number(walk, field, size, false);
		return size;
	}
}

static bool may_step(struct walk *walk)
{
	return walk->steps++ < MAX_STEPS && !walk->cursor.fields->truncated;
}

static bool put_array(struct walk *walk, const struct tl_field *field)
{
	uint32_t size = number_size(walk, field->in);
	unsigned int i;

	if (size && field->out != OUT_IPV4)
		fields_list(walk->cursor.fields, field->name);
	for (i = 0; i < field->count; i++) {
		if (!may_step(walk))
			return false;
		if (size && field->out != OUT_IPV4)
			put_number(walk, field, size, true);
		else if (!put_value(walk, field))
			return false;
	}
	return true;
}

static bool put_fields(struct walk *walk, unsigned int count, const char *prefix, bool quiet);

/* The description of its fields stands once, however many of it there are. */
static bool put_struct(struct walk *walk, const struct tl_field *field, bool quiet)
{
	const int length = text_fit(field->name, 200);
	const uint8_t *begin = walk->at;
	char prefix[256];
	unsigned int i;

	if (walk->depth == MAX_DEPTH)
		return false;
	walk->depth++;
	for (i = 0; i < field->count || !i; i++) {
		if (field->counting)
			snprintf(prefix, sizeof(prefix), "%.*s[%u].", length, field->name, i);
		else
			snprintf(prefix, sizeof(prefix), "%.*s.", length, field->name);
		walk->at = begin;
		if (!may_step(walk) ||
		    !put_fields(walk, field->out, prefix, quiet || !field->count))
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
	if (!quiet && field.counting == COUNT_VARIABLE)
		field.count = take(&walk->cursor, 2);
	if (field.in == IN_STRUCT)
		return put_struct(walk, &field, quiet);
	if (quiet)
		return true;
	if (field.counting == COUNT_CUSTOM) {
		field.in = IN_COUNTED_BINARY;
		put_counted(walk, &field);
		return true;
	}
	return field.counting ? put_array(walk, &field) : put_value(walk, &field);
}

/* @quiet: the description is walked over, and nothing of the payload */
static bool put_fields(struct walk *walk, unsigned int count, const char *prefix, bool quiet)
{
	while (count-- && walk->at < walk->end)
		if (!may_step(walk) || !put_field(walk, prefix, quiet))
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
	const uint8_t *name;
	struct walk walk;
	size_t length;

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
	struct etl_item item;
	struct walk walk;
	bool traits;

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
