/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* A thread that changes a request back and forth while the kernel reads it. */
#ifndef ETW_TEST_RACER_H
#define ETW_TEST_RACER_H

#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include "fuzzer.h"

#define MAX_FLIPS	6

/**
 * struct racer - the thread
 * @begin: it is to run
 * @end: it runs no more
 * @run: until this is 0
 * @rounds: how often it has changed all
 * @count: of what it changes
 * @flip: bytes and both their values
 * @beside: what else it does in each round, which alternates between sides 0 and 1
 * @fd: for @beside: a stream to read; -1: none
 * @page: for @beside: one that comes and goes; or NULL
 */
struct racer {
	pthread_t thread;
	sem_t begin, end;
	int run;
	__u32 rounds;
	int count;
	struct flip {
		__u8 *at;
		__u32 size;
		__u64 value[2];
	} flip[MAX_FLIPS];
	void (*beside)(struct racer *racer, int side);
	int fd;
	void *page;
};

static inline void flip_all(struct racer *racer, int side)
{
	int i;

	for (i = 0; i < racer->count; i++)
		memcpy(racer->flip[i].at, &racer->flip[i].value[side], racer->flip[i].size);
}

static void *racer_main(void *data)
{
	struct racer *racer = data;
	int side = 0;

	for (;;) {
		while (sem_wait(&racer->begin))
			;
		while (__atomic_load_n(&racer->run, __ATOMIC_ACQUIRE)) {
			flip_all(racer, side);
			racer->beside(racer, side);
			side ^= 1;
			__atomic_fetch_add(&racer->rounds, 1, __ATOMIC_RELAXED);
		}
		sem_post(&racer->end);
	}
	return NULL;
}

/* The thread of a worker, which waits for its first race */
static inline void make_racer(struct racer *racer)
{
	sem_init(&racer->begin, 0, 0);
	sem_init(&racer->end, 0, 0);
	if (pthread_create(&racer->thread, NULL, racer_main, racer))
		die("pthread_create");
}

static inline void begin_race(struct racer *racer)
{
	__u32 seen = __atomic_load_n(&racer->rounds, __ATOMIC_RELAXED), i;

	__atomic_store_n(&racer->run, 1, __ATOMIC_RELEASE);
	sem_post(&racer->begin);
	for (i = 0; i < 64 && __atomic_load_n(&racer->rounds, __ATOMIC_RELAXED) == seen; i++)
		sched_yield();
}

static inline void end_race(struct racer *racer)
{
	__atomic_store_n(&racer->run, 0, __ATOMIC_RELEASE);
	while (sem_wait(&racer->end))
		;
}

#endif /* ETW_TEST_RACER_H */
