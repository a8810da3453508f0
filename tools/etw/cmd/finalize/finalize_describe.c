// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/*
 * Names and fields of events that TraceEvent and WPA have no class for, as records of Windows'
 * merging. A description stands before the first event of its kind, because TraceEvent looks an
 * unknown event up at once.
 */
#include <errno.h>
#include <string.h>
#include "libetl/decode.h"
#include "libetl/event_describe.h"
#include "libetl/event_info_form.h"
#include "libetl/events/events.h"
#include "libetl/guids.h"
#include "etw.h"
#include "finalize.h"

#define EVENT_INFO_VERSION	0
#define NO_THREAD		UINT32_MAX
#define NO_PROCESS		UINT32_MAX
/* Kinds of texts of 'etw log', beside those of events in tables */
#define LOG_KINDS		0x02000000u

/* Return: 1: it is the first of its kind; 0: it is not; -1: no memory, after a message */
static int is_first(struct finalizing *finalizing, const struct etl_event *event,
		    const struct etl_record *record)
{
	size_t known = finalizing->described.count, i;
	uint32_t kind = LOG_KINDS | record->opcode << 8 | (uint8_t)record->version;

	if (event)
		kind = etl_is_ours(record) << 24 | event->id << 8 | record->version;
	i = map_add(&finalizing->described, kind);
	if (i == MAP_NONE)
		return failed("%s", strerror(ENOMEM)), -1;
	return i == known;
}

int finalizing_describe(struct finalizing *finalizing, const struct etl_buffer *buffer,
			const struct etl_record *record, uint64_t time)
{
	static const struct etw_guid metadata = METADATA_GUID;
	const struct etl_event *event = decode_log_text(record) ? NULL : event_of(record);
	uint8_t bytes[EVENT_DESCRIPTION];
	size_t size;
	int first;

	if (!event_has(event, EVENT_HAS_NO_CLASS) && !decode_log_text(record))
		return 0;
	first = is_first(finalizing, event, record);
	if (first <= 0)
		return first;
	size = event_describe(record, bytes);
	if (!size)
		return 0;
	finalizing_begin(finalizing, &metadata, OPCODE_EVENT_INFO, EVENT_INFO_VERSION, time,
			 NO_THREAD, NO_PROCESS);
	finalizing_bytes(finalizing, bytes, size);
	return finalizing_write(finalizing, buffer);
}
