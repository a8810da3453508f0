/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* SNAPSHOT: the descriptor it returns, and what can't be done with it. */
#ifndef ETW_TEST_ABI_SNAPSHOT_H
#define ETW_TEST_ABI_SNAPSHOT_H

#include <poll.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>
#include "request.h"

/* Return: the descriptor, or a negative errno */
static int snapshot(__u32 id)
{
	struct etw_control c = { .size = sizeof(c), .logger_id = id };
	int fd = ioctl(control, ETW_IOC_SNAPSHOT, &c);

	return fd < 0 ? -errno : fd;
}

static __u32 start_overwriting(const char *name)
{
	struct request r;

	prepare(&r, name);
	r.c.flags = 0;
	r.info.log_file_mode = EVENT_TRACE_BUFFERING_MODE | EVENT_TRACE_SYSTEM_LOGGER_MODE;
	r.info.log_file_name.length = 0;
	r.info.enable_flags = EVENT_TRACE_FLAG_CSWITCH | EVENT_TRACE_FLAG_PROCESS |
			      EVENT_TRACE_FLAG_THREAD;
	r.info.buffer_size = 16;
	return try(ETW_IOC_START, &r.c) ? 0 : r.c.logger_id;
}

/* Bytes to the end of the stream; -1: no stream of buffers */
static long read_all(int fd, __u32 size)
{
	struct wmi_buffer_header header;
	char *buffer = malloc(size);
	__u64 sequence = 0;
	long all = 0, n;

	while ((n = read(fd, buffer, size)) == (long)size) {
		memcpy(&header, buffer, sizeof(header));
		if (header.buffer_size != size || header.sequence_number != sequence++)
			n = -1;
		if (n < 0)
			break;
		all += n;
	}
	free(buffer);
	return n ? -1 : all;
}

static void test_what_it_is(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	char path[32], byte;

	result(fcntl(fd, F_GETFD) == FD_CLOEXEC && (fcntl(fd, F_GETFL) & O_ACCMODE) == O_RDONLY,
	       "SNAPSHOT: a descriptor to read, closed on exec");
	result(poll(&p, 1, 0) == 1 && p.revents == (POLLIN | POLLHUP),
	       "poll() of a snapshot: POLLIN, POLLHUP # 0x%x", p.revents);
	errno = 0;
	result(mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0) == MAP_FAILED && errno == ENODEV,
	       "mmap() of a snapshot: ENODEV # %s", error_name(errno));
	errno = 0;
	result(lseek(fd, 0, SEEK_SET) < 0 && errno == ESPIPE,
	       "lseek() in a snapshot: ESPIPE # %s", error_name(errno));
	errno = 0;
	result(pread(fd, &byte, 1, 0) < 0 && errno == ESPIPE,
	       "pread() of a snapshot: ESPIPE # %s", error_name(errno));
	errno = 0;
	result(write(fd, "", 1) < 0 && errno == EBADF, "write() to a snapshot: EBADF # %s",
	       error_name(errno));
	errno = 0;
	result(ftruncate(fd, 0) < 0 && errno == EINVAL, "ftruncate() of a snapshot: EINVAL # %s",
	       error_name(errno));
	result(try_on(fd, ETW_IOC_LIST, &byte) == ENOTTY, "an ioctl on a snapshot: ENOTTY");
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	errno = 0;
	result(open(path, O_RDONLY) < 0 && errno == ENXIO,
	       "a snapshot, opened again: ENXIO # %s", error_name(errno));
}

static void test_no_descriptor(__u32 id)
{
	struct rlimit old, none = { 0 };
	int fd;

	getrlimit(RLIMIT_NOFILE, &old);
	none.rlim_max = old.rlim_max;
	setrlimit(RLIMIT_NOFILE, &none);
	fd = snapshot(id);
	setrlimit(RLIMIT_NOFILE, &old);
	result(fd == -EMFILE, "SNAPSHOT without a descriptor: EMFILE # %s",
	       error_name(fd < 0 ? -fd : 0));
}

static void test_snapshots(void)
{
	__u32 id = start_overwriting("snapshot");
	__u64 before = loggers();
	int first, second;
	long n, m;

	test_no_descriptor(id);
	first = snapshot(id);
	result(first >= 0 && loggers() == before, "SNAPSHOT: LIST is as before # %s",
	       error_name(first < 0 ? -first : 0));
	test_what_it_is(first);
	second = snapshot(id);
	n = read_all(first, 16384);
	result(n >= 3 * 16384 && !read(first, &before, 1),
	       "a snapshot is read to its end # %ld bytes", n);
	discard(id);
	result(!loggers(), "a session goes with a snapshot of it open");
	m = read_all(second, 16384);
	result(m >= 3 * 16384, "its snapshot is read then # %ld bytes", m);
	close(first);
	close(second);
}

#endif /* ETW_TEST_ABI_SNAPSHOT_H */
