/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Events that describe themselves: TraceLogging. */
#ifndef ETW_TRACELOGGING_H
#define ETW_TRACELOGGING_H

#include "fields.h"
#include "reader.h"

/* Adds the payload's fields. Return: false when the event does not describe itself */
bool tracelogging_decode(const struct etl_record *record, struct fields *fields);
/**
 * struct tracelogging_names - names in an event that describes itself: bytes of its record
 * @provider: NULL: the event does not contain it
 * @provider_size: of it
 * @event: NULL: the event does not contain it
 * @event_size: of it
 */
struct tracelogging_names {
	const uint8_t *provider;
	size_t provider_size;
	const uint8_t *event;
	size_t event_size;
};

/* Return: false when it says nothing of that kind */
bool tracelogging_names(const struct etl_record *record, struct tracelogging_names *names);
/*
 * "Provider/Event" of these, each with an ellipsis where it is cut. The text is foreign: each
 * output must escape it, because it may contain control characters. Return: the same
 */
bool tracelogging_name(const struct etl_record *record, char *to, size_t room);

#endif /* ETW_TRACELOGGING_H */
