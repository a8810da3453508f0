// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/*
 * Metadata of a .nettrace as descriptions: TRACE_EVENT_INFO before the first event, as Windows'
 * merging writes it. Several events of a provider may share an id: in version 6 if they have none;
 * in each version if an EventSource writes both events of its methods and events that describe
 * themselves (EventCounters), because .NET numbers these by counters of their own. The first has
 * the description of the id. Each of the others contains its description (TraceLogging).
 */
#include <stdio.h>
#include <stdlib.h>
#include "import.h"
#include "libetl/event_info_form.h"
#include "libetl/event_info.h"
#include "libetl/guids.h"
#include "libetl/messages.h"
#include "libetl/text.h"
#include "libetl/typed.h"
#include "nettrace.h"

#define EVENT_INFO_VERSION	0
#define TAGGED			0x80	/* a second type byte follows */
#define COUNT_FIXED		0x20
#define COUNT_VARIABLE		0x40
#define TRACELOGGING_CHANNEL	11
#define OUT_STRING		2	/* of TraceLogging */
#define OUT_BOOLEAN		3
#define TDH_OUT_BOOLEAN		13
#define MOST_DESCRIPTION	0xF000
#define MOST_MEMBERS		0x7F	/* of TraceLogging */

/* Types of values by enum nettrace_type; how they are shown by TDH and by TraceLogging */
static const struct {
	uint8_t in;
	uint8_t tdh;
	uint8_t out;
} types[] = {
	[NETTRACE_OBJECT] = { IN_STRUCT, 0, 0 },
	[NETTRACE_BOOL32] = { IN_BOOL32, TDH_OUT_BOOLEAN, 0 },
	[NETTRACE_CHAR16] = { IN_UINT16, TDH_OUT_STRING, OUT_STRING },
	[NETTRACE_INT8] = { IN_INT8, 3, 0 }, [NETTRACE_UINT8] = { IN_UINT8, 4, 0 },
	[NETTRACE_INT16] = { IN_INT16, 5, 0 }, [NETTRACE_UINT16] = { IN_UINT16, 6, 0 },
	[NETTRACE_INT32] = { IN_INT32, 7, 0 }, [NETTRACE_UINT32] = { IN_UINT32, 8, 0 },
	[NETTRACE_INT64] = { IN_INT64, 9, 0 }, [NETTRACE_UINT64] = { IN_UINT64, 10, 0 },
	[NETTRACE_FLOAT] = { IN_FLOAT, 11, 0 }, [NETTRACE_DOUBLE] = { IN_DOUBLE, 12, 0 },
	/* the file's documentation has SYSTEMTIME, but .NET writes a FILETIME */
	[NETTRACE_DATETIME] = { IN_FILETIME, TDH_OUT_DATETIME, 0 },
	[NETTRACE_GUID] = { IN_GUID, TDH_OUT_GUID, 0 },
	[NETTRACE_STRING16] = { IN_UTF16, TDH_OUT_STRING, 0 },
	[NETTRACE_CHAR8] = { IN_UINT8, TDH_OUT_STRING, OUT_STRING },
	[NETTRACE_BOOL8] = { IN_UINT8, TDH_OUT_BOOLEAN, OUT_BOOLEAN },
};

/**
 * struct description - bytes of one while it is made
 * @bytes: of it
 * @size: of these
 * @full: it has no room
 */
struct description {
	uint8_t bytes[MOST_DESCRIPTION];
	uint32_t size;
	bool full;
};

static void add(struct description *to, const void *bytes, size_t size)
{
	if (to->full || size > sizeof(to->bytes) - to->size) {
		to->full = true;
		return;
	}
	if (bytes)
		memcpy(to->bytes + to->size, bytes, size);
	else
		memset(to->bytes + to->size, 0, size);
	to->size += size;
}

static void add_u8(struct description *to, uint8_t value)
{
	add(to, &value, sizeof(value));
}

static void add_u16(struct description *to, uint16_t value)
{
	add(to, &value, sizeof(value));
}

static void put(struct description *to, uint32_t at, const void *bytes, size_t size)
{
	if (!to->full)
		memcpy(to->bytes + at, bytes, size);
}

/* A text in UTF-16; its offset goes to @place */
static void add_text(struct description *to, const char *text, uint32_t place)
{
	uint16_t units[NETTRACE_NAME];
	size_t count = text_to_utf16(text, units, NETTRACE_NAME - 1);

	units[count] = 0;
	put(to, place, &to->size, sizeof(to->size));
	add(to, units, 2 * (count + 1));
}

