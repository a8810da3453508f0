// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/*
 * Asks the vDSO for the time from functions without frame pointers: asks_time FILE. Begins when
 * FILE is there, and removes it after two to three seconds. Then it waits, so that no stack is
 * that of its end. Prints where its vDSO is.
 */
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* arm64's compilers make frame records otherwise. */
#pragma GCC optimize("omit-frame-pointer")

#define APART	__attribute__((noinline, noclone, noipa))

static volatile long sink;

/* Without a system call, also where the kernel does not trust the cycle counter */
APART long ask(void)
{
	struct timespec now;
	int i;

	for (i = 0; i < 1000; i++) {
		clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
		sink += now.tv_nsec;
	}
	return now.tv_sec;
}

APART void ask_until(long end)
{
	while (ask() < end)
		sink++;
}

static void print_vdso(void)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	char line[512];

	while (maps && fgets(line, sizeof(line), maps))
		if (strstr(line, "[vdso]"))
			fputs(line, stdout);
	fflush(stdout);
}

static void await_file(const char *path)
{
	while (access(path, F_OK))
		usleep(1000);
}

int main(int argc, char **argv)
{
	if (argc != 2)
		return 2;
	print_vdso();
	await_file(argv[1]);
	ask_until(ask() + 3);
	if (!unlink(argv[1]))
		await_file(argv[1]);
	return 0;
}
