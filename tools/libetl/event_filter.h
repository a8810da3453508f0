/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Which events of a trace are wanted: by time, processor, thread, process and hook id. */
#ifndef ETW_EVENT_FILTER_H
#define ETW_EVENT_FILTER_H

#include "lifetimes.h"
#include "running.h"

#define FILTER_IDS	64

/**
 * struct event_filter - which events are wanted
 * @from: nanoseconds since the start
 * @to: the same
 * @hooks: bits of hook ids; NULL: all
 * @cpus: bits of processors; NULL: all
 * @pids: processes, @nr_pids of them
 * @tids: threads, @nr_tids of them
 * @names: of processes, @nr_names of them
 * @containers: patterns of names and paths of containers, @nr_containers of them; without any of
 *	these, all threads are wanted
 * @idle: reports count samples of the idle thread, too
 * @lifetimes: the processes of threads, if threads are selected
 * @running: the thread of each processor, for events that name none
 * @selected: bits of the events in the order of the merge, of event_filter_select()
 * @room: elements of @selected
 */
struct event_filter {
	int64_t from;
	int64_t to;
	uint8_t *hooks;
	uint8_t *cpus;
	uint32_t pids[FILTER_IDS];
	unsigned int nr_pids;
	uint32_t tids[FILTER_IDS];
	unsigned int nr_tids;
	char *names[FILTER_IDS];
	unsigned int nr_names;
	char *containers[FILTER_IDS];
	unsigned int nr_containers;
	bool idle;
	const struct etl_logfile *log;
	struct lifetimes *lifetimes;
	struct running running;
	uint8_t *selected;
	size_t room;
};

#define EVENT_FILTER_ALL	{ .from = INT64_MIN, .to = INT64_MAX }

/* Whether only some threads are wanted; whether anything is left out at all */
bool event_filter_has_threads(const struct event_filter *filter);
bool event_filter_leaves_out(const struct event_filter *filter);

/* Before the first event. Return: 0, or -1 after a message */
int event_filter_survey(struct event_filter *filter, const struct trace *trace);
/*
 * The events of a walk in the order of time, each of them: whether it may be wanted by its
 * header, and then by its fields. What stands behind the last record of a processor could not be
 * read after event_filter_hole().
 */
bool event_filter_wants_record(struct event_filter *filter, const struct etl_buffer *buffer,
			       const struct etl_record *record);
bool event_filter_wants_fields(struct event_filter *filter, const struct etl_buffer *buffer,
			       const struct etl_record *record, const struct fields *fields);
void event_filter_hole(struct event_filter *filter, uint16_t processor);

/*
 * For callers that read a trace several times: decides about all events once, and then about
 * the record that merge_next() gave last. Return: 0, or -1 after a message
 */
int event_filter_select(struct event_filter *filter, const struct trace *trace);
bool event_filter_selects(const struct event_filter *filter, const struct merge *merge,
			  const struct etl_buffer *buffer, const struct etl_record *record);

/* Parts of the decision, for what is no event: times, and lines of reports */
bool event_filter_wants_place(const struct event_filter *filter, const struct etl_buffer *buffer,
			      const struct etl_record *record);
bool event_filter_wants_time(const struct event_filter *filter, int64_t ns);
bool event_filter_wants_cpu(const struct event_filter *filter, uint16_t processor);
bool event_filter_wants_process(const struct event_filter *filter,
				const struct process *process);
bool event_filter_wants_thread(const struct event_filter *filter, const struct thread *thread);
/* The thread that had an id at a time, session clock */
bool event_filter_wants_id(const struct event_filter *filter, uint32_t tid, uint64_t time);
/* Cuts a time off at the ends of the range. Return: ns of it that are in the range */
uint64_t event_filter_clip(const struct event_filter *filter, int64_t *from, int64_t *to);

void event_filter_free(struct event_filter *filter);

#endif /* ETW_EVENT_FILTER_H */
