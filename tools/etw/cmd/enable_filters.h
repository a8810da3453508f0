/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Filters of 'etw enable': from options to the module's form. */
#ifndef ETW_ENABLE_FILTERS_H
#define ETW_ENABLE_FILTERS_H

#include <stdint.h>
#include "etw_abi.h"

struct verb;

/* Codes of the options about filters and stacks; they have no letter */
enum filter_option {
	OPTION_FILTER_EVENT = 0x200,
	OPTION_FILTER_EVENT_NAME,
	OPTION_FILTER_EXE,
	OPTION_FILTER_NOT_EVENT,
	OPTION_FILTER_NOT_EVENT_NAME,
	OPTION_FILTER_PID,
	OPTION_STACK,
	OPTION_CONTAINER_ID,
};

/**
 * struct enable_filters - filters that were given
 * @pids: processes
 * @nr_pids: entries of @pids
 * @names: executables, separated by ';'
 * @events: ids of events, with their head
 * @ids: room for them
 * @event_names: names of events
 * @names_used: bytes of them, with their terminators
 * @filter: the filters, once they are complete
 */
struct enable_filters {
	uint32_t pids[ETW_MAX_FILTER_PIDS];
	uint32_t nr_pids;
	char names[ETW_MAX_FILTER_SIZE];
	union {
		struct etw_filter_event_ids events;
		uint16_t ids[2 + ETW_MAX_FILTER_EVENTS];
	};
	struct etw_filter_event_names event_names;
	uint32_t names_used;
	struct etw_event_filter filter[4];
};

/* An option of above. @text is cut into its parts. Return: 0, or an exit code after a message */
int enable_filters_take(const struct verb *verb, struct enable_filters *filters, int option,
			char *text);
/* Sets the filters of ENABLE's argument; @filters must stay as long as that. */
void enable_filters_set(struct enable_filters *filters, struct etw_enable *enable);

#endif /* ETW_ENABLE_FILTERS_H */
