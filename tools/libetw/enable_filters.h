/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Filters of EnableTraceEx2(), copied from the caller in the module's form. */
#ifndef LIBETW_ENABLE_FILTERS_H
#define LIBETW_ENABLE_FILTERS_H

#include "include/evntcons.h"
#include "session.h"

/* The types that the module knows; each may be given once */
#define FILTER_TYPES	7
/* Those of them that are by name */
#define NAME_FILTERS	2

/**
 * struct enable_filters - filters in the module's form
 * @count: entries of @filter
 * @filter: with addresses in @data and @names
 * @data: one for each filter that is not by name
 * @nr_names: entries of @names
 * @names: of the filters by name
 *
 * It is too large for the stack of a small thread.
 */
struct enable_filters {
	uint32_t count;
	struct etw_event_filter filter[FILTER_TYPES];
	union {
		uint8_t bytes[ETW_MAX_FILTER_SIZE];
		struct etw_filter_event_ids ids;
		struct etw_filter_level level;
	} data[FILTER_TYPES];
	uint32_t nr_names;
	struct etw_filter_event_names names[NAME_FILTERS];
};

/*
 * @from: of the caller's memory. Return: a Win32 code; ERROR_NOT_SUPPORTED for other types;
 * ERROR_INVALID_PARAMETER for wrong data and for a second filter of a type
 */
ULONG enable_filters_take(struct enable_filters *filters, const EVENT_FILTER_DESCRIPTOR *from,
			  uint32_t count);

#endif /* LIBETW_ENABLE_FILTERS_H */
