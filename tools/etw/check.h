/* SPDX-License-Identifier: GPL-2.0 */
/* What the parts of etw check share. */
#ifndef ETW_CHECK_H
#define ETW_CHECK_H

#include "trace.h"

#define RULES		80
#define PROCESSORS	0x800
#define KNOWN_TIDS	(1u << 22)

/**
 * struct check_cpu - what is known of a processor while its records go by
 * @seen: @time is valid
 * @running_known: @running is valid
 * @time: of its last record
 * @running: thread that its last context switch switched to
 * @running_priority: of @running
 */
struct check_cpu {
	bool seen;
	bool running_known;
	uint64_t time;
	uint32_t running;
	int running_priority;
};

/**
 * struct checker - a check under way
 * @trace: the file
 * @ours: written by the module: house rules are violations
 * @all: print every finding
 * @lossy: something of the trace is missing, as it says itself
 * @closed: EndTime and BuffersWritten are set
 * @violations: count
 * @notes: count
 * @records: count
 * @switches: context switches
 * @unknown_switches: of them, to threads that no event introduced
 * @of_rule: findings of each rule
 * @buffer: being checked, or NULL
 * @record_at: offset of the record being checked, 0: none
 * @tids: bitmap of the threads that events introduced
 * @losses: in the loss records: last totals, by processor and cause
 */
struct checker {
	const struct trace *trace;
	bool ours;
	bool all;
	bool lossy;
	bool closed;
	uint64_t violations;
	uint64_t notes;
	uint64_t records;
	uint64_t switches;
	uint64_t unknown_switches;
	uint64_t of_rule[RULES];
	const struct etl_buffer *buffer;
	uint32_t record_at;
	uint8_t *tids;
	uint64_t losses[PROCESSORS][8];
};

/* check_rules.c */
void finding(struct checker *checker, unsigned int rule, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
void print_findings_left_out(const struct checker *checker);
void print_rules(void);

/* check_stream.c */
/* Return: false when there is nothing that could be read further */
bool check_first_buffer(struct checker *checker);
void check_header_event(struct checker *checker);
void check_buffers(struct checker *checker);

/* check_records.c */
/* Before all: who wrote it, what is missing, which threads are known */
void survey_records(struct checker *checker);
void check_record(struct checker *checker, struct check_cpu *cpu,
		  const struct etl_record *record);
void check_losses(struct checker *checker);

#endif /* ETW_CHECK_H */
