// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Payloads of known events to named fields. */
#include "cursor.h"
#include "decode.h"
#include "event_info.h"
#include "events/events.h"
#include "guids.h"
#include "tracelogging.h"

/* A payload that is one string; NULL when the record does not say so */
static const struct form string_only[] = { F_UTF16("String"), F_END };

/* What 'etw log' writes without a GUID: version 0, and 1 with --wide */
static const struct form log_text[] = { F_BYTES("Text"), F_END };
static const struct form log_wide[] = { F_UTF16("Text"), F_END };
static const struct etw_guid log_guid = ETW_LOG_GUID;

#define EVENT_STRING_ONLY	0x0004

/* Where the fields stood before an attempt */
struct mark {
	unsigned int count;
	size_t used;
};

/*
 * What a classic event says of itself is not always so: pieces of traces of one
 * width were written again by programs of another, and the pointer before a SID
 * was cleared. What fits to the last byte is right; else what the record says is.
 */
static void attempt(const struct etl_record *record, const struct form *forms,
		    struct fields *fields)
{
	const struct mark mark = { fields->count, fields->used };
	const uint8_t said = record->pointer_size;
	const struct {
		uint8_t pointer;
		bool sid;
	} tries[] = { { said, false }, { said, true }, { 12 - said, false }, { 12 - said, true },
		      { said, false } };
	bool classic = record->header == ETL_FULL || record->header == ETL_INSTANCE;
	unsigned int i, count = classic ? sizeof(tries) / sizeof(tries[0]) : 1;
	struct cursor cursor;

	for (i = 0; i < count; i++) {
		fields->count = mark.count;
		fields->used = mark.used;
		fields->truncated = false;
		cursor = (struct cursor){
			.at = record->payload, .left = record->payload_size, .fields = fields,
			.pointer = tries[i].pointer, .sid = tries[i].sid,
		};
		layout_walk(forms, &cursor);
		if (!cursor.left && !fields->truncated)
			return;
	}
	if (cursor.left)
		fields_dump(fields, "Rest", cursor.at, cursor.left);
}

const struct form *decode_log_text(const struct etl_record *record)
{
	if (record->header != ETL_FULL || !etl_guid_equal(&record->guid, &log_guid))
		return NULL;
	return record->version ? log_wide : log_text;
}

static const struct form *forms_of(const struct etl_record *record)
{
	const struct etl_event *event = event_of(record);

	/* groups that only classes stand for */
	if (event && event->id >> 8 >= 0x1F && record->header != ETL_FULL)
		return NULL;
	if (decode_log_text(record))
		return decode_log_text(record);
	if (record->header == ETL_EVENT && record->flags & EVENT_STRING_ONLY)
		return string_only;
	return event_forms(event, record->version);
}

void decode_payload(const struct etl_record *record, struct fields *fields)
{
	const struct form *forms = forms_of(record);

	if (forms)
		attempt(record, forms, fields);
	else if (record->payload_size && !tracelogging_decode(record, fields) &&
		 !event_info_decode(record, fields))
		fields_dump(fields, "Payload", record->payload, record->payload_size);
}
