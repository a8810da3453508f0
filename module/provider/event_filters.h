/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Filters of ENABLE: which events of a provider a session wants, and which of them with a stack. */
#ifndef ETW_EVENT_FILTERS_H
#define ETW_EVENT_FILTERS_H

#include <linux/rcupdate.h>
#include <linux/types.h>
#include "etw_abi.h"
#include "record/event_names.h"
#include "record/event_record.h"

/**
 * struct etw_event_ids - ids of events
 * @in: 1: the events with these ids; 0: all others
 * @count: entries of @ids
 * @ids: in no order
 */
struct etw_event_ids {
	u16 in;
	u16 count;
	u16 ids[ETW_MAX_FILTER_EVENTS];
};

/**
 * struct etw_event_filters - checked filters of one ENABLE
 * @types: ETW_FILTER_* of the filters that there are, joined by OR
 * @nr_pids: entries of @pids
 * @pids: processes that may write
 * @names_size: bytes of @names
 * @names: executables that may write, separated by ';'
 * @events: events that are recorded
 * @stacks: events that have a stack
 * @stack_mask: likewise, by level and keywords
 * @stack_mask_in: 1: the events in @stack_mask; 0: all others
 * @event_names: events that are recorded, by name
 * @stack_names: events that have a stack, by name
 * @rcu: to free it
 * @text_used: bytes of @text
 * @text: data of the filters by name
 */
struct etw_event_filters {
	u32 types;
	u32 nr_pids;
	u32 pids[ETW_MAX_FILTER_PIDS];
	u32 names_size;
	char names[ETW_MAX_FILTER_SIZE];
	struct etw_event_ids events;
	struct etw_event_ids stacks;
	struct etw_event_mask stack_mask;
	bool stack_mask_in;
	struct etw_event_names event_names;
	struct etw_event_names stack_names;
	struct rcu_head rcu;
	u32 text_used;
	char text[] __aligned(8);
};

/* All types have it */
#define ETW_FILTER_TYPE_BIT	0x80000000U
/* Filters that decide about stacks; without the bit that all types have */
#define ETW_FILTERS_OF_STACKS \
	((ETW_FILTER_STACK | ETW_FILTER_STACK_NAME | ETW_FILTER_STACK_LEVEL) & ~ETW_FILTER_TYPE_BIT)
/* Filters that need the event's name, likewise */
#define ETW_FILTERS_BY_NAME \
	((ETW_FILTER_EVENT_NAME | ETW_FILTER_STACK_NAME) & ~ETW_FILTER_TYPE_BIT)

struct etw_event_filters *etw_event_filters_copy(const struct etw_enable *enable);
bool etw_event_filters_has(const struct etw_event_filters *filters, u32 process_id,
			   const char *executable, u16 id);
bool etw_event_filters_named(const struct etw_event_filters *filters,
			     const struct etw_event_descriptor *event,
			     const struct etw_event_name *name);
bool etw_event_filters_stack(const struct etw_event_filters *filters,
			     const struct etw_event_descriptor *event,
			     const struct etw_event_name *name);

#endif /* ETW_EVENT_FILTERS_H */
