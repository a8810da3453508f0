/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/* Copyright (C) 2026 The etw authors */
/* Events of page faults, virtual memory and pool; included by etw_hooks.h. */
#ifndef _UAPI_ETW_EVENTS_MEMORY_H
#define _UAPI_ETW_EVENTS_MEMORY_H

#include <linux/types.h>
#include "etw_format.h"

#define PERFINFO_LOG_TYPE_TRANSITIONFAULT	0x020A
#define PERFINFO_LOG_TYPE_DEMANDZEROFAULT	0x020B
#define PERFINFO_LOG_TYPE_COPYONWRITE		0x020C
#define PERFINFO_LOG_TYPE_HARDFAULT		0x020E
#define PERFINFO_LOG_TYPE_ACCESSVIOLATION	0x020F
#define PERFINFO_LOG_TYPE_HARDPAGEFAULT		0x0220
#define PERFINFO_LOG_TYPE_VIRTUAL_ALLOC		0x0262
#define PERFINFO_LOG_TYPE_VIRTUAL_FREE		0x0263
#define PERFINFO_LOG_TYPE_VIRTUAL_ALLOC_DC_START 0x0280
#define PERFINFO_LOG_TYPE_VIRTUAL_ALLOC_DC_END	0x0281
#define PERFINFO_LOG_TYPE_ALLOCATEPOOL		0x0E20
#define PERFINFO_LOG_TYPE_FREEPOOL		0x0E22
#define WMI_LOG_TYPE_PROCESS_PERFCTR		0x0320
#define WMI_LOG_TYPE_PROCESS_PERFCTR_RUNDOWN	0x0321

#define PERF_PROCESS_COUNTERS		0x00000008U
#define PERF_ALL_FAULTS			0x00001000U
#define PERF_HARD_FAULTS		0x00002000U
#define PERF_POOL			0x20000040U
#define PERF_VIRTUAL_ALLOC		0x20008000U

#define EVENT_TRACE_FLAG_PROCESS_COUNTERS	0x00000008U
#define EVENT_TRACE_FLAG_VIRTUAL_ALLOC	0x00004000U
#define EVENT_TRACE_FLAG_MEMORY_PAGE_FAULTS	0x00001000U
#define EVENT_TRACE_FLAG_MEMORY_HARD_FAULTS	0x00002000U

/**
 * struct wmi_page_fault - payload of 0x020A to 0x020F version 2
 * @virtual_address: the accessed address
 * @program_counter: the accessing instruction; in the kernel only if the session
 *	shows addresses
 */
struct wmi_page_fault {
	__u64 virtual_address;
	__u64 program_counter;
};

ETW_ASSERT_SIZE(struct wmi_page_fault, 0x10);
#define WMI_PAGE_FAULT_VERSION		2

/**
 * struct perfinfo_hard_page_fault - payload of 0x0220 version 2
 * @initial_time: session clock when the fault began; it ended at the record's time
 * @read_offset: bytes into the file, or into swap space
 * @virtual_address: the accessed address
 * @file_object: key of the file, or of swap space
 * @thread_id: the faulting thread
 * @byte_count: size of a page
 */
struct perfinfo_hard_page_fault {
	__u64 initial_time;
	__u64 read_offset;
	__u64 virtual_address;
	__u64 file_object;
	__u32 thread_id;
	__u32 byte_count;
};

ETW_ASSERT_SIZE(struct perfinfo_hard_page_fault, 0x28);
ETW_ASSERT_OFFSET(struct perfinfo_hard_page_fault, thread_id, 0x20);
#define PERFINFO_HARD_PAGE_FAULT_VERSION	2

/**
 * struct perfinfo_virtual_alloc - payload of 0x0262, 0x0263, 0x0280, 0x0281 version 2
 * @base: first byte
 * @size: bytes
 * @process_id: owner of the memory
 * @flags: ETW_MEM_*
 * @commit_size: 0x0280, 0x0281 only: accessible bytes
 */
struct perfinfo_virtual_alloc {
	__u64 base;
	__u64 size;
	__u32 process_id;
	__u32 flags;
	__u64 commit_size;
};

ETW_ASSERT_SIZE(struct perfinfo_virtual_alloc, 0x20);
ETW_ASSERT_OFFSET(struct perfinfo_virtual_alloc, commit_size, 0x18);
#define PERFINFO_VIRTUAL_ALLOC_VERSION	2
#define ETW_MEM_COMMIT			0x1000
#define ETW_MEM_RESERVE			0x2000
#define ETW_MEM_DECOMMIT		0x4000
#define ETW_MEM_RELEASE			0x8000

/**
 * struct wmi_process_counters - payload of 0x0320 and 0x0321 version 2
 * @process_id: tgid
 * @page_fault_count: hard and soft ones
 * @handle_count: open files
 * @reserved: 0
 * @peak_virtual_size: bytes, as all members below
 * @peak_working_set_size: most resident bytes
 * @peak_pagefile_usage: 0
 * @quota_peak_paged_pool_usage: 0
 * @quota_peak_non_paged_pool_usage: 0
 * @virtual_size: mapped
 * @working_set_size: resident
 * @pagefile_usage: in swap space
 * @quota_paged_pool_usage: 0
 * @quota_non_paged_pool_usage: 0
 * @private_page_count: resident and anonymous
 */
struct wmi_process_counters {
	__u32 process_id;
	__u32 page_fault_count;
	__u32 handle_count;
	__u32 reserved;
	__u64 peak_virtual_size;
	__u64 peak_working_set_size;
	__u64 peak_pagefile_usage;
	__u64 quota_peak_paged_pool_usage;
	__u64 quota_peak_non_paged_pool_usage;
	__u64 virtual_size;
	__u64 working_set_size;
	__u64 pagefile_usage;
	__u64 quota_paged_pool_usage;
	__u64 quota_non_paged_pool_usage;
	__u64 private_page_count;
};

ETW_ASSERT_SIZE(struct wmi_process_counters, 0x68);
#define WMI_PROCESS_COUNTERS_VERSION	2

/**
 * struct perfinfo_pool - payload of 0x0E20 and 0x0E22 version 2
 * @type: ETW_POOL_NON_PAGED_NX
 * @tag: four characters, in the order of memory
 * @number_of_bytes: requested bytes; 0 for a free
 * @entry: keyed hash of the address, the same for an allocation and its free
 */
struct perfinfo_pool {
	__u32 type;
	__u32 tag;
	__u64 number_of_bytes;
	__u64 entry;
};

ETW_ASSERT_SIZE(struct perfinfo_pool, 0x18);
ETW_ASSERT_OFFSET(struct perfinfo_pool, tag, 0x04);
ETW_ASSERT_OFFSET(struct perfinfo_pool, number_of_bytes, 0x08);
ETW_ASSERT_OFFSET(struct perfinfo_pool, entry, 0x10);
#define PERFINFO_POOL_VERSION		2
/* POOL_TYPE: never paged out nor executed, as all slab memory of Linux */
#define ETW_POOL_NON_PAGED_NX		0x200U

#endif /* _UAPI_ETW_EVENTS_MEMORY_H */
