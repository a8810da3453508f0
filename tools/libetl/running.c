// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Which thread a processor runs, as far as the context switches show it. */
#include <stdlib.h>
#include "etw_hooks.h"
#include "given_time.h"
#include "guids.h"
#include "messages.h"
#include "running.h"

/**
 * struct running_cpu - a processor while its records go by
 * @surveyed: its first switch was seen
 * @known: @tid runs
 * @since: time of the last record that shows it, session clock
 * @last: time of its last record
 * @buffer: copy of the head of the buffer with it
 */
struct running_cpu {
	bool surveyed;
	bool known;
	uint32_t tid;
	uint64_t since;
	uint64_t last;
	struct etl_buffer buffer;
};

int running_begin(struct running *running, const struct trace *trace)
{
	if (gaps_find(&running->gaps, trace))
		return -1;
	running->cpu = calloc(ETL_PROCESSORS, sizeof(*running->cpu));
	if (running->cpu)
		return 0;
	return no_memory();
}

void running_survey(struct running *running, uint16_t processor,
		    const struct etl_record *record)
{
	struct running_cpu *cpu = &running->cpu[processor % ETL_PROCESSORS];

	if (cpu->surveyed || !is_context_swap(record))
		return;
	cpu->surveyed = true;
	cpu->known = true;
	cpu->tid = get32(record->payload + 4);
}

void running_note(struct running *running, const struct etl_buffer *buffer,
		  const struct etl_record *record)
{
	struct running_cpu *cpu = &running->cpu[buffer->processor % ETL_PROCESSORS];
	bool given = time_may_be_given(&running->gaps.trace->log, record);
	uint64_t to = given ? (uint64_t)buffer->header.time_stamp : record->time;

	/* inside of a buffer nothing is missing */
	if (cpu->buffer.at != buffer->at) {
		if (cpu->buffer.at && gaps_lost(&running->gaps, &cpu->buffer, buffer, cpu->last, to))
			cpu->known = false;
		cpu->buffer = *buffer;
	}
	if (!given)
		cpu->last = record->time;
	if (!is_context_swap(record) && !execs_is_rename(record))
		return;
	cpu->tid = is_context_swap(record) ? get32(record->payload) : record->thread_id;
	cpu->known = true;
	cpu->since = record->time;
}

void running_hole(struct running *running, uint16_t processor)
{
	running->cpu[processor % ETL_PROCESSORS].known = false;
}

bool running_get(const struct running *running, const struct etl_buffer *buffer,
		 const struct etl_record *record, uint32_t *tid)
{
	const struct running_cpu *cpu = &running->cpu[buffer->processor % ETL_PROCESSORS];

	*tid = cpu->tid;
	return cpu->known && !gaps_paused(&running->gaps, cpu->since, record->time);
}

void running_end(struct running *running)
{
	free(running->cpu);
	gaps_free(&running->gaps);
}
