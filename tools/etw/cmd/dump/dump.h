/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* etw dump: what its parts share. */
#ifndef ETW_DUMP_H
#define ETW_DUMP_H

#include "libetl/decode.h"
#include "libetl/event_names.h"
#include "libetl/running.h"
#include "libetl/trace.h"

/* In the place of the process or thread that a record does not have, as consumers see it */
#define NO_ID	UINT32_MAX

/**
 * struct line - an event with everything that is printed of it
 * @trace: the file
 * @record: the event
 * @buffer: where it is
 * @name: event_name()
 * @fields: its header's, then its payload's
 */
struct line {
	const struct trace *trace;
	const struct etl_record *record;
	const struct etl_buffer *buffer;
	char name[EVENT_NAME];
	struct fields fields;
};

/* dump_fields.c */
/* What the header and its extended items say, beyond what a line shows of all events */
void dump_header_fields(struct line *line);

/* dump_text.c */
void dump_csv_head(void);
void dump_print_text(struct line *line);
void dump_print_json(struct line *line);
void dump_print_csv(struct line *line);

struct symbols;
/* dump_symbols.c: names of the addresses among the fields */
void dump_add_symbols(struct line *line, struct symbols *symbols);

/* dump_xml.c: as tracerpt writes it */
void dump_xml_head(void);
void dump_xml_tail(void);
void dump_print_xml(struct line *line);

/* dump_count.c */
void dump_count_event(struct line *line);
void dump_print_counts(const struct trace *trace);

#define DUMP_PIDS	64

/**
 * struct dump_filter - which events are wanted
 * @from: nanoseconds since the start
 * @to: the same
 * @hooks: bits of hook ids; NULL: all
 * @pids: processes
 * @nr_pids: number of them; 0: all
 * @lifetimes: the processes of threads, if there are @pids
 * @running: the thread of each processor, for events that name none
 */
struct dump_filter {
	int64_t from;
	int64_t to;
	uint8_t *hooks;
	uint32_t pids[DUMP_PIDS];
	unsigned int nr_pids;
	struct lifetimes *lifetimes;
	struct running running;
};

/* Return: false after a message */
bool dump_parse_range(const char *text, struct dump_filter *filter);
bool dump_parse_hooks(const char *text, struct dump_filter *filter);
bool dump_parse_pids(const char *text, struct dump_filter *filter);
/* Before the first event. Return: 0, or -1 after a message */
int dump_survey(struct dump_filter *filter, const struct trace *trace);
/* Whether the event may be wanted, by its header; then, by its fields */
bool dump_wants_record(struct dump_filter *filter, const struct line *line);
/* What stands behind the last record of the processor could not be read. */
void dump_filter_hole(struct dump_filter *filter, uint16_t processor);
bool dump_wants_line(struct dump_filter *filter, const struct line *line);
void dump_filter_free(struct dump_filter *filter);

#endif /* ETW_DUMP_H */
