/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* .nettrace of .NET's EventPipe, versions 4 to 6: blocks, tables, events by time. */
#ifndef ETW_IMPORT_NETTRACE_H
#define ETW_IMPORT_NETTRACE_H

#include "etw_format.h"
#include "libetl/map.h"
#include "piece.h"

/* Numbers of version 6; blocks of versions 4 and 5 have names */
enum nettrace_block_kind {
	NETTRACE_END = 0,
	NETTRACE_TRACE = 1,
	NETTRACE_EVENTS = 2,
	NETTRACE_METADATA = 3,
	NETTRACE_SEQUENCE_POINT = 4,
	NETTRACE_STACKS = 5,
	NETTRACE_THREADS = 6,
	NETTRACE_REMOVED_THREADS = 7,
	NETTRACE_LABELS = 8,
	NETTRACE_UNKNOWN = 9,
};

/* Events that wait for older ones; more of them are a damaged file */
#define NETTRACE_PENDING	(4u << 20)
/* Rows of metadata; a runtime has some thousands */
#define NETTRACE_KINDS		(1u << 17)
#define NETTRACE_NAME		256
/* Metadata index of a loss */
#define NETTRACE_LOSS		UINT32_MAX
#define NETTRACE_FIELDS		256

/**
 * struct nettrace_file - a file in memory, and its head
 * @name: for messages
 * @bytes: its contents
 * @size: bytes of them
 * @at: the next block
 * @block: offset of the block that is read
 * @version: 4 to 6
 * @pointer: bytes of an address in stacks
 * @pid: the process; 0: the threads have processes
 * @processors: of the machine; 0: unknown
 * @frequency: ticks per second
 * @sync: ticks when the time of day was @wall
 * @wall: CLOCK_REALTIME, ns
 */
struct nettrace_file {
	const char *name;
	const uint8_t *bytes;
	uint64_t size;
	uint64_t at;
	uint64_t block;
	uint32_t version;
	uint32_t pointer;
	uint32_t pid;
	uint32_t processors;
	uint64_t frequency;
	uint64_t sync;
	uint64_t wall;
};

enum nettrace_type {
	NETTRACE_OBJECT = 1,
	NETTRACE_BOOL32 = 3,
	NETTRACE_CHAR16 = 4,
	NETTRACE_INT8 = 5,
	NETTRACE_UINT8 = 6,
	NETTRACE_INT16 = 7,
	NETTRACE_UINT16 = 8,
	NETTRACE_INT32 = 9,
	NETTRACE_UINT32 = 10,
	NETTRACE_INT64 = 11,
	NETTRACE_UINT64 = 12,
	NETTRACE_FLOAT = 13,
	NETTRACE_DOUBLE = 14,
	NETTRACE_DATETIME = 16,
	NETTRACE_GUID = 17,
	NETTRACE_STRING16 = 18,
	NETTRACE_ARRAY = 19,
	NETTRACE_VARINT = 20,
	NETTRACE_VARUINT = 21,
	NETTRACE_FIXED_ARRAY = 22,
	NETTRACE_CHAR8 = 23,
	NETTRACE_RELLOC = 24,
	NETTRACE_DATALOC = 25,
	NETTRACE_BOOL8 = 26,
};

/**
 * struct nettrace_field - a field of an event
 * @name: UTF-8
 * @type: of it, or of the elements
 * @array: NETTRACE_ARRAY, NETTRACE_FIXED_ARRAY, or 0
 * @count: elements of a NETTRACE_FIXED_ARRAY
 * @members: of an object: so many fields behind it
 * @all: fields behind it, with those of its members
 */
struct nettrace_field {
	char name[NETTRACE_NAME];
	uint8_t type;
	uint8_t array;
	uint16_t count;
	uint16_t members;
	uint16_t all;
};

/**
 * struct nettrace_fields - the fields of an event
 * @field: each object before its members
 * @count: number of them
 * @partly: those that follow have a type that no description in a trace has
 */
struct nettrace_fields {
	struct nettrace_field field[NETTRACE_FIELDS];
	uint16_t count;
	bool partly;
};

