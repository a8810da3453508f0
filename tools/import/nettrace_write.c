// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* An event of a .nettrace as an EVENT_HEADER record. */
#include <inttypes.h>
#include "import.h"
#include "import_limits.h"
#include "libetl/messages.h"
#include "libetl/reader.h"
#include "nettrace.h"

#define CHANNEL_TRACELOGGING	11
#define FLAG_EXTENDED_INFO	0x0001
#define FLAG_32_BIT		0x0020
#define FLAG_64_BIT		0x0040
/* What fits into the size of an item, with the match id */
#define MOST_STACK		0xFF00

static const struct etw_guid none;

/* What an event has, with what its labels override */
static struct nettrace_event_kind kind_of(const struct nettrace *nettrace,
					  const struct nettrace_event *event,
					  const struct nettrace_labels *labels)
{
	struct nettrace_event_kind kind = nettrace->tables.kinds[event->kind];

	if (labels && labels->has_keywords)
		kind.keywords = labels->keywords;
	if (labels && labels->has_opcode)
		kind.opcode = labels->opcode;
	if (labels && labels->has_level)
		kind.level = labels->level;
	if (labels && labels->has_version)
		kind.version = labels->version;
	return kind;
}

static void put_related(struct importing *importing, const struct etw_guid *related, bool more)
{
	import_item(importing, ETL_ITEM_RELATED_ACTIVITY, sizeof(*related), more);
	import_bytes(importing, related, sizeof(*related));
	import_item_end(importing, sizeof(*related));
}

static void put_stack(struct importing *importing, const struct nettrace_event *event, bool more)
{
	uint16_t type = importing->nettrace->file.pointer == 8 ? ETL_ITEM_STACK64 :
								 ETL_ITEM_STACK32;

	import_item(importing, type, 8 + event->stack_size, more);
	/* it belongs to no other event */
	import_u64(importing, 0);
	import_bytes(importing, event->stack, event->stack_size);
	import_item_end(importing, event->stack_size);
}

static void put_schema(struct importing *importing, const struct nettrace_event_kind *kind)
{
	const uint16_t size = 2 + strlen(kind->provider_name) + 1;

	import_item(importing, ETL_ITEM_TRAITS, size, true);
	import_u16(importing, size);
	import_bytes(importing, kind->provider_name, size - 2);
	import_item_end(importing, size);
	import_item(importing, ETL_ITEM_SCHEMA, kind->schema_size, false);
	import_bytes(importing, kind->schema, kind->schema_size);
	import_item_end(importing, kind->schema_size);
}

static void begin(struct importing *importing, const struct nettrace_event *event,
		  const struct nettrace_event_kind *kind, const struct etw_guid *activity,
		  bool items)
{
	const bool wide = importing->nettrace->file.pointer == 8;
	const struct etw_event_header header = {
		.header_type = TRACE_HEADER_FLAGS << 8 |
			       (wide ? TRACE_HEADER_TYPE_EVENT_HEADER64 :
				       TRACE_HEADER_TYPE_EVENT_HEADER32),
		.flags = (items ? FLAG_EXTENDED_INFO : 0) | (wide ? FLAG_64_BIT : FLAG_32_BIT),
		.thread_id = event->tid, .process_id = event->pid,
		.time_stamp = importing->now, .provider_id = kind->provider,
		.id = kind->id, .version = kind->version, .level = kind->level,
		.channel = kind->schema ? CHANNEL_TRACELOGGING : 0,
		.opcode = kind->opcode, .keyword = kind->keywords, .activity_id = *activity,
	};

	import_event(importing, &header);
}

static int write_event(struct importing *importing, const struct nettrace_event *event)
{
	struct nettrace *nettrace = importing->nettrace;
	const struct nettrace_labels *labels =
		event->labels ? &nettrace->tables.labels[event->labels - 1] : NULL;
	const struct nettrace_event_kind kind = kind_of(nettrace, event, labels);
	const struct etw_guid *activity = labels ? &labels->activity : &event->activity;
	const struct etw_guid *related = labels ? &labels->related : &event->related;
	bool has_related = memcmp(related, &none, sizeof(none));
	bool has_stack = event->stack_size && event->stack_size < MOST_STACK;

	begin(importing, event, &kind, activity, has_related || has_stack || kind.schema);
	if (has_related)
		put_related(importing, related, has_stack || kind.schema);
	if (has_stack)
		put_stack(importing, event, kind.schema);
	else if (event->stack_size)
		importing->counts.cut++;
	if (kind.schema)
		put_schema(importing, &kind);
	import_bytes(importing, event->payload, event->size);
	if (!importing->too_large) {
		importing->counts.events++;
		importing->counts.stacks += has_stack;
	}
	return import_write(importing);
}

/* Many small events may share a large stack: a crafted file must not fill the disk. */
static int check_size(const struct importing *importing)
{
	const struct nettrace_file *file = &importing->nettrace->file;

	if (!import_outgrows(importing, file->size))
		return 0;
	failed("import: %s: at 0x%" PRIx64 ": the trace would have more than %" PRIu64 " MB, %d "
	       "times the size of the file", file->name, file->block, importing->out.at >> 20,
	       IMPORT_BYTES_OF_BYTE);
	return -1;
}

int nettrace_write(struct importing *importing, const struct nettrace_event *event)
{
	if (check_size(importing))
		return -1;
	importing->now = nettrace_time(&importing->nettrace->file, event->time);
	importing->cpu = event->processor < ETL_PROCESSORS ? event->processor : 0;
	if (event->kind == NETTRACE_LOSS)
		return import_losses(importing, event->size, importing->now);
	return write_event(importing, event);
}
