/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* The ETL reader: walks buffers and records of bytes in memory. */
#ifndef ETW_READER_H
#define ETW_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include "etw_linux.h"

/*
 * Pure functions: bytes in, views out, no I/O, no state, no allocation. They
 * read inside the bytes that they were given whatever these hold. A view
 * points into the bytes and lives as long as they do.
 */

static inline uint16_t get16(const void *at)
{
	uint16_t value;

	memcpy(&value, at, sizeof(value));
	return value;
}

static inline uint32_t get32(const void *at)
{
	uint32_t value;

	memcpy(&value, at, sizeof(value));
	return value;
}

static inline uint64_t get64(const void *at)
{
	uint64_t value;

	memcpy(&value, at, sizeof(value));
	return value;
}

/* Windows has no larger numbers of processors, nor has the module */
#define ETL_PROCESSORS	ETW_MAX_PROCESSORS

/**
 * struct etl_buffer - a buffer of a stream
 * @at: offset in the stream
 * @bytes: header and all; @header.buffer_size of them
 * @header: copy of the header
 * @end: end of the records, from the buffer's start; inside the buffer
 * @processor: read as the flags say
 * @compressed: the records are not readable
 */
struct etl_buffer {
	uint64_t at;
	const uint8_t *bytes;
	struct wmi_buffer_header header;
	uint32_t end;
	uint16_t processor;
	bool compressed;
};

enum etl_buffer_result {
	ETL_BUFFER_OK,
	ETL_BUFFER_NONE,	/* the stream ends here */
	ETL_BUFFER_TORN,	/* the stream ends inside this buffer */
	ETL_BUFFER_BAD,		/* these bytes are no buffer header */
};

/* The buffer that begins at offset @at of a stream of @size bytes */
enum etl_buffer_result etl_buffer_at(const uint8_t *stream, uint64_t size, uint64_t at,
				     struct etl_buffer *buffer);

struct event_infos;

enum etl_header {
	ETL_SYSTEM,
	ETL_COMPACT,
	ETL_FULL,
	ETL_INSTANCE,
	ETL_ERROR,
	ETL_MESSAGE,
	ETL_PERFINFO,
	ETL_EVENT,
	ETL_WNODE,	/* before Windows XP: a WNODE_HEADER instead of a marker */
	ETL_SMALL,	/* marker B: historical, 16 bytes */
	ETL_UNUSED,	/* types that only headers name: TIMED, WNODE_HEADER */
	ETL_HEADERS,
};

#define ETL_MAX_COUNTERS	7
/* Windows knows 18 types, and each once in an event */
#define ETL_MAX_ITEMS		32

/**
 * struct etl_record - a record, whatever its header
 * @at: offset in the buffer
 * @size: without padding
 * @header: kind of its header
 * @type: the header's type byte; 0 for MESSAGE
 * @pointer_size: of the payload; 8 of a MESSAGE that does not say, see etl_record_of_file()
 * @has_time: @time is valid (MESSAGE may lack it)
 * @has_ids: @thread_id and @process_id are valid
 * @no_process: but there is no process id: all of @process_id's bits are set
 * @time: session clock
 * @thread_id: from the header
 * @process_id: from the header
 * @kernel_time: SYSTEM, FULL, EVENT
 * @user_time: SYSTEM, FULL, EVENT
 * @hook_id: SYSTEM, COMPACT, PERFINFO
 * @id: event id or message number
 * @version: of the payload
 * @spare: bits of the version word that no kind of record uses
 * @level: FULL, EVENT
 * @opcode: FULL, EVENT
 * @channel: EVENT
 * @task: EVENT
 * @flags: EVENT: its flags; MESSAGE: option flags
 * @sequence: MESSAGE; 0 without one
 * @instance: INSTANCE
 * @parent_instance: INSTANCE
 * @keyword: EVENT
 * @guid: provider or event class
 * @activity: EVENT: activity id; INSTANCE: class of the parent
 * @has_pebs: @pebs is valid
 * @pebs: PEBS index, the first of the inline items
 * @nr_counters: number of values in @counters
 * @chain: EVENT: offset of the extended items in the buffer, 0: none
 * @items: EVENT: the same in memory; they end where the payload begins; NULL: none
 * @has_event_header: the payload has an EventHeader, see event_header_apply()
 * @payload: what follows
 * @payload_size: bytes of it
 * @infos: descriptions of events in the same file, see etl_record_of_file(); NULL: none
 * @counters: inline counters, in the order of the session's list; only @nr_counters are valid
 */
