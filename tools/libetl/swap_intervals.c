// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Intervals between the context swaps of a processor, and what was counted in them. */
#include <string.h>
#include "etw_hooks.h"
#include "guids.h"
#include "swap_intervals.h"

/* A context switch that lacks a counter is not used for any counter. */
static bool read_values(struct chains *chains, const struct etl_record *record,
			uint64_t values[CHAIN_COLUMNS])
{
	if (record->nr_counters && record->nr_counters != chains->counters)
		chains->odd++;
	if (record->nr_counters != chains->counters || record->has_pebs != chains->pebs)
		return false;
	memcpy(values, record->counters, chains->counters * sizeof(*values));
	if (chains->pebs)
		values[chains->counters] = record->pebs;
	return true;
}

/*
 * Values are raw and may run over 64 bits. What is more than half of that ahead went
 * back.
 */
static bool subtract(const struct chains *chains, const struct chain_cpu *cpu,
		     const uint64_t values[CHAIN_COLUMNS], struct interval *interval)
{
	bool back = false;
	unsigned int i;

	for (i = 0; i < chains->columns; i++) {
		interval->delta[i] = values[i] - cpu->last[i];
		if ((int64_t)interval->delta[i] >= 0)
			continue;
		interval->back[i] = -interval->delta[i];
		interval->delta[i] = 0;
		back = true;
	}
	return back;
}

/*
 * A CPU that goes down runs its stopper thread last, with the highest priority: no
 * tracepoint fires on it any more when that leaves for idle.
 */
static bool was_down(const struct chain_cpu *cpu, uint32_t old)
{
	return !old && cpu->priority >= 30;
}

static enum chain_break find_break(const struct chains *chains, const struct chain_cpu *cpu,
				   const struct etl_buffer *buffer, uint64_t time, uint32_t old)
{
	bool straddles = cpu->buffer.at != buffer->at;

	if (cpu->hole ||
	    (straddles && gaps_lost(chains->gaps, &cpu->buffer, buffer, cpu->time, time)))
		return CHAIN_LOST;
	if (gaps_paused(chains->gaps, cpu->time, time))
		return CHAIN_PAUSED;
	if (cpu->running == old ||
	    execs_renamed(&chains->gaps->execs, cpu->running, old, time))
		return CHAIN_WHOLE;
	if (cpu->reported)
		return CHAIN_LOST;
	/* with a filter, others may have run between the stopper and idle */
	return was_down(cpu, old) && !chains->filtered ? CHAIN_OFFLINE : CHAIN_HIDDEN;
}

static int end_interval(struct chains *chains, struct chain_cpu *cpu,
			const struct etl_buffer *buffer, const struct etl_record *record,
			const uint64_t *values)
{
	const struct etl_logfile *log = &chains->trace->log;
	int64_t ns = etl_nanoseconds(log, record->time) - etl_nanoseconds(log, cpu->time);
	struct interval interval = {
		.processor = buffer->processor % ETL_PROCESSORS, .running = cpu->running,
		.new = get32(record->payload), .old = get32(record->payload + 4),
		.from = cpu->time, .to = record->time,
		.ns = ns > 0 ? ns : 0, .counted = values && cpu->based,
	};

	interval.why = find_break(chains, cpu, buffer, record->time, interval.old);
	if (interval.why == CHAIN_WHOLE && !(values && cpu->complete))
		interval.why = CHAIN_UNCOUNTED;
	if (interval.counted && subtract(chains, cpu, values, &interval))
		interval.why = CHAIN_BACK;
	return chains->take(chains->context, &interval);
}

static int take_swap(struct chains *chains, const struct etl_buffer *buffer,
		     const struct etl_record *record)
{
	struct chain_cpu *cpu = &chains->cpu[buffer->processor % ETL_PROCESSORS];
	uint64_t values[CHAIN_COLUMNS];
	bool complete = read_values(chains, record, values);

	if (cpu->seen && end_interval(chains, cpu, buffer, record, complete ? values : NULL))
		return -1;
	if (complete && !cpu->based)
		memcpy(cpu->first, values, sizeof(values));
	if (complete)
		memcpy(cpu->last, values, sizeof(values));
	cpu->based |= complete;
	cpu->complete = complete;
	cpu->seen = true;
	cpu->hole = false;
	cpu->reported = false;
	cpu->running = get32(record->payload);
	cpu->priority = (int8_t)record->payload[offsetof(struct wmi_contextswap,
							 new_thread_priority)];
	cpu->time = record->time;
	cpu->buffer = *buffer;
	return 0;
}

static int take_record(struct chains *chains, const struct etl_buffer *buffer,
		       const struct etl_record *record)
{
	struct chain_cpu *cpu = &chains->cpu[buffer->processor % ETL_PROCESSORS];

	if (is_context_swap(record))
		return take_swap(chains, buffer, record);
	if (cpu->seen && gaps_reports(record, buffer->processor, cpu->time))
		cpu->reported = true;
	/* exec by a thread that is not the leader: it changes its id and runs on */
	if (execs_is_rename(record))
		cpu->running = record->thread_id;
	return 0;
}

int chains_walk(struct chains *chains)
{
	const struct etl_record *record;
	const struct etl_buffer *buffer;
	struct merge merge;
	uint16_t processor = 0;
	size_t broken;
	int err = 0;

	chains->odd = 0;
	memset(chains->cpu, 0, ETL_PROCESSORS * sizeof(*chains->cpu));
	if (merge_begin(&merge, chains->trace, false))
		return -1;
	for (broken = merge.broken; !err && merge_next(&merge, &record, &buffer);
	     broken = merge.broken) {
		/* the step on from the record before came over what can't be read */
		if (merge.broken != broken)
			chains->cpu[processor].hole = true;
		processor = buffer->processor % ETL_PROCESSORS;
		chains->selected = !chains->filter ||
				   event_filter_selects(chains->filter, &merge, buffer, record);
		err = take_record(chains, buffer, record);
		if (!err && chains->see)
			err = chains->see(chains->context, buffer, record);
	}
	chains->broken = merge.broken;
	merge_end(&merge);
	return err;
}

static int note_hidden(void *context, const struct interval *interval)
{
	bool *hidden = context;

	*hidden |= interval->why == CHAIN_HIDDEN;
	return 0;
}

int chains_find_filter(struct chains *chains)
{
	struct chains survey = *chains;
	bool hidden = false;

	if (chains->filtered)
		return 0;
	survey.take = note_hidden;
	survey.see = NULL;
	survey.context = &hidden;
	if (chains_walk(&survey))
		return -1;
	chains->filtered = hidden;
	return 0;
}
