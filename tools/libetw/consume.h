/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* OpenTrace to CloseTrace: what the consumer's files share. */
#ifndef LIBETW_CONSUME_H
#define LIBETW_CONSUME_H

#include <stdatomic.h>
#include "libetl/descriptor.h"
#include "libetl/given_time.h"
#include "libetl/buffer_decompress.h"
#include "include/evntcons.h"
#include "libetw.h"

/*
 * A handle is a struct consumer: a file, or a stream (a session, a pipe). A
 * ProcessTrace is a struct consume_run: the cursors of all its handles in one heap,
 * each at the next record of one processor. Memory contains one buffer for each processor,
 * an index entry for each buffer of a file, and the buffers of a stream that wait to be put
 * in order.
 */

/* No session has larger buffers, compressed ones barely: what says so is damaged. */
#define CONSUME_MAX_BUFFER	(17u << 20)
/* Bytes of all buffers that a ProcessTrace holds */
#define CONSUME_MAX_MEMORY	(1ull << 30)
#define CONSUME_PROCESSORS	ETW_MAX_PROCESSORS

/* LogFileMode of sessions inside a process */
#define CONSUME_PRIVATE_MODES	0x00020800u

/**
 * struct consume_place - a buffer of a file
 * @at: offset in the file
 * @sequence: its SequenceNumber
 * @size: bytes with its header
 * @processor: the CPU of its records
 */
struct consume_place {
	uint64_t at;
	uint64_t sequence;
	uint32_t size;
	uint16_t processor;
};

/**
 * struct consume_index - the buffers of a file but the first
 * @places: by processor, then sequence
 * @count: of them
 * @room: in @places
 * @gaps: places between buffers that are none
 */
struct consume_index {
	struct consume_place *places;
	size_t count;
	size_t room;
	size_t gaps;
};

/**
 * struct consume_queued - a buffer of a stream that waits
 * @next: of the same processor
 * @size: bytes with its header
 * @bytes: all of it
 */
struct consume_queued {
	struct consume_queued *next;
	uint32_t size;
	_Alignas(16) uint8_t bytes[];
};

#define CONSUME_MARKS	64

/**
 * struct consume_stream - what of a stream was read and not delivered
 * @header: of the buffer that is being read
 * @partial: that buffer, of the size in its header; NULL until the header is there
 * @fill: bytes of it that are there
 * @cursor: by processor, made when first needed
 * @marks: up to which time buffers had come at which moment, oldest first
 * @nr_marks: of them
 * @waiting: bytes that are queued
 * @linger_ms: how long a buffer waits for older ones of other processors
 * @flushed: time up to which all has come, when it is drained
 * @has_flushed: and it was not made use of
 * @asked_ms: when it was asked for more
 * @drained: and there was nothing more
 * @ended: nothing will come
 * @corrupt: it ended in something that is no buffer
 * @lost: it ended since the program closed it
 */
struct consume_stream {
	struct wmi_buffer_header header;
	struct consume_queued *partial;
	uint32_t fill;
	struct consume_cursor *cursor[CONSUME_PROCESSORS];
	struct {
		uint64_t ms;
		uint64_t time;
	} marks[CONSUME_MARKS];
	unsigned int nr_marks;
	uint64_t waiting;
	unsigned int linger_ms;
	uint64_t flushed;
	bool has_flushed;
	uint64_t asked_ms;
	bool drained;
	bool ended;
	bool corrupt;
	bool lost;
};

#define LIVE_CLOCK_POINTS	8

/**
 * struct live_clock - a session's clock in CLOCK_MONOTONIC
 * @points: lines that begin there, oldest first; an earlier stamp belongs to the first
 * @count: of them
 * @settled: the first line is no longer a guess, or events were delivered by it
 *
 * A stamp always has the same result while its line is kept, so that a stack finds its event.
 */
struct live_clock {
	struct {
		uint64_t stamp;
		uint64_t ns;
		int64_t correction;
	} points[LIVE_CLOCK_POINTS];
	unsigned int count;
	bool settled;
};

