/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/* Copyright (C) 2026 The etw authors */
/* The ioctls of /dev/etw/control and their size-versioned structures. */
#ifndef _UAPI_ETW_ABI_H
#define _UAPI_ETW_ABI_H

#include <linux/ioctl.h>
#include <linux/types.h>
#include "etw_enable.h"
#include "etw_extension.h"
#include "etw_linux.h"

/*
 * Every structure begins with its own size, set by the caller. If it is shorter
 * than the kernel's version, the kernel completes it with zeros. If it is longer,
 * the rest must be zero (E2BIG otherwise). Shorter than the first version is
 * EINVAL. Reserved fields and unknown flags must be zero (EINVAL).
 */

/**
 * struct wnode_header - WNODE_HEADER as session control uses it
 * @buffer_size: bytes of the whole block, names included
 * @provider_id: 0
 * @historical_context: out: session handle (the logger id)
 * @time_stamp: out: start time, FILETIME
 * @guid: session GUID; SystemTraceControlGuid makes a kernel session
 * @client_context: ETW_CLOCK_*; 0 stands for ETW_CLOCK_QPC
 * @flags: WNODE_FLAG_TRACED_GUID
 */
struct wnode_header {
	__u32 buffer_size;
	__u32 provider_id;
	__u64 historical_context;
	__u64 time_stamp;
	struct etw_guid guid;
	__u32 client_context;
	__u32 flags;
};

ETW_ASSERT_SIZE(struct wnode_header, 0x30);
#define WNODE_FLAG_TRACED_GUID		0x00020000U

/**
 * struct etw_unicode_string - UNICODE_STRING64 inside a block
 * @length: bytes, without a terminator; even
 * @maximum_length: bytes; ignored
 * @pad: 0
 * @buffer: offset of the text (UTF-16) from the start of the block
 */
struct etw_unicode_string {
	__u16 length;
	__u16 maximum_length;
	__u32 pad;
	__u64 buffer;
};

ETW_ASSERT_SIZE(struct etw_unicode_string, 0x10);

/**
 * struct wmi_logger_information - WMI_LOGGER_INFORMATION
 * @wnode: see struct wnode_header
 * @buffer_size: KB, 4 to 16384, a multiple of 4; 0 stands for 64
 * @minimum_buffers: buffers of all CPUs together, allocated at the start; 0: as
 *	many as the maximum; out: as used
 * @maximum_buffers: buffers of all CPUs together; 0 for a default; out: as
 *	used
 * @maximum_file_size: MB; recorded for the tool that writes the file
 * @log_file_mode: EVENT_TRACE_*
 * @flush_timer: seconds (ms with EVENT_TRACE_USE_MS_FLUSH_TIMER); 0: none
 * @enable_flags: EVENT_TRACE_FLAG_*, or with EVENT_TRACE_FLAG_EXTENSION a
 *	struct trace_enable_flag_extension
 * @flush_threshold: 0
 * @v2_options: 0
 * @log_file_handle: 0
 * @number_of_buffers: out: buffers that have memory now
 * @free_buffers: out: buffers that writers may open next
 * @events_lost: out: of all causes, without overwritten events
 * @buffers_written: out: read to their end, from all opens of the node, header
 *	buffers not counted
 * @log_buffers_lost: out: overwritten (EVENT_TRACE_BUFFERING_MODE), except buffers
 *	that a reader held; 0 in other modes
 * @real_time_buffers_lost: out: 0
 * @logger_thread_id: out: 0: sessions have no thread (ioctl.rst, QUERY)
 * @log_file_name: the name to record in the stream
 * @logger_name: the session's name; unique among loggers
 * @real_time_consumer_count: out: 1 when a reader has the stream open
 * @sequence_number: out: as @buffers_written
 * @logger_extension: 0
 *
 * Counts that don't fit into a dword are 0xFFFFFFFF; ETW_IOC_STATISTICS has 64 bits.
 */
