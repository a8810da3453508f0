// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Threads and processes by id and time: an id gets another owner after its owner ended. */
#include <stdlib.h>
#include <string.h>
#include "decode.h"
#include "etw_hooks.h"
#include "events/events.h"
#include "guids.h"
#include "lifetimes.h"

/*
 * A start record that follows another record of the owner within this time, and contains the
 * same name, repeats that record: a rundown can describe a process before its start record is
 * written, and a merged file contains the records of several sessions.
 */
#define REPETITION_NS	1000000000
/* Bytes of a name: each row of a report repeats it, so a crafted name of 64 KB would fill memory */
#define NAME_MOST	1024

static bool is_before(uint64_t a, uint64_t b)
{
	return (int64_t)(a - b) < 0;
}

static struct lifetime *newest(const struct lifetime_table *table, uint32_t id)
{
	size_t i = map_find(&table->ids, id);
	struct lifetime *life = i == MAP_NONE ? NULL : table->owner[i];

	while (life && life->after)
		life = life->after;
	return life;
}

static struct lifetime *add_owner(struct lifetime_table *table, uint32_t id, uint64_t from)
{
	size_t known = table->ids.count, i;
	struct lifetime *before = newest(table, id), *life;

	if (!map_make_room((void **)&table->owner, known, sizeof(*table->owner)) ||
	    !map_make_room((void **)&table->list, table->count, sizeof(*table->list)))
		return NULL;
	life = calloc(1, table->size);
	i = life ? map_add(&table->ids, id) : MAP_NONE;
	if (i == MAP_NONE) {
		free(life);
		return NULL;
	}
	*life = (struct lifetime){
		.id = id, .index = table->count, .from = before ? from : 0, .before = before,
	};
	if (before)
		before->after = life;
	table->owner[i] = life;
	table->list[table->count++] = life;
	return life;
}

/* Reports ask in the order of time: the owner that was found last is the nearest one. */
static struct lifetime *owner_at(struct lifetime_table *table, uint32_t id, uint64_t time)
{
	size_t i = map_find(&table->ids, id);
	struct lifetime *life;

	if (i == MAP_NONE)
		return add_owner(table, id, 0);
	life = table->owner[i];
	while (life->before && is_before(time, life->from))
		life = life->before;
	while (life->after && !is_before(time, life->after->from))
		life = life->after;
	table->owner[i] = life;
	return life;
}

static struct thread *newest_thread(struct lifetimes *lifetimes, uint32_t tid)
{
	return (struct thread *)(newest(&lifetimes->threads, tid) ?:
				 add_owner(&lifetimes->threads, tid, 0));
}

static struct process *newest_process(struct lifetimes *lifetimes, uint32_t pid)
{
	return (struct process *)(newest(&lifetimes->processes, pid) ?:
				  add_owner(&lifetimes->processes, pid, 0));
}

/* The text of a field, or NULL */
static const char *text_of(const struct fields *fields, const char *name)
{
	const struct field *field = fields_find(fields, name);

	return field && field->kind == FIELD_STRING && field->string && field->string[0] ?
	       field->string : NULL;
}

/* Bytes of a name that are kept: it does not end within a character */
static size_t kept_of(const char *name)
{
	size_t bytes = strnlen(name, NAME_MOST);

	while (bytes && (name[bytes] & 0xC0) == 0x80)
		bytes--;
	return bytes;
}

static bool has_name(const struct lifetime *life, const char *name)
{
	size_t bytes = kept_of(name);

	return !strncmp(life->name, name, bytes) && !life->name[bytes];
}

static int set_name(struct lifetime *life, const char *name)
{
	char *copy;

	if (!name || (life->name && has_name(life, name)))
		return 0;
	copy = strndup(name, kept_of(name));
	if (!copy)
		return -1;
	free(life->name);
	life->name = copy;
	return 0;
}

static bool repeats(const struct lifetime *life, const struct etl_logfile *log, uint64_t time,
		    const char *name)
{
	int64_t ns = etl_nanoseconds(log, time) - etl_nanoseconds(log, life->seen);

	return !life->ended && ns <= REPETITION_NS &&
	       (!name || !life->name || has_name(life, name));
}

/* When another owner got the id of @old, which @record shows at the latest */
static uint64_t begin_of(const struct lifetime *old, const struct etl_record *record)
{
	bool start = event_of(record)->phase == PHASE_BEGIN;

	return old->ended && !start && is_before(old->end, record->time) ? old->end + 1 :
									   record->time;
}

static void describe(struct lifetime *life, const struct etl_record *record)
{
	life->described = true;
	life->seen = record->time;
	if (event_of(record)->phase == PHASE_BEGIN)
		life->started = true;
	if (event_is_end(event_of(record)) && !life->ended) {
		life->ended = true;
		life->end = record->time;
	}
}

static uint64_t key_of(uint32_t pid, uint64_t key)
{
	return key ^ pid * 0x9E3779B97F4A7C15ULL;
}

/*
 * Whether a record is not of @process, the newest one with its id or the one with its key.
 * Each session has keys of its own. So the rundown of the start and start records may contain
 * other keys for a known process if sessions were merged.
 */
