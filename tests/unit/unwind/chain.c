// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/*
 * A chain of twelve functions without frame pointers: a leaf, alloca(), a signal handler.
 * chain [TIMES [TURNS [MS FILE]]]: the leaf turns TURNS times and then sleeps MS, TIMES times;
 * it all begins when FILE is there.
 */
#include <alloca.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define APART	__attribute__((noinline, noclone, noipa))
#define UNUSED	__attribute__((unused))

static volatile unsigned long sink;
static volatile int turns, naps;

APART unsigned long leaf(unsigned long x)
{
	unsigned long i;

	for (i = 0; i < (unsigned long)turns; i++)
		x = x * 6364136223846793005UL + 1442695040888963407UL;
	return x;
}

APART void waits(void)
{
	if (naps)
		usleep(naps * 1000);
	sink++;
}

APART void handler(int number)
{
	sink += leaf(number) + 1;
	waits();
	sink++;
}

APART unsigned long raises(unsigned long x)
{
	raise(SIGUSR1);
	waits();
	return leaf(x) + 1;
}

APART unsigned long allocates(unsigned long x)
{
	unsigned long *array = alloca((x % 7 + 1) * sizeof(*array));

	memset(array, 1, (x % 7 + 1) * sizeof(*array));
	sink += array[x % 7];
	return raises(x) + array[0];
}

/* Each saves another number of registers. */
#define LINK(name, next, used)						\
APART unsigned long name(unsigned long x)				\
{									\
	unsigned long a UNUSED = x * 3, b UNUSED = x * 5;		\
	unsigned long c UNUSED = x * 7, d UNUSED = x * 11;		\
									\
	x = next(x + 1);						\
	return used + x;						\
}

LINK(link_8, allocates, a)
LINK(link_7, link_8, (a ^ b))
LINK(link_6, link_7, (a ^ b ^ c))
LINK(link_5, link_6, (a ^ b ^ c ^ d))
LINK(link_4, link_5, 1)
LINK(link_3, link_4, (a ^ d))
LINK(link_2, link_3, b)
LINK(link_1, link_2, (c ^ d))

APART void finish(void)
{
	sink++;
}

static void await_file(const char *path)
{
	while (access(path, F_OK))
		usleep(1000);
}

/*
 * chain [TIMES [TURNS [NAPS FILE]]]: begins when FILE is there, removes it at the end of the calls,
 * and ends when it is there again
 */
int main(int argc, char **argv)
{
	int times = argc > 1 ? atoi(argv[1]) : 2;

	turns = argc > 2 ? atoi(argv[2]) : 5;
	naps = argc > 4 ? atoi(argv[3]) : 0;
	signal(SIGUSR1, handler);
	if (argc > 4)
		await_file(argv[4]);
	while (times--)
		sink += link_1(times);
	finish();
	if (argc > 4 && !unlink(argv[4]))
		await_file(argv[4]);
	return 0;
}
