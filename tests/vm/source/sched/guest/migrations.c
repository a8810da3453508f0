// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Threads that change between processors: migrations ROUNDS */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "tests/lib/guest/result.h"

#define THREADS	4

static int rounds;
static long cpus;

static void stay_on(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		die("sched_setaffinity");
}

/* Each at a priority of its own: "nice N" is a thread's in Linux. */
static void *wander(void *argument)
{
	int number = (int)(long)argument;
	int round;

	if (setpriority(PRIO_PROCESS, 0, 5 * number))
		die("setpriority");
	for (round = 0; round < rounds; round++)
		stay_on((number + round) % cpus);
	printf("%ld %d\n", syscall(SYS_gettid), number);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t threads[THREADS];
	long i;

	rounds = argc > 1 ? atoi(argv[1]) : 0;
	cpus = sysconf(_SC_NPROCESSORS_ONLN);
	if (rounds < 1 || cpus < 2) {
		fprintf(stderr, "usage: migrations ROUNDS, on two processors or more\n");
		return 2;
	}
	for (i = 0; i < THREADS; i++)
		if (pthread_create(&threads[i], NULL, wander, (void *)i))
			die("pthread_create");
	for (i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