/**
 * struct consumer - what a handle names
 * @next: in the list of all
 * @handle: never used again
 * @processing: a ProcessTrace has it; under the list's lock
 * @closing: CloseTrace was called meanwhile
 * @wake: of a stream: a pipe: its first end hangs up when the second is closed, by
 *	CloseTrace() or by a program that closes all; -1: none
 * @wake_is: what both ends are
 * @fd: the file or stream; -1: there is no such session yet
 * @what: what that is; a program may close it and open another file under its number
 * @is_stream: see above
 * @wide: opened by OpenTraceW
 * @logfile: copy of what the caller gave, in its own form; both have one layout
 * @session: LoggerName as UTF-8; NULL for a file
 * @file: LogFileName as UTF-8
 * @first: the first buffer, the header event's
 * @first_size: bytes of it
 * @log: what the header event says
 * @names: LoggerName and LogFileName of @logfile's LogfileHeader
 * @stream: not NULL while a stream is processed
 * @clock: with consume_is_monotonic(): what its stamps are in CLOCK_MONOTONIC
 */
struct consumer {
	struct consumer *next;
	PROCESSTRACE_HANDLE handle;
	bool processing;
	atomic_bool closing;
	int wake[2];
	struct descriptor wake_is;
	int fd;
	struct descriptor what;
	bool is_stream;
	bool wide;
	union {
		EVENT_TRACE_LOGFILEA a;
		EVENT_TRACE_LOGFILEW w;
	} logfile;
	char *session;
	char *file;
	uint8_t *first;
	uint32_t first_size;
	struct etl_logfile log;
	WCHAR *names[2];
	struct consume_stream *stream;
	struct live_clock clock;
};

/**
 * struct consume_cursor - a processor's place in the merge
 * @consumer: the consumer of these buffers
 * @rank: decides between records of one time
 * @place: of a file: the next buffer, in the index
 * @end: and the end of this processor's
 * @index: of a file
 * @queue: of a stream: buffers, the next one first
 * @tail: where the next one goes
 * @queued: in the heap, or about to be
 * @bytes: the buffer that is being read
 * @room: bytes that @bytes has
 * @raw: that buffer
 * @decompressed: the same decompressed
 * @buffer: one of the two; NULL: none is open
 * @at: offset of the record after @record in it
 * @lost: ETW_BUFFER_FLAG_*_LOST of this buffer, not delivered yet
 * @record: the next record
 * @time: its FILETIME
 * @clock: its place in the order of time: @record's time, see set_order()
 * @given: what times that a program gave are up to
 * @order: the FILETIME of @clock
 */
struct consume_cursor {
	struct consumer *consumer;
	size_t rank;
	size_t place;
	size_t end;
	const struct consume_index *index;
	struct consume_queued *queue;
	struct consume_queued **tail;
	bool queued;
	uint8_t *bytes;
	uint32_t room;
	struct etl_buffer raw;
	struct decompressed decompressed;
	const struct etl_buffer *buffer;
	uint32_t at;
	uint16_t lost;
	struct etl_record record;
	uint64_t time;
	uint64_t clock;
	struct given_time given;
	uint64_t order;
};

/**
 * struct consume_run - a ProcessTrace
 * @consumers: its handles
 * @nr_consumers: of them
 * @index: of files: for each of @consumers, or NULL
 * @cursors: all
 * @nr_cursors: of them
 * @heap: those that have a record, consume_top() the oldest; as much room as @cursors
 * @live: of them
 * @room: in both
 * @memory: bytes that buffers take
 * @start: FILETIME of the first event that is wanted
 * @end: and of the last
 * @damaged: something could not be read
 * @result: a Win32 code that ends it; 0: goes on
 */
struct consume_run {
	struct consumer *consumers[64];
	size_t nr_consumers;
	struct consume_index *index;
	struct consume_cursor **cursors;
	size_t nr_cursors;
	void **heap;
	size_t live;
	size_t room;
	uint64_t memory;
	uint64_t start;
	uint64_t end;
	bool damaged;
	ULONG result;
};

/* consume_attach.c: the file or session is opened, the header event read */
ULONG consume_attach(struct consumer *consumer);
/* Win32 code of what opening or reading a file failed with */
ULONG consume_file_error(int err);

/* consume_open.c: the caller's string, wherever it may point; from malloc() */
ULONG consume_copy_name(bool wide, const void *name, char **copy);
void consume_detach(struct consumer *consumer);
/* consume_header.c. Return: 0 or a Win32 code */
ULONG consume_header(struct consumer *consumer);

/* Whether it is open yet, and that: before each use. Context: any */
static inline bool consume_has_file(const struct consumer *consumer)
{
	return descriptor_is(consumer->fd, &consumer->what);
}

/* consume_handles.c. Return: 0 or a Win32 code */
PROCESSTRACE_HANDLE consume_add(struct consumer *consumer);
ULONG consume_acquire(const PROCESSTRACE_HANDLE *handles, size_t count,
		      struct consumer *consumers[]);
