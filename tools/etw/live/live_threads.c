// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* What every thread and processor does now, from the records of a real-time stream. */
#include <stdio.h>
#include <stdlib.h>
#include "libetl/decode.h"
#include "libetl/events/events.h"
#include "libetl/execs.h"
#include "libetl/guids.h"
#include "libetl/messages.h"
#include "libetl/text.h"
#include "etw_hooks.h"
#include "live_threads.h"

/* Ids of a page of pointers */
#define PAGE_IDS	1024
#define PAGES		(LIVE_IDS / PAGE_IDS)
/* Other states of a thread that may run */
#define STATE_STANDBY		3
#define STATE_DEFERRED_READY	7

int live_threads_begin(struct live_threads *threads)
{
	threads->threads = calloc(PAGES, sizeof(void **));
	threads->processes = calloc(PAGES, sizeof(void **));
	threads->cpu = calloc(ETL_PROCESSORS, sizeof(*threads->cpu));
	threads->fields = calloc(1, sizeof(*threads->fields));
	threads->idle = calloc(1, sizeof(*threads->idle) + threads->user_size);
	if (!threads->threads || !threads->processes || !threads->cpu || !threads->fields ||
	    !threads->idle)
		return no_memory();
	snprintf(threads->idle->name, sizeof(threads->idle->name), "Idle");
	threads->idle->has_pid = true;
	return 0;
}

/* Return: where the pointer of the id stands; NULL: there is none, or no memory for it */
static void **place_of(void ***pages, uint32_t id, bool add)
{
	void ***page = &pages[id / PAGE_IDS % PAGES];

	if (id >= LIVE_IDS)
		return NULL;
	if (!*page && add)
		*page = calloc(PAGE_IDS, sizeof(void *));
	return *page ? *page + id % PAGE_IDS : NULL;
}

/* Return: NULL: no memory, or no id of Linux */
static struct live_thread *thread_of(struct live_threads *threads, uint32_t tid)
{
	void **place = tid ? place_of(threads->threads, tid, true) : NULL;
	struct live_thread *thread;

	if (!tid)
		return threads->idle;
	if (!place)
		return NULL;
	if (*place)
		return *place;
	thread = calloc(1, sizeof(*thread) + threads->user_size);
	if (!thread)
		return NULL;
	thread->tid = tid;
	thread->next = threads->all;
	threads->all = thread;
	threads->nr_threads++;
	*place = thread;
	return thread;
}

static struct live_process *add_process(struct live_threads *threads, uint32_t pid)
{
	void **place = place_of(threads->processes, pid, true);
	struct live_process *process;

	if (!place)
		return NULL;
	if (*place)
		return *place;
	process = calloc(1, sizeof(*process));
	if (!process)
		return NULL;
	process->pid = pid;
	process->own = pid && pid == threads->self;
	process->next = threads->all_processes;
	threads->all_processes = process;
	*place = process;
	return process;
}

struct live_thread *live_thread_of(const struct live_threads *threads, uint32_t tid)
{
	void **place = place_of(threads->threads, tid, false);

	return place ? *place : NULL;
}

struct live_process *live_process_of(const struct live_threads *threads, uint32_t pid)
{
	void **place = place_of(threads->processes, pid, false);

	return place ? *place : NULL;
}

const char *live_thread_name(const struct live_threads *threads, const struct live_thread *thread)
{
	const struct live_process *process = thread->has_pid && !thread->name[0] ?
		live_process_of(threads, thread->pid) : NULL;

	return process ? process->name : thread->name;
}

bool live_thread_is_own(const struct live_threads *threads, const struct live_thread *thread)
{
	const struct live_process *process = thread->has_pid ?
		live_process_of(threads, thread->pid) : NULL;

	return process && process->own;
}

static void set_name(char *name, const struct fields *fields, const char *field)
{
	const struct field *found = fields_find(fields, field);

	if (!found || found->kind != FIELD_STRING || !found->string[0])
		return;
	snprintf(name, LIVE_NAME, "%s", found->string);
	/* it may end inside of a character now */
	text_escape_control(name);
}

static void end_process(struct live_threads *threads, struct live_process *process)
{
	const struct field *status = fields_find(threads->fields, "ExitStatus");

	if (status && threads->events->ended)
		threads->events->ended(threads->context, process, status->number);
	process->ended = true;
}

