// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Processes and threads that burn known shares of CPUs, or run known loops. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char usage[] =
	"hogs SECONDS CPU:NICE:DUTY[:THREADS]...\n"
	"  each a process of THREADS threads that run for DUTY % of turns of some 100 ms, as long\n"
	"  as hogs does; then, for each thread: PID TID and how many ns it was on a CPU\n"
	"hogs loop ROUNDS   PID, and how many instructions its loop has run\n";

static uint64_t now(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return t.tv_sec * 1000000000ULL + t.tv_nsec;
}

/* Two instructions a round on x86_64 and arm64, and nothing else: samples point here */
static __attribute__((noinline, noclone, aligned(64))) void hog_burn(uint64_t rounds)
{
#if defined(__x86_64__)
	asm volatile("1: dec %0\n jnz 1b" : "+r" (rounds) : : "cc");
#elif defined(__aarch64__)
	asm volatile("1: subs %0, %0, #1\n b.ne 1b" : "+r" (rounds) : : "cc");
#else
#error how does this processor count down?
#endif
}

struct hog {
	int cpu;
	int nice;
	int duty;
	int threads;
	uint64_t end;
};

/*
 * How long the next turn is, in ns. Turns of one length would begin at the same phase of
 * a clock that samples, each of them, and share a sample too many or too few.
 */
static uint64_t turn(uint32_t *random)
{
	*random ^= *random << 13;
	*random ^= *random >> 17;
	*random ^= *random << 5;
	return 75000000 + *random % 50000000;
}

static void *burn(void *arg)
{
	const struct hog *hog = arg;
	uint32_t random = syscall(SYS_gettid) * 2654435761U | 1;
	uint64_t begin = now(CLOCK_MONOTONIC), period = turn(&random), t;
	struct timespec rest = { };

	/* the kernel's niceness is a thread's */
	if (setpriority(PRIO_PROCESS, 0, hog->nice))
		perror("hogs: setpriority");
	while ((t = now(CLOCK_MONOTONIC)) < hog->end) {
		for (; t - begin >= period; period = turn(&random))
			begin += period;
		if (t - begin < period / 100 * hog->duty) {
			hog_burn(50000);
			continue;
		}
		rest.tv_nsec = begin + period - t;
		nanosleep(&rest, NULL);
	}
	printf("%d %ld %llu\n", getpid(), syscall(SYS_gettid),
	       (unsigned long long)now(CLOCK_THREAD_CPUTIME_ID));
	return NULL;
}

static void run(struct hog *hog)
{
	pthread_t thread[8];
	cpu_set_t set;
	int i;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	CPU_ZERO(&set);
	CPU_SET(hog->cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set)) {
		perror("hogs: sched_setaffinity");
		exit(1);
	}
	for (i = 1; i < hog->threads; i++)
		if (pthread_create(&thread[i], NULL, burn, hog))
			exit(1);
	burn(hog);
	for (i = 1; i < hog->threads; i++)
		pthread_join(thread[i], NULL);
	fflush(stdout);
	_exit(0);
}

static int loop(uint64_t rounds)
{
	hog_burn(rounds);
	printf("%d %llu\n", getpid(), (unsigned long long)rounds * 2);
	return 0;
}

int main(int argc, char **argv)
{
	struct hog hog;
	uint64_t end;
	int i, status, bad = 0;

	if (argc < 3) {
		fputs(usage, stderr);
		return 2;
	}
	if (!strcmp(argv[1], "loop"))
		return loop(strtoull(argv[2], NULL, 0));
	setvbuf(stdout, NULL, _IOLBF, 0);
	end = now(CLOCK_MONOTONIC) + (uint64_t)(strtod(argv[1], NULL) * 1e9);
	for (i = 2; i < argc; i++) {
		hog = (struct hog){ .threads = 1, .end = end };
		if (sscanf(argv[i], "%d:%d:%d:%d", &hog.cpu, &hog.nice, &hog.duty,
			   &hog.threads) < 3 || hog.threads > 8) {
			fputs(usage, stderr);
			return 2;
		}
		if (!fork())
			run(&hog);
	}
	while (wait(&status) > 0)
		bad |= status;
	return !!bad;
}