/* As the description in an event: size, tags, name, fields */
static void make_schema(const struct nettrace_fields *fields, const char *name,
			struct description *to)
{
	const struct nettrace_field *field;
	size_t i;

	add(to, NULL, 3);
	add(to, name, strlen(name) + 1);
	for (i = 0; i < fields->count; i++) {
		field = &fields->field[i];
		add(to, field->name, strlen(field->name) + 1);
		add_u8(to, types[field->type].in |
		       (field->array == NETTRACE_ARRAY ? COUNT_VARIABLE :
			field->array ? COUNT_FIXED : 0) |
		       (types[field->type].out || field->members ? TAGGED : 0));
		/* the upper bit has another meaning */
		to->full |= field->members > MOST_MEMBERS;
		if (field->members)
			add_u8(to, field->members);
		else if (types[field->type].out)
			add_u8(to, types[field->type].out);
		if (field->array == NETTRACE_FIXED_ARRAY)
			add_u16(to, field->count);
	}
	put(to, 0, &(uint16_t){ to->size }, 2);
}

static int keep_schema(struct importing *importing, struct nettrace_event_kind *kind,
		       const struct description *made)
{
	if (made->full) {
		importing->counts.cut++;
		return 0;
	}
	/* as events of TraceLogging: readers look for a description by the id otherwise */
	kind->id = 0;
	kind->schema = malloc(made->size);
	if (!kind->schema)
		return no_memory();
	memcpy(kind->schema, made->bytes, made->size);
	kind->schema_size = made->size;
	return 0;
}

/**
 * struct property - an entry of the description's array
 * @field: index of the field
 * @is_count: the entry is the number of elements that stands before an array
 */
struct property {
	uint16_t field;
	bool is_count;
};

/**
 * struct properties - the array; members of objects stand behind all that is around them
 * @of: entries; each field has two at most
 * @count: number of them
 * @first: by field: the entry of its first member
 */
struct properties {
	struct property of[2 * NETTRACE_FIELDS];
	uint16_t count;
	uint16_t first[NETTRACE_FIELDS];
};

/* Entries for the fields from @field to @end, without members */
static void add_level(const struct nettrace_fields *fields, size_t field, size_t end,
		      struct properties *properties)
{
	for (; field < end; field += 1 + fields->field[field].all) {
		if (fields->field[field].array == NETTRACE_ARRAY)
			properties->of[properties->count++] = (struct property){ field, true };
		properties->of[properties->count++] = (struct property){ field, false };
	}
}

/* Return: entries that are not members */
static uint16_t collect(const struct nettrace_fields *fields, struct properties *properties)
{
	const struct nettrace_field *field;
	uint16_t top, i;

	properties->count = 0;
	add_level(fields, 0, fields->count, properties);
	top = properties->count;
	for (i = 0; i < properties->count; i++) {
		field = &fields->field[properties->of[i].field];
		if (properties->of[i].is_count || field->type != NETTRACE_OBJECT)
			continue;
		properties->first[properties->of[i].field] = properties->count;
		add_level(fields, properties->of[i].field + 1,
			  properties->of[i].field + 1 + field->all, properties);
	}
	return top;
}

/* Members of an object, with the counts of their arrays */
static uint16_t members_of(const struct nettrace_fields *fields, size_t field)
{
	size_t i, end = field + 1 + fields->field[field].all;
	uint16_t count = 0;

	for (i = field + 1; i < end; i += 1 + fields->field[i].all)
		count += fields->field[i].array == NETTRACE_ARRAY ? 2 : 1;
	return count;
}

static void add_property(const struct nettrace_fields *fields, const struct properties *properties,
			 uint16_t i, struct description *to)
{
	const struct property *property = &properties->of[i];
	const struct nettrace_field *field = &fields->field[property->field];
	bool is_object = field->type == NETTRACE_OBJECT && !property->is_count;
	uint32_t flags = is_object ? PROPERTY_STRUCT : 0;
	uint16_t count = 1;

	if (field->array == NETTRACE_ARRAY && !property->is_count) {
		flags |= PROPERTY_PARAM_COUNT;
		count = i - 1;
	} else if (field->array && !property->is_count) {
		flags |= PROPERTY_FIXED_COUNT;
		count = field->count;
	}
	add(to, &flags, sizeof(flags));
	/* name */
	add(to, NULL, 4);
	add_u16(to, property->is_count ? IN_UINT16 : is_object ?
		    properties->first[property->field] : types[field->type].in);
	add_u16(to, property->is_count ? 6 : is_object ? members_of(fields, property->field) :
		    types[field->type].tdh);
	add(to, NULL, 4);
	add_u16(to, count);
	/* length, reserved */
	add(to, NULL, 6);
}

