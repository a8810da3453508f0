// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Descriptors that others may close behind our back: what they were, what they are. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "descriptor.h"

/* Where few descriptors are, and open() finds none that is free */
#define HIGH_DESCRIPTOR	256

/*
 * A program may close all descriptors that it does not know, as daemons do. Its next file gets
 * the lowest free number. High numbers stay free, so that a later use of our closed descriptor
 * fails instead of accessing a file of the program.
 */
int descriptor_raise(int fd)
{
	int high = fcntl(fd, F_DUPFD_CLOEXEC, HIGH_DESCRIPTOR);

	if (high < 0)
		return fd;
	close(fd);
	return high;
}

int descriptor_know(int fd, struct descriptor *what)
{
	struct stat stat;

	memset(what, 0, sizeof(*what));
	if (fstat(fd, &stat))
		return errno;
	what->device = stat.st_dev;
	what->inode = stat.st_ino;
	/* of a file it means nothing */
	if (S_ISCHR(stat.st_mode) || S_ISBLK(stat.st_mode))
		what->rdev = stat.st_rdev;
	return 0;
}

bool descriptor_is(int fd, const struct descriptor *what)
{
	struct descriptor now;
	int saved = errno;
	bool is = fd >= 0 && !descriptor_know(fd, &now) && !memcmp(&now, what, sizeof(now));

	errno = saved;
	return is;
}
