// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Events, their stacks and the names in them, as a tree. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "libetl/array.h"
#include "libetl/guids.h"
#include "libetl/text.h"
#include "etw.h"
#include "etw_extension.h"
#include "etw_hooks.h"
#include "stacks.h"

#define STATE_WAITING	5

/* When the thread that had an id at a time began to wait. Return: NULL: no memory */
static uint64_t *since_of(struct stack_report *report, uint32_t tid, uint64_t time)
{
	const struct thread *thread = lifetimes_thread(report->statistics->lifetimes, tid, time);

	if (!thread || !array_grow((void **)&report->since, &report->since_room,
				   thread->life.index + 1, sizeof(*report->since)))
		return NULL;
	return &report->since[thread->life.index];
}

/*
 * When a thread goes to wait, and how long it did when it runs again, in ns: however short,
 * it is a wait. Return: false: the record ends none
 */
static bool waited(struct stack_report *report, const struct etl_record *record, uint64_t *ns)
{
	const struct etl_logfile *log = &report->trace->log;
	uint32_t new = get32(record->payload), old = get32(record->payload + 4);
	uint8_t state = record->payload[offsetof(struct wmi_contextswap, old_thread_state)];
	uint64_t *since = since_of(report, old, record->time);
	int64_t from, to;

	if (!since)
		return false;
	if (record->time > report->now)
		report->now = record->time;
	*since = old && state == STATE_WAITING ? report->now : 0;
	since = since_of(report, new, record->time);
	if (!since || !*since || !new)
		return false;
	from = etl_nanoseconds(log, *since);
	to = etl_nanoseconds(log, report->now);
	*since = 0;
	if (cpu_work_clouded(&report->sight.work, new, record->time, from, to)) {
		report->unsure++;
		return false;
	}
	*ns = to - from;
	return true;
}

static void set_thread(struct stack_event *event, uint32_t tid)
{
	event->tid = tid;
	event->has_tid = true;
}

static bool is_wanted(const struct stack_report *report, uint16_t hook)
{
	if (report->all_samples)
		return hook == PERFINFO_LOG_TYPE_SAMPLED_PROFILE ||
		       hook == PERFINFO_LOG_TYPE_PMC_INTERRUPT;
	return hook == report->hook_id;
}

/* Return: whether there is a tree for the sample */
static bool set_sample(struct stack_report *report, const struct sample *sample,
		       struct stack_event *event)
{
	event->ip = sample->address;
	set_thread(event, sample->thread_id);
	event->weight = sample->count;
	event->source = sample->timer ? ETW_PROFILE_SOURCE_TIME : sample->source;
	if (!report->by_source || source_of(&report->sources, event->source))
		return event->weight;
	report->left_out++;
	return false;
}

static bool weigh_any(struct stack_report *report, const struct etl_record *record,
		      struct stack_event *event)
{
	struct sample sample;
	uint64_t issuer;
	uint16_t hook;

	if (!hook_of(record, &hook) || !is_wanted(report, hook))
		return false;
	event->hook_id = hook;
	event->weight = 1;
	if (hook == PERFINFO_LOG_TYPE_CONTEXTSWAP) {
		if (record->payload_size < sizeof(struct wmi_contextswap))
			return false;
		set_thread(event, get32(record->payload));
		return report->weight != WEIGH_WAITING || waited(report, record, &event->weight);
	}
	if (sample_of(&report->samples, record, hook, &sample))
		return set_sample(report, &sample, event);
	if (report->by_source)
		return false;
	if (event_number(&report->issuer, record, &issuer) && issuer != ETW_NO_THREAD) {
		/* the running thread at the end of a request need not be its issuer */
		set_thread(event, issuer);
	} else if (record->has_ids && record->thread_id != UINT32_MAX) {
		set_thread(event, record->thread_id);
	}
	return true;
}

/* The filter decides about the event, and about the thread that it is counted for. */
static bool weigh(void *context, const struct etl_record *record, uint16_t processor,
		  struct stack_event *event)
{
	struct stack_report *report = context;
	const struct event_filter *filter = report->statistics->filter;

	(void)processor;
	if (!weigh_any(report, record, event) || !report->stacks.selected)
		return false;
	if (report->all_samples && !event->tid && !filter->idle)
		return false;
	return !event->has_tid || event_filter_wants_id(filter, event->tid, record->time);
}

/* The first step: the process, by name where it has one */
static void step_process(struct stack_report *report, struct stack_event *event)
{
	struct lifetimes *lifetimes = report->statistics->lifetimes;
	const char *name = "";
	char text[SYMBOL_TEXT];

	if (!event->has_pid && event->has_tid)
		event->has_pid = symbols_process_of(report->symbols, event->tid, event->time,
						    &event->pid);
	if (event->has_pid)
		name = process_name(lifetimes_process(lifetimes, event->pid, event->time));
	if (name[0])
		snprintf(text, sizeof(text), "%s", name);
	else if (event->has_pid)
		snprintf(text, sizeof(text), "pid %u", event->pid);
	else
		snprintf(text, sizeof(text), event->has_tid ? "tid %u" : "unknown", event->tid);
	text_escape_control(text);
	call_tree_step(report->tree, text);
}

