// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Reads and writes of whole pieces of a file. */
#include <errno.h>
#include <sys/types.h>
#include <unistd.h>
#include "fileio.h"

int file_read_at(int fd, void *to, size_t bytes, uint64_t at)
{
	size_t done = 0;
	ssize_t n;

	while (done < bytes) {
		n = pread(fd, (char *)to + done, bytes - done, at + done);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (!n)
			return -EIO;
		done += n;
	}
	return 0;
}

/* At a place, or where the file stands */
static int write_all(int fd, const char *from, size_t bytes, const uint64_t *at)
{
	size_t done = 0;
	ssize_t n;

	while (done < bytes) {
		n = at ? pwrite(fd, from + done, bytes - done, *at + done) :
			 write(fd, from + done, bytes - done);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		done += n;
	}
	return 0;
}

int file_write_at(int fd, const void *from, size_t bytes, uint64_t at)
{
	return write_all(fd, from, bytes, &at);
}

int file_write(int fd, const void *from, size_t bytes)
{
	return write_all(fd, from, bytes, NULL);
}
