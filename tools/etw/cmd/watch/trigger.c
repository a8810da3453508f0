// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Which conditions hold, by the records of a real-time stream. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include "libetl/event_names.h"
#include "libetl/guids.h"
#include "libetl/text.h"
#include "etw_hooks.h"
#include "trigger.h"

/* Exit statuses of processes that a signal ended begin behind this one */
#define STATUS_SIGNAL	128

/**
 * struct trigger_thread - of a thread
 * @fired: bits of conditions that held for the state that it is in
 * @since: begin of that state
 */
struct trigger_thread {
	uint32_t fired;
	uint64_t since;
};

static const char *const doing[] = {
	[CONDITION_WAIT] = "waited", [CONDITION_READY] = "was ready but did not run for",
	[CONDITION_RUN] = "ran without a break for",
};

static bool wants_process(const struct trigger *trigger, bool known, uint32_t pid)
{
	const struct live_process *process = known ? live_process_of(&trigger->threads, pid) : NULL;
	unsigned int i;

	if (process && process->own)
		return false;
	if (!trigger->nr_pids && !trigger->nr_names)
		return true;
	for (i = 0; known && i < trigger->nr_pids; i++)
		if (trigger->pids[i] == pid)
			return true;
	for (i = 0; process && i < trigger->nr_names; i++)
		if (!strcasecmp(trigger->names[i], process->name))
			return true;
	return false;
}

/* Its own process may not have been described yet. */
static bool wants_thread(const struct trigger *trigger, const struct live_thread *thread)
{
	return thread->tid != trigger->threads.self &&
	       wants_process(trigger, thread->has_pid, thread->pid);
}

static void describe(const struct trigger *trigger, const struct live_thread *thread,
		     const struct condition *condition, uint64_t ns, char *text)
{
	const char *reason = wait_reason_name(thread->reason);

	snprintf(text, TRIGGER_TEXT, "thread %u (%s) of process %u %s %" PRIu64 ".%03" PRIu64
		 " ms%s%s", thread->tid, live_thread_name(&trigger->threads, thread), thread->pid,
		 doing[condition->kind], ns / 1000000, ns / 1000 % 1000,
		 condition->kind == CONDITION_WAIT && reason ? ": " : "",
		 condition->kind == CONDITION_WAIT && reason ? reason : "");
}

/* The thread did so from @from to @to at least. A condition holds once for that. */
static void check_time(struct trigger *trigger, enum condition_kind kind,
		       struct live_thread *thread, uint64_t from, uint64_t to)
{
	struct trigger_thread *state = (struct trigger_thread *)thread->user;
	int64_t ns = etl_nanoseconds(trigger->log, to) - etl_nanoseconds(trigger->log, from);
	const struct condition *condition;
	char text[TRIGGER_TEXT];
	unsigned int i;

	if (state->since != from)
		*state = (struct trigger_thread){ .since = from };
	for (i = 0; !trigger->blind && i < trigger->nr_conditions; i++) {
		condition = &trigger->condition[i];
		if (condition->kind != kind || ns <= (int64_t)condition->ns ||
		    (state->fired & 1u << i) ||
		    !wants_thread(trigger, thread))
			continue;
		state->fired |= 1u << i;
		describe(trigger, thread, condition, ns, text);
		trigger->fire(trigger->context, condition, to, text);
	}
}

static void on_ran(void *context, struct live_thread *thread, const struct live_on_cpu *cpu,
		   uint64_t to, const struct etl_record *record)
{
	(void)record;
	if (thread->tid)
		check_time(context, CONDITION_RUN, thread, cpu->since, to);
}

static void on_waited(void *context, struct live_thread *thread, uint64_t from, uint64_t to)
{
	check_time(context, CONDITION_WAIT, thread, from, to);
}

static void on_was_ready(void *context, struct live_thread *thread, uint64_t from, uint64_t to)
{
	check_time(context, CONDITION_READY, thread, from, to);
}

static void on_ended(void *context, const struct live_process *process, uint32_t status)
{
	struct trigger *trigger = context;
	uint32_t signal = status > STATUS_SIGNAL ? status - STATUS_SIGNAL : 0;
	const struct condition *condition;
	char text[TRIGGER_TEXT];
	unsigned int i;

	if (!signal || signal > 64 || !wants_process(trigger, true, process->pid))
		return;
	for (i = 0; i < trigger->nr_conditions; i++) {
		condition = &trigger->condition[i];
		if (condition->kind != CONDITION_SIGNAL ||
		    (condition->signal && condition->signal != signal))
			continue;
		snprintf(text, sizeof(text), "process %u (%s) ended with signal %u", process->pid,
			 process->name, signal);
		trigger->fire(trigger->context, condition, 0, text);
	}
}

