/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* etw dump: what its parts share. */
#ifndef ETW_DUMP_H
#define ETW_DUMP_H

#include "libetl/decode.h"
#include "libetl/event_filter.h"
#include "libetl/event_names.h"
#include "libetl/map.h"
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

/* dump_hooks.c: a list of hook ids and names. Return: EXIT_OK, or EXIT_USAGE after a message */
int dump_take_hooks(const char *text, struct event_filter *filter);

struct symbols;
/* dump_symbols.c: names of the addresses among the fields */
void dump_add_symbols(struct line *line, struct symbols *symbols);

struct dump_names;
/* dump_names.c: names of processes and files, and readying threads. Return: NULL after a message */
struct dump_names *dump_names_of(const struct trace *trace);
/* Each record, before dump_add_names(). Return: 0, or -1 after a message */
int dump_names_see(struct dump_names *names, const struct line *line);
/* What stands behind the last record of the processor could not be read. */
void dump_names_hole(struct dump_names *names, uint16_t processor);
void dump_add_names(struct line *line, struct dump_names *names);
void dump_names_free(struct dump_names *names);

struct dump_calls;
/* dump_calls.c: paths of system calls. Return: NULL after a message */
struct dump_calls *dump_calls_new(void);
/* Each record, before dump_calls_add(). Return: 0, or -1 after a message */
int dump_calls_see(struct dump_calls *calls, const struct etl_record *record);
void dump_calls_add(struct line *line, const struct dump_calls *calls);
void dump_calls_free(struct dump_calls *calls);

/**
 * struct activity - an activity id
 * @wanted: its events are to be printed
 * @first: its first start of another one + 1; 0: there is none
 */
struct activity {
	bool wanted;
	size_t first;
};

/**
 * struct activity_start - an activity starts another one: an event has both ids
 * @to: index of the other one
 * @next: the next start by the same activity + 1; 0: there is none
 */
struct activity_start {
	size_t to;
	size_t next;
};

/**
 * struct activities - those of a trace
 * @wanted: only events of some of them are to be printed
 * @ids: of all that are known
 * @activity: by index in @ids
 * @starts: pairs of indexes
 * @start: by index in @starts
 */
struct activities {
	bool wanted;
	struct map ids;
	struct activity *activity;
	size_t room;
	struct map starts;
	struct activity_start *start;
	size_t start_room;
};

/* dump_activity.c. What returns an int returns 0, or -1 after a message */
int dump_activity_add(struct activities *activities, const struct etw_guid *guid);
/* Before the first event: which activities those that were added started, directly or not */
int dump_activities_survey(struct activities *activities, const struct trace *trace);
bool dump_activities_want(const struct activities *activities, const struct etl_record *record);
void dump_activities_free(struct activities *activities);

/* dump_tables.c: CSV files in a folder. What returns an int returns 0, or -1 after a message */
int dump_tables_begin(const char *folder);
void dump_print_table(struct line *line);
int dump_tables_end(void);

/* dump_xml.c: as tracerpt writes it */
void dump_xml_head(void);
void dump_xml_tail(void);
void dump_print_xml(struct line *line);

/* dump_count.c */
void dump_count_event(struct line *line);
void dump_print_counts(const struct trace *trace);

#endif /* ETW_DUMP_H */
