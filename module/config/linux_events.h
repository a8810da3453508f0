/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Entries of the item ETW_EXT_VND_LINUX_EVENTS: pure, shared with tools and tests. */
#ifndef ETW_CONFIG_LINUX_EVENTS_H
#define ETW_CONFIG_LINUX_EVENTS_H

#include "etw_linux_events.h"
#include "config.h"

struct etw_item_cursor;

/* Where the parts of an entry begin, in bytes from its start */
static inline __u32 etw_linux_event_fields_at(const struct etw_ext_linux_event *head)
{
	return sizeof(*head) + head->nr_tests * (__u32)sizeof(struct etw_linux_event_test);
}

static inline __u32 etw_linux_event_traits_at(const struct etw_ext_linux_event *head)
{
	return etw_linux_event_fields_at(head) +
	       head->nr_fields * (__u32)sizeof(struct etw_linux_event_field);
}

static inline __u32 etw_linux_event_schema_at(const struct etw_ext_linux_event *head)
{
	return etw_linux_event_traits_at(head) + head->traits_size;
}

static inline __u32 etw_linux_event_end(const struct etw_ext_linux_event *head)
{
	return etw_linux_event_schema_at(head) + head->schema_size;
}

__u32 etw_linux_event_record_size(const void *entry);
int etw_linux_events_take(struct etw_item_cursor *c);
int etw_linux_events_check_buffer(const struct etw_items *items, __u32 buffer_size,
				  struct etw_config_error *error);

#endif /* ETW_CONFIG_LINUX_EVENTS_H */
