/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Intervals between the context swaps of a processor, and what was counted in them. */
#ifndef ETW_SWAP_INTERVALS_H
#define ETW_SWAP_INTERVALS_H

#include "event_filter.h"
#include "gaps.h"

/* Counters, and the PEBS index behind them */
#define CHAIN_COLUMNS	(ETL_MAX_COUNTERS + 1)

/* Why an interval belongs to no thread; the smallest value that applies */
enum chain_break {
	CHAIN_WHOLE,		/* it is the old thread's */
	CHAIN_BACK,		/* a counter went back */
	CHAIN_LOST,		/* records were lost in it, or could not be read */
	CHAIN_PAUSED,		/* the session did not record context switches */
	CHAIN_OFFLINE,		/* the processor was */
	CHAIN_HIDDEN,		/* another thread was running: a filter left switches out */
	CHAIN_UNCOUNTED,	/* a swap at one of its ends has no counters */
	CHAIN_BREAKS,
};

/**
 * struct interval - between two context swaps of a processor
 * @processor: which
 * @why: CHAIN_WHOLE, or why not
 * @running: thread that the first one switched to
 * @old: thread that the second one switched from; new: to
 * @from: its begin, session clock
 * @to: its end
 * @ns: its length
 * @counted: @delta is valid: what was counted since the last swap with counters
 * @delta: 0 where a counter went back
 * @back: by how much it went back
 */
struct interval {
	uint16_t processor;
	enum chain_break why;
	uint32_t running;
	uint32_t old;
	uint32_t new;
	uint64_t from;
	uint64_t to;
	uint64_t ns;
	bool counted;
	uint64_t delta[CHAIN_COLUMNS];
	uint64_t back[CHAIN_COLUMNS];
};

/**
 * struct chain_cpu - a processor while its records go by
 * @seen: a swap was seen: what follows is valid
 * @complete: it had all counters
 * @based: one before it had: @first and @last are valid
 * @hole: bytes that can't be read stood behind it
 * @reported: a loss record stood behind it
 * @running: the thread that it switched to
 * @priority: of that one
 * @time: of the swap
 * @buffer: copy of the head of the buffer with it
 * @first: values of the first swap that had all counters
 * @last: of the last one
 */
struct chain_cpu {
	bool seen;
	bool complete;
	bool based;
	bool hole;
	bool reported;
	uint32_t running;
	int priority;
	uint64_t time;
	struct etl_buffer buffer;
	uint64_t first[CHAIN_COLUMNS];
	uint64_t last[CHAIN_COLUMNS];
};

/**
 * struct chains - of all processors
 * @trace: the file
 * @gaps: what is missing in it
 * @counters: values that a complete swap has
 * @pebs: and whether the PEBS index too
 * @columns: both
 * @filtered: the session left switches out: a processor never seems offline
 * @odd: swaps with another number of counters
 * @cpu: ETL_PROCESSORS of them
 * @filter: which events are wanted, after event_filter_select(); NULL: all
 * @selected: @filter wants the record that @see gets
 * @broken: places where something could not be read
 * @take: gets every interval, with @context. Return: 0 or -1
 * @see: gets every record, a context swap after the interval that it ends; may be NULL
 */
struct chains {
	const struct trace *trace;
	const struct gaps *gaps;
	unsigned int counters;
	bool pebs;
	unsigned int columns;
	bool filtered;
	uint64_t odd;
	struct chain_cpu *cpu;
	const struct event_filter *filter;
	bool selected;
	size_t broken;
	int (*take)(void *context, const struct interval *interval);
	int (*see)(void *context, const struct etl_buffer *buffer, const struct etl_record *record);
	void *context;
};

/*
 * Sets @filtered if the switches show it. Where they do, what looks like a processor that
 * went down is as likely a hole of the filter. Return: 0 or -1
 */
int chains_find_filter(struct chains *chains);
/* Goes through the whole file. Return: 0 or -1 */
int chains_walk(struct chains *chains);

#endif /* ETW_SWAP_INTERVALS_H */
