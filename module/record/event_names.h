/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Names of TraceLogging events: found in their metadata, compared with a filter's. Pure. */
#ifndef ETW_EVENT_NAMES_H
#define ETW_EVENT_NAMES_H

#include "event_record.h"

/**
 * struct etw_event_name - the name of an event
 * @text: UTF-8, without a terminator; NULL: the event has no name
 * @length: bytes
 */
struct etw_event_name {
	const char *text;
	__u32 length;
};

/* @schema: metadata of an event, of @size bytes, which may be anything */
struct etw_event_name etw_event_name_of(const void *schema, __u32 size);

/**
 * struct etw_event_names - a filter by name
 * @mask: only events that it has are compared by name
 * @in: 1: the events with these names; 0: all others
 * @text: names, each with a terminator
 * @size: bytes of @text
 */
struct etw_event_names {
	struct etw_event_mask mask;
	__u8 in;
	const char *text;
	__u32 size;
};

/*
 * @data: of ETW_FILTER_EVENT_NAME, of @size bytes. @names->text points into it afterwards.
 * Return: 0 or -EINVAL
 */
int etw_event_names_take(struct etw_event_names *names, const void *data, __u32 size);

/* Whether an event is one of those that the filter keeps */
int etw_event_names_keep(const struct etw_event_names *names,
			 const struct etw_event_descriptor *event,
			 const struct etw_event_name *name);

#endif /* ETW_EVENT_NAMES_H */
