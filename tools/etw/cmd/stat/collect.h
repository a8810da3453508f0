/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* What etw stat collects. */
#ifndef ETW_STAT_COLLECT_H
#define ETW_STAT_COLLECT_H

#include "libetl/event_counts.h"
#include "libetl/event_filter.h"
#include "libetl/gaps.h"
#include "libetl/lifetimes.h"
#include "libetl/losses.h"
#include "libetl/perf_summary.h"
#include "libetl/trace.h"

/**
 * struct thread_cpu - how long a thread ran on a processor
 * @ns: time
 * @processor: the processor
 */
struct thread_cpu {
	uint64_t ns;
	uint32_t processor;
};

/**
 * struct thread_time - how long a thread ran
 * @thread: the thread
 * @ns: time on CPU
 * @switches: context switches to the thread
 * @cpu: @ns by processor, in their order: only processors on which the thread ran
 * @cpus: elements of @cpu
 */
struct thread_time {
	const struct thread *thread;
	uint64_t ns;
	uint64_t switches;
	struct thread_cpu *cpu;
	size_t cpus;
};

/**
 * struct cpu_time - what a processor did between two of its context swaps; ns
 * @seen: one was seen
 * @switches: how many
 * @busy: some thread ran
 * @idle: thread 0 did
 * @lost: time in which switches may be missing; it belongs to no thread
 * @running: the thread that the last one switched to
 * @since: its time stamp
 * @at: place of its buffer in the file
 * @flags: of that; @sequence: its number
 * @hole: bytes that can't be read stood behind it
 * @reported: a loss record stood behind it
 */
struct cpu_time {
	bool seen;
	uint64_t switches;
	uint64_t busy;
	uint64_t idle;
	uint64_t lost;
	uint32_t running;
	uint64_t since;
	uint64_t at;
	uint64_t sequence;
	uint16_t flags;
	bool hole;
	bool reported;
};

/* perf.c */
void perf_summary_print(const struct perf_summary *perf);

/**
 * struct statistics - all of it
 * @filter: which events the report is of
 * @losses: what loss records report
 * @lifetimes: threads and processes; reports add the ids that no record describes
 * @times: of threads that ran, longest running first; before that by index of the thread
 * @threads: elements of @times
 */
struct statistics {
	const struct event_filter *filter;
	uint64_t events;
	uint64_t switches;
	uint64_t last;
	struct event_counts types;
	struct lifetimes *lifetimes;
	struct thread_time *times;
	size_t threads;
	struct perf_summary perf;
	struct losses losses;
	struct cpu_time cpu[ETL_PROCESSORS];
};

/*
 * @times: for the summary: the running times of threads, too, and what @filter selects; otherwise
 * the statistics are of the whole trace. @filter stays where it is until statistics_free().
 * Return: 0, or -1 after a message
 */
int statistics_collect(struct statistics *statistics, const struct trace *trace, bool times,
		       struct event_filter *filter);
void statistics_free(struct statistics *statistics);

#endif /* ETW_STAT_COLLECT_H */
