// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* What etw top counts in an interval, by thread and by process. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "libetl/guids.h"
#include "libetl/map.h"
#include "libetl/messages.h"
#include "etw_hooks.h"
#include "top.h"

static uint64_t ns_between(const struct top *top, uint64_t from, uint64_t to)
{
	int64_t ns = etl_nanoseconds(top->log, to) - etl_nanoseconds(top->log, from);

	return ns > 0 ? ns : 0;
}

static struct top_counts *counts_of(struct live_thread *thread)
{
	return (struct top_counts *)thread->user;
}

/* A counter that went back counted nothing. */
static uint64_t difference(uint64_t to, uint64_t from)
{
	return (int64_t)(to - from) > 0 ? to - from : 0;
}

static void on_ran(void *context, struct live_thread *thread, const struct live_on_cpu *cpu,
		   uint64_t to, const struct etl_record *record)
{
	struct top_counts *counts = counts_of(thread);
	struct top *top = context;

	counts->cpu_ns += ns_between(top, cpu->since, to);
	if (!top->counters || !record || record->nr_counters < 2 || cpu->counted < 2)
		return;
	counts->cycles += difference(record->counters[0], cpu->values[0]);
	counts->instructions += difference(record->counters[1], cpu->values[1]);
}

static void on_waited(void *context, struct live_thread *thread, uint64_t from, uint64_t to)
{
	struct top_counts *counts = counts_of(thread);
	uint64_t ns = ns_between(context, from, to);

	counts->waits++;
	counts->wait_ns += ns;
	if (ns <= counts->longest_ns)
		return;
	counts->longest_ns = ns;
	counts->reason = thread->reason;
}

static void on_was_ready(void *context, struct live_thread *thread, uint64_t from, uint64_t to)
{
	struct top_counts *counts = counts_of(thread);
	uint64_t ns = ns_between(context, from, to);

	counts->ready_ns += ns;
	if (ns > counts->ready_longest_ns)
		counts->ready_longest_ns = ns;
}

static const struct live_events events = {
	.ran = on_ran, .waited = on_waited, .was_ready = on_was_ready,
};

int top_begin(struct top *top)
{
	static const uint16_t hooks[] = { WMI_LOG_TYPE_IO_READ, WMI_LOG_TYPE_IO_WRITE };
	size_t i;

	top->threads.events = &events;
	top->threads.context = top;
	top->threads.user_size = sizeof(struct top_counts);
	for (i = 0; i < 2; i++) {
		event_number_find(&top->disk_size[i], hooks[i], "TransferSize");
		event_number_find(&top->disk_thread[i], hooks[i], "IssuingThreadId");
	}
	return live_threads_begin(&top->threads);
}

static void note_transfer(struct top *top, const struct etl_record *record)
{
	bool write = record->hook_id == WMI_LOG_TYPE_IO_WRITE;
	struct live_thread *thread;
	struct top_counts *counts = &top->all;
	uint64_t size, tid;

	if (!event_number(&top->disk_size[write], record, &size))
		return;
	*(write ? &counts->written : &counts->read) += size;
	if (!event_number(&top->disk_thread[write], record, &tid))
		return;
	thread = live_thread_of(&top->threads, tid);
	if (!thread)
		return;
	counts = counts_of(thread);
	*(write ? &counts->written : &counts->read) += size;
}

static void note_swap(struct top *top, const struct etl_record *record)
{
	uint32_t tid = get32(record->payload);
	struct live_thread *thread = tid ? live_thread_of(&top->threads, tid) : NULL;

	top->all.switches++;
	if (thread)
		counts_of(thread)->switches++;
}

int top_note(struct top *top, const struct etl_buffer *buffer, const struct etl_record *record)
{
	if (!top->begin)
		top->begin = top->log->t0;
	if (live_threads_note(&top->threads, buffer, record))
		return -1;
	if (is_context_swap(record))
		note_swap(top, record);
	else if (etl_has_hook(record) && (record->hook_id == WMI_LOG_TYPE_IO_READ ||
					  record->hook_id == WMI_LOG_TYPE_IO_WRITE))
		note_transfer(top, record);
	return 0;
}

void top_lost(struct top *top, uint64_t lost)
{
	live_threads_forget(&top->threads);
	top->incomplete = true;
	top->lost += lost;
	top->lost_all += lost;
}