/* Leaves the module of "module!function", as "module!" */
static void cut_function(char text[SYMBOL_TEXT])
{
	char *end = strchr(text, '!');

	if (end)
		end[1] = '\0';
	else
		snprintf(text, SYMBOL_TEXT, "[unknown]!");
}

/* What the compiler inlined into a function is called from that function. */
static void step_inlined(struct stack_report *report, const struct stack_event *event,
			 uint64_t address, unsigned int how)
{
	const char *module = "", *name = symbols_inlined(report->symbols, event->pid, address,
							 event->time, how, &module);
	char text[SYMBOL_TEXT];

	for (; *name; name += strlen(name) + 1) {
		snprintf(text, sizeof(text), "%s!%s", module, name);
		text_escape_control(text);
		call_tree_step(report->tree, text);
	}
}

static void step_address(struct stack_report *report, const struct stack_event *event,
			 uint64_t address, uint8_t width, unsigned int how, bool *stays)
{
	bool kernel = is_kernel_address(address, width);
	char text[SYMBOL_TEXT];
	uint64_t key;

	if (width == 4)
		how |= SYMBOL_NARROW;
	/* a file may have one name for addresses of the kernel and of programs */
	key = symbols_key(report->symbols, event->pid, address, event->time, how, stays) ^ kernel;
	if (!call_tree_step_known(report->tree, key)) {
		symbols_name(report->symbols, event->pid, address, event->time, how, text,
			     sizeof(text));
		if (report->by_module)
			cut_function(text);
		if (kernel)
			call_tree_step_kernel(report->tree, text);
		else
			call_tree_step(report->tree, text);
		call_tree_know(report->tree, key);
	}
	if (report->where->inlined && !report->by_module)
		step_inlined(report, event, address, how);
}

/* From the outermost to the innermost */
static void step_frames(struct stack_report *report, const struct stack_event *event,
			const struct stack_frames *frames)
{
	bool stays = frames->has_key;
	uint64_t key;
	uint32_t i;

	if (!frames->count ||
	    (stays && call_tree_go(report->tree, event->pid, frames->at, frames->count,
				   symbols_epoch(report->symbols, event->time), &key)))
		return;
	for (i = frames->count; i-- > 0;)
		step_address(report, event, stack_frame(frames, i), frames->width,
			     i ? SYMBOL_CALLER : 0, &stays);
	if (stays)
		call_tree_keep(report->tree, key);
}

static int take(void *context, const struct stack_event *found)
{
	struct stack_report *report = context;
	struct stack_event event = *found;
	bool kernel = event.ip && is_kernel_address(event.ip, event.width), stays = false;

	report->events++;
	report->with_kernel += !!event.kernel.count;
	report->with_user += !!event.user.count;
	if (report->by_source)
		report->tree = report->trees + (source_of(&report->sources, event.source) -
						report->sources.source);
	call_tree_begin(report->tree);
	step_process(report, &event);
	step_frames(report, &event, &event.user);
	step_frames(report, &event, &event.kernel);
	/* a sample without this part of the stack: at least its address */
	if (event.ip && !(kernel ? event.kernel.count : event.user.count))
		step_address(report, &event, event.ip, event.width, 0, &stays);
	else if (!event.ip && !event.kernel.count && !event.user.count)
		call_tree_step(report->tree, "[no stack]");
	call_tree_end(report->tree, event.weight);
	if (report->tree->no_memory)
		return no_memory();
	return report->each ? report->each(report, &event) : 0;
}

static int survey(struct stack_report *report)
{
	const struct etl_record *record;
	const struct etl_buffer *buffer;
	struct sample_interval interval;
	struct merge merge;

	if (merge_begin(&merge, report->trace, false))
		return -1;
	while (merge_next(&merge, &record, &buffer)) {
		if (sample_interval_of(record, &interval))
			sources_note(&report->sources, &interval);
		symbols_note(report->symbols, record);
		stacks_note(&report->stacks, record);
	}
	merge_end(&merge);
	symbols_ready(report->symbols);
	return 0;
}

int stack_report_make(struct stack_report *report)
{
	unsigned int i;

	report->stacks = (struct stacks){
		.trace = report->trace, .filter = report->statistics->filter, .weigh = weigh,
		.take = take, .context = report,
	};
	sample_fields_find(&report->samples);
	event_number_find(&report->issuer, report->hook_id, "IssuingThreadId");
	report->tree = report->trees;
	for (i = 0; i < SOURCES; i++)
		report->trees[i].unit = report->weight == WEIGH_WAITING ? 1000 : 1;
	report->symbols = symbols_new(report->trace, report->where);
	if (!report->symbols)
		return no_memory();
	if (report->weight == WEIGH_WAITING &&
	    cpu_sight_begin(&report->sight, report->trace, report->statistics))
		return -1;
	if (survey(report) || stacks_walk(&report->stacks))
		return -1;
	return 0;
}

void stack_report_free(struct stack_report *report)
{
	unsigned int i;

	for (i = 0; i < SOURCES; i++)
		call_tree_free(&report->trees[i]);
	symbols_free(report->symbols);
	stacks_free(&report->stacks);
	cpu_sight_end(&report->sight);
	free(report->since);
}
