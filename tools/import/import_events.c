// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Tracepoints and other records as events that describe themselves (TraceLogging), and losses. */
#include <stdio.h>
#include "etw_linux.h"
#include "import.h"
#include "libetl/messages.h"
#include "libetl/reader.h"
#include "libetl/typed.h"

static const struct etw_guid linux_provider = ETW_LINUX_PROVIDER_GUID;

#define CHANNEL_TRACELOGGING	11
#define LEVEL_VERBOSE		5
#define FLAG_EXTENDED_INFO	0x0001
#define FLAG_64_BIT		0x0040
#define COUNT_VARIABLE		0x40

/* An extended item: where the next one is, its type, whether one follows, its size */
void import_item(struct importing *importing, uint16_t type, uint16_t size, bool more)
{
	uint16_t padded = (8 + size + 7) & ~7;

	import_u16(importing, padded);
	import_u16(importing, type);
	import_u16(importing, more);
	import_u16(importing, size);
}

void import_item_end(struct importing *importing, uint16_t size)
{
	static const uint8_t zeros[8];

	import_bytes(importing, zeros, -size & 7);
}

static void begin_event(struct importing *importing, const struct perf_record *record)
{
	const struct import_provider *provider = importing->provider;
	const uint16_t size = 2 + strlen(provider->name) + 1;
	const struct etw_event_header header = {
		.header_type = TRACE_HEADER_FLAGS << 8 | TRACE_HEADER_TYPE_EVENT_HEADER64,
		.flags = FLAG_EXTENDED_INFO | FLAG_64_BIT,
		.thread_id = record->tid,
		.process_id = record->tid ? import_pid(importing, record->pid) : 0,
		.time_stamp = importing->now, .provider_id = provider->guid,
		.channel = CHANNEL_TRACELOGGING, .level = LEVEL_VERBOSE,
	};

	import_event(importing, &header);
	import_item(importing, ETL_ITEM_TRAITS, size, true);
	import_u16(importing, size);
	import_bytes(importing, provider->name, size - 2);
	import_item_end(importing, size);
}

/**
 * struct schema - description of an event
 * @bytes: its size, tags, the event's name, the fields
 * @size: bytes of it
 */
struct schema {
	uint8_t bytes[0x4000];
	uint16_t size;
};

static void schema_bytes(struct schema *schema, const void *bytes, size_t size)
{
	if (size > sizeof(schema->bytes) - schema->size)
		return;
	memcpy(schema->bytes + schema->size, bytes, size);
	schema->size += size;
}

static void schema_begin(struct schema *schema, const char *name)
{
	static const uint8_t size_and_tags[3];

	schema->size = 0;
	schema_bytes(schema, size_and_tags, sizeof(size_and_tags));
	schema_bytes(schema, name, strlen(name) + 1);
}

static void schema_field(struct schema *schema, const char *name, uint8_t type)
{
	/* all or nothing, because readers take the fields one by one */
	if (strlen(name) + 2 > sizeof(schema->bytes) - schema->size)
		return;
	schema_bytes(schema, name, strlen(name) + 1);
	schema_bytes(schema, &type, 1);
}

static void put_schema(struct importing *importing, struct schema *schema)
{
	memcpy(schema->bytes, &schema->size, 2);
	import_item(importing, ETL_ITEM_SCHEMA, schema->size, false);
	import_bytes(importing, schema->bytes, schema->size);
	import_item_end(importing, schema->size);
}

static uint8_t integer(uint32_t size, bool is_signed)
{
	switch (size) {
	case 1:
		return is_signed ? IN_INT8 : IN_UINT8;
	case 2:
		return is_signed ? IN_INT16 : IN_UINT16;
	case 4:
		return is_signed ? IN_INT32 : IN_UINT32;
	}
	return is_signed ? IN_INT64 : IN_UINT64;
}

static uint8_t type_of(const struct trace_field *field)
{
	switch (field->kind) {
	case TRACE_NUMBER:
		return integer(field->size, field->is_signed);
	case TRACE_REAL:
		return field->size == 4 ? IN_FLOAT : IN_DOUBLE;
	case TRACE_TEXT:
		return IN_BYTES;
	case TRACE_NUMBERS:
		return integer(field->element, field->is_signed) | COUNT_VARIABLE;
	default:
		return field->text ? IN_BYTES :
		       integer(field->element, field->is_signed) | COUNT_VARIABLE;
	}
}

static void put_field(struct importing *importing, const struct perf_record *record,
		      const struct trace_field *field)
{
	const struct piece piece = trace_field_bytes(field, record->raw, record->raw_size);
	uint8_t type = type_of(field);
	uint64_t zero = 0;

	if (type == IN_BYTES) {
		import_bytes(importing, piece.at, piece.left ? strnlen((char *)piece.at,
								       piece.left) : 0);
		import_u8(importing, 0);
	} else if (type & COUNT_VARIABLE) {
		uint32_t element = field->element ? field->element : 1;

		import_u16(importing, piece.left / element);
		import_bytes(importing, piece.at, piece.left / element * element);
	} else {
		import_bytes(importing, piece.left ? piece.at : (uint8_t *)&zero, field->size);
	}
}

