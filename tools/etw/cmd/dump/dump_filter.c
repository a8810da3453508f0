// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* etw dump: which events are wanted. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "libetl/events/events.h"
#include "libetl/guids.h"
#include "libetl/lifetimes.h"
#include "control/hooks.h"
#include "dump.h"
#include "etw.h"

#define HOOK_BYTES	(0x10000 / 8)

/* Return: what follows the number; NULL when there is none */
static const char *parse_seconds(const char *text, int64_t *ns)
{
	double seconds;
	char *end;

	if (!isdigit((unsigned char)*text) && *text != '.')
		return NULL;
	seconds = strtod(text, &end);
	if (end == text || !(seconds < 9e9))
		return NULL;
	*ns = seconds * 1e9;
	return end;
}

bool dump_parse_range(const char *text, struct dump_filter *filter)
{
	const char *at = text;

	if (*at != '-')
		at = parse_seconds(at, &filter->from);
	if (at && *at++ != '-')
		at = NULL;
	if (at && *at)
		at = parse_seconds(at, &filter->to);
	if (at && !*at && filter->from <= filter->to)
		return true;
	usage_error(&verb_dump, "dump: range '%s': it is FROM-TO, seconds since the start, and "
		    "either may be left out", text);
	return false;
}

bool dump_parse_hooks(const char *text, struct dump_filter *filter)
{
	char *copy = strdup(text), *name, *rest = copy;
	struct suggestion suggestion;
	uint16_t hook = 0;
	bool good = copy;

	if (!filter->hooks)
		filter->hooks = calloc(1, HOOK_BYTES);
	good = good && filter->hooks;
	while (good && (name = strsep(&rest, ","))) {
		good = hook_parse(name, &hook);
		if (good)
			filter->hooks[hook / 8] |= 1 << hook % 8;
		else
			usage_error(&verb_dump, "dump: hook '%s': neither an id nor a name%s "
				    "('etw list hooks')", name,
				    hook_suggestion(name, &suggestion));
	}
	free(copy);
	return good;
}

bool dump_parse_pids(const char *text, struct dump_filter *filter)
{
	char *copy = strdup(text), *number, *rest = copy;
	bool good = copy;

	while (good && (number = strsep(&rest, ","))) {
		good = filter->nr_pids < DUMP_PIDS &&
		       parse_number(number, 0, UINT32_MAX, &filter->pids[filter->nr_pids]);
		filter->nr_pids += good;
	}
	free(copy);
	if (!good)
		usage_error(&verb_dump, "dump: processes '%s': they are numbers, %u at most", text,
			    DUMP_PIDS);
	return good;
}

static bool is_wanted(const struct dump_filter *filter, uint32_t pid)
{
	unsigned int i;

	for (i = 0; i < filter->nr_pids; i++)
		if (filter->pids[i] == pid)
			return true;
	return false;
}

/*
 * Reads the processes of all threads before the first event, because a flight recorder or a
 * snapshot can describe threads only in the rundown at its end.
 */
int dump_survey(struct dump_filter *filter, const struct trace *trace)
{
	const struct etl_record *record;
	const struct etl_buffer *buffer;
	struct merge merge;
	int err = 0;

	if (!filter->nr_pids)
		return 0;
	filter->lifetimes = malloc(sizeof(*filter->lifetimes));
	if (!filter->lifetimes)
		return no_memory();
	lifetimes_begin(filter->lifetimes);
	if (running_begin(&filter->running, trace) || merge_begin(&merge, trace, false))
		return -1;
	while (!err && merge_next(&merge, &record, &buffer)) {
		running_survey(&filter->running, buffer->processor, record);
		err = lifetimes_note(filter->lifetimes, &trace->log, record);
	}
	merge_end(&merge);
	return err ? no_memory() : 0;
}

bool dump_wants_record(struct dump_filter *filter, const struct line *line)
{
	const struct etl_record *record = line->record;
	int64_t ns = etl_nanoseconds(&line->trace->log, record->time);
	uint16_t hook_id;

	if (filter->nr_pids)
		running_note(&filter->running, line->buffer, record);
	if (ns < filter->from || ns > filter->to)
		return false;
	if (!filter->hooks)
		return true;
	return hook_of(record, &hook_id) && (filter->hooks[hook_id / 8] >> hook_id % 8 & 1);
}

void dump_filter_hole(struct dump_filter *filter, uint16_t processor)
{
	if (filter->nr_pids)
		running_hole(&filter->running, processor);
}

static bool is_of_wanted(const struct dump_filter *filter, uint32_t tid, uint64_t time)
{
	const struct thread *thread = lifetimes_thread(filter->lifetimes, tid, time);

	return thread && thread->process && is_wanted(filter, thread->process->life.id);
}

bool dump_wants_line(struct dump_filter *filter, const struct line *line)
{
	static const char *const pid_names[] = { "ProcessId", "StackProcess" };
	static const char *const tid_names[] = {
		"ThreadId", "NewThreadId", "OldThreadId", "IssuingThreadId",
	};
	const struct field *field;
	uint32_t tid;
	size_t i;

	if (!filter->nr_pids)
		return true;
	if (line->record->has_ids && is_wanted(filter, line->record->process_id))
		return true;
	for (i = 0; i < sizeof(pid_names) / sizeof(pid_names[0]); i++) {
		field = fields_find(&line->fields, pid_names[i]);
		if (field && is_wanted(filter, field->number))
			return true;
	}
	for (i = 0; i < sizeof(tid_names) / sizeof(tid_names[0]); i++) {
		field = fields_find(&line->fields, tid_names[i]);
		if (field && is_of_wanted(filter, field->number, line->record->time))
			return true;
	}
	return event_has(event_of(line->record), EVENT_HAS_NO_THREAD) &&
	       running_get(&filter->running, line->buffer, line->record, &tid) &&
	       is_of_wanted(filter, tid, line->record->time);
}

void dump_filter_free(struct dump_filter *filter)
{
	free(filter->hooks);
	if (filter->lifetimes)
		lifetimes_free(filter->lifetimes);
	free(filter->lifetimes);
	running_end(&filter->running);
}
