// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* etw export: which events are shown as they are, and their categories. */
#include "libetl/events/events.h"
#include "libetl/losses.h"
#include "etw_hooks.h"
#include "export.h"

/* Groups of hook ids, without the events that other parts show or that only name something */
enum {
	GROUP_DISK = 0x01,
	GROUP_MEMORY = 0x02,
	GROUP_FILE = 0x04,
	GROUP_TCP = 0x06,
	GROUP_UDP = 0x08,
	GROUP_POOL = 0x0E,
	GROUP_PERFINFO = 0x0F,
	GROUP_POWER = 0x12,
	GROUP_SPLIT_IO = 0x1B,
};

bool export_is_interrupt(uint16_t hook)
{
	return hook == PERFINFO_LOG_TYPE_INTERRUPT || hook == PERFINFO_LOG_TYPE_INTERRUPT_MESSAGE ||
	       hook == PERFINFO_LOG_TYPE_DPC || hook == PERFINFO_LOG_TYPE_TIMERDPC ||
	       hook == 0x0F42;
}

static const char *category_of(uint16_t hook)
{
	switch (hook >> 8) {
	case GROUP_DISK:
	case GROUP_SPLIT_IO:
		return "disk";
	case GROUP_MEMORY:
	case GROUP_POOL:
		return "memory";
	case GROUP_FILE:
		return "file";
	case GROUP_TCP:
	case GROUP_UDP:
		return "network";
	case GROUP_POWER:
		return "power";
	case GROUP_PERFINFO:
		return hook == PERFINFO_LOG_TYPE_MARK ? "mark" : "kernel";
	}
	return NULL;
}

const char *export_category(const struct etl_record *record)
{
	const struct etl_event *event;

	if (!etl_has_hook(record))
		return etl_is_ours(record) || record->header == ETL_ERROR ? NULL : "program";
	event = event_of_hook(record->hook_id);
	if (!event || event->phase != PHASE_NONE || event_has(event, EVENT_HAS_FILE_NAME))
		return NULL;
	switch (record->hook_id) {
	case PERFINFO_LOG_TYPE_SAMPLED_PROFILE:
	case PERFINFO_LOG_TYPE_PMC_INTERRUPT:
	case PERFINFO_LOG_TYPE_PMC_CONFIG:
	case PERFINFO_LOG_TYPE_SET_INTERVAL:
	case 0x0F49:	/* CollectionStart */
	case 0x0F4A:	/* CollectionEnd */
		return NULL;
	}
	return category_of(record->hook_id);
}
