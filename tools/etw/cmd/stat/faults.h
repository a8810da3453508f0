/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Page faults of a trace, summed up (see faults.c). */
#ifndef ETW_STAT_FAULTS_H
#define ETW_STAT_FAULTS_H

#include "libetl/events/events.h"
#include "keyed.h"

/* Addresses are counted by ranges of this size */
#define FAULT_RANGE	(2u << 20)

enum fault_kind {
	FAULT_TRANSITION, FAULT_DEMAND_ZERO, FAULT_COPY_ON_WRITE, FAULT_GUARD, FAULT_HARD,
	FAULT_VIOLATION,
};

/**
 * struct fault_sums - faults of a thread, a range or a file
 * @faults: of each kind
 * @waits: hard faults of known duration
 * @ns: in them
 * @longest: of them
 * @bytes: that they waited for
 */
struct fault_sums {
	uint64_t faults[FAULT_KINDS];
	uint64_t waits;
	uint64_t ns;
	uint64_t longest;
	uint64_t bytes;
};

/**
 * struct fault_table - sums by a key
 * @map: of the keys
 * @sums: by index
 */
struct fault_table {
	struct map map;
	struct fault_sums *sums;
};

/**
 * struct fault_numbers - where the fields of the events are
 * @address: of a fault, of all kinds
 * @begun: of a hard fault: when it began; it ended at the record's time
 * @touched: of a hard fault: its address
 * @file: of a hard fault: its FileKey
 * @thread: the waiting thread
 * @bytes: that it waited for
 */
struct fault_numbers {
	struct event_number address;
	struct event_number begun;
	struct event_number touched;
	struct event_number file;
	struct event_number thread;
	struct event_number bytes;
};

/**
 * struct faults - all of them
 * @threads: by index of the thread in the lifetimes
 * @places: address / FAULT_RANGE, numbered
 * @ranges: by process and the number of the place, see range_index()
 * @files: by FileKey
 * @names: of files, by index of @files; NULL: unknown
 * @processes: by index of @threads, NULL: unknown
 * @selected: the filter wants the record at hand
 * @observer: gets each fault; NULL: there is none
 */
struct faults {
	const struct trace *trace;
	const struct statistics *statistics;
	struct fault_numbers numbers;
	struct fault_table threads;
	struct map places;
	struct fault_table ranges;
	struct fault_table files;
	char **names;
	const struct process **processes;
	bool selected;
	const struct faulted *observer;
};

/* faults_print.c: the tables. Return: the exit code */
int faults_print(const struct faults *faults, const struct stat_options *options);

#endif /* ETW_STAT_FAULTS_H */
