// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* LD_PRELOAD: stands in for /dev/etw, with one session with a file as its stream. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include "etw_abi.h"
#include "etw_hooks.h"
#include "etw_unwind.h"

/*
 * ETW_FAKE_STREAM: what the session delivers, all of it at once; end of file
 * comes with STOP. ETW_FAKE_REFUSE: START and UPDATE fail with this reason,
 * offset, item and errno ("2 0x30 0 22"), and the processor when there is a
 * fifth number. ETW_FAKE_BLOCK: a file, what QUERY returns, except that it
 * has no reader after a STOP. ETW_FAKE_SENT: a file for what START and
 * UPDATE are sent. ETW_FAKE_LOG: one line for each ioctl.
 * ETW_FAKE_BUFFERED: events that a processor of the session has in memory; it has stopped.
 * ETW_FAKE_TERM: START sends its caller a SIGTERM. ETW_FAKE_DENY: only root controls.
 * ETW_FAKE_AT: "madvise", a part of a trace was read, "pwrite", one was written, "rename", a
 * whole one gets its name, or "fclose", a stream has been written and closed; then
 * ETW_FAKE_CUT, a file, loses what is in it, and the caller gets the signal ETW_FAKE_SIGNAL.
 * ETW_FAKE_TABLES: UNWIND_TABLE fails with this errno, or succeeds with 0; unset: ENOTTY.
 * ETW_FAKE_COUNTING: clock, interval, PEBS format, then a profile source and a
 * method for each counter; the methods are of CPU 0, that of CPU 1 is one more,
 * of all it is mixed. By cycles, it is throttled nine times.
 */
static int stream = -1, feed = -1, stopped;
/* The control node: libetw does not keep the descriptor that it was opened as */
static struct stat control;

static void note(const char *format, ...)
{
	const char *path = getenv("ETW_FAKE_LOG");
	FILE *file = path ? fopen(path, "a") : NULL;
	va_list arguments;

	if (!file)
		return;
	va_start(arguments, format);
	vfprintf(file, format, arguments);
	va_end(arguments);
	fclose(file);
}

static int refuse(struct etw_control *arg)
{
	const char *how = getenv("ETW_FAKE_REFUSE");
	int reason = 0, offset = 0, item = 0, err = EINVAL, processor = 0;

	if (!how)
		return 0;
	if (sscanf(how, "%i %i %i %i %i", &reason, &offset, &item, &err, &processor) < 1)
		return 0;
	arg->error_processor = processor;
	arg->error_reason = reason;
	arg->error_offset = offset;
	arg->error_item = item;
	errno = err;
	return -1;
}

static void save(const struct etw_control *arg)
{
	const char *path = getenv("ETW_FAKE_SENT");
	FILE *file = path ? fopen(path, "wb") : NULL;

	if (!file)
		return;
	fwrite((void *)(uintptr_t)arg->information, 1, arg->information_size, file);
	fclose(file);
}

static int start(struct etw_control *arg)
{
	struct wmi_logger_information *info = (void *)(uintptr_t)arg->information;
	const char *path = getenv("ETW_FAKE_STREAM");
	static char bytes[65536];
	int ends[2];
	FILE *file;
	size_t n;

	note("start flags %x events %x mode %x clock %u kb %u buffers %u flush %u\n", arg->flags,
	     info->enable_flags, info->log_file_mode, info->wnode.client_context,
	     info->buffer_size, info->maximum_buffers, info->flush_timer);
	save(arg);
	if (refuse(arg))
		return -1;
	file = path ? fopen(path, "rb") : NULL;
	if (!file || pipe2(ends, O_NONBLOCK | O_CLOEXEC))
		return -1;
	n = fread(bytes, 1, sizeof(bytes), file);
	fclose(file);
	if (write(ends[1], bytes, n) != (ssize_t)n)
		return -1;
	stream = ends[0];
	feed = ends[1];
	arg->logger_id = 5;
	return 0;
}

static int update(struct etw_control *arg)
{
	note("update %u\n", arg->logger_id);
	save(arg);
	return refuse(arg);
}

static int snapshot(struct etw_control *arg)
{
	note("snapshot %u\n", arg->logger_id);
	return open(getenv("ETW_FAKE_STREAM"), O_RDONLY | O_CLOEXEC);
}

static int query(struct etw_control *arg)
{
	struct wmi_logger_information *info = (void *)(uintptr_t)arg->information;
	const char *path = getenv("ETW_FAKE_BLOCK");
	FILE *file = path ? fopen(path, "rb") : NULL;

	if (file) {
		path = fread(info, 1, arg->information_size, file) ? path : NULL;
		fclose(file);
		if (stopped)
			info->real_time_consumer_count = 0;
		return path ? 0 : -1;
	}
	memset(info, 0, sizeof(*info));
	info->buffer_size = 4;
	info->events_lost = 17;
	info->log_buffers_lost = 2;
	info->enable_flags = 0x813;
	info->log_file_mode = getenv("ETW_FAKE_REACH") ? EVENT_TRACE_BUFFERING_MODE :
			      EVENT_TRACE_REAL_TIME_MODE;
	info->wnode.client_context = ETW_CLOCK_QPC;
	memcpy(info + 1, "f\0a\0k\0e\0", 8);
	info->logger_name = (struct etw_unicode_string){ .length = 8, .buffer = sizeof(*info) };
	return 0;
}

