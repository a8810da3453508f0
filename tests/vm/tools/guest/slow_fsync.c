// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Appends to a file, with an fsync after each block, and prints how long each fsync took, in ns. */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define BLOCK	4096
#define BLOCKS	5

static int64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * 1000000000ll + time.tv_nsec;
}

int main(int argc, char **argv)
{
	int file = argc == 2 ? open(argv[1], O_CREAT | O_WRONLY | O_TRUNC, 0600) : -1, i;
	char block[BLOCK];
	int64_t begin;

	if (file < 0)
		return 1;
	memset(block, 'x', sizeof(block));
	for (i = 0; i < BLOCKS; i++) {
		if (write(file, block, sizeof(block)) != sizeof(block))
			return 1;
		begin = now();
		if (fsync(file))
			return 1;
		printf("%" PRId64 "\n", now() - begin);
	}
	return 0;
}
