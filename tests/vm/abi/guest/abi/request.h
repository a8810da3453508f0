/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Requests that succeed, to be spoilt; calls that give an errno; results, for abi.c. */
#ifndef ETW_TEST_ABI_REQUEST_H
#define ETW_TEST_ABI_REQUEST_H

#include "cases.h"
#include "tests/lib/guest/calls.h"
#include "tests/lib/guest/result.h"

#define CONTROL		"/dev/etw/control"

static int control;

/* errno of an ioctl, 0 for success */
static int try_on(int fd, unsigned long cmd, const void *arg)
{
	errno = 0;
	return ioctl(fd, cmd, arg) ? errno : 0;
}

static int try(unsigned long cmd, const void *arg)
{
	return try_on(control, cmd, arg);
}

static __u64 loggers(void)
{
	return list_sessions(control);
}

static void text(struct request *r, size_t unit, const char *from, size_t units)
{
	size_t i;

	for (i = 0; i < units; i++)
		r->text[unit + i] = i < strlen(from) ? from[i] : 'x';
}

/* A request that succeeds */
static void prepare(struct request *r, const char *name)
{
	memset(r, 0, sizeof(*r));
	r->c.size = sizeof(r->c);
	r->c.flags = ETW_START_NO_RUNDOWN;
	r->c.information_size = BLOCK_SIZE;
	r->c.information = (unsigned long)&r->info;
	r->info.wnode.buffer_size = BLOCK_SIZE;
	r->info.wnode.flags = WNODE_FLAG_TRACED_GUID;
	r->info.wnode.client_context = ETW_CLOCK_QPC;
	r->info.buffer_size = 4;
	r->info.maximum_buffers = 8;
	r->info.log_file_mode = MODE_RT;
	r->info.logger_name.length = 2 * strlen(name);
	r->info.logger_name.buffer = sizeof(r->info);
	r->info.log_file_name.length = 2 * 5;
	r->info.log_file_name.buffer = LOG_FILE_TEXT;
	text(r, 0, name, 256);
	text(r, 280, "a.etl", 5);
}

static int start(const char *name, __u32 flags, __u32 *id)
{
	struct request r;
	int err;

	prepare(&r, name);
	if (flags) {
		r.info.log_file_mode = MODE_KERNEL;
		r.info.enable_flags = flags;
	}
	err = try(ETW_IOC_START, &r.c);
	*id = r.c.logger_id;
	return err;
}

static int control_of(unsigned long cmd, __u32 id, __u32 flags)
{
	return on_session(control, cmd, id, flags);
}

static int discard(__u32 id)
{
	return control_of(ETW_IOC_STOP, id, ETW_STOP_DISCARD);
}

static void apply(void *to, const struct patch *patch, int n)
{
	for (; n-- && patch->size; patch++)
		memcpy((char *)to + patch->offset, &patch->value, patch->size);
}

#endif /* ETW_TEST_ABI_REQUEST_H */