struct etl_record {
	uint32_t at;
	uint32_t size;
	enum etl_header header;
	uint8_t type;
	uint8_t pointer_size;
	bool has_time;
	bool has_ids;
	bool no_process;
	uint64_t time;
	uint32_t thread_id;
	uint32_t process_id;
	uint32_t kernel_time;
	uint32_t user_time;
	uint16_t hook_id;
	uint16_t id;
	uint16_t version;	/* more than 8 bits in FULL and INSTANCE only */
	uint8_t spare;
	uint8_t level;
	uint8_t opcode;
	uint8_t channel;
	uint16_t task;
	uint16_t flags;
	uint32_t sequence;
	uint32_t instance;
	uint32_t parent_instance;
	uint64_t keyword;
	struct etw_guid guid;
	struct etw_guid activity;
	bool has_pebs;
	uint64_t pebs;
	uint8_t nr_counters;
	uint32_t chain;
	const uint8_t *items;
	bool has_event_header;
	const uint8_t *payload;
	uint32_t payload_size;
	const struct event_infos *infos;
	uint64_t counters[ETL_MAX_COUNTERS];
};

/* Whether it has one of the kernel's headers, and with it @hook_id */
static inline bool etl_has_hook(const struct etl_record *record)
{
	return record->header == ETL_SYSTEM || record->header == ETL_COMPACT ||
	       record->header == ETL_PERFINFO;
}

enum etl_record_result {
	ETL_RECORD_OK,
	ETL_RECORD_NONE,	/* the records end here */
	ETL_RECORD_RAGGED,	/* bytes are left that can't be a record */
	ETL_RECORD_FILL,	/* fill before the end of the records */
	ETL_RECORD_MARKER,	/* the flag byte is wrong */
	ETL_RECORD_TYPE,	/* unknown type */
	ETL_RECORD_SHORT,	/* shorter than its header and items */
	ETL_RECORD_LONG,	/* passes the end of the records */
	ETL_RECORD_CHAIN,	/* its extended items are broken */
};

/* The record at offset @at of a buffer; the first is at ETL_FIRST_RECORD */
enum etl_record_result etl_record_at(const struct etl_buffer *buffer, uint32_t at,
				     struct etl_record *record);
const char *etl_record_result_text(enum etl_record_result result);
/*
 * Where the records go on behind a bad one at @at: at the first place from which
 * three of them, or all up to the end, can be read. Return: else the end
 */
uint32_t etl_find_record(const struct etl_buffer *buffer, uint32_t at);

/**
 * struct etl_item - an extended item of an EVENT record
 * @type: EVENT_HEADER_EXT_TYPE
 * @size: bytes of @data
 * @data: what is in it
 * @next: where to go on
 */
struct etl_item {
	uint16_t type;
	uint16_t size;
	const uint8_t *data;
	const uint8_t *next;
};

enum etl_item_type {
	ETL_ITEM_RELATED_ACTIVITY = 0x01,
	ETL_ITEM_SID = 0x02,
	ETL_ITEM_SESSION = 0x03,
	ETL_ITEM_INSTANCE = 0x04,
	ETL_ITEM_STACK32 = 0x05,
	ETL_ITEM_STACK64 = 0x06,
	ETL_ITEM_PEBS = 0x07,
	ETL_ITEM_COUNTERS = 0x08,
	ETL_ITEM_EVENT_KEY = 0x0A,
	ETL_ITEM_SCHEMA = 0x0B,
	ETL_ITEM_TRAITS = 0x0C,
	ETL_ITEM_PROCESS_KEY = 0x0D,
	ETL_ITEM_CONTAINER = 0x10,
	ETL_ITEM_STACK_KEY32 = 0x11,
	ETL_ITEM_STACK_KEY64 = 0x12,
};

