/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/* Copyright (C) 2026 The etw authors */
/* Events of processes and threads; included by etw_hooks.h. */
#ifndef _UAPI_ETW_EVENTS_PROCESS_H
#define _UAPI_ETW_EVENTS_PROCESS_H

#include <linux/types.h>
#include "etw_format.h"

#define WMI_LOG_TYPE_PROCESS_CREATE		0x0301
#define WMI_LOG_TYPE_PROCESS_DELETE		0x0302
#define WMI_LOG_TYPE_PROCESS_DC_START		0x0303
#define WMI_LOG_TYPE_PROCESS_DC_END		0x0304
#define WMI_LOG_TYPE_PROCESS_TERMINATED		0x030B
#define WMI_LOG_TYPE_PROCESS_DEFUNCT		0x0327
#define WMI_LOG_TYPE_THREAD_CREATE		0x0501
#define WMI_LOG_TYPE_THREAD_DELETE		0x0502
#define WMI_LOG_TYPE_THREAD_DC_START		0x0503
#define WMI_LOG_TYPE_THREAD_DC_END		0x0504
#define PERFINFO_LOG_TYPE_THREAD_SET_NAME	0x0548

#define PERF_PROCESS			0x00000001U
#define PERF_THREAD			0x00000002U
#define PERF_PROC_THREAD		0x00000003U

#define EVENT_TRACE_FLAG_PROCESS	0x00000001U
#define EVENT_TRACE_FLAG_THREAD		0x00000002U

/**
 * struct wmi_process_information - fixed part of 0x0301..0x0304 version 4
 * @unique_process_key: keyed hash, one per image of a process
 * @process_id: tgid; 0 Idle; 4 System: all kernel threads
 * @parent_id: tgid of the parent
 * @session_id: audit session
 * @exit_status: ETW_STATUS_PENDING while alive
 * @directory_table_base: keyed hash, one per address space; 0 without one
 * @flags: 2: 32-bit process
 *
 * Followed by the SID block, ImageFileName (8 bit), CommandLine,
 * PackageFullName and ApplicationId (UTF-16). (kernel-events.rst 5.2)
 */
struct wmi_process_information {
	__u64 unique_process_key;
	__u32 process_id;
	__u32 parent_id;
	__u32 session_id;
	__u32 exit_status;
	__u64 directory_table_base;
	__u32 flags;
} ETW_PACKED;

ETW_ASSERT_SIZE(struct wmi_process_information, 0x24);
#define WMI_PROCESS_VERSION		4
#define WMI_PROCESS_DEFUNCT_VERSION	5
#define ETW_STATUS_PENDING		0x103

/**
 * struct wmi_thread_information - fixed part of 0x0501..0x0504 version 3
 * @process_id: tgid; 4 for kernel threads
 * @thread_id: pid
 * @stack_base: end of the kernel stack
 * @stack_limit: start of the kernel stack
 * @user_stack_base: 0 when unknown
 * @user_stack_limit: 0 when unknown
 * @affinity: first word of the CPU mask
 * @win32_start_addr: first address in user mode; 0 when unknown
 * @teb_base: user TLS
 * @sub_process_tag: 0
 * @base_priority: 0..31
 * @page_priority: 5
 * @io_priority: 0..4
 * @thread_flags: 0
 *
 * Followed by the thread's name (UTF-16). (kernel-events.rst 5.3)
 */
struct wmi_thread_information {
	__u32 process_id;
	__u32 thread_id;
	__u64 stack_base;
	__u64 stack_limit;
	__u64 user_stack_base;
	__u64 user_stack_limit;
	__u64 affinity;
	__u64 win32_start_addr;
	__u64 teb_base;
	__u32 sub_process_tag;
	__u8 base_priority;
	__u8 page_priority;
	__u8 io_priority;
	__u8 thread_flags;
};

ETW_ASSERT_SIZE(struct wmi_thread_information, 0x48);
#define WMI_THREAD_VERSION		3

#endif /* _UAPI_ETW_EVENTS_PROCESS_H */
