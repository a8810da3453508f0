// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Tracepoints and other records as events that describe themselves (TraceLogging), and losses. */
#include <stdio.h>
#include "etw_linux.h"
#include "import.h"
#include "libetl/messages.h"
#include "libetl/reader.h"
#include "libetl/tracelogging_form.h"
#include "libetl/typed.h"
#include "trace_schema.h"

static const struct etw_guid linux_provider = ETW_LINUX_PROVIDER_GUID;

#define CHANNEL_TRACELOGGING	11
#define FLAG_EXTENDED_INFO	0x0001
#define FLAG_64_BIT		0x0040

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

static void begin_event(struct importing *importing, const struct perf_record *record,
			const struct import_provider *provider)
{
	const uint16_t size = 2 + strlen(provider->name) + 1;
	const struct etw_event_header header = {
		.header_type = TRACE_HEADER_FLAGS << 8 | TRACE_HEADER_TYPE_EVENT_HEADER64,
		.flags = FLAG_EXTENDED_INFO | FLAG_64_BIT,
		.thread_id = record->tid,
		.process_id = record->tid ? import_pid(importing, record->pid) : 0,
		.time_stamp = importing->now, .provider_id = provider->guid,
		.channel = CHANNEL_TRACELOGGING, .level = TRACE_LEVEL_VERBOSE,
	};

	import_event(importing, &header);
	import_item(importing, ETL_ITEM_TRAITS, size, true);
	import_u16(importing, size);
	import_bytes(importing, provider->name, size - 2);
	import_item_end(importing, size);
}

static void put_schema(struct importing *importing, const struct trace_schema *schema)
{
	import_item(importing, ETL_ITEM_SCHEMA, schema->size, false);
	import_bytes(importing, schema->bytes, schema->size);
	import_item_end(importing, schema->size);
}

/* What the raw data does not have is zeros. */
static void put_bytes(struct importing *importing, const struct piece *piece, uint32_t size)
{
	uint32_t i;

	if (piece->left)
		import_bytes(importing, piece->at, size);
	else
		for (i = 0; i < size; i++)
			import_u8(importing, 0);
}

static void put_field(struct importing *importing, const struct perf_record *record,
		      const struct trace_field *field)
{
	const struct piece piece = trace_field_bytes(field, record->raw, record->raw_size);
	const struct trace_type type = trace_type_of(field);

	if (type.in == IN_BYTES) {
		import_bytes(importing, piece.at, piece.left ? strnlen((char *)piece.at,
								       piece.left) : 0);
		import_u8(importing, 0);
	} else if (type.counting == TL_COUNT_VARIABLE) {
		uint32_t element = field->element ? field->element : 1;

		import_u16(importing, piece.left / element);
		import_bytes(importing, piece.at, piece.left / element * element);
	} else {
		put_bytes(importing, &piece, field->size);
	}
}

/* Without a format, the fields are one field of bytes. */
static int write_raw(struct importing *importing, const struct perf_record *record,
		     const char *name, struct piece data)
{
	static const struct trace_type bytes = { .in = IN_UINT8, .counting = TL_COUNT_VARIABLE };
	static struct trace_schema schema;

	begin_event(importing, record, importing->provider);
	trace_schema_begin(&schema, name);
	trace_schema_field(&schema, "Data", &bytes);
	trace_schema_end(&schema);
	put_schema(importing, &schema);
	import_u16(importing, data.left);
	import_bytes(importing, data.at, data.left);
	return import_write(importing);
}

int import_cgroup_event(struct importing *importing, const struct perf_record *record,
			const char *name, uint64_t id, const char *path)
{
	static const struct trace_type number = { .in = IN_UINT64 };
	static const struct trace_type text = { .in = IN_BYTES, .out = OUT_UTF8 };
	static struct trace_schema schema;

	importing->counts.others++;
	begin_event(importing, record, importing->provider);
	trace_schema_begin(&schema, name);
	trace_schema_field(&schema, "Id", &number);
	trace_schema_field(&schema, "Path", &text);
	trace_schema_end(&schema);
	put_schema(importing, &schema);
	import_u64(importing, id);
	import_bytes(importing, path, strlen(path) + 1);
	return import_write(importing);
}

int import_tracepoint(struct importing *importing, const struct perf_record *record,
		      const struct import_kind *kind)
{
	static struct trace_schema schema;
	struct import_provider provider;
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
	provider = (struct import_provider){ kind->format->provider_name, kind->format->provider };
	begin_event(importing, record, provider.name[0] ? &provider : importing->provider);
	trace_schema_of(&schema, kind->format);
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

int import_losses(struct importing *importing, uint64_t count, uint64_t last)
{
	struct import_cpu *cpu = &importing->cpus[importing->cpu];
	struct etw_loss *loss = &cpu->lost;

	loss->processor = importing->cpu;
	loss->cause = ETW_LOSS_NO_BUFFER;
	loss->count = count;
	loss->total += loss->count;
	loss->last = last;
	if (!loss->first)
		loss->first = last;
	cpu->followed = false;
	importing->counts.lost += loss->count;
	return write_loss(importing, loss);
}

/* PERF_RECORD_LOST has the id of the event before the number, PERF_RECORD_LOST_SAMPLES not. */
int import_lost(struct importing *importing, const struct perf_record *record)
{
	struct piece piece = perf_record_payload(record);

	if (record->type == PERF_RECORD_LOST)
		piece_u64(&piece);
	return import_losses(importing, piece_u64(&piece), importing->now);
}

int import_lost_total(struct importing *importing, const struct perf_record *record)
{
	struct piece piece = perf_record_payload(record);

	importing->lost_total += piece_u64(&piece);
	return 0;
}

/* The totals do not contain the switches that perf missed. */
int import_lost_rest(struct importing *importing)
{
	uint64_t reported = importing->counts.lost - importing->counts.missed;

	if (importing->lost_total <= reported)
		return 0;
	importing->now = importing->out.last;
	return import_losses(importing, importing->lost_total - reported, importing->now);
}
