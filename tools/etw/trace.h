/* SPDX-License-Identifier: GPL-2.0 */
/* A trace file in memory, its buffers, and its records merged by time. */
#ifndef ETW_TRACE_H
#define ETW_TRACE_H

#include "reader.h"

/**
 * struct trace - a file
 * @name: for messages
 * @bytes: its contents
 * @size: bytes of them
 * @mapped: by mmap(), not malloc()
 * @log: its header event
 * @buffers: whole buffers, in file order
 * @count: number of them
 * @compressed: of them
 * @end: end of the last whole buffer
 * @torn: bytes follow that are no whole buffer
 */
struct trace {
	const char *name;
	const uint8_t *bytes;
	uint64_t size;
	bool mapped;
	struct etl_logfile log;
	struct etl_buffer *buffers;
	size_t count;
	size_t compressed;
	uint64_t end;
	bool torn;
};

/* Both print what is wrong. "-" is standard input. Return: 0 or -1 */
int trace_load(struct trace *trace, const char *name);
/* trace_load(), header event, index of buffers */
int trace_open(struct trace *trace, const char *name);
/* The index alone, for bytes that are loaded */
int trace_index(struct trace *trace);
void trace_close(struct trace *trace);
/* Says that buffers can't be read, when there are such. Return: 0 or -1 */
int trace_readable(const struct trace *trace);

/**
 * struct merge_cursor - a processor's place in the merge
 * @order: its buffers in sequence, indexes into trace->buffers
 * @count: of them
 * @index: which one is being read
 * @processor: whose buffers
 * @record: the next record
 */
struct merge_cursor {
	uint32_t *order;
	size_t count;
	size_t index;
	uint16_t processor;
	struct etl_record record;
};

/**
 * struct merge - the records of all processors by time
 * @heap: cursors that have a record; the oldest on top
 * @live: number of them
 * @cursors: number of all
 * @order: the lists of all cursors
 * @broken: buffers given up at a record that can't be
 * @started: the top was delivered and must move on
 */
struct merge {
	const struct trace *trace;
	struct merge_cursor *cursor;
	struct merge_cursor **heap;
	size_t live;
	size_t cursors;
	uint32_t *order;
	size_t broken;
	bool started;
};

/* In order of time, or with @unordered that of the file. Return: 0 or -1 */
int merge_begin(struct merge *merge, const struct trace *trace, bool unordered);
/* Return: false at the end */
bool merge_next(struct merge *merge, const struct etl_record **record,
		const struct etl_buffer **buffer);
void merge_end(struct merge *merge);

#endif /* ETW_TRACE_H */
