/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/* Copyright (C) 2026 The etw authors */
/* Headers of programs' events: EVENT_TRACE_HEADER, its instances, MESSAGE_TRACE_HEADER. */
#ifndef _UAPI_ETW_TRACE_HEADERS_H
#define _UAPI_ETW_TRACE_HEADERS_H

#include <linux/types.h>
#include "etw_format.h"

/**
 * struct event_trace_header - EVENT_TRACE_HEADER, given and written
 * @size: bytes of the header and its data
 * @header_type: TRACE_HEADER_TYPE_FULL_HEADER32 or _64; generated
 * @marker_flags: TRACE_HEADER_FLAGS; generated
 * @type: the event's Class.Type, its opcode
 * @level: Class.Level
 * @version: Class.Version
 * @thread_id: generated; in the caller's header, @thread_id and @process_id receive
 *	the session handle
 * @process_id: generated
 * @time_stamp: generated, except with WNODE_FLAG_USE_TIMESTAMP
 * @guid: the event's class
 * @guid_ptr: given: address of the class, with WNODE_FLAG_USE_GUID_PTR
 * @kernel_time: written: in units of TimerResolution
 * @user_time: written: in units of TimerResolution
 * @client_context: given: replaced by @kernel_time
 * @flags: given: WNODE_FLAG_*; replaced by @user_time
 * @processor_time: written by a private logger
 *
 * 0x30 bytes in all versions and both widths (format.rst 3.7).
 */
struct event_trace_header {
	__u16 size;
	__u8 header_type;
	__u8 marker_flags;
	__u8 type;
	__u8 level;
	__u16 version;
	__u32 thread_id;
	__u32 process_id;
	__u64 time_stamp;
	union {
		struct etw_guid guid;
		__u64 guid_ptr;
	};
	union {
		struct {
			__u32 kernel_time;
			__u32 user_time;
		};
		struct {
			__u32 client_context;
			__u32 flags;
		};
		__u64 processor_time;
	};
};

ETW_ASSERT_SIZE(struct event_trace_header, 0x30);
ETW_ASSERT_OFFSET(struct event_trace_header, type, 0x04);
ETW_ASSERT_OFFSET(struct event_trace_header, thread_id, 0x08);
ETW_ASSERT_OFFSET(struct event_trace_header, time_stamp, 0x10);
ETW_ASSERT_OFFSET(struct event_trace_header, guid, 0x18);
ETW_ASSERT_OFFSET(struct event_trace_header, flags, 0x2C);

/**
 * struct event_instance_guid_header - EVENT_INSTANCE_GUID_HEADER, given and
 *	written since 5.2
 * @event: its type is TRACE_HEADER_TYPE_INSTANCE32 or _64
 * @instance_id: of this transaction
 * @parent_instance_id: of the parent transaction, or 0
 * @parent_guid: class of the parent transaction
 *
 * (format.rst 3.8)
 */
struct event_instance_guid_header {
	struct event_trace_header event;
	__u32 instance_id;
	__u32 parent_instance_id;
	struct etw_guid parent_guid;
};

ETW_ASSERT_SIZE(struct event_instance_guid_header, 0x48);
ETW_ASSERT_OFFSET(struct event_instance_guid_header, instance_id, 0x30);
ETW_ASSERT_OFFSET(struct event_instance_guid_header, parent_guid, 0x38);

/* Flags at 0x2C, shared with WNODE_HEADER (format.rst 5.2) */
#define WNODE_FLAG_USE_TIMESTAMP	0x00000200U
#ifndef WNODE_FLAG_TRACED_GUID
#define WNODE_FLAG_TRACED_GUID		0x00020000U
#endif
#define WNODE_FLAG_LOG_WNODE		0x00040000U
#define WNODE_FLAG_USE_GUID_PTR		0x00080000U
#define WNODE_FLAG_USE_MOF_PTR		0x00100000U
#define WNODE_FLAG_NO_HEADER		0x00200000U

/**
 * struct mof_field - MOF_FIELD: one item of an event's data
 * @data_ptr: its address
 * @length: bytes
 * @data_type: ignored
 */
struct mof_field {
	__u64 data_ptr;
	__u32 length;
	__u32 data_type;
};