static bool is_other_process(const struct process *process, bool has_its_key, uint64_t key,
			     enum event_phase phase, bool repetition)
{
	const struct lifetime *life = &process->life;

	if (!life->described)
		return false;
	if (life->ended && phase != PHASE_END && phase != PHASE_GONE)
		return true;
	if (phase == PHASE_BEGIN)
		return !repetition && (life->started || !has_its_key);
	return !has_its_key && key && process->has_key && phase != PHASE_RUNDOWN_BEGIN;
}

/*
 * The first thread of a process has its id. If the process executes another program, this
 * thread continues. Otherwise the process is another one, and so is its first thread.
 */
static int begin_first_thread(struct lifetimes *lifetimes, struct process *process, bool exec)
{
	uint32_t id = process->life.id;
	const struct thread *old = (struct thread *)newest(&lifetimes->threads, id);
	struct thread *thread;

	if (!old || !old->process || old->process->life.id != id)
		return 0;
	thread = (struct thread *)add_owner(&lifetimes->threads, id, process->life.from);
	if (!thread)
		return -1;
	thread->process = process;
	thread->continues = exec;
	return exec ? set_name(&thread->life, old->life.name) : 0;
}

static struct process *begin_process(struct lifetimes *lifetimes, const struct lifetime *old,
				     const struct etl_record *record)
{
	struct process *process = (struct process *)
		add_owner(&lifetimes->processes, old->id, begin_of(old, record));
	bool exec = event_of(record)->phase == PHASE_BEGIN && record->has_ids &&
		    record->process_id == old->id;

	if (!process)
		return NULL;
	if (exec) {
		process->continues = true;
		process->container = ((const struct process *)old)->container;
	}
	return begin_first_thread(lifetimes, process, exec) ? NULL : process;
}

static int note_key(struct lifetimes *lifetimes, struct process *process, uint64_t key)
{
	size_t known = lifetimes->keys.count, i;

	if (!key)
		return 0;
	process->has_key = true;
	if (!map_make_room((void **)&lifetimes->process_of_key, known,
		       sizeof(*lifetimes->process_of_key)))
		return -1;
	i = map_add(&lifetimes->keys, key_of(process->life.id, key));
	if (i == MAP_NONE)
		return -1;
	lifetimes->process_of_key[i] = process;
	return 0;
}

/* The parent at the start of a process; afterwards it may get another one, which says nothing. */
static void note_parent(struct lifetimes *lifetimes, struct process *process,
			enum event_phase phase, const struct fields *fields)
{
	const struct field *field = fields_find(fields, "ParentId");
	struct process *parent;

	if (!field || process->parent || process->continues || phase == PHASE_END ||
	    phase == PHASE_GONE)
		return;
	parent = (struct process *)newest(&lifetimes->processes, field->number);
	if (!parent || parent == process)
		return;
	process->parent = parent;
	/* the parent may enter another container later */
	if (phase == PHASE_BEGIN && !process->container)
		process->container = parent->container;
}

struct process *lifetimes_note_process(struct lifetimes *lifetimes, const struct etl_logfile *log,
				       const struct etl_record *record, uint32_t pid,
				       const struct fields *fields)
{
	const struct field *field = fields_find(fields, "UniqueProcessKey");
	const char *name = text_of(fields, "ImageFileName");
	enum event_phase phase = event_of(record)->phase;
	uint64_t key = field ? field->number : 0;
	size_t i = key ? map_find(&lifetimes->keys, key_of(pid, key)) : MAP_NONE;
	struct process *process = i == MAP_NONE ? newest_process(lifetimes, pid) :
						  lifetimes->process_of_key[i];

	if (process && is_other_process(process, i != MAP_NONE, key, phase,
					repeats(&process->life, log, record->time, name)))
		process = begin_process(lifetimes, &newest_process(lifetimes, pid)->life, record);
	if (!process || note_key(lifetimes, process, key))
		return NULL;
	/* an end record names a process only if no other record does */
	if (!(event_is_end(event_of(record)) && process->life.name) &&
	    set_name(&process->life, name))
		return NULL;
	note_parent(lifetimes, process, phase, fields);
	describe(&process->life, record);
	return process;
}

static bool is_other_thread(const struct thread *thread, const struct etl_logfile *log,
			    const struct etl_record *record, uint32_t pid, const char *name)
{
	bool same_process = thread->process && thread->process->life.id == pid;

	if (event_of(record)->phase == PHASE_BEGIN)
		return thread->life.ended ||
		       (thread->life.described &&
			!(same_process && repeats(&thread->life, log, record->time, name)));
	return thread->life.described && !same_process && !event_is_end(event_of(record));
}

/* The ids, which come first in every version of a record of a thread */
static bool thread_ids(const struct etl_record *record, uint32_t *pid, uint32_t *tid)
{
	if (record->payload_size < 8)
		return false;
	*pid = get32(record->payload);
	*tid = get32(record->payload + 4);
	return true;
}

