/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* What the parts of etw check share. */
#ifndef ETW_CHECK_H
#define ETW_CHECK_H

#include "libetl/execs.h"
#include "libetl/losses.h"
#include "libetl/trace.h"
#include "etw_abi.h"

#define KNOWN_TIDS	(1u << 22)
#define HOOK_IDS	0x10000

/* By the numbers that are printed: up to 41 those of the reader's checklist; from 50, ours */
enum check_rule {
	RULE_FIRST_BUFFER = 1,
	RULE_HEADER_BUFFER_TYPE = 2,
	RULE_HEADER_BUFFER_CLEAR = 3,
	RULE_HEADER_BUFFER_WHOLE = 4,
	RULE_HEADER_BUFFER_END = 5,
	RULE_FIRST_RECORD_SYSTEM = 6,
	RULE_FIRST_RECORD = 7,
	RULE_HEADER_EVENT_VERSION = 8,
	RULE_HEADER_EVENT_STRINGS = 9,
	RULE_POINTER_SIZE = 10,
	RULE_FREQUENCIES = 11,
	RULE_PROCESSORS = 12,
	RULE_BUFFERS_WRITTEN = 13,
	RULE_COMPRESSED_MODE = 14,
	RULE_END_TIME = 15,
	RULE_HEADER_EVENT_TIME = 16,
	RULE_CLOCK_TYPE = 17,
	RULE_BUFFERS_FOLLOW = 20,
	RULE_BUFFER_SIZE = 21,
	RULE_BUFFER_OFFSET = 22,
	RULE_SEQUENCE_INCREASES = 23,
	RULE_PROCESSOR_FLAG = 24,
	RULE_BUFFER_EMPTY = 25,
	RULE_TIME_ORDER = 26,
	RULE_BUFFER_FILL = 28,
	RULE_RECORDS_END = 30,
	RULE_RECORD_FLAG = 31,
	RULE_RECORD_TYPE = 32,
	RULE_MESSAGES = 33,
	RULE_RECORD_ROOM = 34,
	RULE_ITEMS_ANNOUNCED = 36,
	RULE_ITEM_CHAIN = 37,
	RULE_HOOK_GROUP = 38,
	RULE_OFFSETS_EQUAL = 50,
	RULE_BUFFER_STATE = 51,
	RULE_BUFFER_UNUSED = 52,
	RULE_SEQUENCE_DENSE = 53,
	RULE_BUFFER_TIME = 54,
	RULE_BUFFER_FLAGS = 55,
	RULE_LOGGER_ID = 56,
	RULE_HEADER_EVENT_OURS = 57,
	RULE_KNOWN_EVENT = 58,
	RULE_PROCESS_RECORD = 59,
	RULE_STRING_END = 60,
	RULE_SWITCH_CHAIN = 61,
	RULE_SWITCH_THREADS = 62,
	RULE_HAND_OVER = 63,
	RULE_OUR_EVENT_SIZE = 64,
	RULE_EVENTS_LOST = 65,
	RULE_CLOSED = 66,
	RULE_SCHEDULER_VALUES = 67,
	RULE_START_TIME = 68,
	RULE_FLUSH_MARKER = 69,
	RULE_COUNTERS_NUMBER = 70,
	RULE_COUNTERS_ORDER = 71,
	RULE_COUNTERS_NAMES = 72,
	RULE_PEBS = 73,
	RULE_GIVEN_TIME = 74,
	RULE_SYSTEM_PATHS = 75,
	RULE_DESCRIBED = 76,
	RULES = 80,	/* room for more */
};

/**
 * struct check_cpu - what is known of a processor while its records go by
 * @seen: @time is valid
 * @running_known: @running is valid
 * @time: of its last record
 * @given_time: of the last one that may have its stamp from a program
 * @running: thread that its last context switch switched to
 * @running_priority: of @running
 * @nr_counters: values in @counters
 * @has_pebs: @pebs is valid
 * @counters: of its last context swap that had any
 * @pebs: index of its last context swap that had one
 */
struct check_cpu {
	bool seen;
	bool running_known;
	uint64_t time;
	uint64_t given_time;
	uint32_t running;
	int running_priority;
	uint8_t nr_counters;
	bool has_pebs;
	uint64_t counters[ETL_MAX_COUNTERS];
	uint64_t pebs;
};

/**
 * struct checker - a check under way
 * @trace: the file
 * @ours: written by the module: house rules are violations
 * @all: print every finding
 * @json: as one JSON object; @printed: findings that it has so far
 * @lossy: something of the trace is missing, as it says itself
 * @merged: of several files: what follows from one session's order does not hold
 * @filtered: the session had filters: what is missing was not wanted
 * @switches_off: when context switches were first found not enabled
 * @switches_on: when they were last found enabled
 * @closed: EndTime and BuffersWritten are set
 * @violations: count
 * @notes: count
 * @records: count
 * @switches: context switches
 * @unknown_switches: of them, to threads that no event introduced
 * @of_rule: findings of each rule
 * @plain: where compressed buffers are decompressed
 * @buffer: being checked, or NULL
 * @record_at: offset of the record being checked, 0: none
 * @tids: bitmap of the threads that events introduced
 * @execs: threads that exec renamed
 * @losses: in the loss records
 * @has_names: @nr_names is valid
 * @nr_names: counters that the first 0x0F30 names
 * @nr_counters: by hook id: values that its first record with counters has
 */
struct checker {
	const struct trace *trace;
	bool ours;
	bool all;
	bool json;
	bool lossy;
	bool merged;
	bool filtered;
	uint64_t switches_off;
	uint64_t switches_on;
	bool closed;
	uint64_t violations;
	uint64_t notes;
	uint64_t records;
	uint64_t switches;
	uint64_t unknown_switches;
	uint64_t of_rule[RULES];
	uint64_t printed;
	struct decompressed plain;
	const struct etl_buffer *buffer;
	uint32_t record_at;
	uint8_t *tids;
	struct execs execs;
	struct losses losses;
	bool has_names;
	uint32_t nr_names;
	uint8_t nr_counters[HOOK_IDS];
};

/* The records of a header buffer that Windows' own merging made end where they end. */
static inline bool may_end_unaligned(const struct checker *checker,
				     const struct etl_buffer *buffer)
{
	return !checker->ours && !buffer->at;
}

/* check_rules.c */
void finding(struct checker *checker, enum check_rule rule, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
void print_findings_left_out(const struct checker *checker);
void print_rules(bool json);

/* check_stream.c */
/* Return: false when there is nothing that could be read further */
bool check_first_buffer(struct checker *checker);
void check_header_event(struct checker *checker);
void check_buffers(struct checker *checker);

/* check_records.c */
/* First pass: finds the origin of the trace, the gaps, and the known threads */
int survey_records(struct checker *checker);
void check_record(struct checker *checker, struct check_cpu *cpu,
		  const struct etl_record *record);
void check_losses(struct checker *checker);

/* check_counters.c */
void survey_counters(struct checker *checker, const struct etl_record *record);
void check_counters(struct checker *checker, struct check_cpu *cpu,
		    const struct etl_record *record);

#endif /* ETW_CHECK_H */