static int statistics(struct etw_statistics *arg)
{
	const char *buffered = getenv("ETW_FAKE_BUFFERED");

	arg->state = stopped || buffered ? ETW_SESSION_STOPPED : ETW_SESSION_RUNNING;
	arg->buffered = buffered ? atoi(buffered) * (arg->processor == ETW_ALL_PROCESSORS ? 2 : 1) : 0;
	arg->read = 1234;
	arg->lost[ETW_LOSS_NO_BUFFER] = 10;
	arg->lost[ETW_LOSS_NMI] = 7;
	arg->buffers_read = 3;
	arg->buffer_size = 4096;
	arg->processors = 2;
	arg->flags = ETW_STATISTICS_ADDRESSES;
	arg->uncounted = getenv("ETW_FAKE_COUNTING") ? 21 : 0;
	if (getenv("ETW_FAKE_REACH")) {
		arg->overwritten = 99;
		arg->buffers = 100;
		arg->buffers_free = 41;
		arg->reach = arg->processor == 1 ? 175000000 : 123000000;
	}
	return 0;
}

static int counting(struct etw_counting *arg)
{
	const char *at = getenv("ETW_FAKE_COUNTING");
	unsigned int source, method;
	int used;

	if (!at || sscanf(at, "%u %u %u%n", &arg->profile_clock, &arg->profile_interval,
			  &arg->pebs_format, &used) < 3) {
		errno = ENOTTY;
		return -1;
	}
	arg->throttled = arg->profile_clock == ETW_PROFILE_CLOCK_CYCLES ? 9 : 0;
	for (at += used; sscanf(at, "%u %u%n", &source, &method, &used) == 2; at += used) {
		arg->counter[arg->nr_counters].profile_source = source;
		if (method && arg->processor == ETW_ALL_PROCESSORS)
			method = ETW_METHOD_MIXED;
		else if (method)
			method += arg->processor;
		arg->counter[arg->nr_counters++].method = method;
	}
	return 0;
}

/* Level 99 is one too many, and flags 7 were not enabled. */
static int enable(const struct etw_enable *arg)
{
	const struct etw_event_filter *filter = (void *)(uintptr_t)arg->filters;
	const unsigned char *at;
	unsigned int i, n;

	note("enable %u of %08x-%04x-%04x-%02x%02x: %u level %u flags %x any %llx all %llx\n",
	     arg->logger_id, arg->guid.data1, arg->guid.data2, arg->guid.data3,
	     arg->guid.data4[0], arg->guid.data4[7], arg->enabled, arg->level,
	     arg->enable_flags, arg->match_any, arg->match_all);
	if (arg->properties || arg->nr_filters)
		note("properties %x", arg->properties);
	for (i = 0; i < arg->nr_filters; i++) {
		note(" filter %x ", filter[i].type);
		for (at = (void *)(uintptr_t)filter[i].data, n = 0; n < filter[i].size; n++)
			note("%02x", at[n]);
	}
	if (arg->properties || arg->nr_filters)
		note("\n");
	if (getenv("ETW_FAKE_OLD") && arg->filters) {
		errno = E2BIG;
		return -1;
	}
	errno = arg->level == 99 ? ENOSPC : arg->guid.data1 == 7 ? ENOENT : 0;
	return errno ? -1 : 0;
}

/*
 * 2, which sessions 5 and 6 have; 7, which no session has; then 20 that are not registered.
 * ETW_FAKE_OLD: a module that knows the first version only.
 */
static int providers(struct etw_providers *arg)
{
	const unsigned int entry = arg->size == 16 ? 32 : arg->entry_size;
	unsigned char *to = (void *)(uintptr_t)arg->providers;
	unsigned int i;

	if (getenv("ETW_FAKE_OLD") && arg->size != 16) {
		errno = E2BIG;
		return -1;
	}
	for (i = 0; i < 23 && i < arg->count; i++, to += entry) {
		const struct etw_provider_info info = {
			.guid.data1 = i < 2 ? 2 : 5 + i, .registrations = i < 3 ? 3 : 0,
			.logger_id = i == 2 ? 0 : 5 + (i == 1),
			.level = i == 2 ? 0 : 4, .enable_flags = i == 2 ? 0 : 0x10 * i,
			.match_any = i == 2 ? 0 : i ? 0x10 * i : 0x8000000000000001,
			.properties = i ? 0 : 0x884, .filters = i ? 0 : 0x80000204,
		};

		memcpy(to, &info, entry);
	}
	arg->count = 23;
	return 0;
}

