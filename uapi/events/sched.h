/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/* Copyright (C) 2026 The etw authors */
/* Events of the scheduler: swaps, ready threads, priorities, migrations; see etw_hooks.h. */
#ifndef _UAPI_ETW_EVENTS_SCHED_H
#define _UAPI_ETW_EVENTS_SCHED_H

#include <linux/types.h>
#include "etw_format.h"

#define PERFINFO_LOG_TYPE_CONTEXTSWAP		0x0524
#define PERFINFO_LOG_TYPE_SET_PRIORITY		0x0530
#define PERFINFO_LOG_TYPE_SET_BASE_PRIORITY	0x0531
#define PERFINFO_LOG_TYPE_READYTHREAD		0x0532
#define PERFINFO_LOG_TYPE_SET_IO_PRIORITY	0x0534
#define PERFINFO_LOG_TYPE_THREAD_MIGRATION	0x053D

#define PERF_CONTEXT_SWITCH		0x20000004U
#define PERF_DISPATCHER			0x20000200U
#define PERF_PRIORITY			0x20002000U
#define PERF_LOAD_BALANCER		0x40080000U

#define EVENT_TRACE_FLAG_CSWITCH	0x00000010U
#define EVENT_TRACE_FLAG_DISPATCHER	0x00000800U

/**
 * struct wmi_contextswap - WMI_CONTEXTSWAP, payload of 0x0524 version 4
 * @new_thread_id: the thread that is switched in
 * @old_thread_id: the thread that is switched out
 * @new_thread_priority: 0..31
 * @old_thread_priority: 0..31
 * @previous_c_state: last C-state of an old idle thread; 0 for other threads
 * @new_thread_priority_decrement: 0
 * @old_thread_wait_reason: KWAIT_REASON
 * @thread_flags: bit 0: the wait is a user-mode wait
 * @old_thread_state: KTHREAD_STATE
 * @old_thread_ideal_processor: the CPU
 * @new_thread_wait_time: 0
 * @old_thread_remaining_quantum: 0
 */
struct wmi_contextswap {
	__u32 new_thread_id;
	__u32 old_thread_id;
	__s8 new_thread_priority;
	__s8 old_thread_priority;
	__u8 previous_c_state;
	__s8 new_thread_priority_decrement;
	__u8 old_thread_wait_reason;
	__u8 thread_flags;
	__u8 old_thread_state;
	__u8 old_thread_ideal_processor;
	__u32 new_thread_wait_time;
	__u32 old_thread_remaining_quantum;
};

ETW_ASSERT_SIZE(struct wmi_contextswap, 0x18);
ETW_ASSERT_OFFSET(struct wmi_contextswap, old_thread_wait_reason, 0x0C);
#define WMI_CONTEXTSWAP_VERSION		4

/**
 * struct wmi_ready_thread - payload of 0x0532 version 2
 * @thread_id: the thread that was woken
 * @adjust_reason: 1 a wakeup, 0 a new thread
 * @adjust_increment: 0
 * @flag: 1: woken from an interrupt
 * @reserved: 0
 */
struct wmi_ready_thread {
	__u32 thread_id;
	__s8 adjust_reason;
	__s8 adjust_increment;
	__s8 flag;
	__s8 reserved;
};

ETW_ASSERT_SIZE(struct wmi_ready_thread, 0x08);
#define WMI_READY_THREAD_VERSION	2

/**
 * struct wmi_set_priority - payload of 0x0530, 0x0531 and 0x0534 version 3
 * @thread_id: the thread that is changed
 * @old_priority: 0..31; 0x0534: 0..4
 * @new_priority: 0..31; 0x0534: 0..4
 * @reserved: 0
 *
 * (kernel-events.rst 5.5)
 */
struct wmi_set_priority {
	__u32 thread_id;
	__u8 old_priority;
	__u8 new_priority;
	__u16 reserved;
};

ETW_ASSERT_SIZE(struct wmi_set_priority, 0x08);
#define WMI_SET_PRIORITY_VERSION	3

/**
 * struct wmi_thread_migration - payload of 0x053D version 2
 * @thread_id: the thread that is moved
 * @source_processor: its old CPU
 * @target_processor: its new CPU
 * @priority: 0..31
 * @ideal_processor_adjust: 0
 * @old_ideal_processor: 0
 *
 * (kernel-events.rst 5.5)
 */
struct wmi_thread_migration {
	__u32 thread_id;
	__u16 source_processor;
	__u16 target_processor;
	__u8 priority;
	__u8 ideal_processor_adjust;
	__u16 old_ideal_processor;
};

ETW_ASSERT_SIZE(struct wmi_thread_migration, 0x0C);
ETW_ASSERT_OFFSET(struct wmi_thread_migration, priority, 0x08);
#define WMI_THREAD_MIGRATION_VERSION	2

/* KTHREAD_STATE */
#define ETW_THREAD_READY		1
#define ETW_THREAD_RUNNING		2
#define ETW_THREAD_TERMINATED		4
#define ETW_THREAD_WAITING		5

/* KWAIT_REASON */
#define ETW_WAIT_EXECUTIVE		0
#define ETW_WAIT_SUSPENDED		5
#define ETW_WAIT_USER_REQUEST		6
#define ETW_WAIT_WR_EXECUTIVE		7
#define ETW_WAIT_WR_QUEUE		15
#define ETW_WAIT_WR_TERMINATED		22
#define ETW_WAIT_WR_RESOURCE		27
#define ETW_WAIT_WR_PREEMPTED		32

#endif /* _UAPI_ETW_EVENTS_SCHED_H */
