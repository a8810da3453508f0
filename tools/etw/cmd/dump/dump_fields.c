// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* etw dump: fields of headers and of extended items. */
#include <string.h>
#include "etw_trace_headers.h"
#include "libetl/cursor.h"
#include "libetl/event_info.h"
#include "libetl/text.h"
#include "dump.h"

static void put_guid(struct fields *fields, const char *name, const struct etw_guid *guid)
{
	static const struct etw_guid none;
	char text[GUID_TEXT];

	if (etl_guid_equal(guid, &none))
		return;
	text_from_guid(guid, text);
	fields_string(fields, name, text);
}

static void put_stack(struct cursor *cursor, uint32_t bytes)
{
	uint64_t match = take(cursor, 8);

	if (match)
		fields_hex(cursor->fields, "StackMatchId", match);
	take_list(cursor, "Stack", bytes);
}

static void put_instance(struct cursor *cursor)
{
	U("InstanceId", 4);
	U("ParentInstanceId", 4);
	take_guid(cursor, "ParentGuid");
}

/* The description of the payload and the provider's traits are shown elsewhere. */
static void put_item(struct cursor *cursor, const struct etl_item *item)
{
	switch (item->type) {
	case ETL_ITEM_RELATED_ACTIVITY:
		return take_guid(cursor, "RelatedActivityId");
	case ETL_ITEM_SID:
		return take_sid(cursor, "Sid");
	case ETL_ITEM_SESSION:
		U("TerminalSessionId", 4);
		return;
	case ETL_ITEM_INSTANCE:
		return put_instance(cursor);
	case ETL_ITEM_STACK32:
		return put_stack(cursor, 4);
	case ETL_ITEM_STACK64:
		return put_stack(cursor, 8);
	case ETL_ITEM_PEBS:
		U("PebsIndex", 8);
		return;
	case ETL_ITEM_COUNTERS:
		return take_list(cursor, "Counters", 8);
	case ETL_ITEM_EVENT_KEY:
		X("EventKey", 8);
		return;
	case ETL_ITEM_PROCESS_KEY:
		X("ProcessStartKey", 8);
		return;
	case ETL_ITEM_CONTAINER:
		return take_bytes(cursor, "ContainerId");
	case ETL_ITEM_STACK_KEY32:
	case ETL_ITEM_STACK_KEY64:
		X("StackMatchId", 8);
		X("StackKey", item->type == ETL_ITEM_STACK_KEY32 ? 4 : 8);
		return;
	case ETL_ITEM_SCHEMA:
	case ETL_ITEM_TRAITS:
		return;
	}
	fields_unsigned(cursor->fields, "ItemType", item->type);
	fields_dump(cursor->fields, "Item", item->data, item->size);
}

static void put_items(struct line *line)
{
	struct etl_item item = { };
	struct cursor cursor;

	while (etl_item_next(line->record, &item)) {
		cursor = (struct cursor){ item.data, item.size, &line->fields,
					  line->record->pointer_size, false };
		put_item(&cursor, &item);
	}
}

static void put_event(struct line *line)
{
	const struct etl_record *record = line->record;
	struct fields *fields = &line->fields;

	if (!etl_is_ours(record)) {
		/* the names of other events end with it, or are all that there is */
		if (event_info_of(record))
			fields_unsigned(fields, "EventId", record->id);
		fields_unsigned(fields, "Level", record->level);
		fields_unsigned(fields, "Opcode", record->opcode);
		fields_unsigned(fields, "Task", record->task);
		fields_hex(fields, "Keyword", record->keyword);
	}
	put_guid(fields, "ActivityId", &record->activity);
	put_items(line);
}

static void put_instance_ids(struct line *line)
{
	const struct etl_record *record = line->record;

	fields_unsigned(&line->fields, "InstanceId", record->instance);
	fields_unsigned(&line->fields, "ParentInstanceId", record->parent_instance);
	put_guid(&line->fields, "ParentGuid", &record->activity);
}

/* Kernel events have no level: theirs is 0. */
static void put_classic(struct line *line)
{
	if (line->record->level)
		fields_unsigned(&line->fields, "Level", line->record->level);
	if (line->record->header == ETL_INSTANCE)
		put_instance_ids(line);
}

/* The number and the flags are printed too, because they identify the arguments. */
static void put_message(struct line *line)
{
	const struct etl_record *record = line->record;

	fields_hex(&line->fields, "OptionFlags", record->flags);
	if (record->flags & TRACE_MESSAGE_SEQUENCE)
		fields_unsigned(&line->fields, "Sequence", record->sequence);
	if (record->flags & TRACE_MESSAGE_COMPONENT_ID)
		fields_hex(&line->fields, "ComponentId", record->guid.data1);
}

static void put_inline_items(struct line *line)
{
	static const char *const counter[ETL_MAX_COUNTERS] = {
		"Counter0", "Counter1", "Counter2", "Counter3", "Counter4", "Counter5", "Counter6",
	};
	const struct etl_record *record = line->record;
	unsigned int i;

	if (record->has_pebs)
		fields_unsigned(&line->fields, "PebsIndex", record->pebs);
	for (i = 0; i < record->nr_counters; i++)
		fields_unsigned(&line->fields, counter[i], record->counters[i]);
}

void dump_header_fields(struct line *line)
{
	const struct etl_record *record = line->record;

	switch (record->header) {
	case ETL_EVENT:
		put_event(line);
		break;
	case ETL_FULL:
	case ETL_INSTANCE:
		put_classic(line);
		break;
	case ETL_MESSAGE:
		put_message(line);
		break;
	default:
		put_inline_items(line);
		break;
	}
}
