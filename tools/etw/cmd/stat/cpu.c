// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* etw stat FILE cpu: what threads and processors did, from context switches. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "libetl/guids.h"
#include "etw.h"
#include "cpu.h"

/* EVENT_TRACE_FILE_MODE_CIRCULAR, EVENT_TRACE_BUFFERING_MODE: the oldest are overwritten */
#define OVERWRITES	0x402

static int note_interval(void *context, const struct interval *interval)
{
	struct cpu_work *work = context;
	const struct etl_logfile *log = &work->chains.trace->log;
	int64_t from = etl_nanoseconds(log, interval->from);
	int64_t to = etl_nanoseconds(log, interval->to);

	if (filter_inference_find_unwanted(&work->inference, interval))
		return -1;
	switch (interval->why) {
	case CHAIN_LOST:
	case CHAIN_PAUSED:
		return unseen_add(&work->unseen, from, to);
	case CHAIN_HIDDEN:
		return unseen_add(&work->hidden, from, to);
	default:
		/* nothing runs on a processor that is offline */
		return 0;
	}
}

static int note_wanted(void *context, const struct interval *interval)
{
	struct cpu_work *work = context;

	return filter_inference_find_wanted(&work->inference, interval);
}

/* Whether a switch of the processor may be missing between a buffer and another */
static bool is_gap(const struct cpu_work *work, const struct etl_buffer *from,
		   const struct etl_buffer *to, uint16_t processor, uint64_t begin, uint64_t end)
{
	struct etl_buffer a = *from, b = *to;

	a.processor = processor;
	b.processor = processor;
	return gaps_lost(work->chains.gaps, &a, &b, begin, end) ||
	       gaps_paused(work->chains.gaps, begin, end);
}

/* Whether the time before the first switch of a processor is recorded completely */
static int note_head(void *context, const struct etl_buffer *buffer,
		     const struct etl_record *record)
{
	struct cpu_work *work = context;
	const struct trace *trace = work->chains.trace;
	uint16_t processor = buffer->processor % ETL_PROCESSORS;
	struct cpu_life *cpu = &work->cpu[processor];
	bool overwrites = !work->chains.gaps->ours && (trace->log.log_file_mode & OVERWRITES);

	if (cpu->seen || !is_context_swap(record))
		return 0;
	cpu->seen = true;
	cpu->first = etl_nanoseconds(&trace->log, record->time);
	if (!overwrites && !is_gap(work, &trace->buffers[0], buffer, processor, 0, record->time))
		return 0;
	return unseen_add(&work->unseen, INT64_MIN, cpu->first);
}

/* The same of what was behind its last one, or of a processor without any */
static int note_tail(struct cpu_work *work, uint16_t processor)
{
	const struct trace *trace = work->chains.trace;
	const struct chain_cpu *chain = &work->chains.cpu[processor];
	const struct etl_buffer *last = &trace->buffers[trace->count - 1];
	struct cpu_life *cpu = &work->cpu[processor];
	int64_t from = INT64_MIN;
	bool gap;

	if (cpu->seen) {
		from = etl_nanoseconds(&trace->log, chain->time);
		gap = chain->hole || is_gap(work, &chain->buffer, last, processor, chain->time,
					    UINT64_MAX);
	} else {
		gap = is_gap(work, &trace->buffers[0], last, processor, 0, UINT64_MAX);
	}
	if (cpu->seen && work->chains.broken &&
	    unseen_add(&work->unseen, INT64_MIN, cpu->first))
		return -1;
	memset(cpu, 0, sizeof(*cpu));
	return gap || work->chains.gaps->tail ? unseen_add(&work->unseen, from, INT64_MAX) : 0;
}

/*
 * Most traces are of a session without a filter, as the first walk shows. Otherwise more of the
 * intervals are hidden, because a filter leaves out what an offline processor would not have: the
 * second walk adds those to what the first one found.
 */
static int walk_unseen(struct cpu_work *work)
{
	work->chains.take = note_interval;
	work->chains.see = note_head;
	if (chains_walk(&work->chains))
		return -1;
	if (work->chains.filtered || !work->inference.filtered)
		return 0;
	work->chains.filtered = true;
	return chains_walk(&work->chains);
}

/* First what is missing, which the second part has to know before it gets there */
static int find_unseen(struct cpu_work *work)
{
	const struct trace *trace = work->chains.trace;
	size_t i;

	if (walk_unseen(work))
		return -1;
	for (i = 0; i < ETL_PROCESSORS; i++)
		if ((work->cpu[i].seen || i < trace->log.number_of_processors) &&
		    note_tail(work, i))
			return -1;
	work->chains.see = NULL;
	work->chains.take = note_wanted;
	if (work->inference.filtered && chains_walk(&work->chains))
		return -1;
	unseen_seal(&work->unseen);
	unseen_seal(&work->hidden);
	return 0;
}

