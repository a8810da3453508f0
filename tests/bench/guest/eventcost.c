// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* A program's event, thousands of times: through the device, or to trace_marker. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <unistd.h>
#include "etw_provider.h"
#include "tests/lib/guest/ticks.h"

/*
 * eventcost HOW CALLS [LOGGER [UID]]: 16 bytes of data with each call. HOW:
 * null (getppid), event (TRACE_EVENT), mof (its data by a MOF_FIELD), write,
 * message (TRACE_MESSAGE with all items), marker, raw (trace_marker_raw). No events but
 * what others do to the file READ: read, stat, open (with its close); a byte written to a
 * pipe and read from it: pipe; a page fault on a page of the heap, of the file READ: fault,
 * map; an interrupt in the middle of a call: timer; a datagram or a byte of a stream sent and
 * received on the loopback interface: udp, tcp; a program's file mapped and unmapped: image; an
 * object of a cache and one of kmalloc(), each allocated and freed: pool; a new name of the thread
 * (tracepoint task:task_rename): rename. Prints
 * "eventcost calls=N failed=N ns=N ticks=N".
 */
#define DATA		16
#define TRACING		"/sys/kernel/tracing/"
#define READ		"/mnt/read"

static struct {
	struct event_trace_header header;
	union {
		char data[DATA];
		struct mof_field mof;
	};
} event = {
	.header = { .size = sizeof(event), .type = 1, .level = 4, .flags = WNODE_FLAG_TRACED_GUID,
		    .guid = { 1, 2, 3, { 4 } } },
	.data = "0123456789abcde",
};
static const struct etw_message_argument argument = { (unsigned long)event.data, DATA };
static struct etw_trace_event event_request = {
	.size = sizeof(event_request), .event = (unsigned long)&event,
};
static struct etw_trace_message message = {
	.size = sizeof(message), .message_flags = TRACE_MESSAGE_SEQUENCE | TRACE_MESSAGE_GUID |
		TRACE_MESSAGE_TIMESTAMP | TRACE_MESSAGE_SYSTEMINFO,
	.message_guid = (unsigned long)&event.header.guid, .arguments = (unsigned long)&argument,
	.nr_arguments = 1, .message_number = 10,
};
static __u64 handle;
static int fd;

static int do_null(void)
{
	return syscall(SYS_getppid) < 0;
}

static int do_event(void)
{
	return ioctl(fd, ETW_PROVIDER_TRACE_EVENT, &event_request);
}

static int do_write(void)
{
	return write(fd, &event, sizeof(event)) != sizeof(event);
}

static int do_message(void)
{
	return ioctl(fd, ETW_PROVIDER_TRACE_MESSAGE, &message);
}

static int do_marker(void)
{
	return write(fd, event.data, DATA) != DATA;
}

static int use_mof(void)
{
	static char data[DATA];

	event.header.flags |= WNODE_FLAG_USE_MOF_PTR;
	event.mof = (struct mof_field){ .data_ptr = (unsigned long)data, .length = DATA };
	return 0;
}

static int do_read(void)
{
	char byte;

	return pread(fd, &byte, 1, 0) != 1;
}

static int do_stat(void)
{
	struct stat status;

	return fstat(fd, &status);
}

static int do_open(void)
{
	int file = open(READ, O_RDONLY);

	return file < 0 || close(file);
}

static int ends[2];

static int use_pipe(void)
{
	return pipe(ends);
}

static int do_pipe(void)
{
	char byte = 0;

	return write(ends[1], &byte, 1) != 1 || read(ends[0], &byte, 1) != 1;
}

#define PAGE	4096

/* volatile, because a read of it is what makes a fault */
static volatile char *page;

static int use_fault(void)
{
	page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	return page == MAP_FAILED;
}

static int use_map(void)
{
	page = mmap(NULL, PAGE, PROT_READ, MAP_SHARED, fd, 0);
	return page == MAP_FAILED;
}

static int do_fault(void)
{
	if (madvise((void *)page, PAGE, MADV_DONTNEED))
		return 1;
	page[0] = 1;
	return 0;
}

static int do_map(void)
{
	return madvise((void *)page, PAGE, MADV_DONTNEED) || page[0] != 'a';
}

/* The handle where write() looks for it; nothing changes it there */
static int use_handle(void)
{
	memcpy(&event.header.thread_id, &handle, sizeof(handle));
	return 0;
}

/* A time that has gone: the interrupt comes as soon as the hardware can. What it costs comes
 * after it began, and so is not part of the wait.
 */
static int do_timer(void)
{
	const struct itimerspec gone = { .it_value.tv_nsec = 1 };
	uint64_t expired;

	return timerfd_settime(fd, TFD_TIMER_ABSTIME, &gone, NULL) ||
	       read(fd, &expired, sizeof(expired)) != sizeof(expired);
}

static int use_timer(void)
{
	fd = timerfd_create(CLOCK_MONOTONIC, 0);
	return fd < 0;
}

