// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Follows threads through the trace: running, ready to run, waiting. */
#include <stdlib.h>
#include <string.h>
#include "libetl/guids.h"
#include "cpu.h"
#include "etw_hooks.h"

/* KTHREAD_STATE; what Linux never says is not in etw_hooks.h */
#define STATE_STANDBY		3
#define STATE_DEFERRED_READY	7

uint64_t cpu_work_clip(const struct cpu_work *work, int64_t from, int64_t to)
{
	return event_filter_clip(work->filter, &from, &to);
}

static bool is_wanted_time(const struct cpu_work *work, int64_t now)
{
	return work->here && event_filter_wants_time(work->filter, now);
}

static void end_life(const struct cpu_work *work, struct life *life, int64_t now)
{
	life->length += cpu_work_clip(work, life->first, now);
	life->state = LIFE_DEAD;
}

/*
 * The previous thread with this id has ended, even if the trace lacks its last context swap.
 * After an exec it is the same thread: what it does goes on.
 */
static void succeed(struct cpu_work *work, struct life *life)
{
	const struct lifetime *before = life->thread->life.before;
	struct life *old = NULL;
	size_t i;

	for (; before && !old; before = before->before) {
		i = map_find(&work->map, before->index);
		if (i != MAP_NONE)
			old = &work->lives[i];
	}
	if (!old || old->state == LIFE_NONE || old->state == LIFE_DEAD)
		return;
	if (life->thread->continues) {
		life->state = old->state;
		life->cpu = old->cpu;
		life->reason = old->reason;
		life->readied = old->readied;
		life->readied_at = old->readied_at;
		life->readied_time = old->readied_time;
		life->since = old->since;
		life->first = old->since;
	}
	end_life(work, old, old->since);
}

/* Valid until the next call */
static struct life *life_of(struct cpu_work *work, uint32_t tid)
{
	const struct thread *thread = lifetimes_thread(work->statistics->lifetimes, tid,
						       work->time);
	size_t n = work->map.count, i;

	i = thread ? map_find(&work->map, thread->life.index) : MAP_NONE;
	if (i != MAP_NONE)
		return &work->lives[i];
	/* room first: cpu_work_free() takes a life for each key */
	if (!thread || !map_make_room((void **)&work->lives, n, sizeof(*work->lives)) ||
	    map_add(&work->map, thread->life.index) == MAP_NONE)
		return NULL;
	work->lives[n] = (struct life){ .thread = thread };
	succeed(work, &work->lives[n]);
	return &work->lives[n];
}

/* @readied: index of the thread; @time: of the record; @by: index of a thread, or BY_* */
static int count_ready(struct cpu_work *work, uint32_t readied, uint64_t time, uint32_t by)
{
	const struct cpu_observer *observer = work->observer;
	size_t n = work->readies.count;
	size_t i = map_add(&work->readies, (uint64_t)readied << 32 | by);

	if (i == MAP_NONE)
		return -1;
	if (i == n) {
		if (!map_make_room((void **)&work->ready_count, n, sizeof(*work->ready_count)))
			return -1;
		work->ready_count[i] = 0;
	}
	work->ready_count[i]++;
	return observer && observer->readied ?
		observer->readied(observer->context, readied, time, by) : 0;
}

/* The switch at the end of the interval contains its thread. */
static int count_pending(struct cpu_work *work, struct cpu_life *cpu, uint32_t by)
{
	size_t i;

	for (i = 0; i < cpu->nr_pending; i++)
		if (count_ready(work, cpu->pending[i].thread, cpu->pending[i].time, by))
			return -1;
	cpu->nr_pending = 0;
	return 0;
}

/* Damaged files may go back in time; what is summed up never does. */
static int64_t forward(struct cpu_work *work, int64_t now)
{
	if (now > work->now)
		work->now = now;
	return work->now;
}

/* What the interval before the present swap was spent with */
static int pass_on(struct cpu_work *work, const struct interval *interval, enum chain_break why)
{
	const struct thread *thread = NULL;

	if (!work->spent)
		return 0;
	if (why == CHAIN_WHOLE && interval->old) {
		thread = lifetimes_thread(work->statistics->lifetimes, interval->old,
					  interval->to);
		if (!thread)
			return -1;
	}
	return work->spent->take(work->spent->context, interval->processor, why, thread,
				 work->from, work->now);
}