static int note_process(struct live_threads *threads, enum event_phase phase)
{
	const struct field *pid = fields_find(threads->fields, "ProcessId");
	const struct field *parent = fields_find(threads->fields, "ParentId");
	struct live_process *process, *above;

	if (!pid || !pid->number || pid->number >= LIVE_IDS)
		return 0;
	/* a later record of an end that was noted */
	if (phase == PHASE_GONE)
		return 0;
	process = add_process(threads, pid->number);
	if (!process)
		return no_memory();
	/* the id of a process that ended belongs to another one now */
	if (phase == PHASE_BEGIN)
		process->ended = false;
	/* when a parent ends, its children get another one, but remain descendants */
	above = live_process_of(threads, parent ? parent->number : 0);
	process->own = process->pid == threads->self || (above && above->own) ||
		       (process->own && phase != PHASE_BEGIN);
	set_name(process->name, threads->fields, "ImageFileName");
	if (phase == PHASE_END)
		end_process(threads, process);
	return 0;
}

static int note_thread(struct live_threads *threads, enum event_phase phase)
{
	const struct field *pid = fields_find(threads->fields, "ProcessId");
	const struct field *tid = fields_find(threads->fields, "ThreadId");
	struct live_thread *thread;

	if (!pid || !tid || !tid->number || tid->number >= LIVE_IDS)
		return 0;
	thread = thread_of(threads, tid->number);
	if (!thread)
		return no_memory();
	thread->pid = pid->number;
	thread->has_pid = true;
	if (phase == PHASE_BEGIN)
		thread->ended = false;
	/* otherwise its last switch follows, which a stream without switches does not contain */
	else if (phase == PHASE_END && thread->state == LIVE_UNKNOWN)
		thread->ended = true;
	set_name(thread->name, threads->fields, "ThreadName");
	return 0;
}

static void set_state(struct live_thread *thread, enum live_state state, uint64_t time)
{
	thread->state = state;
	thread->since = time;
}

/* By exec, a thread took the id of its process's leader, and runs on. */
static int note_rename(struct live_threads *threads, struct live_on_cpu *cpu,
		       const struct etl_record *record)
{
	struct live_thread *thread, *old;

	if (!record->thread_id || record->thread_id >= LIVE_IDS)
		return 0;
	thread = thread_of(threads, record->thread_id);
	if (!thread)
		return no_memory();
	thread->ended = false;
	/* without switches, nothing would end this state */
	if (!cpu->known)
		return 0;
	old = live_thread_of(threads, cpu->tid);
	if (old && old != thread) {
		old->ended = true;
		set_state(old, LIVE_UNKNOWN, record->time);
	}
	set_state(thread, LIVE_RUNNING, record->time);
	cpu->tid = thread->tid;
	return 0;
}

static int note_names(struct live_threads *threads, const struct etl_record *record)
{
	const struct etl_event *event = event_of_hook(record->hook_id);

	if (!event_has(event, EVENT_HAS_PROCESS | EVENT_HAS_THREAD | EVENT_HAS_THREAD_NAME))
		return 0;
	fields_reset(threads->fields);
	decode_payload(record, threads->fields);
	return event_has(event, EVENT_HAS_PROCESS) ? note_process(threads, event->phase) :
		note_thread(threads, event->phase);
}

static void end_ready(struct live_threads *threads, struct live_thread *thread, uint64_t time)
{
	if (threads->events->was_ready)
		threads->events->was_ready(threads->context, thread, thread->since, time);
}

static void end_wait(struct live_threads *threads, struct live_thread *thread, uint64_t time)
{
	if (threads->events->waited)
		threads->events->waited(threads->context, thread, thread->since, time);
}

static void switch_out(struct live_thread *thread, const struct wmi_contextswap *swap,
		       uint64_t time)
{
	switch (swap->old_thread_state) {
	case ETW_THREAD_TERMINATED:
		thread->ended = true;
		set_state(thread, LIVE_UNKNOWN, time);
		return;
	case ETW_THREAD_READY:
	case STATE_STANDBY:
	case STATE_DEFERRED_READY:
		set_state(thread, LIVE_READY, time);
		return;
	case ETW_THREAD_RUNNING:
		set_state(thread, LIVE_UNKNOWN, time);
		return;
	}
	thread->reason = swap->old_thread_wait_reason;
	set_state(thread, LIVE_WAITING, time);
}

static void switch_in(struct live_threads *threads, struct live_thread *thread, uint64_t time)
{
	/* its wakeup may not have been recorded */
	if (thread->state == LIVE_WAITING)
		end_wait(threads, thread, time);
	else if (thread->state == LIVE_READY)
		end_ready(threads, thread, time);
	thread->ended = false;
	set_state(thread, LIVE_RUNNING, time);
}

