// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/*
 * pingpong [ROUNDS [REST]]: context switches by the thousand: two SCHED_FIFO processes, one CPU,
 * one byte. Every REST rounds they leave the CPU to its other threads, which have nothing of it
 * meanwhile: ksoftirqd is one of them; without it RCU stalls.
 */
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#include "ticks.h"

static void answer(int in, int out, int rounds)
{
	char x;

	while (rounds--)
		if (read(in, &x, 1) != 1 || write(out, &x, 1) != 1)
			_exit(1);
	_exit(0);
}

static void ask(int out, int in, int rounds, int rest)
{
	char x = 'x';

	while (rounds--) {
		if (write(out, &x, 1) != 1 || read(in, &x, 1) != 1)
			exit(1);
		if (rest && !(rounds % rest))
			usleep(10000);
	}
}

int main(int argc, char **argv)
{
	/* FIFO: with the fair scheduler the base moves from run to run */
	struct sched_param fifo = { .sched_priority = 50 };
	int rounds = argc > 1 ? atoi(argv[1]) : 20000, warm = 100;
	int rest = argc > 2 ? atoi(argv[2]) : 0;
	int there[2], back[2], status;
	uint64_t ticks, ns;
	cpu_set_t cpu0;
	pid_t pid;

	CPU_ZERO(&cpu0);
	CPU_SET(0, &cpu0);
	if (sched_setaffinity(0, sizeof(cpu0), &cpu0) || sched_setscheduler(0, SCHED_FIFO, &fifo) ||
	    pipe(there) || pipe(back)) {
		perror("pingpong");
		return 1;
	}
	pid = fork();
	if (!pid)
		answer(there[0], back[1], warm + rounds);
	ask(there[1], back[0], warm, 0);
	ns = nanoseconds();
	ticks = tick();
	ask(there[1], back[0], rounds, rest);
	ticks = tick() - ticks;
	ns = nanoseconds() - ns;
	waitpid(pid, &status, 0);
	printf("pingpong switches=%d ns=%llu ticks=%llu\n", 2 * rounds, (unsigned long long)ns,
	       (unsigned long long)ticks);
	return status ? 1 : 0;
}