int cpu_work_take(void *context, const struct interval *interval)
{
	struct cpu_work *work = context;
	struct cpu_life *cpu = &work->cpu[interval->processor];
	int64_t to = etl_nanoseconds(&work->chains.trace->log, interval->to);
	uint64_t ns = cpu_work_clip(work, cpu->last, forward(work, to));
	enum chain_break why = interval->why;
	const struct thread *thread;

	/* there are no counters here */
	if (why == CHAIN_UNCOUNTED)
		why = CHAIN_WHOLE;
	if (why == CHAIN_WHOLE && !filter_inference_see_whole(&work->inference, interval->old,
							      interval->to))
		why = CHAIN_HIDDEN;
	work->whole = why == CHAIN_WHOLE;
	work->from = cpu->last;
	if (!work->whole)
		cpu->unattributed[why] += ns;
	else if (interval->old)
		cpu->busy += ns;
	else
		cpu->idle += ns;
	if (pass_on(work, interval, why))
		return -1;
	if (work->whole && !interval->old && work->observer && work->observer->idles &&
	    work->observer->idles(work->observer->context, interval->processor, cpu->last,
				  work->now))
		return -1;
	if (!work->whole || !cpu->nr_pending)
		return count_pending(work, cpu, BY_UNKNOWN);
	thread = lifetimes_thread(work->statistics->lifetimes, interval->old, interval->to);
	return thread ? count_pending(work, cpu, thread->life.index) : -1;
}

bool cpu_work_clouded(struct cpu_work *work, uint32_t tid, uint64_t time, int64_t from,
		      int64_t to)
{
	bool whole = filter_inference_see_whole(&work->inference, tid, time);

	if (unseen_overlaps(&work->unseen, from, to))
		return true;
	if (work->inference.filtered && !whole)
		return true;
	/* a filter of ours leaves out no switch of a thread that it wants */
	return !(whole && work->chains.gaps->ours) && unseen_overlaps(&work->hidden, from, to);
}

static bool is_clouded(struct cpu_work *work, const struct life *life, int64_t to)
{
	return cpu_work_clouded(work, life->thread->life.id, work->time, life->since, to);
}

/*
 * A time belongs to the processor whose record ends it. @state: what the thread did.
 * Return: what was added
 */
static uint64_t add_time(const struct cpu_work *work, struct life *life, enum life_state state,
			 int64_t from, int64_t to)
{
	uint64_t *const sums[] = {
		[LIFE_RUNNING] = &life->running, [LIFE_READY] = &life->ready,
		[LIFE_WAITING] = &life->waiting, [LIFE_UNSURE] = &life->unknown,
	};
	const struct cpu_observer *observer = work->observer;
	uint64_t ns = cpu_work_clip(work, from, to);

	if (!work->here) {
		life->elsewhere += ns;
		return 0;
	}
	*sums[state] += ns;
	if (observer && observer->spends)
		observer->spends(observer->context, life, state, from, to);
	return ns;
}

static void add_ready(const struct cpu_work *work, struct life *life, int64_t from, int64_t to)
{
	uint64_t ns = add_time(work, life, LIFE_READY, from, to);

	if (ns)
		quantiles_add(&life->ready_times, ns);
	if (from < work->filter->from)
		from = work->filter->from;
	if (ns > life->longest) {
		life->longest = ns;
		life->longest_at = from;
	}
}

static void add_wait(const struct cpu_work *work, struct life *life, int64_t to, bool ended)
{
	int64_t until = life->readied && life->readied_at < to ? life->readied_at : to;
	const struct event_filter *filter = work->filter;
	bool counts = work->here && life->since <= filter->to && until >= filter->from;

	life->wait_ns[life->reason] += add_time(work, life, LIFE_WAITING, life->since, until);
	life->wait_count[life->reason] += counts;
	if (life->readied)
		add_ready(work, life, until, to);
	else if (ended)
		life->unreadied += counts;
}

