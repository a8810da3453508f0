/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* failnth: programs' events, registrations, ENABLE: what fails wrote and left nothing. */
#ifndef ETW_TEST_FAILNTH_PROVIDER_H
#define ETW_TEST_FAILNTH_PROVIDER_H

#include <sys/mman.h>
#include "etw_provider.h"
#include "operations.h"

#define PROVIDER	"/dev/etw/provider"
#define LARGE_EVENT	4096
#define MANY_ARGUMENTS	20
#define MANY_PIECES	9

static __u8 event[LARGE_EVENT];	/* a struct event_trace_header and data */
static void *page;
static __u32 entry;	/* of the registration */

static int open_provider_run(const struct operation *op)
{
	(void)op;
	file = open(PROVIDER, O_RDWR | O_CLOEXEC);
	return file < 0 ? errno : 0;
}

/* A session, and an event of @size bytes with these flags for it */
static int event_prepare(const struct operation *op, __u16 size, __u32 flags)
{
	struct event_trace_header header = { .size = size, .flags = flags };
	__u64 handle;

	if (session_prepare(op) || open_provider_run(op))
		return 1;
	handle = id;
	memset(event, 0, sizeof(event));
	memcpy(event, &header, sizeof(header));
	memcpy(event + offsetof(struct event_trace_header, thread_id), &handle, sizeof(handle));
	return 0;
}

static int small_prepare(const struct operation *op)
{
	return event_prepare(op, 200, 0);
}

static int large_prepare(const struct operation *op)
{
	return event_prepare(op, LARGE_EVENT, 0);
}

/* In two fields, which are the same bytes */
static int fields_prepare(const struct operation *op)
{
	struct mof_field fields[2] = {
		{ .data_ptr = (unsigned long)event, .length = 1000 },
		{ .data_ptr = (unsigned long)event, .length = 1000 },
	};
	int err = event_prepare(op, 0x30 + sizeof(fields), WNODE_FLAG_USE_MOF_PTR);

	memcpy(event + 0x30, fields, sizeof(fields));
	return err;
}

static int trace_event_run(const struct operation *op)
{
	struct etw_trace_event argument = {
		.size = sizeof(argument), .session_handle = id, .event = (unsigned long)event,
	};

	(void)op;
	return ioctl(file, ETW_PROVIDER_TRACE_EVENT, &argument) ? errno : 0;
}

static int write_run(const struct operation *op)
{
	__u16 size;

	(void)op;
	memcpy(&size, event, sizeof(size));
	return write(file, event, size) == size ? 0 : errno;
}

static int message_run(const struct operation *op)
{
	struct etw_message_argument arguments[MANY_ARGUMENTS];
	struct etw_trace_message message = {
		.size = sizeof(message), .session_handle = id,
		.arguments = (unsigned long)arguments, .nr_arguments = MANY_ARGUMENTS,
	};
	int i;

	(void)op;
	for (i = 0; i < MANY_ARGUMENTS; i++)
		arguments[i] = (struct etw_message_argument){ (unsigned long)event, 100 };
	return ioctl(file, ETW_PROVIDER_TRACE_MESSAGE, &message) ? errno : 0;
}

/* A registration of a provider that the session has enabled */
static int keywords_prepare(const struct operation *op)
{
	struct etw_provider_register argument = { .size = sizeof(argument), .guid.data1 = 3 };
	struct etw_enable enable = { .size = sizeof(enable), .enabled = 1, .guid.data1 = 3 };

	if (small_prepare(op) || ioctl(file, ETW_PROVIDER_REGISTER, &argument))
		return 1;
	entry = argument.index;
	enable.logger_id = id;
	return ioctl(control, ETW_IOC_ENABLE, &enable) ? 1 : 0;
}

/* More pieces, and more bytes, than the kernel has space for on its stack */
static int write_event_run(const struct operation *op)
{
	struct etw_event_data pieces[MANY_PIECES];
	struct etw_write_event argument = {
		.size = sizeof(argument), .index = entry, .provider.data1 = 3,
		.nr_data = MANY_PIECES, .data = (unsigned long)pieces,
	};
	int i;

	(void)op;
	for (i = 0; i < MANY_PIECES; i++)
		pieces[i] = (struct etw_event_data){ .data = (unsigned long)event, .size = 50 };
	return ioctl(file, ETW_PROVIDER_WRITE_EVENT, &argument) ? errno : 0;
}

/* An event that there was no memory for was none: not written, not lost */
static int event_finish(const struct operation *op, int err)
{
	struct etw_statistics s;
	__u64 written;

	close(file);
	if (session_statistics(control, id, &s))
		return 1;
	written = s.read + s.buffered + s.overwritten - s.internal;
	if (written != !err || all_lost(&s))
		printf("# %llu written, %llu lost\n", (unsigned long long)written,
		       (unsigned long long)all_lost(&s));
	return (written != !err) | !!all_lost(&s) | session_finish(op, err);
}