static void add_property_name(const struct nettrace_fields *fields,
			      const struct properties *properties, uint16_t i,
			      struct description *to)
{
	const struct property *property = &properties->of[i];
	char name[NETTRACE_NAME + 8];

	snprintf(name, sizeof(name), "%s%s", fields->field[property->field].name,
		 property->is_count ? ".Count" : "");
	add_text(to, name, INFO_PROPERTIES + PROPERTY_SIZE * i + 4);
}

static void make_info(const struct nettrace_fields *fields,
		      const struct nettrace_event_kind *kind, struct description *to)
{
	static struct properties properties;
	uint32_t top = collect(fields, &properties), count = properties.count, i;

	add(to, NULL, INFO_PROPERTIES);
	put(to, 0, &kind->provider, sizeof(kind->provider));
	put(to, INFO_ID, &kind->id, sizeof(kind->id));
	put(to, INFO_VERSION, &kind->version, 1);
	put(to, INFO_LEVEL, &kind->level, 1);
	put(to, INFO_OPCODE, &kind->opcode, 1);
	put(to, INFO_KEYWORDS, &kind->keywords, sizeof(kind->keywords));
	put(to, INFO_COUNT, &count, sizeof(count));
	put(to, INFO_TOP, &top, sizeof(top));
	for (i = 0; i < count; i++)
		add_property(fields, &properties, i, to);
	add_text(to, kind->provider_name, INFO_PROVIDER_NAME);
	if (kind->name[0])
		add_text(to, kind->name, INFO_TASK_NAME);
	if (kind->opcode == 1 || kind->opcode == 2)
		add_text(to, kind->opcode == 1 ? "Start" : "Stop", INFO_OPCODE_NAME);
	for (i = 0; i < count; i++)
		add_property_name(fields, &properties, i, to);
}

enum known { IS_NEW, IS_DESCRIBED, IS_OTHER };

/* Whether the id has a description, and whether it is that of @schema. Return: -1: no memory */
static int find_description(struct nettrace *nettrace, const struct nettrace_event_kind *kind,
			    const struct description *schema)
{
	size_t known = nettrace->described.count, i;
	uint64_t key = map_mix(MAP_MIX, &kind->provider, sizeof(kind->provider));
	uint64_t hash = map_mix(MAP_MIX, schema->bytes, schema->size);

	key = map_mix(map_mix(key, &kind->id, sizeof(kind->id)), &kind->version, 1);
	if (!map_make_room((void **)&nettrace->schemas, known, sizeof(*nettrace->schemas)))
		return no_memory();
	i = map_add(&nettrace->described, key);
	if (i == MAP_NONE)
		return no_memory();
	if (i < known)
		return nettrace->schemas[i] == hash || !kind->name[0] ? IS_DESCRIBED : IS_OTHER;
	nettrace->schemas[i] = hash;
	return IS_NEW;
}

static int write_info(struct importing *importing, const struct description *made)
{
	static const struct etw_guid metadata = METADATA_GUID;

	if (made->full) {
		importing->counts.cut++;
		return 0;
	}
	import_full(importing, &metadata, OPCODE_EVENT_INFO, EVENT_INFO_VERSION, UINT32_MAX);
	import_bytes(importing, made->bytes, made->size);
	importing->counts.descriptions++;
	return import_write(importing);
}

int nettrace_describe(struct importing *importing, struct nettrace_event_kind *kind)
{
	static struct description made;
	int known = IS_OTHER;

	made.size = 0;
	made.full = false;
	make_schema(&importing->nettrace->fields, kind->name, &made);
	if (importing->nettrace->file.version < 6 || kind->id || !kind->name[0])
		known = find_description(importing->nettrace, kind, &made);
	if (known == IS_OTHER)
		return keep_schema(importing, kind, &made);
	if (known != IS_NEW)
		return known < 0 ? -1 : 0;
	made.size = 0;
	made.full = false;
	make_info(&importing->nettrace->fields, kind, &made);
	return write_info(importing, &made);
}
