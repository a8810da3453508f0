/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* What fuzzers have in common around their steps: options, findings, patience. */
#ifndef ETW_TEST_FUZZER_H
#define ETW_TEST_FUZZER_H

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "tests/lib/guest/errors.h"
#include "random.h"

#define FILL		0xA5	/* of what is not in use */
#define PAGE		4096U
#define NOBODY		65534
#define MAX_FINDINGS	20	/* of a worker; then it gives up */
#define STUCK		150	/* seconds that a step may take on a slow machine */

/**
 * struct plan - what a fuzzer is to do
 * @seed: of its random numbers
 * @calls: after how many it ends; 0: no limit
 * @seconds: likewise
 * @workers: how many processes
 */
struct plan {
	__u64 seed, calls;
	unsigned int seconds, workers;
};

static inline void die(const char *what)
{
	printf("fuzz: %s: %s\n", what, strerror(errno));
	exit(2);
}

static inline void die_of_usage(const char *usage)
{
	fputs(usage, stderr);
	exit(2);
}

/* s, t, n or j, of getopt(). Return: whether it was one of them */
static inline int take_option(struct plan *plan, int option)
{
	switch (option) {
	case 's':
		plan->seed = strtoull(optarg, NULL, 0);
		return 1;
	case 't':
		plan->seconds = strtoul(optarg, NULL, 0);
		return 1;
	case 'n':
		plan->calls = strtoull(optarg, NULL, 0);
		return 1;
	case 'j':
		plan->workers = strtoul(optarg, NULL, 0);
		return 1;
	}
	return 0;
}

static inline double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

/* The step that a worker was in when its parent looked last, and since when; 0: never */
struct pulse {
	__u64 step;
	double since;
};

/* In @step, now. Return: whether it has been there for too long */
static inline int is_stuck(struct pulse *pulse, __u64 step)
{
	if (pulse->since && pulse->step == step)
		return seconds() - pulse->since > STUCK;
	pulse->step = step;
	pulse->since = seconds();
	return 0;
}

/* @where: where it was found, or how to see it again */
__attribute__((format(printf, 2, 0)))
static inline void tell_finding(const char *where, const char *format, va_list list)
{
	char text[512];

	/* one line at once: others print, too */
	vsnprintf(text, sizeof(text), format, list);
	printf("fuzz: FINDING: %s; %s\n", text, where);
	fflush(stdout);
}

/* Counts one. Return: whether it is enough */
static inline int count_finding(__u32 *findings)
{
	return __atomic_add_fetch(findings, 1, __ATOMIC_RELAXED) >= MAX_FINDINGS;
}

/* An errno, 0 for success, as a bit */
typedef unsigned __int128 errors;

#define E(error)	((errors)1 << (error))

#endif /* ETW_TEST_FUZZER_H */
