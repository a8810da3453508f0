// SPDX-License-Identifier: GPL-2.0
/* Every error of /dev/etw/control, case by case; nothing may stay after one. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <sched.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include "etw_abi.h"
#include "etw_hooks.h"

#define CONTROL		"/dev/etw/control"
#define TEXT		1100	/* bytes of names in a block */
#define EFAULT_ADDRESS	0x1000UL

static int control;
static int failures;

/**
 * struct request - what START takes, with room behind it
 * @c: argument of the ioctl
 * @tail: what a later version of it could have
 * @info: the block
 * @text: names
 */
struct request {
	struct etw_control c;
	__u8 tail[8192];
	struct wmi_logger_information info;
	__u16 text[TEXT / 2];
};

#define BLOCK_SIZE	(sizeof(struct wmi_logger_information) + TEXT)
#define LOG_FILE_TEXT	(sizeof(struct wmi_logger_information) + 560)

/* One field of a request and its value; size 0 ends a list */
struct patch {
	size_t offset;
	size_t size;
	__u64 value;
};

#define C(member, value)	{ offsetof(struct request, c.member), \
				  sizeof(((struct request *)0)->c.member), value }
#define B(member, value)	{ offsetof(struct request, info.member), \
				  sizeof(((struct request *)0)->info.member), value }
#define TAIL(value)		{ offsetof(struct request, tail), 1, value }
#define UNIT(n, value)		{ offsetof(struct request, text) + 2 * (n), 2, value }
#define AT(member)		offsetof(struct wmi_logger_information, member)

struct start_case {
	const char *name;
	struct patch patch[3];
	int err;
	__u32 offset;
	__u32 reason;
};

#define MODE_RT		EVENT_TRACE_REAL_TIME_MODE
#define MODE_KERNEL	(EVENT_TRACE_SYSTEM_LOGGER_MODE | EVENT_TRACE_REAL_TIME_MODE)
#define FLAGS(value)	{ B(log_file_mode, MODE_KERNEL), B(enable_flags, value) }