/* What a thread did, and what is unknown of it, is its life; that of a processor too. */
static bool adds_up(const struct cpu_work *work)
{
	const struct cpu_life *cpu;
	const struct life *life;
	uint64_t sum;
	size_t i, k;

	for (i = 0; i < work->map.count; i++) {
		life = &work->lives[i];
		sum = 0;
		for (k = 0; k < WAIT_REASONS; k++)
			sum += life->wait_ns[k];
		if (life->waiting != sum ||
		    life->length != life->running + life->ready + sum + life->unknown +
				    life->elsewhere)
			return false;
	}
	for (i = 0; i < ETL_PROCESSORS; i++) {
		cpu = &work->cpu[i];
		sum = cpu->busy + cpu->idle;
		for (k = 0; k < CHAIN_BREAKS; k++)
			sum += cpu->unattributed[k];
		if (sum != cpu_work_clip(work, cpu->first, cpu->last))
			return false;
	}
	return true;
}

static int follow(struct cpu_work *work)
{
	if (find_unseen(work))
		return no_memory();
	work->now = INT64_MIN;
	work->chains.take = cpu_work_take;
	work->chains.see = cpu_work_see;
	if (chains_walk(&work->chains) || cpu_work_end(work))
		return no_memory();
	if (adds_up(work))
		return 0;
	failed("%s: the sums don't add up: this is an error of the tool",
	       work->chains.trace->name);
	return -1;
}

static int begin(struct cpu_work *work, bool filtered)
{
	struct filter_evidence *idle;

	work->chains.cpu = calloc(ETL_PROCESSORS, sizeof(*work->chains.cpu));
	work->cpu = calloc(ETL_PROCESSORS, sizeof(*work->cpu));
	if (!work->chains.cpu || !work->cpu)
		return no_memory();
	work->chains.filtered = filtered;
	work->inference.filtered = filtered;
	if (!filtered)
		return 0;
	idle = filter_evidence_of(&work->inference, 0, 0);
	if (!idle)
		return no_memory();
	idle->unwanted = true;
	return 0;
}

void cpu_work_free(struct cpu_work *work)
{
	size_t i;

	for (i = 0; work->cpu && i < ETL_PROCESSORS; i++)
		free(work->cpu[i].pending);
	free(work->cpu);
	free(work->chains.cpu);
	for (i = 0; i < work->map.count; i++)
		quantiles_free(&work->lives[i].ready_times);
	free(work->lives);
	free(work->ready_count);
	map_free(&work->map);
	map_free(&work->readies);
	filter_inference_free(&work->inference);
	unseen_free(&work->unseen);
	unseen_free(&work->hidden);
}

int cpu_sight_begin(struct cpu_sight *sight, const struct trace *trace,
		    const struct statistics *statistics)
{
	struct cpu_work *work = &sight->work;

	*work = (struct cpu_work){
		.statistics = statistics, .filter = statistics->filter,
		.inference.statistics = statistics,
		.chains = { .trace = trace, .gaps = &sight->gaps, .context = work },
	};
	if (gaps_find(&sight->gaps, trace) || begin(work, false))
		return -1;
	return find_unseen(work) ? no_memory() : 0;
}

void cpu_sight_end(struct cpu_sight *sight)
{
	cpu_work_free(&sight->work);
	gaps_free(&sight->gaps);
}

void cpu_work_warn(const struct cpu_work *work)
{
	const char *name = work->chains.trace->name;

	if (work->inference.filtered)
		warn("%s: switches are missing, as with a filter: only threads with all "
		     "their switches have times", name);
	if (!work->nr_ready)
		report_lacks_part(work->chains.trace, "ReadyThread records",
				  "what follows a wait until the thread runs counts as waiting",
				  "-e PROC_THREAD+CSWITCH+DISPATCHER");
}

int cpu_work_follow(struct cpu_work *work, const struct trace *trace, struct gaps *gaps,
		    bool filtered)
{
	if (gaps_find(gaps, trace)) {
		*gaps = (struct gaps){ };
		return -1;
	}
	work->inference.statistics = work->statistics;
	work->chains.trace = trace;
	work->chains.gaps = gaps;
	work->chains.context = work;
	return begin(work, filtered) || follow(work) ? -1 : 0;
}

int stat_cpu(const struct trace *trace, const struct statistics *statistics,
	     const struct stat_options *options)
{
	struct cpu_work work = {
		.statistics = statistics, .filter = statistics->filter, .spent = options->spent,
	};
	int code = EXIT_FAILED;
	struct gaps gaps = { };

	if (!statistics->switches)
		return report_lacks(trace, NULL, "context switches",
				    "-e PROC_THREAD+CSWITCH+DISPATCHER");
	if (!cpu_work_follow(&work, trace, &gaps, options->filtered)) {
		cpu_work_warn(&work);
		code = cpu_work_report(&work, options);
		if (work.spent && work.spent->end(work.spent->context, work.cpu))
			code = EXIT_FAILED;
	}
	cpu_work_free(&work);
	gaps_free(&gaps);
	return code;
}
