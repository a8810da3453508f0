/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* What takes the samples of a trace: the timer and counters. */
#ifndef ETW_STAT_SOURCES_H
#define ETW_STAT_SOURCES_H

#include "libetl/samples.h"

#define SOURCES		32

/**
 * struct source - one that samples
 * @number: KPROFILE_SOURCE
 * @samples: there are any
 * @interval: what stands between two samples, 100 ns or events; 0: unknown
 * @before: the interval before the first record with an interval
 * @name: as the trace has it, or Windows
 */
struct source {
	uint32_t number;
	bool samples;
	uint32_t interval;
	uint32_t before;
	char name[COUNTER_NAME];
};

struct sources {
	struct source source[SOURCES];
	unsigned int count;
};

/* The source with a number, which comes in; NULL: there is no room for more */
struct source *source_of(struct sources *sources, uint32_t number);
/* Takes the interval in a record, before any sample is counted */
void sources_note(struct sources *sources, const struct sample_interval *interval);

#endif /* ETW_STAT_SOURCES_H */