static const struct start_case start_cases[] = {
	/* the argument itself */
	{ "size 0", { C(size, 0) }, EINVAL, 0, 0 },
	{ "size one too small", { C(size, 39) }, EINVAL, 0, 0 },
	{ "size over a page", { C(size, 8192) }, EINVAL, 0, 0 },
	{ "larger size, tail set", { C(size, 48), TAIL(1) }, E2BIG, 0, 0 },
	{ "unknown flag", { C(flags, 4) }, EINVAL, 0, 0 },
	{ "all flags", { C(flags, ~0U) }, EINVAL, 0, 0 },
	{ "logger id given", { C(logger_id, 1) }, EINVAL, 0, 0 },
	{ "reserved set", { C(reserved, 1) }, EINVAL, 0, 0 },
	{ "error_offset set", { C(error_offset, 1) }, EINVAL, 1, 0 },
	{ "error_reason set", { C(error_reason, 1) }, EINVAL, 0, 1 },
	{ "error_item set", { C(error_item, 1) }, EINVAL, 0, 0 },
	{ "no block", { C(information_size, 0) }, EINVAL, 0, 0 },
	{ "block one too small", { C(information_size, 0xAF) }, EINVAL, 0, 0 },
	{ "block too large", { C(information_size, 0x10001) }, EINVAL, 0, 0 },
	{ "block of 4 GB", { C(information_size, ~0U) }, EINVAL, 0, 0 },
	{ "block at 0", { C(information, 0) }, EFAULT, 0, 0 },
	{ "block not mapped", { C(information, EFAULT_ADDRESS) }, EFAULT, 0, 0 },
	{ "block in the kernel", { C(information, ~0xFFFFULL) }, EFAULT, 0, 0 },
	/* the block: sizes and reserved fields */
	{ "block says another size", { B(wnode.buffer_size, 0xB0) }, EINVAL,
	  AT(wnode.buffer_size), ETW_REASON_SIZE },
	{ "block says size 0", { B(wnode.buffer_size, 0) }, EINVAL,
	  AT(wnode.buffer_size), ETW_REASON_SIZE },
	{ "wnode flags 0", { B(wnode.flags, 0) }, EINVAL, AT(wnode.flags), ETW_REASON_RANGE },
	{ "wnode flags more", { B(wnode.flags, 0x00030000) }, EINVAL, AT(wnode.flags),
	  ETW_REASON_RANGE },
	{ "provider id", { B(wnode.provider_id, 1) }, EINVAL, AT(wnode.provider_id),
	  ETW_REASON_RESERVED },
	{ "flush threshold", { B(flush_threshold, 1) }, EINVAL, AT(flush_threshold),
	  ETW_REASON_RESERVED },
	{ "v2 options", { B(v2_options, 1ULL << 63) }, EINVAL, AT(v2_options),
	  ETW_REASON_RESERVED },
	{ "log file handle", { B(log_file_handle, 1) }, EINVAL, AT(log_file_handle),
	  ETW_REASON_RESERVED },
	{ "logger extension", { B(logger_extension, 1) }, EINVAL, AT(logger_extension),
	  ETW_REASON_RESERVED },
	/* mode */
	{ "no mode", { B(log_file_mode, 0) }, EINVAL, AT(log_file_mode), ETW_REASON_CONFLICT },
	{ "circular file", { B(log_file_mode, 0x2) }, EOPNOTSUPP, AT(log_file_mode),
	  ETW_REASON_UNSUPPORTED },
	{ "new file mode", { B(log_file_mode, 0x8) }, EOPNOTSUPP, AT(log_file_mode),
	  ETW_REASON_UNSUPPORTED },
	{ "private logger", { B(log_file_mode, 0x800) }, EOPNOTSUPP, AT(log_file_mode),
	  ETW_REASON_UNSUPPORTED },
	{ "unknown mode", { B(log_file_mode, 0x80000100) }, EOPNOTSUPP, AT(log_file_mode),
	  ETW_REASON_UNSUPPORTED },
	{ "buffering and sequential", { B(log_file_mode, 0x401) }, EINVAL, AT(log_file_mode),
	  ETW_REASON_CONFLICT },
	{ "only a flush unit", { B(log_file_mode, 0x10) }, EINVAL, AT(log_file_mode),
	  ETW_REASON_CONFLICT },
	/* buffers */
	{ "buffers of 1 KB", { B(buffer_size, 1) }, EINVAL, AT(buffer_size), ETW_REASON_RANGE },
	{ "buffers of 3 KB", { B(buffer_size, 3) }, EINVAL, AT(buffer_size), ETW_REASON_RANGE },
	{ "buffers of 6 KB", { B(buffer_size, 6) }, EINVAL, AT(buffer_size), ETW_REASON_RANGE },
	{ "buffers of 16383 KB", { B(buffer_size, 16383) }, EINVAL, AT(buffer_size),
	  ETW_REASON_RANGE },
	{ "buffers of 16385 KB", { B(buffer_size, 16385) }, EINVAL, AT(buffer_size),
	  ETW_REASON_RANGE },
	{ "buffers of 16388 KB", { B(buffer_size, 16388) }, EINVAL, AT(buffer_size),
	  ETW_REASON_RANGE },
	{ "buffers of 4 TB", { B(buffer_size, 0xFFFFFFFC) }, EINVAL, AT(buffer_size),
	  ETW_REASON_RANGE },
	{ "minimum above maximum", { B(minimum_buffers, 9), B(maximum_buffers, 8) }, EINVAL,
	  AT(minimum_buffers), ETW_REASON_CONFLICT },
	{ "too many buffers", { B(maximum_buffers, ~0U) }, EINVAL, AT(maximum_buffers),
	  ETW_REASON_RANGE },
	{ "minimum too large", { B(minimum_buffers, ~0U), B(maximum_buffers, 0) }, EINVAL,
	  AT(minimum_buffers), ETW_REASON_RANGE },
	{ "more than the memory", { B(buffer_size, 16384), B(maximum_buffers, 65536) }, ENOMEM,
	  AT(maximum_buffers), ETW_REASON_RANGE },
	{ "flush every 86401 s", { B(flush_timer, 86401) }, EINVAL, AT(flush_timer),
	  ETW_REASON_RANGE },
	{ "flush every 86400001 ms", { B(flush_timer, 86400001), B(log_file_mode, 0x110) },
	  EINVAL, AT(flush_timer), ETW_REASON_RANGE },
	{ "flush after 2^32 - 1 s", { B(flush_timer, ~0U) }, EINVAL, AT(flush_timer),
	  ETW_REASON_RANGE },
	/* clock */
	{ "clock 4", { B(wnode.client_context, 4) }, EINVAL, AT(wnode.client_context),
	  ETW_REASON_RANGE },
	{ "clock 2^32 - 1", { B(wnode.client_context, ~0U) }, EINVAL, AT(wnode.client_context),
	  ETW_REASON_RANGE },
#ifdef __aarch64__
	{ "cycle counter on arm64", { B(wnode.client_context, 3) }, EOPNOTSUPP,
	  AT(wnode.client_context), ETW_REASON_UNSUPPORTED },
#endif
	/* what is enabled */
	{ "flags without a kernel session", { B(enable_flags, EVENT_TRACE_FLAG_CSWITCH) },
	  EINVAL, AT(enable_flags), ETW_REASON_CONFLICT },
	{ "extension", FLAGS(EVENT_TRACE_FLAG_EXTENSION), EOPNOTSUPP, AT(enable_flags),
	  ETW_REASON_UNSUPPORTED },
	{ "extension with an offset", FLAGS(0x80FF00B0), EOPNOTSUPP, AT(enable_flags),
	  ETW_REASON_UNSUPPORTED },
	{ "extension without a kernel session", { B(enable_flags, EVENT_TRACE_FLAG_EXTENSION) },
	  EOPNOTSUPP, AT(enable_flags), ETW_REASON_UNSUPPORTED },
	{ "system calls", FLAGS(EVENT_TRACE_FLAG_SYSTEMCALL), EOPNOTSUPP, AT(enable_flags),
	  ETW_REASON_UNSUPPORTED },
	{ "interrupts", FLAGS(EVENT_TRACE_FLAG_INTERRUPT), EOPNOTSUPP, AT(enable_flags),
	  ETW_REASON_UNSUPPORTED },
	{ "disk", FLAGS(0x100), EOPNOTSUPP, AT(enable_flags), ETW_REASON_UNSUPPORTED },
	{ "known and unknown", FLAGS(EVENT_TRACE_FLAG_CSWITCH | 0x100), EOPNOTSUPP,
	  AT(enable_flags), ETW_REASON_UNSUPPORTED },
	{ "a test source that is not loaded", FLAGS(EVENT_TRACE_FLAG_TEST), EOPNOTSUPP,
	  AT(enable_flags), ETW_REASON_UNSUPPORTED },
	{ "ENABLE_RESERVE", FLAGS(EVENT_TRACE_FLAG_ENABLE_RESERVE), EINVAL, AT(enable_flags),
	  ETW_REASON_RANGE },
	{ "FORWARD_WMI", FLAGS(EVENT_TRACE_FLAG_FORWARD_WMI), EINVAL, AT(enable_flags),
	  ETW_REASON_RANGE },
	/* names */
	{ "no name", { B(logger_name.length, 0) }, EINVAL, AT(logger_name), ETW_REASON_NAME },
	{ "name of odd length", { B(logger_name.length, 3) }, EINVAL, AT(logger_name),
	  ETW_REASON_NAME },
	{ "name too long", { B(logger_name.length, 512) }, EINVAL, AT(logger_name),
	  ETW_REASON_NAME },
	{ "name of 65534 bytes", { B(logger_name.length, 65534) }, EINVAL, AT(logger_name),
	  ETW_REASON_NAME },
	{ "name's padding", { B(logger_name.pad, 1) }, EINVAL, AT(logger_name.pad),
	  ETW_REASON_RESERVED },
	{ "name in the fixed part", { B(logger_name.buffer, 0xAE) }, EINVAL,
	  AT(logger_name.buffer), ETW_REASON_RANGE },
	{ "name at 0", { B(logger_name.buffer, 0) }, EINVAL, AT(logger_name.buffer),
	  ETW_REASON_RANGE },
	{ "name behind the block", { B(logger_name.buffer, BLOCK_SIZE) }, EINVAL,
	  AT(logger_name.buffer), ETW_REASON_RANGE },
	{ "name crosses the end", { B(logger_name.buffer, BLOCK_SIZE - 2) }, EINVAL,
	  AT(logger_name.buffer), ETW_REASON_RANGE },
	{ "name at 2^64 - 2", { B(logger_name.buffer, ~1ULL) }, EINVAL, AT(logger_name.buffer),
	  ETW_REASON_RANGE },
	{ "control character", { UNIT(1, '\n') }, EINVAL,
	  sizeof(struct wmi_logger_information) + 2, ETW_REASON_NAME },
	{ "NUL in the name", { UNIT(2, 0) }, EINVAL,
	  sizeof(struct wmi_logger_information) + 4, ETW_REASON_NAME },
	{ "file name of odd length", { B(log_file_name.length, 5) }, EINVAL, AT(log_file_name),
	  ETW_REASON_NAME },
	{ "file name too long", { B(log_file_name.length, 1024) }, EINVAL, AT(log_file_name),
	  ETW_REASON_NAME },
	{ "file name's padding", { B(log_file_name.pad, 1) }, EINVAL, AT(log_file_name.pad),
	  ETW_REASON_RESERVED },
	{ "file name behind the block", { B(log_file_name.buffer, 1 << 20) }, EINVAL,
	  AT(log_file_name.buffer), ETW_REASON_RANGE },
	{ "control character in the file name", { UNIT(280, 7) }, EINVAL, LOG_FILE_TEXT,
	  ETW_REASON_NAME },
	/* accepted: what stands close to a limit */
	{ "larger size, tail zero", { C(size, 48) }, 0, 0, 0 },
	{ "size of a page, tail zero", { C(size, 4096) }, 0, 0, 0 },
	{ "buffers of 4 KB", { B(buffer_size, 4) }, 0, 0, 0 },
	{ "buffers of 16384 KB", { B(buffer_size, 16384) }, 0, 0, 0 },
	{ "buffer size by default", { B(buffer_size, 0) }, 0, 0, 0 },
	{ "minimum is maximum", { B(minimum_buffers, 8), B(maximum_buffers, 8) }, 0, 0, 0 },
	{ "flush every 86400 s", { B(flush_timer, 86400) }, 0, 0, 0 },
	{ "clock by default", { B(wnode.client_context, 0) }, 0, 0, 0 },
	{ "clock 2", { B(wnode.client_context, 2) }, 0, 0, 0 },
	{ "no file name", { B(log_file_name.length, 0), B(log_file_name.buffer, 0) }, 0, 0, 0 },
	{ "name of 255 units", { B(logger_name.length, 510) }, 0, 0, 0 },
	{ "context swaps", FLAGS(EVENT_TRACE_FLAG_CSWITCH), 0, 0, 0 },
	{ "dispatcher", FLAGS(EVENT_TRACE_FLAG_DISPATCHER), 0, 0, 0 },
	{ "processes, threads, no system configuration", FLAGS(0x10000003), 0, 0, 0 },
};