void consume_release(struct consumer *consumers[], size_t count);
void consume_free(struct consumer *consumer);
/* A closed descriptor is an error, except after CloseTrace(): then the trace ends */
void consume_lost(struct consume_run *run, const struct consumer *consumer);

/* consume_session.c. Return: a descriptor, or -errno */
int consume_open_session(const char *name);
/* Milliseconds after which a session hands over what is not full; 0: not known */
unsigned int consume_flush_period(const char *name);

/* consume_file.c. Both return false when there is no memory or no reading */
bool consume_index(struct consume_run *run, struct consumer *consumer,
		   struct consume_index *index);
bool consume_load(struct consume_run *run, struct consume_cursor *cursor,
		  const struct consume_place *place);

/* consume_stream.c */
void consume_stream(struct consume_run *run, struct consumer *consumer);
/* After that, or after a callback that it did not come back from */
void consume_stream_end(struct consumer *consumer);
/* Exactly @size bytes, of @what only. Return: 0 or -errno; at the end -ENODATA */
int consume_read(int fd, const struct descriptor *what, void *to, size_t size);

/* consume_merge.c. Return: NULL without memory */
struct consume_cursor *consume_cursor(struct consume_run *run, struct consumer *consumer);
/* To the header event. Return: whether it can be */
bool consume_first(struct consume_run *run, struct consume_cursor *cursor);

/* The cursor with the oldest record, while @live isn't 0 */
static inline struct consume_cursor *consume_top(const struct consume_run *run)
{
	return run->heap[0];
}

/* To the next record and, when there is one, onto the heap */
void consume_start(struct consume_run *run, struct consume_cursor *cursor);
/* Moves the top on, or takes it away */
void consume_advance(struct consume_run *run);
void consume_drop(struct consume_run *run);
bool consume_memory(struct consume_run *run, uint64_t had, uint64_t wanted);
void consume_free_cursors(struct consume_run *run);
/* To the next record. Return: false: there is none, now */
bool consume_next(struct consume_run *run, struct consume_cursor *cursor);

/* consume_deliver.c */
void consume_deliver(struct consume_run *run, struct consume_cursor *cursor, bool always);
/* All events of the cursor's buffer were delivered */
void consume_buffer_done(struct consume_run *run, struct consume_cursor *cursor);

/* consume_callbacks.c */
void consume_class_callbacks(const struct etl_record *record, EVENT_TRACE *event);
void consume_forget_callbacks(void);

#define CONSUME_MAX_ITEMS	(ETL_MAX_ITEMS + 2)

/**
 * struct consume_event - an EVENT_RECORD and what it points at
 * @record: the event
 * @items: its extended items
 * @instance: data of an item
 * @pebs: likewise
 * @counters: likewise
 */
struct consume_event {
	EVENT_RECORD record;
	EVENT_HEADER_EXTENDED_DATA_ITEM items[CONSUME_MAX_ITEMS];
	EVENT_EXTENDED_ITEM_INSTANCE instance;
	EVENT_EXTENDED_ITEM_PEBS_INDEX pebs;
	ULONG64 counters[ETL_MAX_COUNTERS];
};

/* consume_event.c: both forms of an event. @time as the caller wants it */
void consume_event_record(const struct consume_cursor *cursor, uint64_t time,
			  struct consume_event *event);
void consume_event_trace(const struct consume_cursor *cursor, uint64_t time, EVENT_TRACE *event);

/* Raw stamps of a session are CLOCK_MONOTONIC, which a program can read, too. */
static inline bool consume_is_monotonic(const struct consumer *consumer)
{
	const ULONG modes = PROCESS_TRACE_MODE_REAL_TIME | PROCESS_TRACE_MODE_RAW_TIMESTAMP;

	return (consumer->logfile.a.ProcessTraceMode & modes) == modes;
}

/* consume_live_clock.c, for such a handle. At its start, when the header event was read */
void live_clock_start(struct consumer *consumer);
/* A record was read: the first anchor is better than the guess at the start. */
void live_clock_queued(struct consumer *consumer, const struct etl_record *record);
/* The record's stamp. Its payload's stamps are changed likewise, and anchors are noted. */
uint64_t live_clock_record(struct consumer *consumer, const struct etl_record *record);

static inline bool consume_wants_records(const struct consumer *consumer)
{
	return consumer->logfile.a.ProcessTraceMode & PROCESS_TRACE_MODE_EVENT_RECORD;
}

#endif /* LIBETW_CONSUME_H */
