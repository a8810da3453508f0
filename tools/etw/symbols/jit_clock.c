// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Time stamps of jitdump files, in the clock of the session. */
#include <stdlib.h>
#include <string.h>
#include "etw_linux.h"
#include "libetl/array.h"
#include "jit.h"

#define NSEC_PER_SEC	1000000000ULL

enum { CLOCK_QPC = 1, CLOCK_CYCLES = 3 };

void jit_clock_note(struct jit_clock *clock, const struct etl_record *record)
{
	struct etw_anchor anchor;

	if (!etl_is_ours(record) || record->id != ETW_LINUX_EVENT_ANCHOR ||
	    record->payload_size < sizeof(anchor))
		return;
	memcpy(&anchor, record->payload, sizeof(anchor));
	/* CLOCK_MONOTONIC does not go back; a crafted anchor that does would break the search */
	if (clock->count && anchor.monotonic < clock->reading[clock->count - 1].monotonic)
		return;
	if (!array_grow((void **)&clock->reading, &clock->room, clock->count + 1,
			sizeof(*clock->reading))) {
		clock->no_memory = true;
		return;
	}
	clock->reading[clock->count++] = (struct clock_reading){
		.time = record->time, .monotonic = anchor.monotonic,
	};
}

/* The last reading up to the stamp, because CLOCK_MONOTONIC stops while the machine sleeps */
static const struct clock_reading *reading_before(const struct jit_clock *clock, uint64_t stamp)
{
	size_t low = 0, high = clock->count, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (clock->reading[middle].monotonic <= stamp)
			low = middle + 1;
		else
			high = middle;
	}
	return &clock->reading[low ? low - 1 : 0];
}

/* QPC is either the processor's counter, or CLOCK_BOOTTIME in ns. */
static bool is_counter(const struct etl_logfile *log)
{
	return log->clock_type == CLOCK_CYCLES ||
	       (log->clock_type == CLOCK_QPC && log->perf_freq != NSEC_PER_SEC);
}

uint64_t jit_clock_convert(const struct jit_clock *clock, uint64_t stamp, bool counter)
{
	const struct clock_reading *reading;
	__int128 ns, time;

	if (counter)
		return is_counter(clock->log) ? stamp : 0;
	if (!clock->count)
		return 0;
	reading = reading_before(clock, stamp);
	ns = (__int128)stamp - reading->monotonic;
	/* seconds first: a crafted frequency times nanoseconds may need more than 128 bits */
	time = ns / NSEC_PER_SEC * etl_frequency(clock->log) +
	       ns % NSEC_PER_SEC * etl_frequency(clock->log) / NSEC_PER_SEC + reading->time;
	if (time < 0)
		return 0;
	return time < UINT64_MAX ? time : UINT64_MAX - 1;
}

void jit_clock_free(struct jit_clock *clock)
{
	free(clock->reading);
}
