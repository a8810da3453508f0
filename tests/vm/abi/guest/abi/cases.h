/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Requests to /dev/etw/control and what must come of each, for abi.c. */
#ifndef ETW_TEST_ABI_CASES_H
#define ETW_TEST_ABI_CASES_H

#include <errno.h>
#include <stddef.h>
#include "etw_abi.h"
#include "etw_hooks.h"
#include "enable.h"
#include "unwind.h"

#define TEXT		1100	/* bytes of names in a block */
#define EFAULT_ADDRESS	0x1000UL

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
#define UNIT(n, value)		{ offsetof(struct request, text) + 2 * (n), \
				  (value) >> 16 ? 4 : 2, value }
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
	{ "unknown flag", { C(flags, 8) }, EINVAL, 0, 0 },
	{ "all flags", { C(flags, ~0U) }, EINVAL, 0, 0 },
	{ "logger id given", { C(logger_id, 1) }, EINVAL, 0, 0 },
	{ "error_processor set", { C(error_processor, 1) }, EINVAL, 0, 0 },
	{ "error_offset set", { C(error_offset, 1) }, EINVAL, 1, 0 },
	{ "error_reason set", { C(error_reason, 1) }, EINVAL, 0, 1 },
	{ "error_item set", { C(error_item, 1) }, EINVAL, 0, 0 },
	{ "no block", { C(information_size, 0) }, EINVAL, 0, 0 },
	{ "block one too small", { C(information_size, 0xAF) }, EINVAL, 0, 0 },
	{ "block too large", { C(information_size, ETW_MAX_INFORMATION + 1) }, EINVAL, 0, 0 },
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
	{ "circular file without a size", { B(log_file_mode, 0x2) }, EINVAL,
	  AT(maximum_file_size), ETW_REASON_MISSING },
	{ "new files without a size", { B(log_file_mode, 0x8) }, EINVAL,
	  AT(maximum_file_size), ETW_REASON_MISSING },
	{ "new files, no %d in the name", { B(log_file_mode, 0x8), B(maximum_file_size, 1) },
	  EINVAL, AT(log_file_name), ETW_REASON_NAME },
	{ "circular and sequential", { B(log_file_mode, 0x3), B(maximum_file_size, 1) }, EINVAL,
	  AT(log_file_mode), ETW_REASON_CONFLICT },
	{ "circular and new files", { B(log_file_mode, 0xA), B(maximum_file_size, 1) }, EINVAL,
	  AT(log_file_mode), ETW_REASON_CONFLICT },
	{ "buffering and circular", { B(log_file_mode, 0x402), B(maximum_file_size, 1) },
	  EINVAL, AT(log_file_mode), ETW_REASON_CONFLICT },
	{ "both counts of messages", { B(log_file_mode, 0xC100) }, EINVAL, AT(log_file_mode),
	  ETW_REASON_CONFLICT },
	{ "buffering with a file name", { B(log_file_mode, 0x400) }, EINVAL, AT(log_file_name),
	  ETW_REASON_CONFLICT },
	{ "private logger", { B(log_file_mode, 0x800) }, EOPNOTSUPP, AT(log_file_mode),
	  ETW_REASON_UNSUPPORTED },
	{ "unknown mode", { B(log_file_mode, 0x80000100) }, EOPNOTSUPP, AT(log_file_mode),
	  ETW_REASON_UNSUPPORTED },
	{ "two sequences", { B(log_file_mode, 0xC100) }, EINVAL, AT(log_file_mode),
	  ETW_REASON_CONFLICT },
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
	  AT(maximum_buffers), ETW_REASON_NO_MEMORY },
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
	{ "the registry", FLAGS(0x20000), EOPNOTSUPP, AT(enable_flags),
	  ETW_REASON_UNSUPPORTED },
	{ "drivers", FLAGS(EVENT_TRACE_FLAG_DRIVER), EOPNOTSUPP, AT(enable_flags),
	  ETW_REASON_UNSUPPORTED },
	{ "known and unknown", FLAGS(EVENT_TRACE_FLAG_CSWITCH | 0x20000), EOPNOTSUPP,
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
	{ "circular file", { B(log_file_mode, 0x102), B(maximum_file_size, 1) }, 0, 0, 0 },
	{ "one count of messages for all", { B(log_file_mode, 0x4100) }, 0, 0, 0 },
	{ "a count of messages of its own", { B(log_file_mode, 0x8100) }, 0, 0, 0 },
	{ "new files", { B(log_file_mode, 0x8), B(maximum_file_size, 1),
			 UNIT(281, '%' | 'd' << 16) }, 0, 0, 0 },
	{ "no addresses", { C(flags, ETW_START_NO_ADDRESSES) }, 0, 0, 0 },
	{ "minimum below maximum", { B(minimum_buffers, 4), B(maximum_buffers, 64) }, 0, 0, 0 },
	{ "maximum by the minimum", { B(minimum_buffers, 7), B(maximum_buffers, 0) }, 0, 0, 0 },
	{ "context swaps", FLAGS(EVENT_TRACE_FLAG_CSWITCH), 0, 0, 0 },
	{ "dispatcher", FLAGS(EVENT_TRACE_FLAG_DISPATCHER), 0, 0, 0 },
	{ "processes, threads, no system configuration", FLAGS(0x10000003), 0, 0, 0 },
};

