// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* A process with pages in swap space: swapped [stay] */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define BYTES	(1u << 20)
#define TRIES	50

/* What /proc/self/status says, kB */
static int in_swap_space(void)
{
	FILE *file = fopen("/proc/self/status", "r");
	char line[256];
	int found = 0;

	while (file && fgets(line, sizeof(line), file))
		sscanf(line, "VmSwap: %d", &found);
	if (file)
		fclose(file);
	return found;
}

int main(int argc, char **argv)
{
	char *pages = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			   -1, 0);
	int tries;

	if (pages == MAP_FAILED)
		return 1;
	memset(pages, 1, BYTES);
	/* pages that another task looks at stay for now */
	for (tries = 0; !in_swap_space() && tries < TRIES; tries++) {
		if (madvise(pages, BYTES, MADV_PAGEOUT)) {
			perror("MADV_PAGEOUT");
			return 1;
		}
		usleep(10000);
	}
	if (argc > 1 && !strcmp(argv[1], "stay"))
		pause();
	return !in_swap_space();
}
