// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Whether the payload of a kernel event has all that its class and version require. */
#include "libetl/decode.h"
#include "libetl/events/events.h"
#include "libetl/guids.h"
#include "libetw/record_of.h"
#include "well_formed.h"

/* The newest layout that is known stands for later ones, which only append fields. */
static UCHAR version_of(const struct etl_event *event, UCHAR version)
{
	const struct event_version *of = event->versions;
	UCHAR newest = 0;

	for (; of->forms; of++)
		if (of->to > newest)
			newest = of->to;
	return version < newest ? version : newest;
}

/*
 * A record with the kernel's header has the width that its header says. libetl also tries the other
 * width for classic records, which TraceEvent does not. From GROUP_IMAGE_ID on a group is libetl's
 * own number for classes that only classic records have: no kernel header can have such a hook id.
 */
static void make_strict(struct etl_record *record)
{
	uint16_t hook_id;

	if (hook_of(record, &hook_id) && hook_id >> 8 < GROUP_IMAGE_ID) {
		record->header = ETL_SYSTEM;
		record->hook_id = hook_id;
	}
}

BOOL is_well_formed(const EVENT_RECORD *event, struct fields *fields)
{
	const EVENT_HEADER *header = &event->EventHeader;
	struct etl_record record;
	const struct etl_event *known;

	if (!(header->Flags & EVENT_HEADER_FLAG_CLASSIC_HEADER))
		return TRUE;
	record_of(event, &record);
	known = event_of(&record);
	if (!known)
		return TRUE;
	record.version = version_of(known, header->EventDescriptor.Version);
	if (!event_forms(known, record.version))
		return TRUE;
	make_strict(&record);
	fields_reset(fields);
	decode_payload(&record, fields);
	return !fields->truncated;
}
