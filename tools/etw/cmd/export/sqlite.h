/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* What the parts of etw export --sqlite share. */
#ifndef ETW_EXPORT_SQLITE_H
#define ETW_EXPORT_SQLITE_H

#include "cmd/stat/report.h"
#include "database.h"

/* sqlite_tables.sql has their columns */
enum sqlite_table {
	TABLE_META, TABLE_CLOCKS, TABLE_EVENT_COUNTS, TABLE_LOSSES, TABLE_PROCESSES, TABLE_THREADS,
	TABLE_IMAGES, TABLE_FILES, TABLE_DISKS, TABLE_SWITCHES, TABLE_READY, TABLE_STATES,
	TABLE_CPUS, TABLE_WAITS, TABLE_SAMPLES, TABLE_OFF_CPU, TABLE_STACKS, TABLE_FRAMES,
	TABLE_DISK, TABLE_INTERRUPTS, TABLE_FAULTS, TABLE_HARD_FAULTS, TABLE_FILE_IO,
	TABLE_NETWORK, TABLE_SYSCALLS, TABLE_EVENTS, SQLITE_TABLES,
};

/**
 * struct sqlite_export - an export under way
 * @switches: a processor that is wanted has context switches, maybe outside of the range
 * @stacks: rows of the table of stacks so far
 * @frames: rows of the table of frames so far
 */
struct sqlite_export {
	struct database database;
	const struct trace *trace;
	struct statistics *statistics;
	struct stat_options *options;
	bool switches;
	uint64_t stacks;
	uint64_t frames;
};

/* Each returns 0, or -1 after a message */
int export_sqlite(const char *name, const char *output, struct stat_options *options);
/* sqlite_events.c: a row for each event of most kinds */
int sqlite_events(struct sqlite_export *export);
/* sqlite_threads.c; the names of threads and processes come last */
int sqlite_states(struct sqlite_export *export);
int sqlite_waits(struct sqlite_export *export);
int sqlite_disk(struct sqlite_export *export);
int sqlite_interrupts(struct sqlite_export *export);
int sqlite_names(struct sqlite_export *export);
/* sqlite_stacks.c: samples, and waits by their stacks */
int sqlite_samples(struct sqlite_export *export);
int sqlite_off_cpu(struct sqlite_export *export);

struct call_tree;
/* sqlite_stacks.c: the stacks of a tree get rows; a node is the stack @stacks + node before */
void sqlite_tree(struct sqlite_export *export, const struct call_tree *tree);

/* A number, or no value */
void sqlite_maybe(struct sqlite_export *export, bool known, int64_t value);
/* The id of the thread that had a tid at a time; ETW_NO_THREAD: no value */
void sqlite_thread(struct sqlite_export *export, uint32_t tid, uint64_t time);

#endif /* ETW_EXPORT_SQLITE_H */