/* @on: it ran until now, in an interval that is its own */
static int pass(struct cpu_work *work, struct life *life, int64_t now, bool on, uint16_t cpu)
{
	bool off = life->state == LIFE_READY || life->state == LIFE_WAITING;
	const struct cpu_observer *observer = work->observer;
	int err = 0;

	if (life->state == LIFE_NONE || life->state == LIFE_DEAD) {
		life->first = now;
	} else if (on) {
		add_time(work, life, LIFE_RUNNING, life->since, now);
	} else if (!off || is_clouded(work, life, now)) {
		add_time(work, life, LIFE_UNSURE, life->since, now);
	} else if (life->state == LIFE_READY) {
		add_ready(work, life, life->since, now);
	} else {
		if (observer && observer->ends)
			err = observer->ends(observer->context, life, cpu, work->time);
		add_wait(work, life, now, true);
	}
	life->since = now;
	life->readied = false;
	return err;
}

static int switch_out(struct cpu_work *work, const struct wmi_contextswap *swap, uint16_t cpu,
		      int64_t now)
{
	struct life *life = life_of(work, swap->old_thread_id);
	const struct cpu_observer *observer = work->observer;
	bool on;

	if (!life)
		return -1;
	on = life->state == LIFE_RUNNING && life->cpu == cpu && work->whole &&
	     life->since == work->from;
	/* the switch to it is missing: its state until now is unknown */
	if (life->state == LIFE_READY || life->state == LIFE_WAITING)
		life->state = LIFE_UNSURE;
	if (pass(work, life, now, on, cpu))
		return -1;
	switch (swap->old_thread_state) {
	case ETW_THREAD_TERMINATED:
		end_life(work, life, now);
		return 0;
	case ETW_THREAD_READY:
	case STATE_STANDBY:
	case STATE_DEFERRED_READY:
		life->state = LIFE_READY;
		return 0;
	case ETW_THREAD_RUNNING:
		life->state = LIFE_UNSURE;
		return 0;
	}
	life->state = LIFE_WAITING;
	life->reason = swap->old_thread_wait_reason < WAIT_OTHER ?
		       swap->old_thread_wait_reason : WAIT_OTHER;
	return observer && observer->sleeps ?
		observer->sleeps(observer->context, life, cpu, swap->new_thread_id) : 0;
}

static int switch_in(struct cpu_work *work, uint32_t tid, uint16_t cpu, int64_t now)
{
	struct life *life = life_of(work, tid);

	if (!life)
		return -1;
	if (pass(work, life, now, false, cpu))
		return -1;
	life->state = LIFE_RUNNING;
	life->cpu = cpu;
	life->switches += is_wanted_time(work, now);
	return 0;
}

static int see_swap(struct cpu_work *work, uint16_t processor, const struct etl_record *record,
		    int64_t now)
{
	struct cpu_life *cpu = &work->cpu[processor];
	struct wmi_contextswap swap;

	memcpy(&swap, record->payload, sizeof(swap));
	if (!cpu->seen) {
		cpu->first = now;
		work->whole = false;
		if (count_pending(work, cpu, BY_UNKNOWN))
			return -1;
	}
	cpu->seen = true;
	cpu->last = now;
	cpu->switches += is_wanted_time(work, now);
	work->end = now;
	if (swap.old_thread_id && switch_out(work, &swap, processor, now))
		return -1;
	return swap.new_thread_id ? switch_in(work, swap.new_thread_id, processor, now) : 0;
}

