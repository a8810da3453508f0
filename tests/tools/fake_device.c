// SPDX-License-Identifier: GPL-2.0
/* LD_PRELOAD: stands in for /dev/etw, with one session whose stream is a file. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "etw_abi.h"
#include "etw_hooks.h"

/*
 * ETW_FAKE_STREAM: what the session delivers, all of it at once; end of file
 * comes with STOP. ETW_FAKE_REFUSE: START fails with EINVAL and this reason.
 * ETW_FAKE_LOG: one line for each ioctl.
 */
static int control = -1, stream = -1, feed = -1;

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

static int start(struct etw_control *arg)
{
	struct wmi_logger_information *info = (void *)(uintptr_t)arg->information;
	const char *path = getenv("ETW_FAKE_STREAM"), *refuse = getenv("ETW_FAKE_REFUSE");
	static char bytes[65536];
	int ends[2];
	FILE *file;
	size_t n;

	note("start flags %x events %x mode %x clock %u kb %u buffers %u flush %u\n", arg->flags,
	     info->enable_flags, info->log_file_mode, info->wnode.client_context,
	     info->buffer_size, info->maximum_buffers, info->flush_timer);
	if (refuse) {
		arg->error_reason = atoi(refuse);
		arg->error_offset = offsetof(struct wmi_logger_information, buffer_size);
		errno = EINVAL;
		return -1;
	}
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

static int query(struct etw_control *arg)
{
	struct wmi_logger_information *info = (void *)(uintptr_t)arg->information;

	memset(info, 0, sizeof(*info));
	info->buffer_size = 4;
	info->events_lost = 17;
	info->log_buffers_lost = 2;
	info->enable_flags = 0x813;
	info->log_file_mode = EVENT_TRACE_REAL_TIME_MODE;
	info->wnode.client_context = ETW_CLOCK_QPC;
	memcpy(info + 1, "f\0a\0k\0e\0", 8);
	info->logger_name = (struct etw_unicode_string){ .length = 8, .buffer = sizeof(*info) };
	return 0;
}

static int statistics(struct etw_statistics *arg)
{
	arg->state = ETW_SESSION_RUNNING;
	arg->read = 1234;
	arg->lost[ETW_LOSS_NO_BUFFER] = 10;
	arg->lost[ETW_LOSS_NMI] = 7;
	arg->buffers_read = 3;
	arg->buffer_size = 4096;
	arg->processors = 2;
	return 0;
}

static int dispatch(unsigned long request, void *arg)
{
	struct etw_log_record *record = arg;

	switch (request) {
	case ETW_IOC_START:
		return start(arg);
	case ETW_IOC_STOP:
		note("stop flags %x\n", ((struct etw_control *)arg)->flags);
		close(feed);
		return 0;
	case ETW_IOC_QUERY:
		return query(arg);
	case ETW_IOC_STATISTICS:
		return statistics(arg);
	case ETW_IOC_FLUSH:
		note("flush\n");
		return 0;
	case ETW_IOC_LIST:
		((struct etw_list *)arg)->loggers = 1 << 4;
		return 0;
	case ETW_IOC_LOG_RECORD:
		note("record %04x version %u size %u\n", record->hook_id, record->version,
		     record->payload_size);
		return 0;
	}
	errno = ENOTTY;
	return -1;
}

int ioctl(int fd, unsigned long request, ...)
{
	va_list arguments;
	void *arg;

	va_start(arguments, request);
	arg = va_arg(arguments, void *);
	va_end(arguments);
	if (fd == control)
		return dispatch(request, arg);
	return ((int (*)(int, unsigned long, ...))dlsym(RTLD_NEXT, "ioctl"))(fd, request, arg);
}

static int fake_open(const char *path, int flags, mode_t mode)
{
	static int (*real)(const char *path, int flags, ...);

	if (!real)
		real = (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, "open");
	if (!strcmp(path, "/dev/etw/control"))
		return control = real("/dev/null", O_RDWR | O_CLOEXEC);
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

int open64(const char *path, int flags, ...)
{
	va_list arguments;
	mode_t mode;

	va_start(arguments, flags);
	mode = flags & O_CREAT ? va_arg(arguments, mode_t) : 0;
	va_end(arguments);
	return fake_open(path, flags, mode);
}