static int providers_known(void)
{
	struct etw_providers p = {
		.size = sizeof(p), .entry_size = sizeof(struct etw_provider_info),
	};

	return ioctl(control, ETW_IOC_PROVIDERS, &p) ? -1 : (int)p.count;
}

static int register_run(const struct operation *op)
{
	struct etw_provider_register argument = { .size = sizeof(argument), .guid.data1 = 1 };

	(void)op;
	return ioctl(file, ETW_PROVIDER_REGISTER, &argument) ? errno : 0;
}

static int register_finish(const struct operation *op, int err)
{
	int known = providers_known();

	(void)op;
	close(file);
	if (known != !err || providers_known())
		printf("# %d providers, then %d\n", known, providers_known());
	return (known != !err) | (providers_known() != 0);
}

static int map_run(const struct operation *op)
{
	(void)op;
	page = mmap(NULL, 4096, PROT_READ, MAP_SHARED, file, 0);
	return page == MAP_FAILED ? errno : 0;
}

static int map_finish(const struct operation *op, int err)
{
	const struct etw_provider_page *p = page;
	int bad = !err && p->version != 1;

	(void)op;
	if (!err)
		munmap(page, 4096);
	close(file);
	return bad;
}

static int poll_finish(const struct operation *op, int err)
{
	(void)op;
	(void)err;
	return close(file);
}

/* It says so instead of an errno. */
static int poll_run(const struct operation *op)
{
	struct pollfd p = { .fd = file, .events = POLLPRI };

	(void)op;
	if (poll(&p, 1, 0) < 0)
		return errno;
	return p.revents & POLLERR ? ENOMEM : 0;
}

static int enable_run(const struct operation *op)
{
	static const __u32 pid = 1;
	const struct etw_event_filter filter = {
		.data = (unsigned long)&pid, .size = sizeof(pid), .type = ETW_FILTER_PID,
	};
	struct etw_enable argument = {
		.size = sizeof(argument), .logger_id = id, .enabled = 1, .guid.data1 = 2,
		.nr_filters = 1, .filters = (unsigned long)&filter,
	};

	(void)op;
	return ioctl(control, ETW_IOC_ENABLE, &argument) ? errno : 0;
}

static int enable_finish(const struct operation *op, int err)
{
	int known = providers_known(), bad = session_finish(op, err);

	if (known != !err || providers_known())
		printf("# %d providers, then %d\n", known, providers_known());
	return bad | (known != !err) | (providers_known() != 0);
}

static int providers_prepare(const struct operation *op)
{
	return session_prepare(op) || enable_run(op);
}

static int providers_run(const struct operation *op)
{
	static struct etw_provider_info info[4];
	struct etw_providers p = {
		.size = sizeof(p), .count = 4, .providers = (unsigned long)info,
		.entry_size = sizeof(info[0]),
	};

	(void)op;
	return ioctl(control, ETW_IOC_PROVIDERS, &p) ? errno : 0;
}

#define EVENT(name_, prepare_, run_) \
	{ .name = name_, WISH("events", 64, 8, 0, 0), .prepare = prepare_, .run = run_, \
	  .finish = event_finish }
#define OF_PROVIDER(name_, run_, finish_) \
	{ .name = name_, .prepare = open_provider_run, .run = run_, .finish = finish_ }

#define PROVIDER_OPERATIONS \
	{ .name = "open of provider", .run = open_provider_run, .finish = close_finish }, \
	EVENT("TRACE_EVENT", small_prepare, trace_event_run), \
	EVENT("TRACE_EVENT, 4 KB", large_prepare, trace_event_run), \
	EVENT("TRACE_EVENT, two fields of 1000 bytes", fields_prepare, trace_event_run), \
	EVENT("write() of an event of 4 KB", large_prepare, write_run), \
	EVENT("TRACE_MESSAGE, 20 arguments of 100 bytes", small_prepare, message_run), \
	EVENT("WRITE_EVENT, 9 pieces of 50 bytes", keywords_prepare, write_event_run), \
	OF_PROVIDER("REGISTER", register_run, register_finish), \
	OF_PROVIDER("mmap of the provider's page", map_run, map_finish), \
	OF_PROVIDER("poll of the provider", poll_run, poll_finish), \
	{ .name = "ENABLE", WISH("enable", 4, 4, 0, 0), ON(enable_run, enable_finish) }, \
	{ .name = "PROVIDERS", WISH("list", 4, 4, 0, 0), .prepare = providers_prepare, \
	  .run = providers_run, .finish = session_finish }

#endif /* ETW_TEST_FAILNTH_PROVIDER_H */
