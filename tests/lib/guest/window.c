// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/*
 * Files to and from a guest, through memory that its kernel does not know.
 *
 * window get ADDRESS:SIZE   wait for files, write them to the standard output
 * window put ADDRESS:SIZE   store the standard input there, print how many bytes
 *
 * At ADDRESS, which is physical, stands "ETWFILES" and their length, 8 bytes each;
 * behind the first page they follow. tests/infra/vm/machine.sh is the other side.
 */
#include <err.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define PAGE	4096
#define CHUNK	65536

/*
 * Not memory to the kernel, so on arm64 mapped as a device: only words at their
 * own places may be read and written there.
 */
struct window {
	volatile uint64_t *head;
	volatile uint64_t *files;
	uint64_t room;
};

static struct window open_window(const char *where)
{
	struct window window;
	uint64_t address;
	void *memory;
	int fd;

	if (sscanf(where, "%" SCNi64 ":%" SCNi64, &address, &window.room) != 2 ||
	    window.room <= PAGE || window.room % PAGE)
		errx(2, "not ADDRESS:SIZE: %s", where);
	fd = open("/dev/mem", O_RDWR);
	if (fd < 0)
		err(1, "/dev/mem");
	memory = mmap(NULL, window.room, PROT_READ | PROT_WRITE, MAP_SHARED, fd, address);
	if (memory == MAP_FAILED)
		err(1, "mapping %s", where);
	close(fd);
	window.head = memory;
	window.files = window.head + PAGE / sizeof(uint64_t);
	window.room -= PAGE;
	return window;
}

static void write_all(const void *bytes, size_t size)
{
	ssize_t n;

	for (; size; bytes = (const char *)bytes + n, size -= n) {
		n = write(STDOUT_FILENO, bytes, size);
		if (n < 0)
			err(1, "write");
	}
}

static void get(const struct window *window)
{
	uint64_t chunk[CHUNK / sizeof(uint64_t)], magic, size, i, n;
	const volatile uint64_t *from = window->files;

	memcpy(&magic, "ETWFILES", sizeof(magic));
	/* before the machine was started, or woken up, or not yet */
	while (window->head[0] != magic)
		usleep(5000);
	size = window->head[1];
	if (size > window->room)
		errx(1, "%" PRIu64 " bytes of files", size);
	for (; size; size -= n) {
		n = size < CHUNK ? size : CHUNK;
		for (i = 0; i * sizeof(*from) < n; i++)
			chunk[i] = *from++;
		write_all(chunk, n);
	}
}

/* Whole words, but for the last: reads until there are enough */
static size_t read_chunk(void *chunk)
{
	size_t have = 0;
	ssize_t n;

	while (have < CHUNK) {
		n = read(STDIN_FILENO, (char *)chunk + have, CHUNK - have);
		if (n < 0)
			err(1, "read");
		if (!n)
			break;
		have += n;
	}
	return have;
}

static void put(const struct window *window)
{
	uint64_t chunk[CHUNK / sizeof(uint64_t)], size = 0, i, n;
	volatile uint64_t *to = window->files;

	while ((n = read_chunk(chunk)) > 0) {
		if (size + n > window->room)
			errx(1, "more than %" PRIu64 " bytes of files", window->room);
		for (i = 0; i * sizeof(*to) < n; i++)
			*to++ = chunk[i];
		size += n;
	}
	printf("%" PRIu64 "\n", size);
}

int main(int argc, char **argv)
{
	struct window window;

	if (argc != 3 || (strcmp(argv[1], "get") && strcmp(argv[1], "put")))
		errx(2, "usage: window get|put ADDRESS:SIZE");
	window = open_window(argv[2]);
	if (!strcmp(argv[1], "get"))
		get(&window);
	else
		put(&window);
	return 0;
}