/**
 * struct nettrace_event_kind - what all events of one metadata id have
 * @provider: GUID
 * @provider_name: UTF-8
 * @name: without Start and Stop if @opcode has the same meaning; "": unknown
 * @id: of the event
 * @version: of the event
 * @level: of the event
 * @opcode: of the event
 * @keywords: of the event
 * @schema: description that each event contains (TraceLogging); NULL: the event has an id
 * @schema_size: bytes of it
 */
struct nettrace_event_kind {
	struct etw_guid provider;
	char provider_name[NETTRACE_NAME];
	char name[NETTRACE_NAME];
	uint16_t id;
	uint8_t version;
	uint8_t level;
	uint8_t opcode;
	uint64_t keywords;
	uint8_t *schema;
	uint16_t schema_size;
};

/**
 * struct nettrace_thread - a thread of version 6
 * @tid: 0: unknown
 * @pid: its process
 */
struct nettrace_thread {
	uint32_t tid;
	uint32_t pid;
};

/**
 * struct nettrace_labels - what version 6 lets events share
 * @activity: activity id
 * @related: related activity id
 * @keywords: instead of those of the metadata, if @has_keywords
 * @opcode: likewise, if @has_opcode
 * @level: likewise, if @has_level
 * @version: likewise, if @has_version
 * @has_keywords: @keywords is valid
 * @has_opcode: @opcode is valid
 * @has_level: @level is valid
 * @has_version: @version is valid
 */
struct nettrace_labels {
	struct etw_guid activity;
	struct etw_guid related;
	uint64_t keywords;
	uint8_t opcode;
	uint8_t level;
	uint8_t version;
	bool has_keywords;
	bool has_opcode;
	bool has_level;
	bool has_version;
};

/**
 * struct nettrace_event - an event
 * @time: ticks
 * @number: place in the file
 * @payload: its bytes
 * @stack: addresses; NULL: none
 * @stack_size: bytes of @stack
 * @size: bytes of @payload; of a loss: number of events
 * @kind: index of its metadata, or NETTRACE_LOSS
 * @tid: thread
 * @pid: process
 * @processor: where it was
 * @labels: index in the labels + 1; 0: none
 * @activity: of versions 4 and 5
 * @related: of versions 4 and 5
 */
struct nettrace_event {
	uint64_t time;
	uint64_t number;
	const uint8_t *payload;
	const uint8_t *stack;
	uint32_t stack_size;
	uint32_t size;
	uint32_t kind;
	uint32_t tid;
	uint32_t pid;
	uint32_t processor;
	uint32_t labels;
	struct etw_guid activity;
	struct etw_guid related;
};

/**
 * struct nettrace_head - head of an event as it stands in a block
 * @metadata: id
 * @sequence: number in its thread
 * @capture: thread that recorded it
 * @thread: thread that it is about
 * @processor: of @capture
 * @stack: id
 * @labels: id, version 6
 * @time: ticks
 * @activity: versions 4 and 5
 * @related: versions 4 and 5
 * @size: bytes of the payload
 * @sorted: no event behind it is older
 */
struct nettrace_head {
	uint32_t metadata;
	uint32_t sequence;
	uint64_t capture;
	uint64_t thread;
	uint32_t processor;
	uint32_t stack;
	uint32_t labels;
	uint64_t time;
	struct etw_guid activity;
	struct etw_guid related;
	uint32_t size;
	bool sorted;
};

/**
 * struct nettrace_tables - what events refer to
 * @stack_ids: index in @stacks
 * @stacks: addresses
 * @thread_ids: index in @threads
 * @threads: of version 6
 * @label_ids: index in @labels
 * @labels: of version 6
 * @kind_ids: metadata id: index in @kind_of
 * @kind_of: index in @kinds
 * @kinds: metadata; those of events that wait stay
 * @kinds_known: number of them
 */
struct nettrace_tables {
	struct map stack_ids;
	struct piece *stacks;
	struct map thread_ids;
	struct nettrace_thread *threads;
	struct map label_ids;
	struct nettrace_labels *labels;
	struct map kind_ids;
	uint32_t *kind_of;
	struct nettrace_event_kind *kinds;
	size_t kinds_known;
};

struct importing;