static int note_swap(struct live_threads *threads, uint16_t processor,
		     const struct etl_record *record)
{
	struct live_on_cpu *cpu = &threads->cpu[processor];
	struct live_thread *old, *new;
	struct wmi_contextswap swap;

	memcpy(&swap, record->payload, sizeof(swap));
	/* ids that Linux does not have */
	if (swap.old_thread_id >= LIVE_IDS || swap.new_thread_id >= LIVE_IDS)
		return 0;
	old = thread_of(threads, swap.old_thread_id);
	new = thread_of(threads, swap.new_thread_id);
	if (!old || !new)
		return no_memory();
	if (cpu->known && cpu->tid == swap.old_thread_id && threads->events->ran)
		threads->events->ran(threads->context, old, cpu, record->time, record);
	if (old->tid)
		switch_out(old, &swap, record->time);
	if (new->tid)
		switch_in(threads, new, record->time);
	cpu->known = true;
	cpu->tid = swap.new_thread_id;
	cpu->since = record->time;
	cpu->counted = record->nr_counters;
	memcpy(cpu->values, record->counters, sizeof(cpu->values));
	if (processor >= threads->nr_cpus)
		threads->nr_cpus = processor + 1;
	return 0;
}

static int note_ready(struct live_threads *threads, const struct etl_record *record)
{
	uint32_t tid = get32(record->payload);
	struct live_thread *thread;

	if (!tid || tid >= LIVE_IDS)
		return 0;
	thread = thread_of(threads, tid);
	if (!thread)
		return no_memory();
	/* a running thread is not on its way to wait */
	if (thread->state == LIVE_RUNNING || thread->state == LIVE_READY)
		return 0;
	if (thread->state == LIVE_WAITING)
		end_wait(threads, thread, record->time);
	set_state(thread, LIVE_READY, record->time);
	return 0;
}

int live_threads_note(struct live_threads *threads, const struct etl_buffer *buffer,
		      const struct etl_record *record)
{
	uint16_t processor = buffer->processor % ETL_PROCESSORS;

	if (is_context_swap(record))
		return note_swap(threads, processor, record);
	if (!etl_has_hook(record))
		return 0;
	if (record->hook_id == PERFINFO_LOG_TYPE_READYTHREAD && record->payload_size >= 4)
		return note_ready(threads, record);
	if (execs_is_rename(record) &&
	    note_rename(threads, &threads->cpu[processor], record))
		return -1;
	return note_names(threads, record);
}

void live_threads_split(struct live_threads *threads, uint64_t time)
{
	struct live_thread *thread;
	struct live_on_cpu *cpu;
	uint32_t i;

	for (i = 0; i < threads->nr_cpus; i++) {
		cpu = &threads->cpu[i];
		thread = cpu->known && (int64_t)(time - cpu->since) > 0 ?
			thread_of(threads, cpu->tid) : NULL;
		if (!thread)
			continue;
		threads->events->ran(threads->context, thread, cpu, time, NULL);
		cpu->since = time;
	}
}

void live_threads_forget(struct live_threads *threads)
{
	struct live_thread *thread;
	uint32_t i;

	for (thread = threads->all; thread; thread = thread->next)
		thread->state = LIVE_UNKNOWN;
	for (i = 0; i < threads->nr_cpus; i++)
		threads->cpu[i].known = false;
}

static bool is_over(bool ended, uint32_t id, bool (*gone)(uint32_t id))
{
	return ended || (gone && gone(id));
}

void live_threads_sweep(struct live_threads *threads, bool (*gone)(uint32_t id))
{
	struct live_process **process = &threads->all_processes, *old_process;
	struct live_thread **thread = &threads->all, *old;

	while ((old = *thread)) {
		if (old->state == LIVE_RUNNING || !is_over(old->ended, old->tid, gone)) {
			thread = &old->next;
			continue;
		}
		*thread = old->next;
		*place_of(threads->threads, old->tid, false) = NULL;
		threads->nr_threads--;
		free(old);
	}
	while ((old_process = *process)) {
		if (!is_over(old_process->ended, old_process->pid, gone)) {
			process = &old_process->next;
			continue;
		}
		*process = old_process->next;
		*place_of(threads->processes, old_process->pid, false) = NULL;
		free(old_process);
	}
}

static void free_pages(void ***pages)
{
	size_t i;

	for (i = 0; pages && i < PAGES; i++)
		free(pages[i]);
	free(pages);
}

void live_threads_free(struct live_threads *threads)
{
	struct live_process *process;
	struct live_thread *thread;

	for (; (thread = threads->all); free(thread))
		threads->all = thread->next;
	for (; (process = threads->all_processes); free(process))
		threads->all_processes = process->next;
	free_pages(threads->threads);
	free_pages(threads->processes);
	free(threads->cpu);
	free(threads->fields);
	free(threads->idle);
}
