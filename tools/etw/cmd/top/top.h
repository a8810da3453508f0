/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* What etw top counts in an interval, by thread and by process. */
#ifndef ETW_TOP_H
#define ETW_TOP_H

#include "libetl/events/events.h"
#include "live/live_threads.h"

enum top_key { TOP_CPU, TOP_SWITCHES, TOP_WAIT, TOP_READY, TOP_IPC, TOP_DISK, TOP_KEYS };

/**
 * struct top_counts - of a thread or a process in the interval
 * @cpu_ns: it ran
 * @switches: context switches to it
 * @waits: that ended
 * @wait_ns: all of these
 * @longest_ns: the longest of them
 * @reason: KWAIT_REASON of that one
 * @ready_ns: it could run, but did not
 * @ready_longest_ns: the longest such time
 * @cycles: counted while it ran, with @instructions
 * @read: bytes that it read from disks
 * @written: bytes that it wrote to disks
 */
struct top_counts {
	uint64_t cpu_ns;
	uint64_t switches;
	uint64_t waits;
	uint64_t wait_ns;
	uint64_t longest_ns;
	uint64_t reason;
	uint64_t ready_ns;
	uint64_t ready_longest_ns;
	uint64_t cycles;
	uint64_t instructions;
	uint64_t read;
	uint64_t written;
};

/**
 * struct top_row - a line
 * @tid: 0 for a process
 * @pid: valid if @has_pid
 */
struct top_row {
	uint32_t tid;
	uint32_t pid;
	bool has_pid;
	char name[LIVE_NAME];
	struct top_counts counts;
};

/**
 * struct top - an interval, and what came before it
 * @threads: what runs, waits and is ready
 * @log: of the stream
 * @counters: context switches have cycles and instructions
 * @processes: lines are processes
 * @key: what lines are sorted by
 * @begin: of the interval, session clock
 * @ns: its length, of a finished one
 * @all: sums of all threads
 * @idle_ns: time in which processors were idle
 * @lost: events that were lost in the interval
 * @lost_all: and since the start
 * @incomplete: something was lost in the interval, maybe uncounted
 * @disk_size: of a transfer
 * @disk_thread: likewise
 * @row: of the finished interval, @rows of them
 */
struct top {
	struct live_threads threads;
	const struct etl_logfile *log;
	bool counters;
	bool processes;
	enum top_key key;
	uint64_t begin;
	uint64_t ns;
	struct top_counts all;
	uint64_t idle_ns;
	uint64_t lost;
	uint64_t lost_all;
	bool incomplete;
	struct event_number disk_size[2];
	struct event_number disk_thread[2];
	struct top_row *row;
	size_t rows;
};

/* Return: 0, or -1 after a message */
int top_begin(struct top *top);
/* Each record in the order of time. Return: 0 or -1 */
int top_note(struct top *top, const struct etl_buffer *buffer, const struct etl_record *record);
/* Something was lost before the next record; @lost: events, as far as they are counted */
void top_lost(struct top *top, uint64_t lost);
/* All records up to @time were noted: fills @row, sorted. Return: 0 or -1 */
int top_finish(struct top *top, uint64_t time);
/* Of the finished interval: rows with nothing to show are at the end. */
void top_sort(struct top *top);
/* Begins the next interval where the last one ended. */
void top_next(struct top *top, bool (*gone)(uint32_t id));
void top_end(struct top *top);

/* top_print.c: at most @most lines; 0: all. @lines: of the terminal, 0: no terminal */
void top_print(const struct top *top, size_t most, unsigned int lines);
void top_print_json(const struct top *top, size_t most);
/* Return: false: there is no such key */
bool top_key_of(const char *name, enum top_key *key);
/* The key of a letter that was typed. Return: false: it is none */
bool top_key_of_letter(char letter, enum top_key *key);

#endif /* ETW_TOP_H */
