/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* The machine's memory: what /proc says of it, and a process that holds most of it. */
#ifndef ETW_TEST_MACHINE_MEMORY_H
#define ETW_TEST_MACHINE_MEMORY_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <unistd.h>

/* A number of /proc/meminfo, kB; -1: there is none of that name */
static inline long meminfo(const char *what)
{
	FILE *file = fopen("/proc/meminfo", "r");
	size_t n = strlen(what);
	char line[128];
	long kb = -1;

	while (file && fgets(line, sizeof(line), file))
		if (!strncmp(line, what, n) && line[n] == ':')
			kb = atol(line + n + 1);
	if (file)
		fclose(file);
	return kb;
}

/* The child's part: say when it has it, and stay */
static inline void hold_memory(size_t size, int ready)
{
	void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			    -1, 0);

	if (memory == MAP_FAILED)
		_exit(1);
	memset(memory, 1, size);
	if (write(ready, "", 1) != 1)
		_exit(1);
	for (;;)
		pause();
}

/* A process with so many bytes. Return: its pid, which has the memory by now; or -1. */
static inline pid_t hold_bytes(size_t size)
{
	int ready[2];
	pid_t pid;
	char c;

	if (pipe(ready))
		return -1;
	pid = fork();
	if (!pid)
		hold_memory(size, ready[1]);
	close(ready[1]);
	if (pid > 0 && read(ready[0], &c, 1) != 1)
		pid = -1;
	close(ready[0]);
	return pid;
}

/*
 * A process with more than half of the memory, so that sessions come to the end of what
 * is left before they come to what they may have. It is the first candidate of the OOM killer.
 * Return: as above.
 */
static inline pid_t hold_most_memory(void)
{
	return hold_bytes(meminfo("MemTotal") / 100 * 55 * 1024);
}

#endif /* ETW_TEST_MACHINE_MEMORY_H */