struct wmi_logger_information {
	struct wnode_header wnode;
	__u32 buffer_size;
	__u32 minimum_buffers;
	__u32 maximum_buffers;
	__u32 maximum_file_size;
	__u32 log_file_mode;
	__u32 flush_timer;
	__u32 enable_flags;
	__u32 flush_threshold;
	__u64 v2_options;
	__u64 log_file_handle;
	__u32 number_of_buffers;
	__u32 free_buffers;
	__u32 events_lost;
	__u32 buffers_written;
	__u32 log_buffers_lost;
	__u32 real_time_buffers_lost;
	__u64 logger_thread_id;
	struct etw_unicode_string log_file_name;
	struct etw_unicode_string logger_name;
	__u32 real_time_consumer_count;
	__u32 sequence_number;
	__u64 logger_extension;
};

ETW_ASSERT_SIZE(struct wmi_logger_information, 0xB0);
ETW_ASSERT_OFFSET(struct wmi_logger_information, buffer_size, 0x30);
ETW_ASSERT_OFFSET(struct wmi_logger_information, enable_flags, 0x48);
ETW_ASSERT_OFFSET(struct wmi_logger_information, log_file_name, 0x80);
ETW_ASSERT_OFFSET(struct wmi_logger_information, logger_name, 0x90);

/* The largest block that START and UPDATE take: names, and the longest array of items */
#define ETW_MAX_INFORMATION		0x41000U
/* Names, in UTF-16 code units without the terminator */
#define ETW_MAX_LOGGER_NAME		255
#define ETW_MAX_LOG_FILE_NAME		511

/* LogFileMode bits that the kernel acts on or records */
#define EVENT_TRACE_FILE_MODE_SEQUENTIAL	0x00000001U
#define EVENT_TRACE_FILE_MODE_CIRCULAR		0x00000002U	/* needs a maximum size */
/* Needs a maximum size and one %d in the name; kernel sessions may have it here */
#define EVENT_TRACE_FILE_MODE_NEWFILE		0x00000008U
#define EVENT_TRACE_USE_MS_FLUSH_TIMER		0x00000010U
#define EVENT_TRACE_REAL_TIME_MODE		0x00000100U
#define EVENT_TRACE_BUFFERING_MODE		0x00000400U
#define EVENT_TRACE_PRIVATE_LOGGER_MODE		0x00000800U	/* only in files */
/* Sequence numbers of messages: one count of all such sessions, or the session's own */
#define EVENT_TRACE_USE_GLOBAL_SEQUENCE		0x00004000U
#define EVENT_TRACE_USE_LOCAL_SEQUENCE		0x00008000U
#define EVENT_TRACE_SYSTEM_LOGGER_MODE		0x02000000U

/* {9E814AAD-3204-11D2-9A82-006008A86939}: the NT Kernel Logger */
#define ETW_SYSTEM_TRACE_CONTROL_GUID { 0x9e814aad, 0x3204, 0x11d2, \
	{ 0x9a, 0x82, 0x00, 0x60, 0x08, 0xa8, 0x69, 0x39 } }

#define ETW_MAX_LOGGERS			64
#define ETW_MAX_KERNEL_LOGGERS		8

/**
 * struct etw_control - argument of START, STOP, QUERY, UPDATE, FLUSH, SNAPSHOT
 *	and RUNDOWN
 * @size: sizeof(struct etw_control)
 * @flags: ETW_START_*, ETW_STOP_*
 * @logger_id: 1..64; out for START
 * @information_size: bytes at @information
 * @information: address of a struct wmi_logger_information, its names and its
 *	extension: in for START and UPDATE, out for START (fixed part) and
 *	QUERY; may be 0 for the others
 * @error_offset: in: 0; out, with an error of START and UPDATE: offset in the block
 *	of what was refused
 * @error_reason: in: 0; out, with an error of START and UPDATE: ETW_REASON_*
 * @error_item: in: 0; out, with an error of START and UPDATE: item of the extension,
 *	counted from 1; 0: no item
 * @error_processor: in: 0; out, if a counter or sampler is not available: the CPU that
 *	lacks it
 *
 * Every ioctl returns EINVAL if an error_ member is not 0. A caller that tries again
 * must clear them.
 */
