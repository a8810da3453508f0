/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Times batches of events, with pauses in which buffers are written. */
#ifndef ETW_BENCH_BATCHES_H
#define ETW_BENCH_BATCHES_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define BATCH	256
#define BATCHES	4000

static inline double bench_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1e9 + now.tv_nsec;
}

static int bench_by_size(const void *a, const void *b)
{
	double difference = *(const double *)a - *(const double *)b;

	return difference < 0 ? -1 : difference > 0;
}

/* Prints ns per event: the median of all batches, and the tenth percentile */
static inline void bench_run(const char *name, void (*event)(uint64_t number))
{
	static double batch[BATCHES];
	uint64_t number = 0;
	uint32_t i, k;
	double begin;

	for (i = 0; i < BATCHES; i++) {
		begin = bench_now();
		for (k = 0; k < BATCH; k++)
			event(number++);
		batch[i] = (bench_now() - begin) / BATCH;
		if (i % 8 == 7)
			usleep(1000);
	}
	qsort(batch, BATCHES, sizeof(batch[0]), bench_by_size);
	printf("%s %.1f %.1f\n", name, batch[BATCHES / 2], batch[BATCHES / 10]);
}

#endif /* ETW_BENCH_BATCHES_H */
