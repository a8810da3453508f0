/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/* The ioctls of /dev/etw/control and their size-versioned structures. */
#ifndef _UAPI_ETW_ABI_H
#define _UAPI_ETW_ABI_H

#include <linux/ioctl.h>
#include <linux/types.h>
#include "etw_format.h"

/*
 * Every structure begins with its own size, set by the caller. A shorter one
 * than the kernel knows is completed with zeros; a longer one is accepted
 * when the rest is zero (E2BIG otherwise); shorter than the first version is
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
 * @wnode: see there
 * @buffer_size: KB, 4 to 16384, a multiple of 4; 0 stands for 64
 * @minimum_buffers: buffers of all CPUs together; out: as used
 * @maximum_buffers: buffers of all CPUs together; 0 for a default; out: as
 *	used
 * @maximum_file_size: MB; recorded for the tool that writes the file
 * @log_file_mode: EVENT_TRACE_*
 * @flush_timer: seconds (ms with EVENT_TRACE_USE_MS_FLUSH_TIMER); 0: none
 * @enable_flags: EVENT_TRACE_FLAG_*
 * @flush_threshold: 0
 * @v2_options: 0
 * @log_file_handle: 0
 * @number_of_buffers: out: buffers allocated
 * @free_buffers: out: of them, free
 * @events_lost: out
 * @buffers_written: out: handed to readers
 * @log_buffers_lost: out: overwritten, or not delivered before discard
 * @real_time_buffers_lost: out: 0
 * @logger_thread_id: out: 0
 * @log_file_name: the name to record in the stream
 * @logger_name: the session's name; unique among loggers
 * @real_time_consumer_count: out: 1 when a reader has the stream open
 * @sequence_number: out: of the last buffer handed over
 * @logger_extension: 0
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

/* The largest block that START takes and QUERY returns */
#define ETW_MAX_INFORMATION		0x10000U
/* Names, in UTF-16 code units without the terminator */
#define ETW_MAX_LOGGER_NAME		255
#define ETW_MAX_LOG_FILE_NAME		511

/* LogFileMode bits that the kernel acts on or records */
#define EVENT_TRACE_FILE_MODE_SEQUENTIAL	0x00000001U
#define EVENT_TRACE_USE_MS_FLUSH_TIMER		0x00000010U
#define EVENT_TRACE_REAL_TIME_MODE		0x00000100U
#define EVENT_TRACE_BUFFERING_MODE		0x00000400U
#define EVENT_TRACE_SYSTEM_LOGGER_MODE		0x02000000U

/* {9E814AAD-3204-11D2-9A82-006008A86939}: the NT Kernel Logger */
#define ETW_SYSTEM_TRACE_CONTROL_GUID { 0x9e814aad, 0x3204, 0x11d2, \
	{ 0x9a, 0x82, 0x00, 0x60, 0x08, 0xa8, 0x69, 0x39 } }

#define ETW_MAX_LOGGERS			64
#define ETW_MAX_KERNEL_LOGGERS		8

/**
 * struct etw_control - argument of START, STOP, QUERY and FLUSH
 * @size: sizeof(struct etw_control)
 * @flags: ETW_START_*, ETW_STOP_*
 * @logger_id: 1..64; out for START
 * @information_size: bytes at @information
 * @information: address of a struct wmi_logger_information and its names:
 *	in for START, out for START (fixed part) and QUERY; may be 0 for STOP
 *	and FLUSH
 * @error_offset: out, with an error of START: offset in the block of the
 *	field that was refused
 * @error_reason: out: ETW_REASON_*
 * @error_item: out: 0
 * @reserved: 0
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
	__u32 reserved;
};

ETW_ASSERT_SIZE(struct etw_control, 40);

/* The session stops, and is discarded when unread, with the control fd */
#define ETW_START_TIED			0x1U
/* No rundown at start and stop */
#define ETW_START_NO_RUNDOWN		0x2U
/* Give up what was not read; the logger id is free at once */
#define ETW_STOP_DISCARD		0x1U

/* Why a field of a block was refused */
#define ETW_REASON_NONE			0
#define ETW_REASON_SIZE			1	/* block or field size */
#define ETW_REASON_RANGE		2	/* value out of range */
#define ETW_REASON_UNSUPPORTED		3	/* known, but not here */
#define ETW_REASON_CONFLICT		4	/* with another field */
#define ETW_REASON_IN_USE		5	/* name or logger taken */
#define ETW_REASON_RESERVED		6	/* must be zero */
#define ETW_REASON_NAME			7	/* no, or no valid, name */
#define ETW_REASON_SOURCE		8	/* tracepoint not to be had */

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

/**
 * struct etw_statistics - argument of STATISTICS, in events unless told
 * @size: sizeof(struct etw_statistics)
 * @logger_id: which session
 * @processor: a CPU, or ETW_ALL_PROCESSORS for the sum
 * @state: out: ETW_SESSION_*
 * @read: out: in buffers that a reader consumed to the end
 * @overwritten: out: in buffers given up for newer ones
 * @discarded: out: in buffers thrown away unread (ETW_STOP_DISCARD)
 * @buffered: out: still in buffers
 * @lost: out: by enum etw_loss_cause
 * @buffers_read: out: buffers
 * @buffers_overwritten: out: buffers
 * @buffers_waiting: out: buffers that wait for the reader
 * @buffer_size: out: bytes of a buffer
 * @processors: out: CPUs of the session
 * @internal: out: records among all these that the session wrote about
 *	itself (anchors, losses); in the sum of all CPUs only
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
	__u64 lost[8];
	__u64 buffers_read;
	__u64 buffers_overwritten;
	__u64 buffers_waiting;
	__u32 buffer_size;
	__u32 processors;
	__u64 internal;
};

ETW_ASSERT_SIZE(struct etw_statistics, 152);

/**
 * struct etw_log_record - argument of LOG_RECORD: a system configuration
 *	record that user space prepared
 * @size: sizeof(struct etw_log_record)
 * @logger_id: which session; running
 * @hook_id: WMI_LOG_TYPE_CONFIG_PHYSICALDISK or _LOGICALDISK
 * @version: of the payload, 1..255
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
#define ETW_IOC_FLUSH		_IO(ETW_IOC_MAGIC, 0x05)
#define ETW_IOC_LIST		_IO(ETW_IOC_MAGIC, 0x10)
#define ETW_IOC_STATISTICS	_IO(ETW_IOC_MAGIC, 0x11)
#define ETW_IOC_LOG_RECORD	_IO(ETW_IOC_MAGIC, 0x12)

#endif /* _UAPI_ETW_ABI_H */