/* Other ioctls: a structure, fields of it, and what comes of it */
union argument {
	struct etw_control c;
	struct etw_list l;
	struct etw_statistics s;
	struct etw_log_record r;
	struct etw_counting n;
	struct etw_enable e;
	struct etw_providers p;
	struct etw_unwind_table u;
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
#define COUNTING_SIZE	P(counting, size, sizeof(struct etw_counting))
#define COUNTING_ID	P(counting, logger_id, RUNNING)
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
	{ "ioctl 0xE7 0x04", _IO(ETW_IOC_MAGIC, 4), { { 0 } }, EINVAL },
	{ "ioctl 0xE7 0x09", _IO(ETW_IOC_MAGIC, 9), { { 0 } }, ENOTTY },
	{ "ioctl 0xE7 0x16", _IO(ETW_IOC_MAGIC, 0x16), { { 0 } }, ENOTTY },
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
	  { P(statistics, size, 312), STAT_ID }, 0 },
	{ "STATISTICS, larger, tail set", ETW_IOC_STATISTICS,
	  { P(statistics, size, 312), STAT_ID, BEHIND(statistics, 1) }, E2BIG },
	{ "STATISTICS, first version", ETW_IOC_STATISTICS,
	  { P(statistics, size, 152), STAT_ID }, 0 },
	{ "STATISTICS, first version and a half", ETW_IOC_STATISTICS,
	  { P(statistics, size, 160), STAT_ID }, 0 },
	{ "STATISTICS, second version", ETW_IOC_STATISTICS,
	  { P(statistics, size, 168), STAT_ID }, 0 },
	{ "STATISTICS, third version", ETW_IOC_STATISTICS,
	  { P(statistics, size, 176), STAT_ID }, 0 },
	{ "STATISTICS, fourth version", ETW_IOC_STATISTICS,
	  { P(statistics, size, 184), STAT_ID }, 0 },
	{ "STATISTICS, fifth version", ETW_IOC_STATISTICS,
	  { P(statistics, size, 216), STAT_ID }, 0 },
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

	{ "COUNTING", ETW_IOC_COUNTING, { COUNTING_SIZE, COUNTING_ID }, 0 },
	{ "COUNTING on all", ETW_IOC_COUNTING,
	  { COUNTING_SIZE, COUNTING_ID, P(counting, processor, ~0U) }, 0 },
	{ "COUNTING of a stopped session", ETW_IOC_COUNTING,
	  { COUNTING_SIZE, P(counting, logger_id, STOPPED) }, 0 },
	{ "COUNTING, size 0", ETW_IOC_COUNTING, { COUNTING_ID }, EINVAL },
	{ "COUNTING, size 87", ETW_IOC_COUNTING, { P(counting, size, 87), COUNTING_ID }, EINVAL },
	{ "COUNTING, size over a page", ETW_IOC_COUNTING,
	  { P(counting, size, 4097), COUNTING_ID }, EINVAL },
	{ "COUNTING, larger, tail zero", ETW_IOC_COUNTING,
	  { P(counting, size, 96), COUNTING_ID }, 0 },
	{ "COUNTING, larger, tail set", ETW_IOC_COUNTING,
	  { P(counting, size, 96), COUNTING_ID, BEHIND(counting, 1) }, E2BIG },
	{ "COUNTING, no such processor", ETW_IOC_COUNTING,
	  { COUNTING_SIZE, COUNTING_ID, P(counting, processor, 100000) }, EINVAL },
	{ "COUNTING, processor 2^32 - 2", ETW_IOC_COUNTING,
	  { COUNTING_SIZE, COUNTING_ID, P(counting, processor, ~1U) }, EINVAL },
	{ "COUNTING of logger 0", ETW_IOC_COUNTING, { COUNTING_SIZE }, ENOENT },
	{ "COUNTING of logger 64", ETW_IOC_COUNTING,
	  { COUNTING_SIZE, P(counting, logger_id, 64) }, ENOENT },
	{ "COUNTING of logger 65", ETW_IOC_COUNTING,
	  { COUNTING_SIZE, P(counting, logger_id, 65) }, ENOENT },

	ENABLE_CASES,
	UNWIND_CASES,

	{ "QUERY", ETW_IOC_QUERY, { CONTROL_SIZE, CONTROL_ID, P(control, information_size, 8192),
				    P(control, information, BUFFER) }, 0 },
	{ "QUERY, size 39", ETW_IOC_QUERY, { P(control, size, 39), CONTROL_ID }, EINVAL },
	{ "QUERY, a flag", ETW_IOC_QUERY, { CONTROL_SIZE, CONTROL_ID, P(control, flags, 1) },
	  EINVAL },
	{ "QUERY, reserved set", ETW_IOC_QUERY,
	  { CONTROL_SIZE, CONTROL_ID, P(control, error_processor, 1) }, EINVAL },
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

	{ "UPDATE, size 39", ETW_IOC_UPDATE, { P(control, size, 39), CONTROL_ID }, EINVAL },
	{ "UPDATE, a flag", ETW_IOC_UPDATE, { CONTROL_SIZE, CONTROL_ID, P(control, flags, 1) },
	  EINVAL },
	{ "UPDATE, error_reason set", ETW_IOC_UPDATE,
	  { CONTROL_SIZE, CONTROL_ID, P(control, error_reason, 1) }, EINVAL },
	{ "UPDATE, larger, tail set", ETW_IOC_UPDATE,
	  { P(control, size, 48), CONTROL_ID, BEHIND(control, 1) }, E2BIG },
	{ "UPDATE, no block", ETW_IOC_UPDATE, { CONTROL_SIZE, CONTROL_ID }, EINVAL },
	{ "UPDATE, block of zeros", ETW_IOC_UPDATE,
	  { CONTROL_SIZE, CONTROL_ID, P(control, information_size, 0xB0),
	    P(control, information, BUFFER) }, EINVAL },
	{ "UPDATE, block one too small", ETW_IOC_UPDATE,
	  { CONTROL_SIZE, CONTROL_ID, P(control, information_size, 0xAF),
	    P(control, information, BUFFER) }, EINVAL },
	{ "UPDATE, block too large", ETW_IOC_UPDATE,
	  { CONTROL_SIZE, CONTROL_ID, P(control, information_size, ETW_MAX_INFORMATION + 1),
	    P(control, information, BUFFER) }, EINVAL },
	{ "UPDATE, block at 0", ETW_IOC_UPDATE,
	  { CONTROL_SIZE, CONTROL_ID, P(control, information_size, 8192) }, EFAULT },
	{ "UPDATE of logger 0", ETW_IOC_UPDATE,
	  { CONTROL_SIZE, P(control, information_size, 0xB0), P(control, information, BUFFER) },
	  ENOENT },

	{ "SNAPSHOT, size 39", ETW_IOC_SNAPSHOT, { P(control, size, 39), CONTROL_ID }, EINVAL },
	{ "SNAPSHOT, a flag", ETW_IOC_SNAPSHOT, { CONTROL_SIZE, CONTROL_ID, P(control, flags, 1) },
	  EINVAL },
	{ "SNAPSHOT, reserved set", ETW_IOC_SNAPSHOT,
	  { CONTROL_SIZE, CONTROL_ID, P(control, error_processor, 1) }, EINVAL },
	{ "SNAPSHOT, larger, tail set", ETW_IOC_SNAPSHOT,
	  { P(control, size, 48), CONTROL_ID, BEHIND(control, 1) }, E2BIG },
	{ "SNAPSHOT of a stopped session", ETW_IOC_SNAPSHOT,
	  { CONTROL_SIZE, P(control, logger_id, STOPPED) }, EALREADY },
	{ "SNAPSHOT of logger 0", ETW_IOC_SNAPSHOT, { CONTROL_SIZE }, ENOENT },
	{ "SNAPSHOT of logger 64", ETW_IOC_SNAPSHOT, { CONTROL_SIZE, P(control, logger_id, 64) },
	  ENOENT },
	{ "SNAPSHOT of logger 2^32 - 1", ETW_IOC_SNAPSHOT,
	  { CONTROL_SIZE, P(control, logger_id, ~0U) }, ENOENT },
	{ "SNAPSHOT of a session that keeps all", ETW_IOC_SNAPSHOT, { CONTROL_SIZE, CONTROL_ID },
	  EINVAL },

	{ "RUNDOWN, size 39", ETW_IOC_RUNDOWN, { P(control, size, 39), CONTROL_ID }, EINVAL },
	{ "RUNDOWN, a flag", ETW_IOC_RUNDOWN, { CONTROL_SIZE, CONTROL_ID, P(control, flags, 1) },
	  EINVAL },
	{ "RUNDOWN, reserved set", ETW_IOC_RUNDOWN,
	  { CONTROL_SIZE, CONTROL_ID, P(control, error_processor, 1) }, EINVAL },
	{ "RUNDOWN, larger, tail set", ETW_IOC_RUNDOWN,
	  { P(control, size, 48), CONTROL_ID, BEHIND(control, 1) }, E2BIG },
	{ "RUNDOWN of a stopped session", ETW_IOC_RUNDOWN,
	  { CONTROL_SIZE, P(control, logger_id, STOPPED) }, EALREADY },
	{ "RUNDOWN of logger 0", ETW_IOC_RUNDOWN, { CONTROL_SIZE }, ENOENT },
	{ "RUNDOWN of logger 64", ETW_IOC_RUNDOWN, { CONTROL_SIZE, P(control, logger_id, 64) },
	  ENOENT },
	{ "RUNDOWN of logger 2^32 - 1", ETW_IOC_RUNDOWN,
	  { CONTROL_SIZE, P(control, logger_id, ~0U) }, ENOENT },
	{ "RUNDOWN", ETW_IOC_RUNDOWN, { CONTROL_SIZE, CONTROL_ID }, 0 },

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
	{ "LOG_RECORD, more than a buffer", ETW_IOC_LOG_RECORD,
	  { RECORD(DISK, 2, 4090, BUFFER, RUNNING) }, EMSGSIZE },
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

#endif /* ETW_TEST_ABI_CASES_H */
