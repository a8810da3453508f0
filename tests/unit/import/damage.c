// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/*
 * Imports each cut copy of a file, and copies with overwritten words, in one process: damage FILE.
 * Prints how many cut copies were refused. Each copy is in memory of its own, so that a read beyond
 * it is found.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
#include "import/import.h"
#include "libetl/messages.h"

#define MAGIC_SIZE	8
#define MOST		0x10000

static char message[4096];

static void keep(const char *format, va_list arguments)
{
	vsnprintf(message, sizeof(message), format, arguments);
}

int failed(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	keep(format, arguments);
	va_end(arguments);
	return 1;
}

void warn(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	keep(format, arguments);
	va_end(arguments);
}

/* Return: whether it was imported */
static bool import(const uint8_t *from, size_t size)
{
	struct importing *importing = calloc(1, sizeof(*importing));
	uint8_t *bytes = malloc(size);
	int fd = memfd_create("import", 0);
	char name[64];
	bool good;

	if (!importing || !bytes || fd < 0)
		abort();
	memcpy(bytes, from, size);
	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	message[0] = 0;
	good = !import_open(importing, "damaged", bytes, size, name) && !import_run(importing);
	import_free(importing);
	free(importing);
	free(bytes);
	close(fd);
	return good;
}

static void overwrite(const uint8_t *bytes, size_t size)
{
	static const uint32_t values[] = { 0, UINT32_MAX, 0xFFFF, 0x80808080, 0x7FFFFFFF };
	static uint8_t copy[MOST];
	size_t at, i;

	for (at = MAGIC_SIZE; at + sizeof(values[0]) <= size; at += 3)
		for (i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
			memcpy(copy, bytes, size);
			memcpy(copy + at, &values[i], sizeof(values[0]));
			import(copy, size);
		}
}

int main(int argc, char **argv)
{
	static uint8_t bytes[MOST];
	int fd = argc == 2 ? open(argv[1], O_RDONLY) : -1;
	ssize_t size = fd < 0 ? -1 : read(fd, bytes, sizeof(bytes)), i;
	unsigned int refused = 0;

	if (size < MAGIC_SIZE || size == MOST)
		return 2;
	for (i = MAGIC_SIZE; i < size; i++) {
		refused += !import(bytes, i);
		if (!strstr(message, "at 0x")) {
			printf("%zd bytes: no message with an offset: %s\n", i, message);
			return 1;
		}
	}
	overwrite(bytes, size);
	printf("%u\n", refused);
	return 0;
}
