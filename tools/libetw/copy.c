// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The caller's memory by way of the kernel, which answers EFAULT instead of a signal. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>
#include "libetw.h"

/* What any pipe takes in one piece */
#define PIECE	4096u

static int open_pipe(int fds[2])
{
	return pipe2(fds, O_CLOEXEC | O_NONBLOCK) ? -errno : 0;
}

static void close_pipe(const int fds[2])
{
	close(fds[0]);
	close(fds[1]);
}

/*
 * One of the two addresses is the caller's. The system calls are made directly:
 * a sanitizer checks the buffers of write() and read(). Here a buffer may be no memory at all, or
 * include bytes that follow a string on its page.
 */
static int through(const int fds[2], void *to, const void *from, size_t size)
{
	ssize_t n = syscall(SYS_write, fds[1], from, size);

	if (n < 0)
		return -errno;
	if ((size_t)n < size)
		return -EFAULT;
	n = syscall(SYS_read, fds[0], to, size);
	if (n < 0)
		return -errno;
	return (size_t)n < size ? -EFAULT : 0;
}

static int by_pipe(const struct etw_piece *piece, unsigned int count)
{
	int cancel = etw_cancel_disable(), fds[2], err = open_pipe(fds);
	size_t at, part;

	if (err)
		goto out;
	for (; !err && count; count--, piece++)
		for (at = 0; !err && at < piece->size; at += part) {
			part = piece->size - at < PIECE ? piece->size - at : PIECE;
			err = through(fds, (char *)piece->to + at, (const char *)piece->from + at,
				      part);
		}
	close_pipe(fds);
out:
	etw_cancel_restore(cancel);
	return err;
}

/*
 * A process may always read its own memory, whatever ptrace is restricted to. Its id is not
 * cached, because a child would read the memory of its parent.
 * Return: 0 or -EFAULT; another error: a filter forbids it, or the kernel has no such call
 */
static int by_one_call(const struct etw_piece *piece, unsigned int count)
{
	struct iovec to[ETW_PIECES], from[ETW_PIECES];
	ssize_t n, size = 0;
	unsigned int i;

	for (i = 0; i < count; i++) {
		to[i] = (struct iovec){ piece[i].to, piece[i].size };
		from[i] = (struct iovec){ (void *)piece[i].from, piece[i].size };
		size += piece[i].size;
	}
	if (!size)
		return 0;
	n = syscall(SYS_process_vm_readv, getpid(), to, count, from, count, 0);
	if (n < 0)
		return -errno;
	return n < size ? -EFAULT : 0;
}

/* errno is the caller's, too */
int etw_copy(const struct etw_piece *pieces, unsigned int count)
{
	int saved = errno, err = by_one_call(pieces, count);

	if (err && err != -EFAULT)
		err = by_pipe(pieces, count);
	errno = saved;
	return err;
}

int etw_copy_in(void *to, const void *from, size_t size)
{
	return etw_copy(&(struct etw_piece){ to, from, size }, 1);
}

int etw_copy_out(void *to, const void *from, size_t size)
{
	return etw_copy_in(to, from, size);
}

/* @units: that @bytes has. Return: whether one of them is 0 */
static bool is_ended(const unsigned char *bytes, size_t units, size_t unit)
{
	static const unsigned char zero[4];
	size_t i;

	for (i = 0; i < units; i++)
		if (!memcmp(bytes + i * unit, zero, unit))
			return true;
	return false;
}

/* Never past a page that the string may end on: the next one need not be there. */
int etw_copy_string(void *to, const void *from, size_t room, size_t unit)
{
	size_t at = 0, part, left;
	int err;

	while (at < room) {
		left = PIECE - ((uintptr_t)from + at) % PIECE;
		part = room - at < 256 ? room - at : 256;
		if (part > left)
			part = left;
		err = etw_copy_in((char *)to + at, (const char *)from + at, part);
		if (err)
			return err;
		at += part;
		if (is_ended(to, at / unit, unit))
			return 0;
	}
	return -E2BIG;
}