__attribute__((format(printf, 2, 3)))
static void result(int good, const char *format, ...)
{
	va_list list;

	printf(good ? "ok - " : "not ok - ");
	va_start(list, format);
	vprintf(format, list);
	va_end(list);
	putchar('\n');
	fflush(stdout);
	failures += !good;
}

static const char *error_name(int err)
{
	return err ? strerrorname_np(err) : "success";
}

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
	struct etw_list list = { .size = sizeof(list) };

	if (try(ETW_IOC_LIST, &list))
		return ~0ULL;
	return list.loggers;
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
	struct etw_control c = { .size = sizeof(c), .logger_id = id, .flags = flags };

	return try(cmd, &c);
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

static void test_start(void)
{
	const struct start_case *s;
	struct request r;
	__u64 before;
	size_t i;
	int err, unchanged;

	for (i = 0; i < sizeof(start_cases) / sizeof(start_cases[0]); i++) {
		s = &start_cases[i];
		prepare(&r, "case");
		apply(&r, s->patch, 3);
		before = loggers();
		err = try(ETW_IOC_START, &r.c);
		if (!s->err) {
			result(!err && loggers() == (before | 1ULL << (r.c.logger_id - 1)),
			       "START, %s: accepted (%s, field 0x%x, reason %u)", s->name,
			       error_name(err), r.c.error_offset, r.c.error_reason);
			if (!err)
				discard(r.c.logger_id);
			continue;
		}
		unchanged = loggers() == before;
		if (!err)
			discard(r.c.logger_id);
		result(err == s->err && r.c.error_offset == s->offset &&
		       r.c.error_reason == s->reason && unchanged,
		       "START, %s: %s, field 0x%x, reason %u (%s, 0x%x, %u%s)", s->name,
		       error_name(s->err), s->offset, s->reason, error_name(err),
		       r.c.error_offset, r.c.error_reason, unchanged ? "" : ", LIST changed");
	}
}