static const struct live_events events = {
	.ran = on_ran, .waited = on_waited, .was_ready = on_was_ready, .ended = on_ended,
};

int trigger_begin(struct trigger *trigger, uint32_t self)
{
	trigger->threads.events = &events;
	trigger->threads.context = trigger;
	trigger->threads.user_size = sizeof(struct trigger_thread);
	trigger->threads.self = self;
	return live_threads_begin(&trigger->threads);
}

bool trigger_has(const struct trigger *trigger, enum condition_kind kind)
{
	unsigned int i;

	for (i = 0; i < trigger->nr_conditions; i++)
		if (trigger->condition[i].kind == kind)
			return true;
	return false;
}

/* Name of the event without that of its class, or the whole name */
static bool is_named(const char *name, const char *match)
{
	const char *last = strrchr(name, '/');

	return !strcasecmp(name, match) || (last && !strcasecmp(last + 1, match));
}

/* A mark's text ends with the payload, or earlier. */
static bool has_text(const struct etl_record *record, const char *match)
{
	return !*match || (record->payload_size >= strlen(match) &&
			   memmem(record->payload, record->payload_size, match, strlen(match)));
}

static bool is_event(const struct condition *condition, const struct etl_record *record,
		     char name[EVENT_NAME])
{
	uint16_t hook;

	switch (condition->kind) {
	case CONDITION_EVENT:
		if (!hook_of(record, &hook) || hook != condition->hook)
			return false;
		break;
	case CONDITION_MARK:
		if (!hook_of(record, &hook) || hook != PERFINFO_LOG_TYPE_MARK ||
		    !has_text(record, condition->match))
			return false;
		break;
	case CONDITION_PROVIDER:
		if (etl_has_hook(record) || !etl_guid_equal(&record->guid, &condition->guid) ||
		    (condition->has_id && record->id != condition->id))
			return false;
		break;
	default:
		return false;
	}
	event_name(record, name, EVENT_NAME);
	return condition->kind != CONDITION_PROVIDER || !*condition->match ||
	       is_named(name, condition->match);
}

/* By the ids in the record's header; without ids, by the thread that the processor ran. */
static bool is_own(const struct trigger *trigger, const struct etl_buffer *buffer,
		   const struct etl_record *record)
{
	const struct live_threads *threads = &trigger->threads;
	const struct live_on_cpu *cpu = &threads->cpu[buffer->processor % ETL_PROCESSORS];
	const struct live_process *process;
	const struct live_thread *thread;

	if (record->has_ids && !record->no_process) {
		process = live_process_of(threads, record->process_id);
		return process && process->own;
	}
	thread = cpu->known ? live_thread_of(threads, cpu->tid) : NULL;
	return thread && live_thread_is_own(threads, thread);
}

static void check_event(struct trigger *trigger, const struct etl_buffer *buffer,
			const struct etl_record *record)
{
	char name[EVENT_NAME], text[TRIGGER_TEXT], mark[256];
	const struct condition *condition;
	unsigned int i;

	for (i = 0; i < trigger->nr_conditions; i++) {
		condition = &trigger->condition[i];
		if (!is_event(condition, record, name) || is_own(trigger, buffer, record))
			continue;
		mark[0] = 0;
		if (condition->kind == CONDITION_MARK)
			text_from_bytes(record->payload, strnlen((const char *)record->payload,
								 record->payload_size),
					mark, sizeof(mark));
		snprintf(text, sizeof(text), "event %.200s%s%s", name, mark[0] ? ": " : "", mark);
		trigger->fire(trigger->context, condition, record->time, text);
	}
}

int trigger_note(struct trigger *trigger, const struct etl_buffer *buffer,
		 const struct etl_record *record)
{
	if (live_threads_note(&trigger->threads, buffer, record))
		return -1;
	check_event(trigger, buffer, record);
	return 0;
}

void trigger_tick(struct trigger *trigger, uint64_t time)
{
	struct live_threads *threads = &trigger->threads;
	struct live_thread *thread;

	for (thread = threads->all; thread; thread = thread->next) {
		if (thread->ended || (int64_t)(time - thread->since) <= 0)
			continue;
		if (thread->state == LIVE_WAITING)
			check_time(trigger, CONDITION_WAIT, thread, thread->since, time);
		else if (thread->state == LIVE_READY)
			check_time(trigger, CONDITION_READY, thread, thread->since, time);
		else if (thread->state == LIVE_RUNNING)
			check_time(trigger, CONDITION_RUN, thread, thread->since, time);
	}
	live_threads_sweep(threads, NULL);
}

void trigger_lost(struct trigger *trigger, bool blind)
{
	live_threads_forget(&trigger->threads);
	trigger->blind = blind;
}

void trigger_end(struct trigger *trigger)
{
	live_threads_free(&trigger->threads);
}
