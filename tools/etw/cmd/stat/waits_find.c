// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Finds the waits of threads and the idle times of processors (declared in waits.h). */
#include <stdlib.h>
#include <string.h>
#include "libetl/array.h"
#include "etw.h"
#include "waits.h"

static struct wait_thread *thread_of(struct waits *waits, uint32_t index)
{
	if (!array_grow((void **)&waits->thread, &waits->thread_room, (size_t)index + 1,
			sizeof(*waits->thread)))
		return NULL;
	return &waits->thread[index];
}

static int note_sleep(void *context, const struct life *life, uint16_t cpu, uint32_t next)
{
	struct waits *waits = context;
	struct wait_thread *thread = thread_of(waits, life->thread->life.index);

	if (!thread)
		return -1;
	thread->idle = !next;
	if (!next)
		waits->causes[cpu] = (struct wait_idle){
			.thread = life->thread->life.index, .cpu = cpu,
			.recorded = life->reason, .since = life->since,
		};
	return 0;
}

/*
 * Where the next idle time counts: without stacks, the recorded reason is all that is known of its
 * cause, so the memory does not grow with the trace. Return: NULL: no memory
 */
static struct wait_idle *idle_of(struct waits *waits, const struct wait_idle *idle)
{
	uint64_t key = (uint64_t)idle->cpu << 9 | (idle->thread == WAIT_NONE) << 8 | idle->recorded;
	size_t i = waits->nr_idle;

	if (!waits->has_stacks) {
		i = map_add(&waits->idles, key);
		if (i == MAP_NONE)
			return NULL;
	}
	if (i < waits->nr_idle)
		return &waits->idle[i];
	if (!array_grow((void **)&waits->idle, &waits->idle_room, i + 1, sizeof(*idle)))
		return NULL;
	waits->idle[i] = *idle;
	waits->nr_idle = i + 1;
	return &waits->idle[i];
}

/* The cause is the wait that began when the processor became idle. */
static int note_idle(void *context, uint16_t cpu, int64_t from, int64_t to)
{
	struct waits *waits = context;
	struct wait_idle idle = waits->causes[cpu], *sum;
	uint64_t ns;

	if (!event_filter_wants_cpu(waits->filter, cpu))
		return 0;
	if (idle.since != from)
		idle = (struct wait_idle){ .thread = WAIT_NONE, .cpu = cpu };
	ns = event_filter_clip(waits->filter, &from, &to);
	if (!ns)
		return 0;
	sum = idle_of(waits, &idle);
	if (!sum)
		return -1;
	sum->ns = ns;
	if (waits->has_stacks)
		return 0;
	if (!sum->times)
		sum->times = calloc(1, sizeof(*sum->times));
	if (!sum->times)
		return -1;
	spans_add(sum->times, ns);
	return 0;
}

static int note_ready(void *context, uint32_t index, uint64_t time, uint32_t by)
{
	struct waits *waits = context;
	struct wait_thread *thread = thread_of(waits, index), *waker;
	uint32_t before = WAIT_NONE, i;

	if (!thread)
		return -1;
	if (by < BY_UNKNOWN) {
		/* may move the threads */
		waker = thread_of(waits, by);
		if (!waker)
			return -1;
		thread = &waits->thread[index];
		before = waker->last ? waker->last - 1 : WAIT_NONE;
	}
	if (time > thread->ready_time) {
		thread->ready_time = time;
		thread->by = by;
		thread->before = before;
	}
	/* the thread may have waited again since */
	for (i = thread->last_readied - 1; i != WAIT_NONE; i = waits->wait[i].previous_readied) {
		if (waits->wait[i].ready_time == time) {
			waits->wait[i].by = by;
			waits->wait[i].before = before;
		}
		if (waits->wait[i].ready_time <= time)
			break;
	}
	return 0;
}

/* For the stacks of the wait that comes next; @time: of the switch that ends it */
static int add_keys(struct waits *waits, const struct wait *wait, uint32_t tid, uint64_t time)
{
	if (wait_keys_add(&waits->ends, time, tid, waits->nr_waits))
		return -1;
	return wait->ready_time ? wait_keys_add(&waits->readies, wait->ready_time, tid,
						waits->nr_waits) : 0;
}

static bool is_listed(const struct waits *waits, const struct wait *wait,
		      const struct thread *thread)
{
	const struct event_filter *filter = waits->filter;

	return wait->until - wait->from >= (int64_t)waits->least && wait->from <= filter->to &&
	       wait->to >= filter->from && event_filter_wants_cpu(filter, wait->cpu) &&
	       event_filter_wants_thread(filter, thread);
}

static int note_end(void *context, const struct life *life, uint16_t cpu, uint64_t time)
{
	struct waits *waits = context;
	struct wait_thread *thread = thread_of(waits, life->thread->life.index);
	struct wait wait = {
		.thread = life->thread->life.index, .by = BY_UNKNOWN, .before = WAIT_NONE,
		.from = life->since, .until = life->readied && life->readied_at < waits->work.now ?
			 life->readied_at : waits->work.now,
		.to = waits->work.now, .ready_time = life->readied ? life->readied_time : 0,
		.cpu = cpu, .recorded = life->reason,
	};

	if (!thread)
		return -1;
	wait.listed = is_listed(waits, &wait, life->thread);
	if (!wait.listed && !(thread->idle && waits->has_stacks))
		return 0;
	thread->idle = false;
	if (waits->bounded && wait.until - wait.from < waits->least_kept) {
		waits_leave_out(waits, &wait);
		return 0;
	}
	if (waits_make_room(waits) ||
	    (waits->has_stacks && add_keys(waits, &wait, life->thread->life.id, time)))
		return -1;
	/* room may have been made by moving waits, which @before is an index of */
	if (life->readied && thread->ready_time == life->readied_time) {
		wait.by = thread->by;
		wait.before = thread->before;
	}
	wait.previous = thread->last ? thread->last - 1 : WAIT_NONE;
	wait.previous_readied = thread->last_readied ? thread->last_readied - 1 : WAIT_NONE;
	waits->wait[waits->nr_waits++] = wait;
	thread->last = waits->nr_waits;
	if (wait.ready_time)
		thread->last_readied = waits->nr_waits;
	return 0;
}

int waits_find(struct waits *waits)
{
	static const struct event_filter all = EVENT_FILTER_ALL;
	const struct cpu_observer observer = {
		.context = waits, .sleeps = note_sleep, .idles = note_idle,
		.readied = note_ready, .ends = note_end,
	};
	int err;

	waits->causes = calloc(ETL_PROCESSORS, sizeof(*waits->causes));
	if (!waits->causes)
		return no_memory();
	memset(&waits->work, 0, sizeof(waits->work));
	waits->work.statistics = waits->statistics;
	waits->work.filter = &all;
	waits->work.observer = &observer;
	err = cpu_work_follow(&waits->work, waits->trace, &waits->gaps, false);
	waits->work.observer = NULL;
	if (!err)
		cpu_work_warn(&waits->work);
	return err;
}