/* The first item when @item->next is NULL, else the next. Return: false: no more */
bool etl_item_next(const struct etl_record *record, struct etl_item *item);

/* Flags of a buffer: something was lost before it or while it was filled */
#define ETL_BUFFER_LOST		(ETW_BUFFER_FLAG_EVENTS_LOST | ETW_BUFFER_FLAG_BUFFER_LOST)

#define ETL_FIRST_RECORD	((uint32_t)sizeof(struct wmi_buffer_header))

/* Where the next record begins */
static inline uint32_t etl_next_record(const struct etl_record *record)
{
	return record->at + ((record->size + ETW_RECORD_ALIGN - 1) & -ETW_RECORD_ALIGN);
}

/**
 * struct etl_logfile - what the header record says, either width
 * @t0: time stamp of the record itself
 * @compression: what the first buffer says of how the others are compressed, if they are
 * @name: offset of LoggerName in the stream, 0 when it is broken
 * @file: offset of LogFileName in the stream, 0 when it is broken
 * @infos: descriptions of events, see trace_describe(); NULL: none
 * Other members: see struct trace_logfile_header.
 */
struct etl_logfile {
	uint32_t buffer_size;
	uint8_t version[4];
	uint32_t provider_version;
	uint32_t number_of_processors;
	uint64_t end_time;
	uint32_t timer_resolution;
	uint32_t maximum_file_size;
	uint32_t log_file_mode;
	uint32_t buffers_written;
	uint32_t start_buffers;
	uint32_t pointer_size;
	uint32_t events_lost;
	uint32_t cpu_speed_mhz;
	uint64_t boot_time;
	uint64_t perf_freq;
	uint64_t start_time;
	uint32_t clock_type;
	uint32_t buffers_lost;
	uint64_t t0;
	uint16_t compression;
	uint64_t name;
	uint64_t file;
	uint32_t name_size;
	uint32_t file_size;
	const struct event_infos *infos;
};

/*
 * Reads the header record of a stream.
 * Return: NULL, or in words what is wrong.
 */
const char *etl_logfile_of(const uint8_t *stream, uint64_t size, struct etl_logfile *log);
/* The part of etl_record_of_file() for records without the kernel's headers */
void etl_record_complete(struct etl_record *record, const struct etl_logfile *log);
/*
 * Adds to a record of that stream what it does not say itself: how wide pointers are in a
 * MESSAGE of before Windows Vista; that an event of Windows 2000 has no process id; the descriptions
 * of events in the file. @log: all 0 where there is none
 */
static inline void etl_record_of_file(struct etl_record *record, const struct etl_logfile *log)
{
	record->infos = log->infos;
	if (!etl_has_hook(record))
		etl_record_complete(record, log);
}

/* Ticks per second of the session clock; never 0 */
uint64_t etl_frequency(const struct etl_logfile *log);
/*
 * Time since the start of the session; and of day, as FILETIME. No farther from the start than
 * 2^62 of their units: 146 years, or 14,600
 */
int64_t etl_nanoseconds(const struct etl_logfile *log, uint64_t time);
uint64_t etl_filetime(const struct etl_logfile *log, uint64_t time);

/*
 * Whether code there is the kernel's. An address that is wider than @pointer_size has 64 bits:
 * a record may have wider pointers than its file's header contains.
 */
static inline bool is_kernel_address(uint64_t address, uint32_t pointer_size)
{
	return address >> (pointer_size == 8 || address >> 32 ? 63 : 31);
}

static inline bool etl_guid_equal(const struct etw_guid *a, const struct etw_guid *b)
{
	return !memcmp(a, b, sizeof(*a));
}

/* The provider of the module's own events */
static inline bool etl_is_ours(const struct etl_record *record)
{
	static const struct etw_guid ours = ETW_LINUX_PROVIDER_GUID;

	return record->header == ETL_EVENT && etl_guid_equal(&record->guid, &ours);
}

#endif /* ETW_READER_H */
