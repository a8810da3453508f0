/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/* Copyright (C) 2026 The etw authors */
/* Events of disks and file names; included by etw_hooks.h. */
#ifndef _UAPI_ETW_EVENTS_DISK_H
#define _UAPI_ETW_EVENTS_DISK_H

#include <linux/types.h>
#include "etw_format.h"

#define WMI_LOG_TYPE_IO_READ			0x010A
#define WMI_LOG_TYPE_IO_WRITE			0x010B
#define WMI_LOG_TYPE_IO_READ_INIT		0x010C
#define WMI_LOG_TYPE_IO_WRITE_INIT		0x010D
#define WMI_LOG_TYPE_IO_FLUSH			0x010E
#define WMI_LOG_TYPE_IO_FLUSH_INIT		0x010F
#define PERFINFO_LOG_TYPE_FILENAME		0x0400
#define PERFINFO_LOG_TYPE_FILENAME_CREATE	0x0420
#define PERFINFO_LOG_TYPE_FILENAME_DELETE	0x0423
#define PERFINFO_LOG_TYPE_FILENAME_RUNDOWN	0x0424

#define PERF_DISK_IO			0x00000100U
#define PERF_FILENAME			0x00000200U
#define PERF_DISK_IO_INIT		0x00000400U

#define EVENT_TRACE_FLAG_DISK_IO	0x00000100U
#define EVENT_TRACE_FLAG_DISK_FILE_IO	0x00000200U
#define EVENT_TRACE_FLAG_DISK_IO_INIT	0x00000400U

/* The thread is unknown */
#define ETW_NO_THREAD			0xFFFFFFFFU

/**
 * struct etw_disk_transfer - ETW_DISKIO_READWRITE_V3, payload of 0x010A and 0x010B
 * @disk_number: of the whole disk, as in 0x0B0B
 * @irp_flags: ETW_IRP_*, and the priority
 * @transfer_size: bytes
 * @reserved: 0
 * @byte_offset: on the whole disk
 * @file_object: key of the file, as in 0x0424; 0: none, or not known
 * @irp: as in 0x010C and 0x010D
 * @high_res_response_time: from issue to completion, ticks
 * @issuing_thread_id: the requesting thread; ETW_NO_THREAD: not known
 */
struct etw_disk_transfer {
	__u32 disk_number;
	__u32 irp_flags;
	__u32 transfer_size;
	__u32 reserved;
	__u64 byte_offset;
	__u64 file_object;
	__u64 irp;
	__u64 high_res_response_time;
	__u32 issuing_thread_id;
} ETW_PACKED;

ETW_ASSERT_SIZE(struct etw_disk_transfer, 52);
ETW_ASSERT_OFFSET(struct etw_disk_transfer, irp, 0x20);
ETW_ASSERT_OFFSET(struct etw_disk_transfer, issuing_thread_id, 0x30);

/**
 * struct etw_disk_flush - ETW_DISKIO_FLUSH_BUFFERS_V3, payload of 0x010E
 * @disk_number: see struct etw_disk_transfer, also for the other members
 * @irp_flags: the priority
 * @high_res_response_time: from issue to completion, ticks
 * @irp: as in 0x010F
 * @issuing_thread_id: the requesting thread
 */
struct etw_disk_flush {
	__u32 disk_number;
	__u32 irp_flags;
	__u64 high_res_response_time;
	__u64 irp;
	__u32 issuing_thread_id;
} ETW_PACKED;

ETW_ASSERT_SIZE(struct etw_disk_flush, 28);

/**
 * struct wmi_disk_init - WMI_DISKIO_READWRITE_INIT, payload of 0x010C, 0x010D, 0x010F
 * @irp: unique id of the request
 * @issuing_thread_id: the requesting thread
 */
struct wmi_disk_init {
	__u64 irp;
	__u32 issuing_thread_id;
} ETW_PACKED;

ETW_ASSERT_SIZE(struct wmi_disk_init, 12);
#define ETW_DISK_VERSION		3

/* IrpFlags beside ETW_IRP_NOCACHE: through the cache; a thread waits for it; priority */
#define ETW_IRP_PAGING_IO		0x00000002U
#define ETW_IRP_SYNCHRONOUS_PAGING_IO	0x00000040U
#define ETW_IRP_PRIORITY_SHIFT		17

/* Payload of 0x04xx above: a qword, the file's key; then its path, UTF-16 with a NUL */
#define PERFINFO_FILENAME_VERSION	2

#endif /* _UAPI_ETW_EVENTS_DISK_H */
