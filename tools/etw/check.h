/* SPDX-License-Identifier: GPL-2.0 */
/* What the parts of etw check share. */
#ifndef ETW_CHECK_H
#define ETW_CHECK_H

#include "../libetl/execs.h"
#include "../libetl/trace.h"

#define RULES		80
#define KNOWN_TIDS	(1u << 22)
#define HOOK_IDS	0x10000

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
 * @losses: in the loss records: last totals, by processor and cause
 * @has_names: @nr_names is valid
 * @nr_names: counters that the first 0x0F30 names
 * @nr_counters: by hook id: values that its first record with counters has
 */
struct checker {
	const struct trace *trace;
	bool ours;
	bool all;
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
	struct plain plain;
	const struct etl_buffer *buffer;
	uint32_t record_at;
	uint8_t *tids;
	struct execs execs;
	uint64_t losses[ETL_PROCESSORS][8];
	bool has_names;
	uint32_t nr_names;
	uint8_t nr_counters[HOOK_IDS];
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
int survey_records(struct checker *checker);
void check_record(struct checker *checker, struct check_cpu *cpu,
		  const struct etl_record *record);
void check_losses(struct checker *checker);

/* check_counters.c */
void survey_counters(struct checker *checker, const struct etl_record *record);
void check_counters(struct checker *checker, struct check_cpu *cpu,
		    const struct etl_record *record);

#endif /* ETW_CHECK_H */
