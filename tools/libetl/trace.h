/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* A trace file in memory, its buffers, and its records merged by time. */
#ifndef ETW_TRACE_H
#define ETW_TRACE_H

#include "given_time.h"
#include "buffer_decompress.h"

/* TimerResolution of a trace whose records have no CPU times, so that it fits to any other */
#define ETL_NO_CPU_TIMES	1

/**
 * struct trace - a file
 * @name: for messages
 * @bytes: its contents
 * @size: bytes of them
 * @mapped: by mmap(), not malloc()
 * @next: another one that is mapped
 * @log: its header event
 * @buffers: whole buffers, in file order
 * @count: number of them
 * @compressed: of them
 * @end: end of the last whole buffer
 * @torn: bytes follow that are no whole buffer
 * @gaps: places between buffers that are none
 * @gap_at: the first of them
 * @gap_bytes: bytes in all of them
 * @infos: descriptions of events in the file; NULL: none, or trace_describe() was not called
 */
struct trace {
	const char *name;
	const uint8_t *bytes;
	uint64_t size;
	bool mapped;
	struct trace *next;
	struct etl_logfile log;
	struct etl_buffer *buffers;
	size_t count;
	size_t compressed;
	uint64_t end;
	bool torn;
	size_t gaps;
	uint64_t gap_at;
	uint64_t gap_bytes;
	struct event_infos *infos;
};

/*
 * Both print what is wrong. "-" is standard input. The struct stays where it is until
 * trace_close(). Return: 0 or -1
 */
int trace_load(struct trace *trace, const char *name);
/* trace_load(), header event, index of buffers */
int trace_open(struct trace *trace, const char *name);
/* The index alone, for bytes that are loaded */
int trace_index(struct trace *trace);
/**
 * struct trace_passed - buffers that were read and may still be in memory
 * @from: begin of the first of them in the file
 * @to: end of the last
 * @bytes: of all; 0: there are none
 */
struct trace_passed {
	uint64_t from;
	uint64_t to;
	uint64_t bytes;
};

/* Nothing of the buffer is needed soon: its memory may go, and comes back by itself */
void trace_release(const struct trace *trace, const struct etl_buffer *buffer);
/* The same for many buffers at a time, because a system call for each of them takes long */
void trace_release_later(const struct trace *trace, struct trace_passed *passed,
			 const struct etl_buffer *buffer);
void trace_close(struct trace *trace);
/*
 * Collects the descriptions of events that the file contains: for a caller that shows names or
 * payloads of manifest events. Behind the index. If trace->infos is set before, those descriptions
 * come first. Return: 0, or -1 after a message
 */
int trace_describe(struct trace *trace);
/*
 * The trace that is mapped there, or NULL. A file that becomes shorter raises SIGBUS there; the
 * handler of SIGBUS may call this.
 */
const struct trace *trace_of_address(const void *address);
/* Whether what follows the last whole buffer was never written, or not all of it */
bool trace_breaks_off(const struct trace *trace);
/* Says what of the file is no buffer */
void trace_warn(const struct trace *trace);

/**
 * struct merge_cursor - a processor's place in the merge
 * @order: its buffers in sequence, indexes into trace->buffers
 * @count: of them
 * @index: which one is being read
 * @processor: of the buffers
 * @buffer: that one in the clear; NULL: it is to be opened
 * @decompressed: where it is decompressed
 * @record: the next record
 * @time: its place in the order of time: its own, but for one that can't be
 * @given: what times that a program gave are up to
 */
struct merge_cursor {
	uint32_t *order;
	size_t count;
	size_t index;
	uint16_t processor;
	const struct etl_buffer *buffer;
	struct decompressed decompressed;
	struct etl_record record;
	uint64_t time;
	struct given_time given;
};

#define MERGE_DAMAGES	8

/**
 * struct merge_damage - bytes that could not be read
 * @buffer: offset of the buffer in the file
 * @at: offset in the buffer, decompressed
 * @bytes: what was skipped
 * @why: in words
 */
struct merge_damage {
	uint64_t buffer;
	uint32_t at;
	uint32_t bytes;
	const char *why;
};

/**
 * struct merge - the records of all processors by time
 * @heap: struct merge_cursor that have a record; the oldest on top
 * @live: number of them
 * @cursors: number of all
 * @order: the lists of all cursors
 * @room: bytes that decompressed buffers take
 * @broken: places where something was skipped
 * @damage: the first of them
 * @unordered: the order is that of the file
 * @started: the top was delivered and must move on
 * @number: of the record that was delivered last, from 0
 * @passed: buffers that cursors have read
 */
struct merge {
	const struct trace *trace;
	struct merge_cursor *cursor;
	void **heap;
	size_t live;
	size_t cursors;
	uint32_t *order;
	uint64_t room;
	size_t broken;
	struct merge_damage damage[MERGE_DAMAGES];
	bool unordered;
	bool started;
	uint64_t number;
	struct trace_passed passed;
};

/* In order of time, or with @unordered that of the file. Return: 0 or -1 */
int merge_begin(struct merge *merge, const struct trace *trace, bool unordered);
/* What it points at is valid until the next call. Return: false at the end */
bool merge_next(struct merge *merge, const struct etl_record **record,
		const struct etl_buffer **buffer);
/*
 * When the record that merge_next() gave came, at the latest; its own time may have been made up
 * by a program.
 */
uint64_t merge_time(const struct merge *merge);
/* Says what was skipped */
void merge_warn(const struct merge *merge);
void merge_end(struct merge *merge);

#endif /* ETW_TRACE_H */