static int unwind_table(const struct etw_unwind_table *table)
{
	const char *how = getenv("ETW_FAKE_TABLES");
	struct stat file;

	if (!how) {
		errno = ENOTTY;
		return -1;
	}
	errno = atoi(how);
	if (table->flags == ETW_UNWIND_VDSO && table->fd == -1) {
		note("table of 0 session %u rows %u\n", table->logger_id, table->nr_rows);
		return errno ? -1 : 0;
	}
	if (table->flags || fstat(table->fd, &file) || table->size != sizeof(*table))
		abort();
	note("table of %lu session %u rows %u\n", (unsigned long)file.st_ino, table->logger_id,
	     table->nr_rows);
	return errno ? -1 : 0;
}

static int dispatch(unsigned long request, void *arg)
{
	struct etw_log_record *record = arg;

	switch (request) {
	case ETW_IOC_START:
		if (getenv("ETW_FAKE_TERM"))
			raise(SIGTERM);
		return start(arg);
	case ETW_IOC_STOP:
		note("stop flags %x\n", ((struct etw_control *)arg)->flags);
		close(feed);
		stopped = 1;
		return 0;
	case ETW_IOC_QUERY:
		return query(arg);
	case ETW_IOC_UPDATE:
		return update(arg);
	case ETW_IOC_SNAPSHOT:
		return snapshot(arg);
	case ETW_IOC_STATISTICS:
		return statistics(arg);
	case ETW_IOC_COUNTING:
		return counting(arg);
	case ETW_IOC_ENABLE:
		return enable(arg);
	case ETW_IOC_PROVIDERS:
		return providers(arg);
	case ETW_IOC_FLUSH:
		note("flush\n");
		return 0;
	case ETW_IOC_LIST:
		((struct etw_list *)arg)->loggers = 1 << 4;
		return 0;
	case ETW_IOC_UNWIND_TABLE:
		return unwind_table(arg);
	case ETW_IOC_LOG_RECORD:
		note("record %04x version %u size %u\n", record->hook_id, record->version,
		     record->payload_size);
		return 0;
	}
	errno = ENOTTY;
	return -1;
}

static void midway(const char *call)
{
	const char *at = getenv("ETW_FAKE_AT"), *cut = getenv("ETW_FAKE_CUT");
	const char *number = getenv("ETW_FAKE_SIGNAL");

	if (!at || strcmp(at, call))
		return;
	if (cut && truncate(cut, 0))
		abort();
	if (number)
		raise(atoi(number));
}

int madvise(void *address, size_t bytes, int advice)
{
	midway("madvise");
	return ((int (*)(void *, size_t, int))dlsym(RTLD_NEXT, "madvise"))(address, bytes, advice);
}

ssize_t pwrite64(int fd, const void *from, size_t bytes, off64_t at)
{
	static ssize_t (*real)(int fd, const void *from, size_t bytes, off64_t at);
	ssize_t n;

	if (!real)
		real = (ssize_t (*)(int, const void *, size_t, off64_t))dlsym(RTLD_NEXT,
									      "pwrite64");
	n = real(fd, from, bytes, at);
	midway("pwrite");
	return n;
}

int rename(const char *from, const char *to)
{
	midway("rename");
	return ((int (*)(const char *, const char *))dlsym(RTLD_NEXT, "rename"))(from, to);
}

int fclose(FILE *file)
{
	int err = ((int (*)(FILE *))dlsym(RTLD_NEXT, "fclose"))(file);

	midway("fclose");
	return err;
}

static int is_control(int fd)
{
	struct stat stat;

	return !fstat(fd, &stat) && stat.st_ino == control.st_ino && stat.st_dev == control.st_dev;
}

int ioctl(int fd, unsigned long request, ...)
{
	va_list arguments;
	void *arg;

	va_start(arguments, request);
	arg = va_arg(arguments, void *);
	va_end(arguments);
	if (is_control(fd))
		return dispatch(request, arg);
	return ((int (*)(int, unsigned long, ...))dlsym(RTLD_NEXT, "ioctl"))(fd, request, arg);
}

static int open_control(void)
{
	int fd = memfd_create("control", MFD_CLOEXEC);

	fstat(fd, &control);
	return fd;
}

static int fake_open(const char *path, int flags, mode_t mode)
{
	static int (*real)(const char *path, int flags, ...);

	if (!real)
		real = (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, "open");
	if (!strcmp(path, "/dev/etw/control") && getenv("ETW_FAKE_DENY")) {
		errno = EACCES;
		return -1;
	}
	if (!strcmp(path, "/dev/etw/control"))
		return open_control();
	/* it takes no events */
	if (!strcmp(path, "/dev/etw/provider"))
		return real("/dev/null", O_RDWR | O_CLOEXEC);
	/* one that another process started is at its end */
	if (!strcmp(path, "/dev/etw/session5") && stream < 0)
		return real(getenv("ETW_FAKE_STREAM"), O_RDONLY | O_CLOEXEC);
	if (!strcmp(path, "/dev/etw/session5"))
		return stream;
	return real(path, flags, mode);
}

int open(const char *path, int flags, ...)
{
	va_list arguments;
	mode_t mode;

	va_start(arguments, flags);
	mode = flags & O_CREAT ? va_arg(arguments, mode_t) : 0;
	va_end(arguments);
	return fake_open(path, flags, mode);
}

/* The same where offsets have 64 bits anyway */
int open64(const char *path, int flags, ...) __attribute__((alias("open")));
