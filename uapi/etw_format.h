/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/* Copyright (C) 2026 The etw authors */
/* Windows' structures of ETW streams: buffers, trace headers, first record. */
#ifndef _UAPI_ETW_FORMAT_H
#define _UAPI_ETW_FORMAT_H

#include <linux/types.h>

/*
 * Everything in a stream is little-endian and laid out for PointerSize 8.
 * Names are those of NTWMI.H and EVNTRACE.H in kernel spelling.
 */
#ifdef __KERNEL__
#include <linux/build_bug.h>
#else
#include <assert.h>
#endif

#define ETW_ASSERT_SIZE(type, size) \
	static_assert(sizeof(type) == (size), #type)
#define ETW_ASSERT_OFFSET(type, member, offset) \
	static_assert(__builtin_offsetof(type, member) == (offset), #type "." #member)

#define ETW_PACKED	__attribute__((__packed__))

/**
 * struct etw_guid - a GUID as Windows stores it
 * @data1: first group, little-endian
 * @data2: second group
 * @data3: third group
 * @data4: the remaining eight bytes in text order
 */
struct etw_guid {
	__u32 data1;
	__u16 data2;
	__u16 data3;
	__u8 data4[8];
};

ETW_ASSERT_SIZE(struct etw_guid, 0x10);

/* Records begin on, and are padded to, multiples of this many bytes. */
#define ETW_RECORD_ALIGN	8U
/* Size fields of records are 16 bits wide. */
#define ETW_MAX_RECORD		0xFFFFU

/* BufferFlag */
#define ETW_BUFFER_FLAG_FLUSH_MARKER	0x0001
#define ETW_BUFFER_FLAG_EVENTS_LOST	0x0002
#define ETW_BUFFER_FLAG_BUFFER_LOST	0x0004
#define ETW_BUFFER_FLAG_RTBACKUP_CORRUPT 0x0008
#define ETW_BUFFER_FLAG_RTBACKUP	0x0010
#define ETW_BUFFER_FLAG_PROC_INDEX	0x0020
#define ETW_BUFFER_FLAG_COMPRESSED	0x0040

/* BufferType */
#define ETW_BUFFER_TYPE_GENERIC		0
#define ETW_BUFFER_TYPE_HEADER		4

/* ProcessorIndex has 11 bits (format.rst 1.4) */
#define ETW_MAX_PROCESSORS		0x800
/* The bytes of a buffer behind its records */
#define ETW_BUFFER_FILL			0xFF

/* State: the value in every buffer that left the logger */
#define ETW_BUFFER_STATE_FLUSH		3

/**
 * struct wmi_buffer_header - WMI_BUFFER_HEADER, the start of every buffer
 * @buffer_size: bytes from this header to the next one
 * @saved_offset: end of valid data; equal to @offset in what we write
 * @current_offset: end of valid data; equal to @offset in what we write
 * @reference_count: writers inside the buffer; 0 in a stream
 * @time_stamp: when the buffer was handed over, session clock; 0 in a
 *	header buffer
 * @sequence_number: dense from 1 in each stream; 0 in the header buffer
 * @clock: the union at 0x20; 0 in what we write, so that no pointer leaks
 * @processor_index: the CPU that wrote the buffer
 * @logger_id: session number
 * @state: ETW_BUFFER_STATE_FLUSH
 * @offset: end of valid data from the buffer's start, this header included
 * @buffer_flag: ETW_BUFFER_FLAG_*
 * @buffer_type: ETW_BUFFER_TYPE_*
 * @reserved: 0 in what we write
 *
 * Layout of Windows 7 and later (format.rst 1.2).
 */
struct wmi_buffer_header {
	__u32 buffer_size;
	__u32 saved_offset;
	__u32 current_offset;
	__s32 reference_count;
	__s64 time_stamp;
	__u64 sequence_number;
	__u64 clock;
	__u16 processor_index;
	__u16 logger_id;
	__u32 state;
	__u32 offset;
	__u16 buffer_flag;
	__u16 buffer_type;
	__u64 reserved[2];
};

ETW_ASSERT_SIZE(struct wmi_buffer_header, 0x48);
ETW_ASSERT_OFFSET(struct wmi_buffer_header, time_stamp, 0x10);
ETW_ASSERT_OFFSET(struct wmi_buffer_header, sequence_number, 0x18);
ETW_ASSERT_OFFSET(struct wmi_buffer_header, processor_index, 0x28);
ETW_ASSERT_OFFSET(struct wmi_buffer_header, state, 0x2C);
ETW_ASSERT_OFFSET(struct wmi_buffer_header, offset, 0x30);
ETW_ASSERT_OFFSET(struct wmi_buffer_header, buffer_flag, 0x34);
ETW_ASSERT_OFFSET(struct wmi_buffer_header, buffer_type, 0x36);

/* Trace headers: the byte at 2 is the type, the byte at 3 the flags. */
#define TRACE_HEADER_TYPE_SYSTEM32	0x01
#define TRACE_HEADER_TYPE_SYSTEM64	0x02
#define TRACE_HEADER_TYPE_COMPACT32	0x03
#define TRACE_HEADER_TYPE_COMPACT64	0x04
#define TRACE_HEADER_TYPE_FULL_HEADER32	0x0A
#define TRACE_HEADER_TYPE_INSTANCE32	0x0B
#define TRACE_HEADER_TYPE_ERROR		0x0D
#define TRACE_HEADER_TYPE_PERFINFO32	0x10
#define TRACE_HEADER_TYPE_PERFINFO64	0x11
#define TRACE_HEADER_TYPE_EVENT_HEADER32 0x12
#define TRACE_HEADER_TYPE_EVENT_HEADER64 0x13
#define TRACE_HEADER_TYPE_FULL_HEADER64	0x14
#define TRACE_HEADER_TYPE_INSTANCE64	0x15

/* The marker: the first four bytes as one number */
#define TRACE_HEADER_FLAG		0x80000000U
#define TRACE_HEADER_EVENT_TRACE	0x40000000U	/* every type but MESSAGE */
#define TRACE_MESSAGE			0x10000000U

#define TRACE_HEADER_FLAGS		((TRACE_HEADER_FLAG | TRACE_HEADER_EVENT_TRACE) >> 24)
#define TRACE_MESSAGE_FLAGS		((TRACE_HEADER_FLAG | TRACE_MESSAGE) >> 24)

#define TRACE_HEADER_FULL32		0xC00A0000U
#define TRACE_HEADER_FULL64		0xC0140000U
#define SYSTEM_TRACE_MARKER64		0xC0020000U
#define PERFINFO_TRACE_MARKER32		0xC0100000U
#define PERFINFO_TRACE_MARKER64		0xC0110000U

/* High byte of the version word of a PERFINFO record */
#define TRACE_HEADER_PMC_COUNTERS_MASK	0x0700
#define TRACE_HEADER_PMC_COUNTERS_SHIFT	8
#define TRACE_HEADER_PEBS_INDEX_FLAG	0x8000
#define TRACE_HEADER_EXT_ITEMS_MASK	0x8700

/**
 * struct perfinfo_trace_header - PERFINFO_TRACE_HEADER without its Data array
 * @version: low byte the version of the payload, high byte the inline items
 * @header_type: TRACE_HEADER_TYPE_PERFINFO64
 * @flags: TRACE_HEADER_FLAGS
 * @size: header, items and payload; without the padding
 * @hook_id: group in the high byte, type in the low byte
 * @system_time: session clock
 *
 * Inline items stand between this and the payload: the PEBS index first,
 * then the counters, 8 bytes each.
 */
struct perfinfo_trace_header {
	__u16 version;
	__u8 header_type;
	__u8 flags;
	__u16 size;
	__u16 hook_id;
	__u64 system_time;
};

ETW_ASSERT_SIZE(struct perfinfo_trace_header, 0x10);
ETW_ASSERT_OFFSET(struct perfinfo_trace_header, hook_id, 0x06);
ETW_ASSERT_OFFSET(struct perfinfo_trace_header, system_time, 0x08);

/**
 * struct system_trace_header - SYSTEM_TRACE_HEADER
 * @version: version of the payload; no inline items here
 * @header_type: TRACE_HEADER_TYPE_SYSTEM64
 * @flags: TRACE_HEADER_FLAGS
 * @size: header and payload
 * @hook_id: group in the high byte, type in the low byte
 * @thread_id: the thread that logged
 * @process_id: its process
 * @system_time: session clock
 * @kernel_time: its kernel time in units of TimerResolution
 * @user_time: its user time in units of TimerResolution
 */
struct system_trace_header {
	__u16 version;
	__u8 header_type;
	__u8 flags;
	__u16 size;
	__u16 hook_id;
	__u32 thread_id;
	__u32 process_id;
	__u64 system_time;
	__u32 kernel_time;
	__u32 user_time;
};

ETW_ASSERT_SIZE(struct system_trace_header, 0x20);
ETW_ASSERT_OFFSET(struct system_trace_header, system_time, 0x10);
ETW_ASSERT_OFFSET(struct system_trace_header, kernel_time, 0x18);

/**
 * struct etw_event_header - EVENT_HEADER as it stands in a buffer
 * @size: header, items and user data
 * @header_type: TRACE_HEADER_TYPE_EVENT_HEADER64 with TRACE_HEADER_FLAGS
 * @flags: EVENT_HEADER_FLAG_*; 0 here: no extended items
 * @event_property: 0
 * @thread_id: the thread that logged
 * @process_id: its process
 * @time_stamp: session clock
 * @provider_id: the provider
 * @id: EVENT_DESCRIPTOR
 * @version: EVENT_DESCRIPTOR
 * @channel: EVENT_DESCRIPTOR
 * @level: EVENT_DESCRIPTOR
 * @opcode: EVENT_DESCRIPTOR
 * @task: EVENT_DESCRIPTOR
 * @keyword: EVENT_DESCRIPTOR
 * @kernel_time: in units of TimerResolution
 * @user_time: in units of TimerResolution
 * @activity_id: zero here
 */
struct etw_event_header {
	__u16 size;
	__u16 header_type;
	__u16 flags;
	__u16 event_property;
	__u32 thread_id;
	__u32 process_id;
	__u64 time_stamp;
	struct etw_guid provider_id;
	__u16 id;
	__u8 version;
	__u8 channel;
	__u8 level;
	__u8 opcode;
	__u16 task;
	__u64 keyword;
	__u32 kernel_time;
	__u32 user_time;
	struct etw_guid activity_id;
};

ETW_ASSERT_SIZE(struct etw_event_header, 0x50);
ETW_ASSERT_OFFSET(struct etw_event_header, provider_id, 0x18);
ETW_ASSERT_OFFSET(struct etw_event_header, keyword, 0x30);
ETW_ASSERT_OFFSET(struct etw_event_header, activity_id, 0x40);

/**
 * struct etw_systemtime - SYSTEMTIME
 * @field: year, month, day of week, day, hour, minute, second, milliseconds
 */
struct etw_systemtime {
	__u16 field[8];
};

/**
 * struct etw_time_zone - TIME_ZONE_INFORMATION
 * @bias: minutes; UTC = local time + bias
 * @standard_name: UTF-16
 * @standard_date: when standard time begins
 * @standard_bias: added to @bias then
 * @daylight_name: UTF-16
 * @daylight_date: when daylight time begins
 * @daylight_bias: added to @bias then
 */
struct etw_time_zone {
	__s32 bias;
	__u16 standard_name[32];
	struct etw_systemtime standard_date;
	__s32 standard_bias;
	__u16 daylight_name[32];
	struct etw_systemtime daylight_date;
	__s32 daylight_bias;
};

ETW_ASSERT_SIZE(struct etw_time_zone, 0xAC);

/**
 * struct trace_logfile_header - TRACE_LOGFILE_HEADER, payload of hook 0x0000
 * @buffer_size: bytes
 * @major_version: 10
 * @minor_version: 0
 * @sub_version: 1
 * @sub_minor_version: 5: one stream per processor, a header stream
 * @provider_version: OS build that the payload layouts belong to
 * @number_of_processors: above every processor index in the stream
 * @end_time: FILETIME of stop; 0 while the session runs
 * @timer_resolution: 100 ns units; unit of KernelTime and UserTime
 * @maximum_file_size: MB
 * @log_file_mode: EVENT_TRACE_* mode of the file
 * @buffers_written: buffers in the stream, the header buffer included; 0
 *	while the session runs
 * @start_buffers: 1
 * @pointer_size: 8
 * @events_lost: events lost by the session
 * @cpu_speed_mhz: never 0
 * @logger_name: 0; readers put a pointer here
 * @log_file_name: 0; readers put a pointer here
 * @time_zone: zero: the stream is in UTC
 * @reserved_pad: 0
 * @boot_time: FILETIME of boot
 * @perf_freq: ticks per second of clock 1
 * @start_time: FILETIME read together with the record's own time stamp
 * @reserved_flags: clock type 1, 2 or 3
 * @buffers_lost: buffers that could not be handed over
 *
 * LoggerName and LogFileName follow, UTF-16, NUL-terminated each.
 * (format.rst 2.2)
 */
struct trace_logfile_header {
	__u32 buffer_size;
	__u8 major_version;
	__u8 minor_version;
	__u8 sub_version;
	__u8 sub_minor_version;
	__u32 provider_version;
	__u32 number_of_processors;
	__u64 end_time;
	__u32 timer_resolution;
	__u32 maximum_file_size;
	__u32 log_file_mode;
	__u32 buffers_written;
	__u32 start_buffers;
	__u32 pointer_size;
	__u32 events_lost;
	__u32 cpu_speed_mhz;
	__u64 logger_name;
	__u64 log_file_name;
	struct etw_time_zone time_zone;
	__u32 reserved_pad;
	__u64 boot_time;
	__u64 perf_freq;
	__u64 start_time;
	__u32 reserved_flags;
	__u32 buffers_lost;
};

ETW_ASSERT_SIZE(struct trace_logfile_header, 0x118);
ETW_ASSERT_OFFSET(struct trace_logfile_header, end_time, 0x10);
ETW_ASSERT_OFFSET(struct trace_logfile_header, buffers_written, 0x24);
ETW_ASSERT_OFFSET(struct trace_logfile_header, events_lost, 0x30);
ETW_ASSERT_OFFSET(struct trace_logfile_header, time_zone, 0x48);
ETW_ASSERT_OFFSET(struct trace_logfile_header, boot_time, 0xF8);
ETW_ASSERT_OFFSET(struct trace_logfile_header, perf_freq, 0x100);
ETW_ASSERT_OFFSET(struct trace_logfile_header, start_time, 0x108);
ETW_ASSERT_OFFSET(struct trace_logfile_header, buffers_lost, 0x114);

/* Offsets in the file of the fields that a closing tool patches (format.rst 2.7) */
#define ETW_FILE_END_TIME		0x78
#define ETW_FILE_BUFFERS_WRITTEN	0x8C
#define ETW_FILE_EVENTS_LOST		0x98
#define ETW_FILE_BUFFERS_LOST		0x17C

#define ETW_OS_MAJOR			10
#define ETW_OS_MINOR			0
#define ETW_OS_BUILD			19041
#define ETW_KERNEL_EVENT_VERSION	0x50

/**
 * struct etw_kernel_header_extension - payload of hooks 0x0005 and 0x0020
 * @masks: the PERFINFO_GROUPMASK in force after (before) the record
 * @kernel_event_version: ETW_KERNEL_EVENT_VERSION
 */
struct etw_kernel_header_extension {
	__u32 masks[8];
	__u32 kernel_event_version;
};

ETW_ASSERT_SIZE(struct etw_kernel_header_extension, 0x24);

/* Clock types: ClientContext of a session, ReservedFlags of a stream */
#define ETW_CLOCK_QPC		1
#define ETW_CLOCK_SYSTEM	2
#define ETW_CLOCK_CYCLE		3

#endif /* _UAPI_ETW_FORMAT_H */
