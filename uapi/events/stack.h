/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/* Copyright (C) 2026 The etw authors */
/* Stacks of events, whole or by key; included by etw_hooks.h. */
#ifndef _UAPI_ETW_EVENTS_STACK_H
#define _UAPI_ETW_EVENTS_STACK_H

#include <linux/types.h>
#include "etw_format.h"

/* PERFINFO headers; the thread is in the payload */
#define PERFINFO_LOG_TYPE_STACKWALK		0x1820
#define PERFINFO_LOG_TYPE_STACKTRACE_CREATE	0x1822
#define PERFINFO_LOG_TYPE_STACKTRACE_DELETE	0x1823
#define PERFINFO_LOG_TYPE_STACKTRACE_RUNDOWN	0x1824
#define PERFINFO_LOG_TYPE_STACKTRACE_KEY_KERNEL	0x1825
#define PERFINFO_LOG_TYPE_STACKTRACE_KEY_USER	0x1826
#define PERFINFO_STACK_VERSION			2

/* Most frames of a part; kernel and user make 255 */
#define ETW_STACK_KERNEL_FRAMES		128
#define ETW_STACK_USER_FRAMES		127
/* ETW_MINIMUM_CACHED_STACK_LENGTH: shorter parts have no key */
#define ETW_STACK_CACHED_FRAMES		4

/**
 * struct perfinfo_stack - payload of 0x1820 version 2
 * @event_time_stamp: exact time stamp of the event
 * @process_id: the thread's process
 * @thread_id: thread of the stack
 *
 * Addresses follow, innermost first, only of the kernel or only of the program.
 */
struct perfinfo_stack {
	__u64 event_time_stamp;
	__u32 process_id;
	__u32 thread_id;
};

ETW_ASSERT_SIZE(struct perfinfo_stack, 0x10);

/**
 * struct perfinfo_stack_by_key - payload of 0x1825 and 0x1826 version 2
 * @event_time_stamp: see struct perfinfo_stack
 * @process_id: the thread's process
 * @thread_id: thread of the stack
 * @stack_key: id of the addresses; 0x1822, 0x1823 and 0x1824 version 2 contain the
 *	key and the addresses
 */
struct perfinfo_stack_by_key {
	__u64 event_time_stamp;
	__u32 process_id;
	__u32 thread_id;
	__u64 stack_key;
};

ETW_ASSERT_SIZE(struct perfinfo_stack_by_key, 0x18);

#endif /* _UAPI_ETW_EVENTS_STACK_H */