/**
 * struct nettrace - an import
 * @file: from where
 * @tables: what events refer to
 * @fields: of the metadata that is read
 * @pending: events that wait for older ones
 * @count: number of them
 * @room: of @pending
 * @number: events so far
 * @limit: no event to come is older
 * @waiting: events that stayed at the last sorting
 * @sent: time of the last event that was written
 * @counted: by thread: index in @sequences
 * @sequences: number of the last event of each thread
 * @described: provider, id and version of events that have a description in the trace
 * @schemas: hash of the name and fields of each of them
 */
struct nettrace {
	struct nettrace_file file;
	struct nettrace_tables tables;
	struct nettrace_fields fields;
	struct nettrace_event *pending;
	size_t count;
	size_t room;
	uint64_t number;
	uint64_t limit;
	size_t waiting;
	uint64_t sent;
	struct map counted;
	uint32_t *sequences;
	struct map described;
	uint64_t *schemas;
};

/* Functions that return an int return 0, or -1 after a message, if nothing else is said. */
/* nettrace_file.c */
bool nettrace_is_one(const uint8_t *bytes, uint64_t size);
int nettrace_file_open(struct nettrace_file *file);
/* The next block. Return: its kind; NETTRACE_END also where the file is damaged, after a warning */
enum nettrace_block_kind nettrace_next(struct nettrace_file *file, struct piece *block);
uint16_t nettrace_u16(struct piece *piece);
/* A number of 7 bits in each byte */
uint64_t nettrace_var(struct piece *piece);
/* UTF-8 behind its length. With @to of NETTRACE_NAME bytes, or NULL */
void nettrace_text(struct piece *piece, char *to);
/* UTF-16 before a zero. With @to of NETTRACE_NAME bytes */
void nettrace_text16(struct piece *piece, char *to);
/* ns of the ticks */
uint64_t nettrace_time(const struct nettrace_file *file, uint64_t ticks);

/* nettrace_guid.c: of the provider with that name, as .NET makes it */
struct etw_guid nettrace_guid(const char *name);

/* nettrace_tables.c */
int nettrace_read_stacks(struct nettrace *nettrace, struct piece *block);
int nettrace_read_threads(struct nettrace *nettrace, struct piece *block);
int nettrace_read_labels(struct nettrace *nettrace, struct piece *block);
/* Behind a sequence point: no event refers to older stacks and labels */
void nettrace_forget(struct nettrace *nettrace, bool threads, bool metadata);
void nettrace_tables_free(struct nettrace_tables *tables);

/* nettrace_metadata.c: the metadata of one row. Return: 0, also if it is damaged; -1: no memory */
int nettrace_read_row(struct importing *importing, struct piece row);
int nettrace_read_metadata(struct importing *importing, struct piece *block);
/* nettrace_fields.c: fields as they stand in metadata of versions 4 and 5, in tags, of version 6 */
enum nettrace_layout { NETTRACE_LAYOUT_4, NETTRACE_LAYOUT_5, NETTRACE_LAYOUT_6 };
void nettrace_read_fields(struct piece *piece, enum nettrace_layout layout,
			  struct nettrace_fields *fields);

/* nettrace_describe.c: writes the description of events of that kind, or adds it to @kind */
int nettrace_describe(struct importing *importing, struct nettrace_event_kind *kind);

/* nettrace_head.c: before the first event of a block. Return: heads are compressed */
bool nettrace_begin_events(struct piece *block);
/* Behind the payload */
void nettrace_end_event(const struct nettrace_file *file, struct piece *block, bool compressed);
/* Return: false at the end of the block, or where it is damaged */
bool nettrace_read_head(const struct nettrace_file *file, struct piece *block, bool compressed,
			struct nettrace_head *head);

/* nettrace_events.c */
int nettrace_read_events(struct importing *importing, struct piece *block);
int nettrace_read_sequence_point(struct importing *importing, struct piece *block);
int nettrace_read_removed_threads(struct importing *importing, struct piece *block);
/* Writes the events up to that time; all if it is UINT64_MAX */
int nettrace_send(struct importing *importing, uint64_t limit);

/* nettrace_write.c */
int nettrace_write(struct importing *importing, const struct nettrace_event *event);

/* nettrace_import.c: of import_open(), import_run() and import_free() */
int nettrace_open(struct importing *importing, const char *name, const uint8_t *bytes,
		  uint64_t size);
int nettrace_import(struct importing *importing);
void nettrace_free(struct importing *importing);

#endif /* ETW_IMPORT_NETTRACE_H */
