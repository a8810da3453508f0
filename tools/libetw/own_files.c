// SPDX-License-Identifier: GPL-2.0
/* Descriptors of a thread of ours: the program closes and opens its own, and never these. */
#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "session.h"

/* By number: no C library older than the call has a function for it */
static int close_range_of(unsigned int first, unsigned int last)
{
	return syscall(SYS_close_range, first, last, 0) ? errno : 0;
}

static unsigned int lowest_from(unsigned int first, const int *fds, unsigned int count)
{
	unsigned int i, lowest = UINT_MAX;

	for (i = 0; i < count; i++)
		if ((unsigned int)fds[i] >= first && (unsigned int)fds[i] < lowest)
			lowest = fds[i];
	return lowest;
}

/*
 * What we would keep of the program's stays open for as long as the thread lives: a pipe
 * whose end the program closed would never end for who reads it.
 */
static int close_others(const int *fds, unsigned int count)
{
	unsigned int first = 0, next;
	int err = 0;

	while (!err) {
		next = lowest_from(first, fds, count);
		if (next == UINT_MAX)
			return close_range_of(first, UINT_MAX);
		err = next > first ? close_range_of(first, next - 1) : 0;
		first = next + 1;
	}
	return err;
}

int own_files_keep(const int *fds, unsigned int count)
{
	int err = unshare(CLONE_FILES) ? errno : 0;

	if (err)
		return err;
	err = close_others(fds, count);
	if (err)
		own_files_close(fds, count);
	return err;
}

void own_files_close(const int *fds, unsigned int count)
{
	unsigned int i;

	for (i = 0; i < count; i++)
		close(fds[i]);
}
