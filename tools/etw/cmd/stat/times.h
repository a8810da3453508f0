/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* The running times of threads, in the summary's one pass. */
#ifndef ETW_STAT_TIMES_H
#define ETW_STAT_TIMES_H

#include "etw_hooks.h"
#include "collect.h"

/**
 * struct times - a pass
 * @statistics: where the sums go
 * @gaps: what is missing, known when all records were seen
 * @spans: intervals that wait for that; @nr_spans, of @room
 */
struct times {
	struct statistics *statistics;
	struct gaps gaps;
	struct span *spans;
	size_t nr_spans;
	size_t room;
};

void times_begin(struct times *times, struct statistics *statistics, const struct trace *trace);
/*
 * Whether times_take() may need the record. Of the kernel's events, it needs the session's own and
 * those of threads; most records are others.
 */
static inline bool times_concern(const struct etl_record *record)
{
	unsigned int group = record->hook_id >> 8;

	return !etl_has_hook(record) || group == PERFINFO_LOG_TYPE_CONTEXTSWAP >> 8 ||
	       group == WMI_LOG_TYPE_HEADER_EXTENSION >> 8;
}

/* The next record that concerns the times */
int times_take(struct times *times, const struct etl_buffer *buffer,
	       const struct etl_record *record);
/* Behind the processor's last one are bytes that can't be read. */
void times_hole(struct times *times, uint16_t processor);
/* As the above: 0, or -1 after a message */
int times_end(struct times *times);
void times_free(struct times *times);

#endif /* ETW_STAT_TIMES_H */