struct etw_control {
	__u32 size;
	__u32 flags;
	__u32 logger_id;
	__u32 information_size;
	__u64 information;
	__u32 error_offset;
	__u32 error_reason;
	__u32 error_item;
	__u32 error_processor;
};

ETW_ASSERT_SIZE(struct etw_control, 40);

/* When the control fd is closed, the session stops, and is discarded if unread */
#define ETW_START_TIED			0x1U
/* No rundown at start and stop */
#define ETW_START_NO_RUNDOWN		0x2U
/* Record no kernel addresses, even if the caller may see them */
#define ETW_START_NO_ADDRESSES		0x4U
/* Discard unread buffers; the logger id is free at once */
#define ETW_STOP_DISCARD		0x1U

/* Why a field of a block was refused */
#define ETW_REASON_NONE			0
#define ETW_REASON_SIZE			1	/* block or field size */
#define ETW_REASON_RANGE		2	/* value out of range */
#define ETW_REASON_UNSUPPORTED		3	/* known, but not supported here */
#define ETW_REASON_CONFLICT		4	/* with another field */
#define ETW_REASON_IN_USE		5	/* name or logger taken */
#define ETW_REASON_RESERVED		6	/* must be zero */
#define ETW_REASON_NAME			7	/* missing or invalid name */
#define ETW_REASON_SOURCE		8	/* tracepoint or function not available */
#define ETW_REASON_LENGTH		9	/* exceeds the end, or leaves dwords over */
#define ETW_REASON_COUNT		10	/* too few or too many entries */
#define ETW_REASON_UNKNOWN		11	/* no such item type */
#define ETW_REASON_DUPLICATE		12	/* given twice */
#define ETW_REASON_BITS			13	/* index bits, or bits without a meaning */
#define ETW_REASON_OVERLAP		14	/* names and extension */
#define ETW_REASON_FIXED		15	/* UPDATE can't change it */
#define ETW_REASON_MISSING		16	/* needs another item or field */
#define ETW_REASON_NO_MEMORY		17	/* the machine has too little memory */
#define ETW_REASON_NO_EVENT		18	/* no PMU here counts that */
#define ETW_REASON_BUSY			19	/* no counter is free for it */
#define ETW_REASON_SHARED		20	/* it counts for several CPUs at once */
#define ETW_REASON_NO_PEBS		21	/* the processor has no PEBS, or hides it */
#define ETW_REASON_PROCESSORS		22	/* more than a buffer header can number: 2048 */
#define ETW_REASON_MANNER		23	/* its PMU counts it, but not in that manner */

/**
 * struct etw_list - argument of LIST
 * @size: sizeof(struct etw_list)
 * @reserved: 0
 * @loggers: out: bit n - 1 set: logger n exists
 */
struct etw_list {
	__u32 size;
	__u32 reserved;
	__u64 loggers;
};

ETW_ASSERT_SIZE(struct etw_list, 16);

#define ETW_SESSION_RUNNING		1
#define ETW_SESSION_STOPPED		2

#define ETW_ALL_PROCESSORS		0xFFFFFFFFU

/* Size of arrays by cause of loss; more causes may come */
#define ETW_LOSS_ROOM			8
/* Size of arrays by enum etw_unwind_end; more ends may come */
#define ETW_UNWIND_END_ROOM		8