static int note_thread(struct lifetimes *lifetimes, const struct etl_logfile *log,
		       const struct etl_record *record)
{
	struct fields *fields = lifetimes->fields;
	bool end = event_is_end(event_of(record));
	struct thread *thread;
	const char *name;
	uint32_t tid, pid;

	if (!thread_ids(record, &pid, &tid))
		return 0;
	thread = newest_thread(lifetimes, tid);
	if (!thread)
		return -1;
	/* an end record describes a thread only if no other record does */
	if (end && thread->process) {
		describe(&thread->life, record);
		return 0;
	}
	fields_reset(fields);
	decode_payload(record, fields);
	name = text_of(fields, "ThreadName");
	if (is_other_thread(thread, log, record, pid, name))
		thread = (struct thread *)add_owner(&lifetimes->threads, tid,
						    begin_of(&thread->life, record));
	if (!thread || set_name(&thread->life, name))
		return -1;
	thread->process = newest_process(lifetimes, pid);
	describe(&thread->life, record);
	return thread->process ? 0 : -1;
}

/* The end record of a thread may be missing */
static int note_swap(struct lifetimes *lifetimes, const struct etl_record *record)
{
	struct wmi_contextswap swap;
	struct thread *thread;

	memcpy(&swap, record->payload, sizeof(swap));
	if (swap.old_thread_state != ETW_THREAD_TERMINATED || !swap.old_thread_id)
		return 0;
	thread = newest_thread(lifetimes, swap.old_thread_id);
	if (!thread)
		return -1;
	if (!thread->life.ended)
		thread->life.end = record->time;
	thread->life.ended = true;
	return 0;
}

/* Before its start record, a process is unknown: the id may be an earlier owner's. */
static int note_container(struct lifetimes *lifetimes, const struct etl_record *record)
{
	const struct container *container;
	struct process *process;
	uint32_t pid;
	int err;

	if (!lifetimes->fields)
		lifetimes->fields = malloc(sizeof(*lifetimes->fields));
	if (!lifetimes->fields)
		return -1;
	err = containers_note(&lifetimes->containers, record, lifetimes->fields, &pid, &container);
	if (err || !container)
		return err;
	process = newest_process(lifetimes, pid);
	if (!process)
		return -1;
	process->container = container;
	return 0;
}

int lifetimes_note(struct lifetimes *lifetimes, const struct etl_logfile *log,
		   const struct etl_record *record)
{
	const struct etl_event *event;
	const struct field *pid;

	if (is_context_swap(record))
		return note_swap(lifetimes, record);
	if (containers_concern(record))
		return note_container(lifetimes, record);
	event = etl_has_hook(record) ? event_of_hook(record->hook_id) : event_of(record);
	if (!event_has(event, EVENT_HAS_PROCESS | EVENT_HAS_THREAD | EVENT_HAS_THREAD_NAME))
		return 0;
	if (!lifetimes->fields)
		lifetimes->fields = malloc(sizeof(*lifetimes->fields));
	if (!lifetimes->fields)
		return -1;
	if (!event_has(event, EVENT_HAS_PROCESS))
		return note_thread(lifetimes, log, record);
	fields_reset(lifetimes->fields);
	decode_payload(record, lifetimes->fields);
	pid = fields_find(lifetimes->fields, "ProcessId");
	if (!pid || lifetimes->fields->truncated)
		return 0;
	return lifetimes_note_process(lifetimes, log, record, pid->number, lifetimes->fields) ?
	       0 : -1;
}

void lifetimes_begin(struct lifetimes *lifetimes)
{
	*lifetimes = (struct lifetimes){
		.threads.size = sizeof(struct thread), .processes.size = sizeof(struct process),
	};
}

struct thread *lifetimes_thread(struct lifetimes *lifetimes, uint32_t tid, uint64_t time)
{
	return (struct thread *)owner_at(&lifetimes->threads, tid, time);
}

struct process *lifetimes_process(struct lifetimes *lifetimes, uint32_t pid, uint64_t time)
{
	return (struct process *)owner_at(&lifetimes->processes, pid, time);
}

const struct thread *lifetimes_thread_at(const struct lifetimes *lifetimes, size_t index)
{
	return (const struct thread *)lifetimes->threads.list[index];
}

const struct process *lifetimes_process_at(const struct lifetimes *lifetimes, size_t index)
{
	return (const struct process *)lifetimes->processes.list[index];
}

const char *process_name(const struct process *process)
{
	return process && process->life.name ? process->life.name : "";
}

const char *thread_name(const struct thread *thread)
{
	return thread->life.name ? thread->life.name : "";
}

static void free_table(struct lifetime_table *table)
{
	size_t i;

	for (i = 0; i < table->count; i++) {
		free(table->list[i]->name);
		free(table->list[i]);
	}
	free(table->list);
	free(table->owner);
	map_free(&table->ids);
}

void lifetimes_free(struct lifetimes *lifetimes)
{
	free_table(&lifetimes->threads);
	free_table(&lifetimes->processes);
	map_free(&lifetimes->keys);
	free(lifetimes->process_of_key);
	free(lifetimes->fields);
	containers_free(&lifetimes->containers);
}