static int see_ready(struct cpu_work *work, uint16_t processor, const struct etl_record *record,
		     int64_t now)
{
	const bool interrupt = record->payload[offsetof(struct wmi_ready_thread, flag)] & 1;
	struct cpu_life *cpu = &work->cpu[processor];
	struct life *life = life_of(work, get32(record->payload));
	struct pending_ready *more;

	if (!life)
		return -1;
	work->nr_ready++;
	/* a wakeup counts only if the thread waits and was not woken yet */
	if (life->state != LIFE_WAITING || life->readied)
		return 0;
	life->readied = true;
	life->readied_at = now;
	life->readied_time = record->time;
	if (!is_wanted_time(work, now))
		return 0;
	/* the one that did may be missing */
	if (is_clouded(work, life, now))
		return count_ready(work, life->thread->life.index, record->time, BY_UNKNOWN);
	if (interrupt)
		return count_ready(work, life->thread->life.index, record->time, BY_INTERRUPT);
	if (cpu->nr_pending == cpu->room) {
		more = reallocarray(cpu->pending, cpu->room + 64, sizeof(*more));
		if (!more)
			return -1;
		cpu->pending = more;
		cpu->room += 64;
	}
	cpu->pending[cpu->nr_pending++] = (struct pending_ready){
		.thread = life->thread->life.index, .time = record->time,
	};
	return 0;
}

/*
 * An exec by a thread that is not the leader: it goes on with the leader's id, and the time
 * since it came to the processor is the leader's (chains_walk()).
 */
static void take_over(struct cpu_work *work, struct life *life, uint16_t processor)
{
	const struct cpu_life *cpu = &work->cpu[processor];
	int64_t from = cpu->last;

	if (!cpu->seen || (life->state == LIFE_RUNNING && life->since == from))
		return;
	if (life->state != LIFE_NONE && life->state != LIFE_DEAD)
		end_life(work, life, life->since);
	life->state = LIFE_RUNNING;
	life->first = from;
	life->since = from;
	life->cpu = processor;
}

static int see_create(struct cpu_work *work, uint16_t processor, const struct etl_record *record,
		      int64_t now)
{
	struct life *life = life_of(work, get32(record->payload + 4));

	if (!life || !life->thread->life.id)
		return life ? 0 : -1;
	if (life->thread->life.id == record->thread_id) {
		take_over(work, life, processor);
		return 0;
	}
	if (life->state != LIFE_NONE && life->state != LIFE_DEAD)
		life->state = LIFE_UNSURE;
	if (pass(work, life, now, false, processor))
		return -1;
	life->state = LIFE_WAITING;
	life->reason = WAIT_NOT_STARTED;
	return 0;
}

int cpu_work_see(void *context, const struct etl_buffer *buffer,
		 const struct etl_record *record)
{
	struct cpu_work *work = context;
	uint16_t processor = buffer->processor % ETL_PROCESSORS;
	int64_t now;

	if (!etl_has_hook(record))
		return 0;
	work->time = record->time;
	work->here = event_filter_wants_cpu(work->filter, processor);
	now = forward(work, etl_nanoseconds(&work->chains.trace->log, record->time));
	if (is_context_swap(record))
		return see_swap(work, processor, record, now);
	if (record->hook_id == PERFINFO_LOG_TYPE_READYTHREAD &&
	    record->payload_size >= sizeof(struct wmi_ready_thread))
		return see_ready(work, processor, record, now);
	if (record->header == ETL_SYSTEM && record->hook_id == WMI_LOG_TYPE_THREAD_CREATE &&
	    record->payload_size >= 8)
		return see_create(work, processor, record, now);
	return 0;
}

/* Ends a life where the trace ends, at most at the last context switch. */
static void end_at(struct cpu_work *work, struct life *life)
{
	int64_t now = work->end;

	work->here = event_filter_wants_cpu(work->filter, life->cpu);
	if (life->state == LIFE_NONE || life->state == LIFE_DEAD)
		return;
	if (life->state == LIFE_RUNNING || life->state == LIFE_UNSURE || life->since >= now ||
	    is_clouded(work, life, now)) {
		end_life(work, life, life->since);
		return;
	}
	if (life->state == LIFE_READY)
		add_ready(work, life, life->since, now);
	else
		add_wait(work, life, now, false);
	end_life(work, life, now);
}

int cpu_work_end(struct cpu_work *work)
{
	size_t i;

	for (i = 0; i < work->map.count; i++)
		end_at(work, &work->lives[i]);
	for (i = 0; i < ETL_PROCESSORS; i++)
		if (count_pending(work, &work->cpu[i], BY_UNKNOWN))
			return -1;
	return 0;
}