/**
 * struct etw_statistics - argument of STATISTICS, in events unless noted
 * @size: sizeof(struct etw_statistics)
 * @logger_id: which session
 * @processor: a CPU, or ETW_ALL_PROCESSORS for the sum
 * @state: out: ETW_SESSION_*
 * @read: out: in buffers that a reader consumed to the end
 * @overwritten: out: in buffers overwritten by newer events
 * @discarded: out: in buffers thrown away unread (ETW_STOP_DISCARD)
 * @buffered: out: still in buffers
 * @lost: out: by enum etw_loss_cause
 * @buffers_read: out: buffers
 * @buffers_overwritten: out: buffers, except those that a reader held; @overwritten
 *	includes the events of those, too
 * @buffers_waiting: out: buffers that wait for the reader
 * @buffer_size: out: bytes of a buffer
 * @processors: out: CPUs of the session
 * @internal: out: those of the records above that the session wrote about
 *	itself (anchors, losses); in the sum of all CPUs only
 * @flags: out: ETW_STATISTICS_*
 * @buffers: out: buffers that have memory
 * @buffers_free: out: buffers that writers may open next
 * @buffers_most: out: the highest number of buffers with memory so far; in the sum of all
 *	CPUs only
 * @uncounted: out: records without the counters, PEBS index or stack that they should
 *	have (counters.rst, stacks.rst)
 * @reach: out: for a running session that overwrites: how long back from now no
 *	event was overwritten or consumed, in 100 ns; for ETW_ALL_PROCESSORS on no CPU
 * @stacks_walked: out: kernel stacks that were walked by the table of return addresses, of
 *	all sessions, since the first running session with stacks began; 0 without stacks
 * @stacks_unwound: out: kernel stacks that the kernel's unwinder walked, since the same
 *	moment; stacks of samples are not counted
 * @stacks_compared: out: of @stacks_walked, those that the unwinder walked, too
 * @stacks_different: out: of @stacks_compared, those that differed. After the first one,
 *	only the unwinder walks
 * @unwind_bytes: out: memory of the session's unwind tables; this and the next two in the
 *	sum of all CPUs only
 * @unwind_tables: out: number of these tables
 * @unwind_given_back: out: tables that the session gave back because its memory for tables was
 *	used up
 * @unwind_frames: out: user frames that walks by tables found, of all sessions, since the first
 *	table that is still there, or an earlier one
 * @unwind_ends: out: stacks of these walks by enum etw_unwind_end
 *
 * attempted = read + overwritten + discarded + buffered + sum of lost;
 * exact when no writer runs, else a snapshot of moving numbers.
 */
struct etw_statistics {
	__u32 size;
	__u32 logger_id;
	__u32 processor;
	__u32 state;
	__u64 read;
	__u64 overwritten;
	__u64 discarded;
	__u64 buffered;
	__u64 lost[ETW_LOSS_ROOM];
	__u64 buffers_read;
	__u64 buffers_overwritten;
	__u64 buffers_waiting;
	__u32 buffer_size;
	__u32 processors;
	__u64 internal;
	__u32 flags;
	__u32 buffers;
	__u32 buffers_free;
	__u32 buffers_most;
	__u64 uncounted;
	__u64 reach;
	__u64 stacks_walked;
	__u64 stacks_unwound;
	__u64 stacks_compared;
	__u64 stacks_different;
	__u64 unwind_bytes;
	__u32 unwind_tables;
	__u32 unwind_given_back;
	__u64 unwind_frames;
	__u64 unwind_ends[ETW_UNWIND_END_ROOM];
};

ETW_ASSERT_SIZE(struct etw_statistics, 304);
/* The records contain kernel addresses */
#define ETW_STATISTICS_ADDRESSES	0x1U
/* A rundown is being written, for START, RUNDOWN or UPDATE */
#define ETW_STATISTICS_RUNDOWN		0x2U

/**
 * enum etw_counter_method - how a counter is read when an event happens
 * @ETW_METHOD_NONE: not at all: it only samples, or does not exist
 * @ETW_METHOD_DIRECT: from the running counter's register
 * @ETW_METHOD_PMU: by its PMU's function
 * @ETW_METHOD_MEMORY: from memory, where the kernel counts
 * @ETW_METHOD_MIXED: CPUs differ
 */
enum etw_counter_method {
	ETW_METHOD_NONE,
	ETW_METHOD_DIRECT,
	ETW_METHOD_PMU,
	ETW_METHOD_MEMORY,
	ETW_METHOD_MIXED,
};

