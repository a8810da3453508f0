// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* ns of reserve, 32 bytes and commit with each way to read the clock, in turns. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include "ring/reserve.h"
#include "reserve.h"

#define EVENTS		1500	/* fewer than two buffers take */
#define BUFFER_SIZE	65536
#define BATCHES		20000

static const struct way {
	const char *name;
	u64 (*run)(struct etw_ring *ring, u32 events);
} ways[] = {
	{ "ordered", run_ordered },
	{ "unordered", run_unordered },
	{ "clamped", run_clamped },
};

#define WAYS	(sizeof(ways) / sizeof(ways[0]))

/* What the ring calls outside of the fast path */
u64 etw_counter_offset;

u64 etw_tick_slow(enum etw_ticks ticks, struct etw_clamp *clamp, u64 *boottime)
{
	(void)ticks;
	(void)boottime;
	return ++clamp->last;
}

void irq_work_queue(struct irq_work *work)
{
	work->queued++;
}

void *kvmalloc_node(size_t size, int flags, int node)
{
	(void)flags;
	(void)node;
	return aligned_alloc(4096, size);
}

void *kvcalloc(size_t n, size_t size, int flags)
{
	u8 *memory = kvmalloc_node((n * size + 4095) / 4096 * 4096, flags, -1);
	size_t i;

	for (i = 0; memory && i < n * size; i++)
		memory[i] = 0;
	return memory;
}

void kvfree(const void *memory)
{
	free((void *)memory);
}

static u64 now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ULL + now.tv_nsec;
}

/* As a reader does between batches, so that buffers are always there */
static void drain(struct etw_ring *ring)
{
	struct etw_reader_buffer held;
	u64 ordinal;

	etw_ring_seal(ring, &ordinal);
	while (etw_ring_take(ring, &held))
		etw_ring_release(ring, &held);
}

static int by_size(const void *one, const void *other)
{
	double a = *(const double *)one, b = *(const double *)other;

	return (a > b) - (a < b);
}

int main(void)
{
	static struct irq_work wake;
	static double ns[WAYS][BATCHES];
	struct etw_ring ring = { .ticks = ETW_TICKS_COUNTER, .wake = &wake };
	u32 batch, way;

	etw_ring_idle(&ring);
	if (etw_ring_init(&ring, 4, 4, BUFFER_SIZE, -1, false))
		return 1;
	for (batch = 0; batch < BATCHES; batch++) {
		for (way = 0; way < WAYS; way++) {
			u64 begin = now_ns();

			if (ways[way].run(&ring, EVENTS) != EVENTS)
				return 1;
			ns[way][batch] = (double)(now_ns() - begin) / EVENTS;
			drain(&ring);
		}
	}
	for (way = 0; way < WAYS; way++) {
		qsort(ns[way], BATCHES, sizeof(ns[way][0]), by_size);
		printf("%s %.2f %.2f %.2f\n", ways[way].name, ns[way][0], ns[way][BATCHES / 10],
		       ns[way][BATCHES / 2]);
	}
	return 0;
}
