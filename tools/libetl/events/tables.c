// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The tables of events, and how a row is found. */
#include "libetl/guids.h"
#include "etw_hooks.h"
#include "events.h"

const struct etl_event *const event_tables[] = {
	events_header, events_process, events_thread, events_image, events_perf, events_stack,
	events_disk, events_memory, events_file, events_network, events_config, events_other,
	events_merged, NULL
};

static const struct etl_event *table_of(uint16_t hook_id)
{
	switch (hook_id >> 8) {
	case 0x00:
		return events_header;
	case 0x01:
		return events_disk;
	case 0x02:
		return events_memory;
	case 0x03:
		/* the load of an image has the group of processes */
		return hook_id == WMI_LOG_TYPE_PROCESS_LOAD_IMAGE ? events_image : events_process;
	case 0x04:
		return events_file;
	case 0x05:
		return events_thread;
	case 0x06:
	case 0x08:
		return events_network;
	case 0x0B:
		return events_config;
	case 0x0F:
		return events_perf;
	case 0x14:
		return events_image;
	case 0x18:
		return events_stack;
	case GROUP_IMAGE_ID:
	case GROUP_SYSTEM_CONFIG_EX:
	case GROUP_METADATA:
		return events_merged;
	default:
		return events_other;
	}
}

static const struct etl_event *find(const struct etl_event *event, uint16_t id)
{
	for (; event->name; event++)
		if (event->id == id)
			return event;
	return NULL;
}

const struct etl_event *event_rows[1 << 16];
const struct etl_event event_row_of_none;

const struct etl_event *event_search_row(uint16_t hook_id)
{
	const struct etl_event *event = find(table_of(hook_id), hook_id);

	if (!event)
		event = &event_row_of_none;
	__atomic_store_n(&event_rows[hook_id], event, __ATOMIC_RELAXED);
	return event;
}

const struct etl_event *event_of(const struct etl_record *record)
{
	uint16_t hook_id;

	if (hook_of(record, &hook_id))
		return event_of_hook(hook_id);
	if (is_universal_system(record))
		return find(events_universal, record->id);
	return etl_is_ours(record) ? find(events_linux, record->id) : NULL;
}

const struct form *event_forms(const struct etl_event *event, uint8_t version)
{
	const struct event_version *of = event ? event->versions : NULL;

	for (; of && of->forms; of++)
		if (version >= of->from && version <= of->to)
			return of->forms;
	return NULL;
}