static void add(struct top_counts *to, const struct top_counts *from)
{
	to->cpu_ns += from->cpu_ns;
	to->switches += from->switches;
	to->waits += from->waits;
	to->wait_ns += from->wait_ns;
	if (from->longest_ns > to->longest_ns) {
		to->longest_ns = from->longest_ns;
		to->reason = from->reason;
	}
	to->ready_ns += from->ready_ns;
	if (from->ready_longest_ns > to->ready_longest_ns)
		to->ready_longest_ns = from->ready_longest_ns;
	to->cycles += from->cycles;
	to->instructions += from->instructions;
	to->read += from->read;
	to->written += from->written;
}

static void fill_thread(const struct top *top, struct live_thread *thread, struct top_row *row)
{
	row->tid = thread->tid;
	row->pid = thread->pid;
	row->has_pid = thread->has_pid;
	snprintf(row->name, sizeof(row->name), "%s", live_thread_name(&top->threads, thread));
	row->counts = *counts_of(thread);
}

/* Threads of one process add up in its row. Return: 0 or -1 */
static int fill_processes(struct top *top)
{
	const struct live_process *process;
	struct live_thread *thread;
	struct map pids = { };
	struct top_row *row;
	size_t i;

	for (thread = top->threads.all; thread; thread = thread->next) {
		i = map_add(&pids, thread->has_pid ? thread->pid : UINT64_MAX);
		if (i == MAP_NONE) {
			map_free(&pids);
			return no_memory();
		}
		row = &top->row[i];
		process = thread->has_pid ? live_process_of(&top->threads, thread->pid) : NULL;
		row->pid = thread->pid;
		row->has_pid = thread->has_pid;
		snprintf(row->name, sizeof(row->name), "%s", process ? process->name : "");
		add(&row->counts, counts_of(thread));
	}
	top->rows = pids.count;
	map_free(&pids);
	return 0;
}

int top_finish(struct top *top, uint64_t time)
{
	struct live_thread *thread;
	struct top_counts *all = &top->all;
	uint64_t read = all->read, written = all->written, switches = all->switches;

	live_threads_split(&top->threads, time);
	top->ns = ns_between(top, top->begin, time);
	top->begin = time;
	top->idle_ns = counts_of(top->threads.idle)->cpu_ns;
	free(top->row);
	top->rows = 0;
	top->row = calloc(top->threads.nr_threads + 1, sizeof(*top->row));
	if (!top->row)
		return no_memory();
	for (thread = top->threads.all; thread; thread = thread->next) {
		add(all, counts_of(thread));
		if (!top->processes)
			fill_thread(top, thread, &top->row[top->rows++]);
	}
	/* transfers of threads that ended, and switches to idle, count too */
	all->read = read;
	all->written = written;
	all->switches = switches;
	if (top->processes && fill_processes(top))
		return -1;
	top_sort(top);
	return 0;
}

static double ipc(const struct top_counts *counts)
{
	return counts->cycles ? (double)counts->instructions / counts->cycles : 0;
}

static double value_of(const struct top_counts *counts, enum top_key key)
{
	switch (key) {
	case TOP_SWITCHES:
		return counts->switches;
	case TOP_WAIT:
		return counts->longest_ns;
	case TOP_READY:
		return counts->ready_ns;
	case TOP_IPC:
		return ipc(counts);
	case TOP_DISK:
		return (double)counts->read + counts->written;
	default:
		return counts->cpu_ns;
	}
}

static enum top_key sort_key;

/* Equal ones by CPU time, then by id, so that lines do not jump */
static int compare(const void *left, const void *right)
{
	const struct top_row *a = left, *b = right;
	double x = value_of(&a->counts, sort_key), y = value_of(&b->counts, sort_key);

	if (x != y)
		return x < y ? 1 : -1;
	if (a->counts.cpu_ns != b->counts.cpu_ns)
		return a->counts.cpu_ns < b->counts.cpu_ns ? 1 : -1;
	if (a->pid != b->pid)
		return a->pid < b->pid ? -1 : 1;
	return a->tid < b->tid ? -1 : a->tid > b->tid;
}

void top_sort(struct top *top)
{
	sort_key = top->key;
	qsort(top->row, top->rows, sizeof(*top->row), compare);
}

void top_next(struct top *top, bool (*gone)(uint32_t id))
{
	struct live_thread *thread;

	/* the end of a thread may be among what was lost */
	live_threads_sweep(&top->threads, top->incomplete ? gone : NULL);
	for (thread = top->threads.all; thread; thread = thread->next)
		memset(counts_of(thread), 0, sizeof(struct top_counts));
	memset(counts_of(top->threads.idle), 0, sizeof(struct top_counts));
	memset(&top->all, 0, sizeof(top->all));
	top->lost = 0;
	top->incomplete = false;
}

void top_end(struct top *top)
{
	live_threads_free(&top->threads);
	free(top->row);
}