ETW_ASSERT_SIZE(struct mof_field, 0x10);
/* Most bytes behind a header with WNODE_FLAG_USE_MOF_PTR (format.rst 5.3) */
#define ETW_MAX_MOF_BYTES		0x100U
#define ETW_MAX_MOF_FIELDS		(ETW_MAX_MOF_BYTES / 0x10)

/**
 * struct message_trace_header - MESSAGE_TRACE_HEADER
 * @size: header, items and arguments
 * @reserved: 0
 * @version: TRACE_MESSAGE_FLAGS
 * @message_number: identifies the message, with its GUID or component id
 * @option_flags: TRACE_MESSAGE_*: which items follow
 *
 * Items, packed, in this order: sequence number (4), component id (4) or GUID
 * (16), time stamp (8), thread and process id (8), arguments. (format.rst 4.2)
 */
struct message_trace_header {
	__u16 size;
	__u8 reserved;
	__u8 version;
	__u16 message_number;
	__u16 option_flags;
};

ETW_ASSERT_SIZE(struct message_trace_header, 8);

#define TRACE_MESSAGE_SEQUENCE			0x0001
#define TRACE_MESSAGE_GUID			0x0002
#define TRACE_MESSAGE_COMPONENT_ID		0x0004
#define TRACE_MESSAGE_TIMESTAMP			0x0008
#define TRACE_MESSAGE_PERFORMANCE_TIMESTAMP	0x0010
#define TRACE_MESSAGE_SYSTEMINFO		0x0020
/* Flags for callers; the system sets the two below */
#define TRACE_MESSAGE_CALLER_FLAGS		0x003F
#define TRACE_MESSAGE_POINTER32			0x0040
#define TRACE_MESSAGE_POINTER64			0x0080
/* Header and all items: 8 + 4 + 16 + 8 + 8 */
#define ETW_MAX_MESSAGE_ITEMS			44

/**
 * struct etw_event_descriptor - EVENT_DESCRIPTOR: kind of an EVENT_HEADER's event
 * @id: defined by the provider, as are the other fields
 * @version: of the data
 * @channel: 11: the event describes itself
 * @level: severity
 * @opcode: kind of step
 * @task: kind of activity
 * @keyword: bit mask of categories
 */
struct etw_event_descriptor {
	__u16 id;
	__u8 version;
	__u8 channel;
	__u8 level;
	__u8 opcode;
	__u16 task;
	__u64 keyword;
};

ETW_ASSERT_SIZE(struct etw_event_descriptor, 0x10);

/* Flags of EVENT_HEADER in a file */
#define ETW_EVENT_HEADER_EXTENDED_INFO	0x0001
#define ETW_EVENT_HEADER_STRING_ONLY	0x0004

/**
 * struct etw_extended_item - what precedes the data of an extended item
 * @step: distance to the next item, a multiple of 8
 * @type: ETW_EXTENDED_*
 * @linkage: 1 if another item follows
 * @size: bytes of data
 *
 * (format.rst 3.10)
 */
struct etw_extended_item {
	__u16 step;
	__u16 type;
	__u16 linkage;
	__u16 size;
};

ETW_ASSERT_SIZE(struct etw_extended_item, 8);
#define ETW_EXTENDED_RELATED_ACTIVITY	0x0001
#define ETW_EXTENDED_SID		0x0002
#define ETW_EXTENDED_STACK32		0x0005	/* u64 0, then 32-bit addresses */
#define ETW_EXTENDED_STACK64		0x0006	/* u64 0, then 64-bit addresses */
#define ETW_EXTENDED_SCHEMA		0x000B
#define ETW_EXTENDED_TRAITS		0x000C
#define ETW_EXTENDED_PROCESS_KEY	0x000D	/* u64 */
#define ETW_EXTENDED_CONTAINER_ID	0x0010	/* text of a GUID, without a terminator */
#define ETW_CONTAINER_ID		36	/* bytes of ETW_EXTENDED_CONTAINER_ID */

/* A logger id in a session handle; 0 and 0xFFFF are none */
#define ETW_HANDLE_LOGGER_ID(handle)	((__u16)(handle))
/* The process's own logger, never a kernel session */
#define ETW_HANDLE_PRIVATE		0x01000000ULL

#endif /* _UAPI_ETW_TRACE_HEADERS_H */