/* Without a format, the fields are one field of bytes. */
static int write_raw(struct importing *importing, const struct perf_record *record,
		     const char *name, struct piece data)
{
	static struct schema schema;

	begin_event(importing, record);
	schema_begin(&schema, name);
	schema_field(&schema, "Data", IN_UINT8 | COUNT_VARIABLE);
	put_schema(importing, &schema);
	import_u16(importing, data.left);
	import_bytes(importing, data.at, data.left);
	return import_write(importing);
}

int import_tracepoint(struct importing *importing, const struct perf_record *record,
		      const struct import_kind *kind)
{
	static struct schema schema;
	char name[128];
	size_t i;

	importing->counts.tracepoints++;
	if (!kind->format || !record->raw) {
		snprintf(name, sizeof(name), "%s", record->kind->name);
		if (!name[0])
			snprintf(name, sizeof(name), "tracepoint %llu", record->kind->attr.config);
		return write_raw(importing, record, name, (struct piece){
			.at = record->raw, .left = record->raw_size,
		});
	}
	begin_event(importing, record);
	schema_begin(&schema, kind->format->name);
	for (i = 0; i < kind->format->count; i++)
		schema_field(&schema, kind->format->fields[i].name,
			     type_of(&kind->format->fields[i]));
	put_schema(importing, &schema);
	for (i = 0; i < kind->format->count; i++)
		put_field(importing, record, &kind->format->fields[i]);
	return import_write(importing);
}

static const char *name_of(uint32_t type)
{
	static const char *const names[] = {
		[PERF_RECORD_MMAP] = "mmap", [PERF_RECORD_THROTTLE] = "throttle",
		[PERF_RECORD_UNTHROTTLE] = "unthrottle", [PERF_RECORD_READ] = "read",
		[PERF_RECORD_MMAP2] = "mmap2", [PERF_RECORD_ITRACE_START] = "itrace_start",
		[PERF_RECORD_NAMESPACES] = "namespaces", [PERF_RECORD_KSYMBOL] = "ksymbol",
		[PERF_RECORD_BPF_EVENT] = "bpf_event", [PERF_RECORD_CGROUP] = "cgroup",
		[PERF_RECORD_TEXT_POKE] = "text_poke",
	};

	return type < sizeof(names) / sizeof(names[0]) ? names[type] : NULL;
}

static int keep_early(struct importing *importing, const struct perf_record *record)
{
	const uint8_t *bytes = record->bytes, *file = importing->file.bytes;

	if (bytes < file || bytes >= file + importing->file.size) {
		importing->counts.skipped++;
		return 0;
	}
	if (!map_make_room((void **)&importing->early, importing->early_count,
			   sizeof(*importing->early)))
		return no_memory();
	importing->early[importing->early_count++] = bytes;
	return 0;
}

/* @record: its payload, with the type of the record and, behind the values, the sample id */
int import_other(struct importing *importing, const struct perf_record *record)
{
	const char *known = name_of(record->type);
	char name[32];

	if (!importing->begun)
		return keep_early(importing, record);
	if (known)
		snprintf(name, sizeof(name), "perf:%s", known);
	else
		snprintf(name, sizeof(name), "perf:%u", record->type);
	importing->counts.others++;
	return write_raw(importing, record, name, perf_record_payload(record));
}

static int write_loss(struct importing *importing, const struct etw_loss *loss)
{
	const struct etw_event_header header = {
		.header_type = TRACE_HEADER_FLAGS << 8 | TRACE_HEADER_TYPE_EVENT_HEADER64,
		.time_stamp = importing->now, .provider_id = linux_provider,
		.id = ETW_LINUX_EVENT_LOSS, .process_id = 4,
	};

	import_event(importing, &header);
	import_bytes(importing, loss, sizeof(*loss));
	return import_write(importing);
}

int import_losses(struct importing *importing, uint64_t count)
{
	struct etw_loss *loss = &importing->cpus[importing->cpu].lost;

	loss->processor = importing->cpu;
	loss->cause = ETW_LOSS_NO_BUFFER;
	loss->count = count;
	loss->total += loss->count;
	loss->last = importing->now;
	if (!loss->first)
		loss->first = importing->now;
	importing->counts.lost += loss->count;
	return write_loss(importing, loss);
}

/* PERF_RECORD_LOST has the id of the event before the number, PERF_RECORD_LOST_SAMPLES not. */
int import_lost(struct importing *importing, const struct perf_record *record)
{
	struct piece piece = perf_record_payload(record);

	if (record->type == PERF_RECORD_LOST)
		piece_u64(&piece);
	return import_losses(importing, piece_u64(&piece));
}

int import_lost_total(struct importing *importing, const struct perf_record *record)
{
	struct piece piece = perf_record_payload(record);

	importing->lost_total += piece_u64(&piece);
	return 0;
}

int import_lost_rest(struct importing *importing)
{
	if (importing->lost_total <= importing->counts.lost)
		return 0;
	importing->now = importing->out.last;
	return import_losses(importing, importing->lost_total - importing->counts.lost);
}
