/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/* Copyright (C) 2026 The etw authors */
/* Events of file operations; included by etw_hooks.h. */
#ifndef _UAPI_ETW_EVENTS_FILE_H
#define _UAPI_ETW_EVENTS_FILE_H

#include <linux/types.h>
#include "etw_format.h"

#define PERFINFO_LOG_TYPE_FILE_IO_CREATE	0x0440
#define PERFINFO_LOG_TYPE_FILE_IO_CLEANUP	0x0441
#define PERFINFO_LOG_TYPE_FILE_IO_CLOSE		0x0442
#define PERFINFO_LOG_TYPE_FILE_IO_READ		0x0443
#define PERFINFO_LOG_TYPE_FILE_IO_WRITE		0x0444
#define PERFINFO_LOG_TYPE_FILE_IO_SET_INFORMATION	0x0445
#define PERFINFO_LOG_TYPE_FILE_IO_DELETE	0x0446
#define PERFINFO_LOG_TYPE_FILE_IO_RENAME	0x0447
#define PERFINFO_LOG_TYPE_FILE_IO_DIRENUM	0x0448
#define PERFINFO_LOG_TYPE_FILE_IO_FLUSH		0x0449
#define PERFINFO_LOG_TYPE_FILE_IO_QUERY_INFORMATION	0x044A
#define PERFINFO_LOG_TYPE_FILE_IO_FS_CONTROL	0x044B
#define PERFINFO_LOG_TYPE_FILE_IO_OPERATION_END	0x044C
#define PERFINFO_LOG_TYPE_FILE_IO_DELETE_PATH	0x044F
#define PERFINFO_LOG_TYPE_FILE_IO_RENAME_PATH	0x0450
#define PERFINFO_LOG_TYPE_FILE_IO_SETLINK_PATH	0x0451

#define PERF_FILE_IO			0x02000000U
#define PERF_FILE_IO_INIT		0x04000000U

#define EVENT_TRACE_FLAG_FILE_IO	0x02000000U
#define EVENT_TRACE_FLAG_FILE_IO_INIT	0x04000000U

/**
 * struct wmi_file_io_create - fixed part of 0x0440 version 3; the path follows (UTF-16)
 * @irp: number of the operation, see 0x044C
 * @file_object: id of the open file
 * @thread_id: the calling thread
 * @create_options: NT's options; the disposition in the top byte
 * @file_attributes: 0x10 a directory, 0x80 another file, 0 if the open failed
 * @share_access: 7
 *
 * (kernel-events.rst 5.12, also for the other file operations)
 */
struct wmi_file_io_create {
	__u64 irp;
	__u64 file_object;
	__u32 thread_id;
	__u32 create_options;
	__u32 file_attributes;
	__u32 share_access;
};

ETW_ASSERT_SIZE(struct wmi_file_io_create, 0x20);

/**
 * struct wmi_file_io_simple - payload of 0x0441, 0x0442, 0x0449 version 3
 * @irp: number of the operation
 * @file_object: id of the open file
 * @file_key: id of the file
 * @thread_id: the calling thread
 */
struct wmi_file_io_simple {
	__u64 irp;
	__u64 file_object;
	__u64 file_key;
	__u32 thread_id;
} ETW_PACKED;

ETW_ASSERT_SIZE(struct wmi_file_io_simple, 0x1C);

/**
 * struct wmi_file_io_transfer - payload of 0x0443, 0x0444 version 3
 * @offset: position in the file
 * @irp: number of the operation
 * @file_object: id of the open file
 * @file_key: id of the file
 * @thread_id: the calling thread
 * @io_size: requested bytes
 * @io_flags: IRP_*
 */
struct wmi_file_io_transfer {
	__u64 offset;
	__u64 irp;
	__u64 file_object;
	__u64 file_key;
	__u32 thread_id;
	__u32 io_size;
	__u32 io_flags;
} ETW_PACKED;

ETW_ASSERT_SIZE(struct wmi_file_io_transfer, 0x2C);
#define ETW_IRP_NOCACHE			0x001
#define ETW_IRP_SYNCHRONOUS_API		0x004
#define ETW_IRP_READ_OPERATION		0x100
#define ETW_IRP_WRITE_OPERATION		0x200

/**
 * struct wmi_file_io_information - payload of 0x0445..0x0447, 0x044A, 0x044B version 3
 * @irp: number of the operation
 * @file_object: id of the open file, or 0
 * @file_key: id of the file
 * @extra_information: by class
 * @thread_id: the calling thread
 * @information_class: FILE_INFORMATION_CLASS; of 0x044B the control code
 *
 * Also the fixed part of 0x044F, 0x0450, 0x0451; a path follows (UTF-16).
 */
struct wmi_file_io_information {
	__u64 irp;
	__u64 file_object;
	__u64 file_key;
	__u64 extra_information;
	__u32 thread_id;
	__u32 information_class;
};

ETW_ASSERT_SIZE(struct wmi_file_io_information, 0x28);

/**
 * struct wmi_file_io_directory - fixed part of 0x0448 version 3; the pattern follows
 * @irp: number of the operation
 * @file_object: id of the open directory
 * @file_key: id of the directory
 * @thread_id: the calling thread
 * @length: 0
 * @information_class: 37, names with ids
 * @file_index: position in the directory, the low half
 */
struct wmi_file_io_directory {
	__u64 irp;
	__u64 file_object;
	__u64 file_key;
	__u32 thread_id;
	__u32 length;
	__u32 information_class;
	__u32 file_index;
};

ETW_ASSERT_SIZE(struct wmi_file_io_directory, 0x28);

/**
 * struct wmi_file_io_end - payload of 0x044C version 3
 * @irp: number of the operation
 * @extra_information: transferred bytes; of 0x0440 1 opened, 2 created, 3 overwritten
 * @status: NTSTATUS
 */
struct wmi_file_io_end {
	__u64 irp;
	__u64 extra_information;
	__u32 status;
} ETW_PACKED;

ETW_ASSERT_SIZE(struct wmi_file_io_end, 0x14);
#define WMI_FILE_IO_VERSION		3

#endif /* _UAPI_ETW_EVENTS_FILE_H */