/* Clock of the sampled profile */
#define ETW_PROFILE_CLOCK_NONE		0
#define ETW_PROFILE_CLOCK_TIMER		1	/* hrtimers: blind while interrupts are off */
#define ETW_PROFILE_CLOCK_CYCLES	2	/* overflow of the cycle counter */

/**
 * struct etw_counting - argument of COUNTING
 * @size: sizeof(struct etw_counting)
 * @logger_id: which session
 * @processor: a CPU, or ETW_ALL_PROCESSORS
 * @nr_counters: out: entries of @counter that are used
 * @profile_clock: out: ETW_PROFILE_CLOCK_*
 * @profile_interval: out: 100 ns; 0: no sampled profile
 * @pebs_format: out: record format + 1; 0: records carry no PEBS index
 * @throttled: out: how often perf stopped a sampler of a CPU until the next
 *	tick, because samples took too much time. The number of missing samples
 *	is unknown
 * @counter: in the order of the extension; @method is enum etw_counter_method
 */
struct etw_counting {
	__u32 size;
	__u32 logger_id;
	__u32 processor;
	__u32 nr_counters;
	__u32 profile_clock;
	__u32 profile_interval;
	__u32 pebs_format;
	__u32 throttled;
	struct {
		__u32 profile_source;
		__u32 method;
	} counter[ETW_MAX_PMC_COUNTERS];
};

ETW_ASSERT_SIZE(struct etw_counting, 88);

/**
 * struct etw_log_record - argument of LOG_RECORD: a record that user space
 *	prepared
 * @size: sizeof(struct etw_log_record)
 * @logger_id: which session; running
 * @hook_id: WMI_LOG_TYPE_CONFIG_PHYSICALDISK or _LOGICALDISK: disk configuration;
 *	PERFINFO_LOG_TYPE_MARK: an 8-bit string with its terminator
 * @version: of the payload, 1..255; of a mark 0
 * @payload_size: bytes, 1..4096
 * @reserved: 0
 * @payload: address
 */
struct etw_log_record {
	__u32 size;
	__u32 logger_id;
	__u16 hook_id;
	__u16 version;
	__u32 payload_size;
	__u64 reserved;
	__u64 payload;
};

ETW_ASSERT_SIZE(struct etw_log_record, 32);

#define ETW_IOC_MAGIC		0xE7
#define ETW_IOC_START		_IO(ETW_IOC_MAGIC, 0x01)
#define ETW_IOC_STOP		_IO(ETW_IOC_MAGIC, 0x02)
#define ETW_IOC_QUERY		_IO(ETW_IOC_MAGIC, 0x03)
#define ETW_IOC_UPDATE		_IO(ETW_IOC_MAGIC, 0x04)
#define ETW_IOC_FLUSH		_IO(ETW_IOC_MAGIC, 0x05)
/* Returns a descriptor of a stream: a copy of an overwriting session's buffers */
#define ETW_IOC_SNAPSHOT	_IO(ETW_IOC_MAGIC, 0x06)
/* Record existing names again, for a file that begins now */
#define ETW_IOC_RUNDOWN		_IO(ETW_IOC_MAGIC, 0x07)
#define ETW_IOC_ENABLE		_IO(ETW_IOC_MAGIC, 0x08)
#define ETW_IOC_LIST		_IO(ETW_IOC_MAGIC, 0x10)
#define ETW_IOC_STATISTICS	_IO(ETW_IOC_MAGIC, 0x11)
#define ETW_IOC_LOG_RECORD	_IO(ETW_IOC_MAGIC, 0x12)
#define ETW_IOC_COUNTING	_IO(ETW_IOC_MAGIC, 0x13)
#define ETW_IOC_PROVIDERS	_IO(ETW_IOC_MAGIC, 0x14)
#define ETW_IOC_UNWIND_TABLE	_IO(ETW_IOC_MAGIC, 0x15)

#endif /* _UAPI_ETW_ABI_H */