/* Other ioctls: a structure, fields of it, and what comes of it */
union argument {
	struct etw_control c;
	struct etw_list l;
	struct etw_statistics s;
	struct etw_log_record r;
	__u8 room[8192];
};

#define P(type, member, value) { offsetof(struct etw_##type, member), \
				 sizeof(((struct etw_##type *)0)->member), value }
#define BEHIND(type, value)	{ sizeof(struct etw_##type), 1, value }
#define CONTROL_SIZE	P(control, size, sizeof(struct etw_control))
#define CONTROL_ID	P(control, logger_id, RUNNING)
#define LIST_SIZE	P(list, size, sizeof(struct etw_list))
#define STAT_SIZE	P(statistics, size, sizeof(struct etw_statistics))
#define STAT_ID		P(statistics, logger_id, RUNNING)
#define RECORD(hook, version_, bytes, where, id) \
	P(log_record, size, sizeof(struct etw_log_record)), P(log_record, logger_id, id), \
	P(log_record, hook_id, hook), P(log_record, version, version_), \
	P(log_record, payload_size, bytes), P(log_record, payload, where)
#define DISK		WMI_LOG_TYPE_CONFIG_PHYSICALDISK

/* Stand-ins for what is known when the cases run only */
#define RUNNING		0xFFFF0001U
#define STOPPED		0xFFFF0002U
#define BUFFER		0xFFFF0003U

static const struct ioctl_case {
	const char *name;
	unsigned long cmd;
	struct patch patch[7];
	int err;
} ioctl_cases[] = {
	{ "ioctl 0xE7 0x00", _IO(ETW_IOC_MAGIC, 0), { { 0 } }, ENOTTY },
	{ "ioctl 0xE7 0x04", _IO(ETW_IOC_MAGIC, 4), { { 0 } }, ENOTTY },
	{ "ioctl 0xE7 0x13", _IO(ETW_IOC_MAGIC, 0x13), { { 0 } }, ENOTTY },
	{ "ioctl 0xE7 0xFF", _IO(ETW_IOC_MAGIC, 0xFF), { { 0 } }, ENOTTY },
	{ "START with a size in its number", _IOWR(ETW_IOC_MAGIC, 1, struct etw_control),
	  { CONTROL_SIZE }, ENOTTY },
	{ "ioctl of another kind", _IO('x', 1), { { 0 } }, ENOTTY },

	{ "LIST", ETW_IOC_LIST, { LIST_SIZE }, 0 },
	{ "LIST, size 0", ETW_IOC_LIST, { { 0 } }, EINVAL },
	{ "LIST, size 15", ETW_IOC_LIST, { P(list, size, 15) }, EINVAL },
	{ "LIST, size over a page", ETW_IOC_LIST, { P(list, size, 4104) }, EINVAL },
	{ "LIST, larger, tail zero", ETW_IOC_LIST, { P(list, size, 24) }, 0 },
	{ "LIST, larger, tail set", ETW_IOC_LIST, { P(list, size, 24), BEHIND(list, 1) }, E2BIG },
	{ "LIST, reserved set", ETW_IOC_LIST, { LIST_SIZE, P(list, reserved, 1) }, EINVAL },

	{ "STATISTICS", ETW_IOC_STATISTICS, { STAT_SIZE, STAT_ID }, 0 },
	{ "STATISTICS of all", ETW_IOC_STATISTICS,
	  { STAT_SIZE, STAT_ID, P(statistics, processor, ~0U) }, 0 },
	{ "STATISTICS, size 151", ETW_IOC_STATISTICS, { P(statistics, size, 151), STAT_ID },
	  EINVAL },
	{ "STATISTICS, larger, tail zero", ETW_IOC_STATISTICS,
	  { P(statistics, size, 160), STAT_ID }, 0 },
	{ "STATISTICS, larger, tail set", ETW_IOC_STATISTICS,
	  { P(statistics, size, 160), STAT_ID, BEHIND(statistics, 1) }, E2BIG },
	{ "STATISTICS, no such processor", ETW_IOC_STATISTICS,
	  { STAT_SIZE, STAT_ID, P(statistics, processor, 100000) }, EINVAL },
	{ "STATISTICS, processor 2^32 - 2", ETW_IOC_STATISTICS,
	  { STAT_SIZE, STAT_ID, P(statistics, processor, ~1U) }, EINVAL },
	{ "STATISTICS of logger 0", ETW_IOC_STATISTICS, { STAT_SIZE }, ENOENT },
	{ "STATISTICS of logger 64", ETW_IOC_STATISTICS,
	  { STAT_SIZE, P(statistics, logger_id, 64) }, ENOENT },
	{ "STATISTICS of logger 65", ETW_IOC_STATISTICS,
	  { STAT_SIZE, P(statistics, logger_id, 65) }, ENOENT },
	{ "STATISTICS of logger 2^32 - 1", ETW_IOC_STATISTICS,
	  { STAT_SIZE, P(statistics, logger_id, ~0U) }, ENOENT },

	{ "QUERY", ETW_IOC_QUERY, { CONTROL_SIZE, CONTROL_ID, P(control, information_size, 8192),
				    P(control, information, BUFFER) }, 0 },
	{ "QUERY, size 39", ETW_IOC_QUERY, { P(control, size, 39), CONTROL_ID }, EINVAL },
	{ "QUERY, a flag", ETW_IOC_QUERY, { CONTROL_SIZE, CONTROL_ID, P(control, flags, 1) },
	  EINVAL },
	{ "QUERY, reserved set", ETW_IOC_QUERY,
	  { CONTROL_SIZE, CONTROL_ID, P(control, reserved, 1) }, EINVAL },
	{ "QUERY, no block", ETW_IOC_QUERY, { CONTROL_SIZE, CONTROL_ID }, EINVAL },
	{ "QUERY, block one too small", ETW_IOC_QUERY,
	  { CONTROL_SIZE, CONTROL_ID, P(control, information_size, 0xAF),
	    P(control, information, BUFFER) }, EINVAL },
	{ "QUERY, no room for the names", ETW_IOC_QUERY,
	  { CONTROL_SIZE, CONTROL_ID, P(control, information_size, 0xB0),
	    P(control, information, BUFFER) }, ENOSPC },
	{ "QUERY, block at 0", ETW_IOC_QUERY,
	  { CONTROL_SIZE, CONTROL_ID, P(control, information_size, 8192) }, EFAULT },
	{ "QUERY, block not mapped", ETW_IOC_QUERY,
	  { CONTROL_SIZE, CONTROL_ID, P(control, information_size, 8192),
	    P(control, information, EFAULT_ADDRESS) }, EFAULT },
	{ "QUERY of logger 0", ETW_IOC_QUERY, { CONTROL_SIZE }, ENOENT },
	{ "QUERY of logger 64", ETW_IOC_QUERY, { CONTROL_SIZE, P(control, logger_id, 64) },
	  ENOENT },
	{ "QUERY of logger 65", ETW_IOC_QUERY, { CONTROL_SIZE, P(control, logger_id, 65) },
	  ENOENT },

	{ "FLUSH", ETW_IOC_FLUSH, { CONTROL_SIZE, CONTROL_ID }, 0 },
	{ "FLUSH, size 39", ETW_IOC_FLUSH, { P(control, size, 39), CONTROL_ID }, EINVAL },
	{ "FLUSH, a flag", ETW_IOC_FLUSH, { CONTROL_SIZE, CONTROL_ID, P(control, flags, 1) },
	  EINVAL },
	{ "FLUSH, larger, tail set", ETW_IOC_FLUSH,
	  { P(control, size, 48), CONTROL_ID, BEHIND(control, 1) }, E2BIG },
	{ "FLUSH of a stopped session", ETW_IOC_FLUSH,
	  { CONTROL_SIZE, P(control, logger_id, STOPPED) }, EALREADY },
	{ "FLUSH of logger 0", ETW_IOC_FLUSH, { CONTROL_SIZE }, ENOENT },
	{ "FLUSH of logger 2^32 - 1", ETW_IOC_FLUSH,
	  { CONTROL_SIZE, P(control, logger_id, ~0U) }, ENOENT },

	{ "STOP, size 39", ETW_IOC_STOP, { P(control, size, 39), CONTROL_ID }, EINVAL },
	{ "STOP, unknown flag", ETW_IOC_STOP,
	  { CONTROL_SIZE, CONTROL_ID, P(control, flags, 2) }, EINVAL },
	{ "STOP, error_item set", ETW_IOC_STOP,
	  { CONTROL_SIZE, CONTROL_ID, P(control, error_item, 1) }, EINVAL },
	{ "STOP, twice", ETW_IOC_STOP, { CONTROL_SIZE, P(control, logger_id, STOPPED) },
	  EALREADY },
	{ "STOP of logger 0", ETW_IOC_STOP, { CONTROL_SIZE }, ENOENT },
	{ "STOP of logger 64", ETW_IOC_STOP, { CONTROL_SIZE, P(control, logger_id, 64) },
	  ENOENT },
	{ "STOP of logger 65", ETW_IOC_STOP, { CONTROL_SIZE, P(control, logger_id, 65) },
	  ENOENT },

	{ "LOG_RECORD", ETW_IOC_LOG_RECORD, { RECORD(DISK, 2, 568, BUFFER, RUNNING) }, 0 },
	{ "LOG_RECORD, size 31", ETW_IOC_LOG_RECORD, { P(log_record, size, 31) }, EINVAL },
	{ "LOG_RECORD, larger, tail set", ETW_IOC_LOG_RECORD,
	  { P(log_record, size, 40), BEHIND(log_record, 1) }, E2BIG },
	{ "LOG_RECORD, reserved set", ETW_IOC_LOG_RECORD,
	  { RECORD(DISK, 2, 568, BUFFER, RUNNING), P(log_record, reserved, 1) }, EINVAL },
	{ "LOG_RECORD, version 0", ETW_IOC_LOG_RECORD,
	  { RECORD(DISK, 0, 568, BUFFER, RUNNING) }, EINVAL },
	{ "LOG_RECORD, version 256", ETW_IOC_LOG_RECORD,
	  { RECORD(DISK, 256, 568, BUFFER, RUNNING) }, EINVAL },
	{ "LOG_RECORD, empty", ETW_IOC_LOG_RECORD, { RECORD(DISK, 2, 0, BUFFER, RUNNING) },
	  EINVAL },
	{ "LOG_RECORD, 4097 bytes", ETW_IOC_LOG_RECORD,
	  { RECORD(DISK, 2, 4097, BUFFER, RUNNING) }, E2BIG },
	{ "LOG_RECORD, 4 GB", ETW_IOC_LOG_RECORD, { RECORD(DISK, 2, ~0U, BUFFER, RUNNING) },
	  E2BIG },
	{ "LOG_RECORD, payload at 0", ETW_IOC_LOG_RECORD, { RECORD(DISK, 2, 568, 0, RUNNING) },
	  EFAULT },
	{ "LOG_RECORD, payload not mapped", ETW_IOC_LOG_RECORD,
	  { RECORD(DISK, 2, 568, EFAULT_ADDRESS, RUNNING) }, EFAULT },
	{ "LOG_RECORD, a record that is the kernel's", ETW_IOC_LOG_RECORD,
	  { RECORD(WMI_LOG_TYPE_CONFIG_CPU, 3, 568, BUFFER, RUNNING) }, EINVAL },
	{ "LOG_RECORD, a context swap", ETW_IOC_LOG_RECORD,
	  { RECORD(PERFINFO_LOG_TYPE_CONTEXTSWAP, 4, 24, BUFFER, RUNNING) }, EINVAL },
	{ "LOG_RECORD to a stopped session", ETW_IOC_LOG_RECORD,
	  { RECORD(DISK, 2, 568, BUFFER, STOPPED) }, EALREADY },
	{ "LOG_RECORD to logger 0", ETW_IOC_LOG_RECORD, { RECORD(DISK, 2, 568, BUFFER, 0) },
	  ENOENT },
};

static void test_ioctls(void)
{
	static const unsigned long all[] = {
		ETW_IOC_START, ETW_IOC_STOP, ETW_IOC_QUERY, ETW_IOC_FLUSH, ETW_IOC_LIST,
		ETW_IOC_STATISTICS, ETW_IOC_LOG_RECORD,
	};
	static __u8 buffer[8192];
	const struct ioctl_case *k;
	union argument a;
	struct patch patch;
	__u32 running, stopped;
	__u64 before;
	size_t i, j;
	int err;

	if (start("running", EVENT_TRACE_FLAG_CSWITCH, &running) ||
	    start("stopped", 0, &stopped) || control_of(ETW_IOC_STOP, stopped, 0)) {
		result(0, "sessions for the cases");
		return;
	}
	before = loggers();
	for (i = 0; i < sizeof(ioctl_cases) / sizeof(ioctl_cases[0]); i++) {
		k = &ioctl_cases[i];
		memset(&a, 0, sizeof(a));
		for (j = 0; j < 7 && k->patch[j].size; j++) {
			patch = k->patch[j];
			if (patch.value == RUNNING)
				patch.value = running;
			else if (patch.value == STOPPED)
				patch.value = stopped;
			else if (patch.value == BUFFER)
				patch.value = (unsigned long)buffer;
			apply(&a, &patch, 1);
		}
		err = try(k->cmd, &a);
		result(err == k->err && loggers() == before, "%s: %s (%s%s)", k->name,
		       error_name(k->err), error_name(err),
		       loggers() == before ? "" : ", LIST changed");
	}
	for (i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		err = try(all[i], NULL);
		result(err == EFAULT, "ioctl 0x%lx at 0: EFAULT (%s)", all[i], error_name(err));
		err = try(all[i], (void *)EFAULT_ADDRESS);
		result(err == EFAULT, "ioctl 0x%lx not mapped: EFAULT (%s)", all[i],
		       error_name(err));
	}
	result(loggers() == before, "LIST is unchanged after all of it");
	result(!discard(running) && !discard(stopped) && !loggers(), "both are discarded");
	result(discard(running) == ENOENT, "STOP of what is gone: ENOENT");
}

/* Nobody learned the id of a session whose START could not answer. */
static void test_answer(void)
{
	size_t size = (sizeof(struct request) + 4095) & ~4095UL;
	struct request *r = mmap(NULL, size, PROT_READ | PROT_WRITE,
				 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct request copy;
	char *page = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int err;

	prepare(r, "read only");
	mprotect(r, size, PROT_READ);
	err = try(ETW_IOC_START, &r->c);
	result(err == EFAULT && !loggers(), "START, all read-only: EFAULT and no session (%s)",
	       error_name(err));

	prepare(&copy, "read only block");
	copy.c.information = (unsigned long)&r->info;
	err = try(ETW_IOC_START, &copy.c);
	result(err == EFAULT && !loggers(), "START, block read-only: EFAULT and no session (%s)",
	       error_name(err));

	munmap(page + 4096, 4096);
	memcpy(page + 4096 - 20, &copy.c, 20);
	err = try(ETW_IOC_START, page + 4096 - 20);
	result(err == EFAULT && !loggers(), "START, half of it mapped: EFAULT (%s)",
	       error_name(err));
	munmap(page, 4096);
	munmap(r, size);
}

static void test_names(void)
{
	struct request r;
	__u32 id;
	int err;

	err = start("twin", 0, &id);
	result(!err, "a session named twin (%s)", error_name(err));
	prepare(&r, "twin");
	err = try(ETW_IOC_START, &r.c);
	result(err == EEXIST && r.c.error_offset == AT(logger_name) &&
	       r.c.error_reason == ETW_REASON_IN_USE && loggers() == 1ULL << (id - 1),
	       "another twin: EEXIST, field 0x%x, reason %u (%s)", r.c.error_offset,
	       r.c.error_reason, error_name(err));
	control_of(ETW_IOC_STOP, id, 0);
	err = try(ETW_IOC_START, (r.c.error_offset = r.c.error_reason = 0, &r.c));
	result(err == EEXIST, "twin, stopped but not read: EEXIST (%s)", error_name(err));
	discard(id);
	err = start("twin", 0, &id);
	result(!err, "twin again after it was discarded (%s)", error_name(err));
	discard(id);
}

static void test_numbers(__u32 flags, int most, const char *what)
{
	char name[32];
	__u32 id;
	__u64 full;
	int i, err;

	for (i = 0; i < most; i++) {
		snprintf(name, sizeof(name), "%s %d", what, i);
		err = start(name, flags, &id);
		if (err) {
			result(0, "%s session %d of %d: %s", what, i + 1, most, error_name(err));
			break;
		}
	}
	full = loggers();
	err = start("one more", flags, &id);
	result(err == ENOSPC && loggers() == full, "%s session %d: ENOSPC (%s)", what, most + 1,
	       error_name(err));
	if (flags) {
		err = start("no kernel session", 0, &id);
		result(!err, "a session without kernel events beside %d with (%s)", most,
		       error_name(err));
	}
	for (i = 1; i <= ETW_MAX_LOGGERS; i++)
		discard(i);
	result(!loggers(), "all are discarded");
}

static void test_node(void)
{
	char node[32], byte;
	int fd, second;
	__u32 id;

	start("node", EVENT_TRACE_FLAG_CSWITCH, &id);
	snprintf(node, sizeof(node), "/dev/etw/session%u", id);
	fd = open(node, O_RDONLY);
	result(fd >= 0, "the node opens");
	second = open(node, O_RDONLY);
	result(second < 0 && errno == EBUSY, "a second consumer: EBUSY (%s)",
	       second < 0 ? error_name(errno) : "opened");
	errno = 0;
	result(pread(fd, &byte, 1, 0) < 0 && errno == ESPIPE, "pread(): ESPIPE (%s)",
	       error_name(errno));
	errno = 0;
	result(lseek(fd, 0, SEEK_SET) < 0 && errno == ESPIPE, "lseek(): ESPIPE (%s)",
	       error_name(errno));
	errno = 0;
	result(mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0) == MAP_FAILED && errno == ENODEV,
	       "mmap(): ENODEV (%s)", error_name(errno));
	errno = 0;
	result(read(fd, (void *)EFAULT_ADDRESS, 4096) < 0 && errno == EFAULT,
	       "read() to nowhere: EFAULT (%s)", error_name(errno));
	result(read(fd, &byte, 0) == 0, "read() of nothing: 0");
	result(try_on(fd, ETW_IOC_LIST, &byte) == ENOTTY, "an ioctl on the node: ENOTTY");
	close(fd);
	fd = open(node, O_RDONLY);
	result(fd >= 0, "a consumer after the first has left");
	close(fd);
	discard(id);
	fd = open(node, O_RDONLY);
	result(fd < 0 && (errno == ENOENT || errno == ENXIO), "the node of a discarded one: %s",
	       error_name(errno));
}

/* What a child finds when it opens a file: errno, 0 for success */
static int open_as(const char *file, void (*become)(void))
{
	int status;
	pid_t pid = fork();

	if (!pid) {
		become();
		_exit(open(file, O_RDONLY) < 0 ? errno : 0);
	}
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void user(void)
{
	if (setgid(1000) || setuid(1000))
		_exit(255);
}

static void user_in_namespace(void)
{
	user();
	if (unshare(CLONE_NEWUSER))
		_exit(254);
}

static void root_in_namespace(void)
{
	if (unshare(CLONE_NEWUSER))
		_exit(254);
}

static void user_with(int capability)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2] = { 0 };

	prctl(PR_SET_KEEPCAPS, 1);
	user();
	data[capability / 32].permitted = 1U << capability % 32;
	data[capability / 32].effective = 1U << capability % 32;
	if (syscall(SYS_capset, &header, data))
		_exit(253);
}

static void user_with_perfmon(void)
{
	user_with(CAP_PERFMON);
}

static void user_with_syslog(void)
{
	user_with(CAP_SYSLOG);
}

static void test_access(void)
{
	static const struct {
		const char *who;
		void (*become)(void);
		int err;
	} cases[] = {
		{ "uid 1000", user, EACCES },
		{ "uid 1000, root of a user namespace", user_in_namespace, EACCES },
		{ "uid 0, in a user namespace", root_in_namespace, EACCES },
		{ "uid 1000 with CAP_SYSLOG", user_with_syslog, EACCES },
		{ "uid 1000 with CAP_PERFMON", user_with_perfmon, 0 },
	};
	struct stat st = { 0 };
	char node[32];
	__u32 id;
	size_t i;
	int err;

	result(!stat(CONTROL, &st) && S_ISCHR(st.st_mode) && (st.st_mode & 0777) == 0600 &&
	       !st.st_uid, "the control node is root's, mode 0600 (%o)", st.st_mode & 0777);
	/* let the module itself decide */
	chmod(CONTROL, 0666);
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		err = open_as(CONTROL, cases[i].become);
		result(err == cases[i].err, "%s opens " CONTROL " (mode 0666): %s (%s)",
		       cases[i].who, error_name(cases[i].err), error_name(err));
	}
	chmod(CONTROL, 0600);

	start("node", 0, &id);
	snprintf(node, sizeof(node), "/dev/etw/session%u", id);
	result(!stat(node, &st) && (st.st_mode & 0777) == 0400 && !st.st_uid,
	       "a session's node is root's, mode 0400 (%o)", st.st_mode & 0777);
	err = open_as(node, user);
	result(err == EACCES, "uid 1000 opens a session's node: EACCES (%s)", error_name(err));
	chown(node, 1000, 1000);
	err = open_as(node, user);
	result(!err, "uid 1000 opens a session's node that was given to it (%s)",
	       error_name(err));
	discard(id);
}

/* Properties come back as given, or as used. */
static void test_query(void)
{
	struct request r;
	struct {
		struct wmi_logger_information info;
		__u16 text[800];
	} answer;
	struct etw_control c = {
		.size = sizeof(c), .information_size = sizeof(answer),
		.information = (unsigned long)&answer,
	};
	int err;

	prepare(&r, "query");
	r.info.log_file_mode = MODE_KERNEL;
	r.info.enable_flags = EVENT_TRACE_FLAG_CSWITCH;
	r.info.flush_timer = 7;
	r.info.maximum_file_size = 99;
	try(ETW_IOC_START, &r.c);
	c.logger_id = r.c.logger_id;
	err = try(ETW_IOC_QUERY, &c);
	result(!err && answer.info.buffer_size == 4 && answer.info.flush_timer == 7 &&
	       answer.info.maximum_file_size == 99 &&
	       answer.info.enable_flags == EVENT_TRACE_FLAG_CSWITCH &&
	       answer.info.log_file_mode == MODE_KERNEL &&
	       answer.info.wnode.historical_context == c.logger_id &&
	       answer.info.number_of_buffers >= 2 &&
	       answer.info.free_buffers <= answer.info.number_of_buffers &&
	       answer.info.events_lost == 0 && answer.info.real_time_consumer_count == 0,
	       "QUERY gives the properties");
	result(answer.info.logger_name.length == 10 &&
	       answer.info.logger_name.buffer + 10 <= answer.info.wnode.buffer_size &&
	       !memcmp((char *)&answer + answer.info.logger_name.buffer, r.text, 10) &&
	       answer.info.log_file_name.length == 10 &&
	       !memcmp((char *)&answer + answer.info.log_file_name.buffer, r.text + 280, 10),
	       "QUERY gives both names");
	result(!memcmp(&answer.info.buffer_size, &r.info.buffer_size, 7 * 4),
	       "START answers with the same");
	discard(c.logger_id);
}

int main(void)
{
	control = open(CONTROL, O_RDWR | O_CLOEXEC);
	if (control < 0) {
		result(0, "open " CONTROL ": %s", error_name(errno));
		return 1;
	}
	result(!loggers(), "LIST is empty at first");
	test_start();
	test_ioctls();
	test_answer();
	test_names();
	test_numbers(0, ETW_MAX_LOGGERS, "plain");
	test_numbers(EVENT_TRACE_FLAG_CSWITCH, ETW_MAX_KERNEL_LOGGERS, "kernel");
	test_node();
	test_access();
	test_query();
	result(!loggers(), "LIST is empty at last");
	return !!failures;
}
