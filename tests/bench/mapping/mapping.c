// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The ways to the bytes of a file in the page cache: processor time of each, user and system. */
#define _GNU_SOURCE
#include <err.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define STEP	(1 << 20)
/* A word of each cache line is read */
#define LINE	64

enum populate { BY_FAULTS, AT_ONCE, BY_STEPS };

static uint64_t sum(const unsigned char *bytes, size_t size)
{
	uint64_t words = 0;
	size_t i;

	for (i = 0; i + sizeof(words) <= size; i += LINE)
		words += *(const uint64_t *)(bytes + i);
	return words;
}

/* Gives each step back when it was read, as etw does, unless all is there at once */
static uint64_t map(int fd, size_t size, enum populate how)
{
	unsigned char *bytes = mmap(NULL, size, PROT_READ,
				    MAP_PRIVATE | (how == AT_ONCE ? MAP_POPULATE : 0), fd, 0);
	uint64_t words = 0;
	size_t at, step;

	if (bytes == MAP_FAILED)
		err(1, "mmap");
	for (at = 0; at < size; at += step) {
		step = size - at < STEP ? size - at : STEP;
		if (how == BY_STEPS && madvise(bytes + at, step, MADV_POPULATE_READ))
			err(1, "MADV_POPULATE_READ");
		words += sum(bytes + at, step);
		if (how != AT_ONCE && madvise(bytes + at, step, MADV_DONTNEED))
			err(1, "MADV_DONTNEED");
	}
	munmap(bytes, size);
	return words;
}

static uint64_t map_by_faults(int fd, size_t size)
{
	return map(fd, size, BY_FAULTS);
}

static uint64_t map_at_once(int fd, size_t size)
{
	return map(fd, size, AT_ONCE);
}

static uint64_t map_by_steps(int fd, size_t size)
{
	return map(fd, size, BY_STEPS);
}

static uint64_t read_by(int fd, size_t size, size_t step)
{
	unsigned char *bytes = malloc(step);
	uint64_t words = 0;
	size_t at;
	ssize_t got;

	if (!bytes)
		err(1, "malloc");
	for (at = 0; at < size; at += got) {
		got = pread(fd, bytes, step, at);
		if (got <= 0)
			err(1, "pread");
		words += sum(bytes, got);
	}
	free(bytes);
	return words;
}

static uint64_t read_64(int fd, size_t size)
{
	return read_by(fd, size, 64 << 10);
}

static uint64_t read_256(int fd, size_t size)
{
	return read_by(fd, size, 256 << 10);
}

static double milliseconds(const struct timeval *to, const struct timeval *from)
{
	return (to->tv_sec - from->tv_sec) * 1e3 + (to->tv_usec - from->tv_usec) / 1e3;
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		uint64_t (*run)(int fd, size_t size);
	} ways[] = {
		{ "mapping, pages given back after each MB", map_by_faults },
		{ "mapping with MAP_POPULATE, given back at the end", map_at_once },
		{ "mapping, MADV_POPULATE_READ for each MB, given back", map_by_steps },
		{ "reads of 64 KB into one buffer", read_64 },
		{ "reads of 256 KB into one buffer", read_256 },
	};
	int fd = argc == 3 ? open(argv[1], O_RDONLY | O_CLOEXEC) : -1;
	int times = argc == 3 ? atoi(argv[2]) : 0, i;
	struct rusage before, after;
	uint64_t expected, got;
	struct stat file;
	size_t k;

	if (fd < 0 || fstat(fd, &file) || times <= 0)
		errx(2, "usage: mapping FILE TIMES");
	/* also brings the file into the page cache */
	expected = read_by(fd, file.st_size, STEP);
	for (k = 0; k < sizeof(ways) / sizeof(ways[0]); k++) {
		getrusage(RUSAGE_SELF, &before);
		for (i = 0, got = 0; i < times; i++)
			got += ways[k].run(fd, file.st_size) != expected;
		getrusage(RUSAGE_SELF, &after);
		if (got)
			errx(1, "%s: other bytes", ways[k].name);
		printf("| %s | %.1f | %.1f |\n", ways[k].name,
		       (milliseconds(&after.ru_utime, &before.ru_utime) +
			milliseconds(&after.ru_stime, &before.ru_stime)) / times,
		       milliseconds(&after.ru_stime, &before.ru_stime) / times);
	}
	return 0;
}
