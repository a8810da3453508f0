/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* What a sample says, whatever took it. */
#ifndef ETW_SAMPLES_H
#define ETW_SAMPLES_H

#include "events/events.h"
#include "perf_summary.h"

/**
 * struct sample - one
 * @timer: the timer took it, not a counter
 * @address: of the instruction
 * @thread_id: the running thread
 * @count: how many it stands for
 * @source: of a counter's: KPROFILE_SOURCE
 */
struct sample {
	bool timer;
	uint64_t address;
	uint32_t thread_id;
	uint16_t count;
	uint16_t source;
};

/* Where the fields are of samples by the timer, and by a counter */
struct sample_fields {
	struct event_number address[2];
	struct event_number thread_id[2];
	struct event_number count_or_source[2];
};

/**
 * struct sample_interval - the sampling interval of a source, from a record
 * @source: KPROFILE_SOURCE
 * @interval: from now on, 100 ns or events; 0: it samples no more
 * @before: up to now
 * @name: of the source; "": the record has none
 */
struct sample_interval {
	uint32_t source;
	uint32_t interval;
	uint32_t before;
	char name[COUNTER_NAME];
};

/* Return: false: the record contains no interval */
bool sample_interval_of(const struct etl_record *record, struct sample_interval *interval);

void sample_fields_find(struct sample_fields *fields);
/* Return: false: @hook_id is of no sample, or the payload ends too early */
bool sample_of(const struct sample_fields *fields, const struct etl_record *record,
	       uint16_t hook_id, struct sample *sample);

#endif /* ETW_SAMPLES_H */
