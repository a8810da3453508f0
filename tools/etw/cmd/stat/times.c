// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The running times of threads, in the summary's one pass. */
#include <stdlib.h>
#include <string.h>
#include "libetl/array.h"
#include "libetl/guids.h"
#include "etw.h"
#include "etw_hooks.h"
#include "times.h"

/**
 * struct span - an interval between two context swaps that may have a gap
 * @processor: which
 * @whole: nothing else is against it
 * @tid: the thread that it belongs to
 * @from: its begin, session clock
 * @to: its end
 * @first: number of the buffer with the first swap
 * @second: of that with the second
 */
struct span {
	uint16_t processor;
	bool whole;
	uint32_t tid;
	uint64_t from;
	uint64_t to;
	uint64_t first;
	uint64_t second;
};

static uint64_t length_of(const struct times *times, uint64_t from, uint64_t to)
{
	const struct etl_logfile *log = &times->gaps.trace->log;
	int64_t begin = etl_nanoseconds(log, from), end = etl_nanoseconds(log, to);

	return event_filter_clip(times->statistics->filter, &begin, &end);
}

/* The times of the thread that had an id at a time. Return: NULL: no memory */
static struct thread_time *time_of(struct statistics *statistics, uint32_t tid, uint64_t time)
{
	const struct thread *thread = lifetimes_thread(statistics->lifetimes, tid, time);

	if (!thread || !array_grow((void **)&statistics->times, &statistics->threads,
				   thread->life.index + 1, sizeof(*statistics->times)))
		return NULL;
	return &statistics->times[thread->life.index];
}

/*
 * The thread's time on a processor. Only processors on which it ran take memory; otherwise one
 * swap on the last processor would take that of all. Return: NULL: no memory
 */
static struct thread_cpu *cpu_of(struct thread_time *time, uint32_t processor)
{
	size_t low = 0, high = time->cpus, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (time->cpu[middle].processor < processor)
			low = middle + 1;
		else
			high = middle;
	}
	if (low < time->cpus && time->cpu[low].processor == processor)
		return &time->cpu[low];
	if (!map_make_room((void **)&time->cpu, time->cpus, sizeof(*time->cpu)))
		return NULL;
	memmove(time->cpu + low + 1, time->cpu + low, (time->cpus - low) * sizeof(*time->cpu));
	time->cpu[low] = (struct thread_cpu){ .processor = processor };
	time->cpus++;
	return &time->cpu[low];
}

static int add_to_thread(struct statistics *statistics, const struct span *span, uint64_t ns)
{
	struct thread_time *time = time_of(statistics, span->tid, span->to);
	struct thread_cpu *cpu = time ? cpu_of(time, span->processor) : NULL;

	if (!cpu)
		return no_memory();
	time->ns += ns;
	cpu->ns += ns;
	return 0;
}

static int add_whole(struct times *times, const struct span *span)
{
	struct cpu_time *cpu = &times->statistics->cpu[span->processor];
	uint64_t ns = length_of(times, span->from, span->to);

	if (!span->whole || !event_filter_wants_cpu(times->statistics->filter, span->processor))
		return 0;
	if (span->tid)
		cpu->busy += ns;
	else
		cpu->idle += ns;
	return add_to_thread(times->statistics, span, ns);
}

static int postpone(struct times *times, const struct span *span)
{
	if (!array_grow((void **)&times->spans, &times->room, times->nr_spans + 1,
			sizeof(*times->spans)))
		return no_memory();
	times->spans[times->nr_spans++] = *span;
	return 0;
}

/*
 * Without a loss record, nothing is missing within one buffer. Between buffers, all records decide.
 */
static int end_interval(struct times *times, struct cpu_time *cpu,
			const struct etl_buffer *buffer, const struct etl_record *record)
{
	uint32_t old = get32(record->payload + 4);
	struct span span = {
		.processor = buffer->processor % ETL_PROCESSORS, .tid = old,
		.from = cpu->since, .to = record->time,
		.first = cpu->sequence, .second = buffer->header.sequence_number,
	};

	span.whole = cpu->running == old || execs_renamed(&times->gaps.execs, cpu->running, old,
							  record->time);
	if (cpu->hole || (cpu->reported && !span.whole) ||
	    (cpu->at != buffer->at && ((cpu->flags | buffer->header.buffer_flag) & ETL_BUFFER_LOST))) {
		cpu->lost += length_of(times, span.from, span.to);
		return 0;
	}
	if (cpu->at != buffer->at || times->gaps.nr_pauses)
		return postpone(times, &span);
	return add_whole(times, &span);
}

static int take_swap(struct times *times, const struct etl_buffer *buffer,
		     const struct etl_record *record)
{
	struct cpu_time *cpu = &times->statistics->cpu[buffer->processor % ETL_PROCESSORS];
	struct thread_time *time = time_of(times->statistics, get32(record->payload),
					   record->time);
	bool wanted = event_filter_wants_place(times->statistics->filter, buffer, record);

	if (!time)
		return no_memory();
	time->switches += wanted;
	cpu->switches += wanted;
	if (cpu->seen && end_interval(times, cpu, buffer, record))
		return -1;
	cpu->seen = true;
	cpu->running = get32(record->payload);
	cpu->since = record->time;
	cpu->at = buffer->at;
	cpu->sequence = buffer->header.sequence_number;
	cpu->flags = buffer->header.buffer_flag;
	cpu->hole = false;
	cpu->reported = false;
	return 0;
}

int times_take(struct times *times, const struct etl_buffer *buffer,
	       const struct etl_record *record)
{
	struct cpu_time *cpu = &times->statistics->cpu[buffer->processor % ETL_PROCESSORS];

	if (is_context_swap(record))
		return take_swap(times, buffer, record);
	if (cpu->seen && gaps_reports(record, buffer->processor, cpu->since))
		cpu->reported = true;
	if (gaps_note(&times->gaps, buffer->processor, record))
		return -1;
	/* exec by a thread that is not the leader: it changes its id and runs on */
	if (execs_is_rename(record))
		cpu->running = record->thread_id;
	return 0;
}

void times_hole(struct times *times, uint16_t processor)
{
	times->statistics->cpu[processor % ETL_PROCESSORS].hole = true;
}

void times_begin(struct times *times, struct statistics *statistics, const struct trace *trace)
{
	*times = (struct times){ .statistics = statistics };
	gaps_begin(&times->gaps, trace);
}

static bool is_lost(const struct times *times, const struct span *span)
{
	struct etl_buffer a = { .processor = span->processor };
	struct etl_buffer b = a;

	if (span->first == span->second)
		return false;
	a.header.sequence_number = span->first;
	b.header.sequence_number = span->second;
	return gaps_lost(&times->gaps, &a, &b, span->from, span->to);
}

int times_end(struct times *times)
{
	const struct span *span;
	size_t i;

	if (gaps_end(&times->gaps))
		return -1;
	for (i = 0; i < times->nr_spans; i++) {
		span = &times->spans[i];
		if (is_lost(times, span))
			times->statistics->cpu[span->processor].lost +=
				length_of(times, span->from, span->to);
		else if (!gaps_paused(&times->gaps, span->from, span->to) &&
			 add_whole(times, span))
			return -1;
	}
	return 0;
}

void times_free(struct times *times)
{
	free(times->spans);
	gaps_free(&times->gaps);
}