/* A socket bound to any port of the loopback interface */
static int bound(int type, struct sockaddr_in *at)
{
	int sock = socket(AF_INET, type, 0);
	socklen_t size = sizeof(*at);

	*at = (struct sockaddr_in){ .sin_family = AF_INET, .sin_addr.s_addr = htonl(0x7F000001) };
	if (sock < 0 || bind(sock, (struct sockaddr *)at, size) ||
	    getsockname(sock, (struct sockaddr *)at, &size))
		return -1;
	return sock;
}

static int use_udp(void)
{
	struct sockaddr_in at;

	ends[0] = bound(SOCK_DGRAM, &at);
	ends[1] = ends[0];
	return ends[0] < 0 || connect(ends[0], (struct sockaddr *)&at, sizeof(at));
}

static int use_tcp(void)
{
	struct sockaddr_in at;
	int listener = bound(SOCK_STREAM, &at);

	ends[1] = socket(AF_INET, SOCK_STREAM, 0);
	if (listener < 0 || listen(listener, 1) ||
	    connect(ends[1], (struct sockaddr *)&at, sizeof(at)))
		return 1;
	ends[0] = accept(listener, NULL, NULL);
	return ends[0] < 0;
}

static int do_image(void)
{
	void *image = mmap(NULL, PAGE, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);

	return image == MAP_FAILED || munmap(image, PAGE);
}

/* getcwd() takes the object from a cache. More than eight pieces are listed by kmalloc(). */
#define PIECES	9

static int do_pool(void)
{
	static char path[PAGE], byte;
	struct iovec piece[PIECES];
	size_t i;

	for (i = 0; i < PIECES; i++)
		piece[i] = (struct iovec){ &byte, 1 };
	return syscall(SYS_getcwd, path, sizeof(path)) < 0 || readv(fd, piece, PIECES);
}

static int do_rename(void)
{
	return prctl(PR_SET_NAME, "eventcost");
}

static const struct way {
	const char *name, *path;
	int (*call)(void);
	int (*prepare)(void);
} ways[] = {
	{ "null", "/dev/null", do_null, NULL },
	{ "event", "/dev/etw/provider", do_event, NULL },
	{ "mof", "/dev/etw/provider", do_event, use_mof },
	{ "write", "/dev/etw/provider", do_write, use_handle },
	{ "message", "/dev/etw/provider", do_message, NULL },
	{ "marker", TRACING "trace_marker", do_marker, NULL },
	{ "read", READ, do_read, NULL },
	{ "stat", READ, do_stat, NULL },
	{ "open", READ, do_open, NULL },
	{ "pipe", "/dev/null", do_pipe, use_pipe },
	{ "fault", "/dev/null", do_fault, use_fault },
	{ "map", READ, do_map, use_map },
	{ "raw", TRACING "trace_marker_raw", do_marker, NULL },
	{ "timer", "/dev/null", do_timer, use_timer },
	{ "udp", "/dev/null", do_pipe, use_udp },
	{ "tcp", "/dev/null", do_pipe, use_tcp },
	{ "image", "/bin/busybox", do_image, NULL },
	{ "pool", "/dev/null", do_pool, NULL },
	{ "rename", "/dev/null", do_rename, NULL },
};

static int open_way(const char *name, const struct way **way)
{
	size_t i;

	for (i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		if (strcmp(ways[i].name, name))
			continue;
		*way = &ways[i];
		fd = open(ways[i].path, O_RDWR);
		if (fd < 0)
			fd = open(ways[i].path, O_WRONLY);
		if (fd < 0)	/* a program that runs */
			fd = open(ways[i].path, O_RDONLY);
		return fd < 0 || (ways[i].prepare && ways[i].prepare());
	}
	errno = EINVAL;
	return 1;
}

int main(int argc, char **argv)
{
	struct sched_param fifo = { .sched_priority = 50 };
	int calls = argc > 2 ? atoi(argv[2]) : 20000, i, failed = 0;
	const struct way *way;
	uint64_t ticks, ns;

	handle = argc > 3 ? atoi(argv[3]) : 1;
	event_request.session_handle = handle;
	message.session_handle = handle;
	if (sched_setscheduler(0, SCHED_FIFO, &fifo) || (argc > 4 && setuid(atoi(argv[4]))) ||
	    argc < 2 || open_way(argv[1], &way)) {
		perror("eventcost");
		return 1;
	}
	for (i = 0; i < 100; i++)
		failed += !!way->call();
	ns = nanoseconds();
	ticks = tick();
	for (i = 0; i < calls; i++)
		failed += !!way->call();
	ticks = tick() - ticks;
	ns = nanoseconds() - ns;
	printf("eventcost calls=%d failed=%d ns=%llu ticks=%llu\n", calls, failed,
	       (unsigned long long)ns, (unsigned long long)ticks);
	return failed != 0;
}
