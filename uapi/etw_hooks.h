/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/* Hook ids of kernel events and the group mask bits that enable them. */
#ifndef _UAPI_ETW_HOOKS_H
#define _UAPI_ETW_HOOKS_H

#include <linux/types.h>
#include "etw_format.h"

#define ETW_PACKED	__attribute__((__packed__))

/* hook id = group << 8 | type (kernel-events.rst 2) */
#define WMI_LOG_TYPE_HEADER			0x0000
#define WMI_LOG_TYPE_HEADER_EXTENSION		0x0005
#define WMI_LOG_TYPE_RUNDOWN_COMPLETE		0x0008
#define WMI_LOG_TYPE_GROUP_MASKS_END		0x0020
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
#define PERFINFO_LOG_TYPE_CONTEXTSWAP		0x0524
#define PERFINFO_LOG_TYPE_SET_PRIORITY		0x0530
#define PERFINFO_LOG_TYPE_SET_BASE_PRIORITY	0x0531
#define PERFINFO_LOG_TYPE_READYTHREAD		0x0532
#define PERFINFO_LOG_TYPE_SET_IO_PRIORITY	0x0534
#define PERFINFO_LOG_TYPE_THREAD_SET_NAME	0x0548
#define PERFINFO_LOG_TYPE_MARK			0x0F22
/* {CE1DBFB4-137E-4DA6-87B0-3F59AA102CBC}: the class of group 0F */
#define ETW_PERF_INFO_GUID { 0xce1dbfb4, 0x137e, 0x4da6, \
	{ 0x87, 0xb0, 0x3f, 0x59, 0xaa, 0x10, 0x2c, 0xbc } }

#define PERFINFO_LOG_TYPE_ALLOCATEPOOL		0x0E20
#define PERFINFO_LOG_TYPE_FREEPOOL		0x0E22
#define PERFINFO_LOG_TYPE_SAMPLED_PROFILE	0x0F2E
#define PERFINFO_LOG_TYPE_PMC_INTERRUPT		0x0F2F
#define PERFINFO_LOG_TYPE_PMC_CONFIG		0x0F30
#define PERFINFO_LOG_TYPE_INTERRUPT_MESSAGE	0x0F32
#define PERFINFO_LOG_TYPE_SYSCALL_ENTER		0x0F33
#define PERFINFO_LOG_TYPE_SYSCALL_EXIT		0x0F34
#define PERFINFO_LOG_TYPE_INTERRUPT		0x0F43
#define PERFINFO_LOG_TYPE_DPC			0x0F44
#define PERFINFO_LOG_TYPE_TIMERDPC		0x0F45
#define PERFINFO_LOG_TYPE_SET_INTERVAL		0x0F48
#define PERFINFO_LOG_TYPE_COLLECTION_START	0x0F49
#define PERFINFO_LOG_TYPE_COLLECTION_END	0x0F4A

/*
 * A group mask value names an element (top three bits) and bits in it (low
 * 29). EnableFlags are element 0; some of them are aliases of bits in other
 * elements (kernel-events.rst 1.5).
 */
#define ETW_MASKS			8
#define PERF_MASK_INDEX(value)		((__u32)(value) >> 29)
#define PERF_MASK_BITS(value)		((__u32)(value) & 0x1FFFFFFF)

#define PERF_PROCESS			0x00000001U
#define PERF_THREAD			0x00000002U
#define PERF_PROC_THREAD		0x00000003U
#define PERF_LOADER			0x00000004U
#define PERF_PROFILE			0x20000002U
#define PERF_CONTEXT_SWITCH		0x20000004U
#define PERF_POOL			0x20000040U
#define PERF_DPC			0x20000080U
#define PERF_DISPATCHER			0x20000200U
#define PERF_PMC_PROFILE		0x20000400U
#define PERF_PRIORITY			0x20002000U
#define PERF_INTERRUPT			0x20004000U
#define PERF_SYSCALL			0x40000040U

#define EVENT_TRACE_FLAG_PROCESS	0x00000001U
#define EVENT_TRACE_FLAG_THREAD		0x00000002U
#define EVENT_TRACE_FLAG_IMAGE_LOAD	0x00000004U
#define EVENT_TRACE_FLAG_CSWITCH	0x00000010U
#define EVENT_TRACE_FLAG_DPC		0x00000020U
#define EVENT_TRACE_FLAG_INTERRUPT	0x00000040U
#define EVENT_TRACE_FLAG_SYSTEMCALL	0x00000080U
#define EVENT_TRACE_FLAG_DISPATCHER	0x00000800U
#define EVENT_TRACE_FLAG_VIRTUAL_ALLOC	0x00004000U
#define EVENT_TRACE_FLAG_DRIVER		0x00800000U
#define EVENT_TRACE_FLAG_PROFILE	0x01000000U
#define EVENT_TRACE_FLAG_FILE_IO	0x02000000U
#define EVENT_TRACE_FLAG_FILE_IO_INIT	0x04000000U
/* the one bit of element 0 that Windows leaves unused: for test sources, in any session */
#define EVENT_TRACE_FLAG_TEST		0x08000000U
#define EVENT_TRACE_FLAG_NO_SYSCONFIG	0x10000000U
#define EVENT_TRACE_FLAG_ENABLE_RESERVE	0x20000000U
#define EVENT_TRACE_FLAG_FORWARD_WMI	0x40000000U
#define EVENT_TRACE_FLAG_EXTENSION	0x80000000U

/**
 * struct perfinfo_groupmask - PERFINFO_GROUPMASK
 * @masks: each holds the low 29 bits of the PERF_ values with its index
 */
struct perfinfo_groupmask {
	__u32 masks[ETW_MASKS];
};

ETW_ASSERT_SIZE(struct perfinfo_groupmask, 0x20);

/**
 * struct wmi_contextswap - WMI_CONTEXTSWAP, payload of 0x0524 version 4
 * @new_thread_id: who comes
 * @old_thread_id: who goes
 * @new_thread_priority: 0..31
 * @old_thread_priority: 0..31
 * @previous_c_state: 0
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
 * @thread_id: who was woken
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
 * @thread_id: whose
 * @old_priority: 0..31; 0x0534: 0..4
 * @new_priority: likewise
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
 * struct perfinfo_sampled_profile - PERFINFO_SAMPLED_PROFILE_INFORMATION, payload
 *	of 0x0F2E version 2
 * @instruction_pointer: of the kernel only where the session shows addresses
 * @thread_id: who ran; 0: idle
 * @count: 1
 * @flags: bit 0: in a softirq; bit 1: in an interrupt; bits 3 to 7: priority
 * @rank: 0
 */
struct perfinfo_sampled_profile {
	__u64 instruction_pointer;
	__u32 thread_id;
	__u16 count;
	__u8 flags;
	__u8 rank;
};

ETW_ASSERT_SIZE(struct perfinfo_sampled_profile, 0x10);
#define PERFINFO_SAMPLED_PROFILE_VERSION	2
#define PERFINFO_SAMPLE_DPC		0x01
#define PERFINFO_SAMPLE_ISR		0x02
#define PERFINFO_SAMPLE_PRIORITY_SHIFT	3

/**
 * struct perfinfo_pmc_sample - payload of 0x0F2F version 2
 * @instruction_pointer: see struct perfinfo_sampled_profile
 * @thread_id: who ran
 * @profile_source: whose counter overflowed
 * @reserved: 0
 */
struct perfinfo_pmc_sample {
	__u64 instruction_pointer;
	__u32 thread_id;
	__u16 profile_source;
	__u16 reserved;
};

ETW_ASSERT_SIZE(struct perfinfo_pmc_sample, 0x10);
#define PERFINFO_PMC_SAMPLE_VERSION	2

/**
 * struct perfinfo_profile_interval - payload of 0x0F48, 0x0F49, 0x0F4A version 3
 * @source: KPROFILE_SOURCE; 0: the timer
 * @new_interval: 100 ns for the timer, else events
 * @old_interval: likewise
 *
 * The source's name follows, UTF-16 with its terminator.
 */
struct perfinfo_profile_interval {
	__u32 source;
	__u32 new_interval;
	__u32 old_interval;
};

ETW_ASSERT_SIZE(struct perfinfo_profile_interval, 0x0C);
#define PERFINFO_PROFILE_INTERVAL_VERSION	3

/* Payload of 0x0F30: a dword with the count, then that many UTF-16 names */
#define PERFINFO_PMC_CONFIG_VERSION	2

/**
 * struct perfinfo_dpc - payload of 0x0F44 and 0x0F45 version 2
 * @initial_time: session clock when it began; it ended at the record's time
 * @routine: what ran; 0 where addresses are not shown
 */
struct perfinfo_dpc {
	__u64 initial_time;
	__u64 routine;
};

ETW_ASSERT_SIZE(struct perfinfo_dpc, 0x10);
#define PERFINFO_DPC_VERSION		2

/**
 * struct perfinfo_interrupt - payload of 0x0F43 version 2, and of 0x0F32
 * @initial_time: session clock when it began; it ended at the record's time
 * @routine: the handler; 0 where addresses are not shown
 * @return_value: 1: the handler knew its device had asked for it
 * @vector: Linux' number of the interrupt; of x86's own ones the vector
 * @reserved: 0
 * @message_number: 0x0F32 only: likewise, in full
 *
 * (kernel-events.rst 5.8)
 */
struct perfinfo_interrupt {
	__u64 initial_time;
	__u64 routine;
	__u8 return_value;
	__u16 vector;
	__u8 reserved;
	__u32 message_number;
} ETW_PACKED;

ETW_ASSERT_SIZE(struct perfinfo_interrupt, 0x18);
ETW_ASSERT_OFFSET(struct perfinfo_interrupt, vector, 0x11);
ETW_ASSERT_OFFSET(struct perfinfo_interrupt, message_number, 0x14);
#define PERFINFO_INTERRUPT_VERSION	2

/* Payload of 0x0F33: the address of the call's function; of 0x0F34: NTSTATUS, 4 bytes */
#define PERFINFO_SYSCALL_VERSION	2
/*
 * Where the function can't be known, or addresses are not shown: this and 16 times
 * the number of the call, the 32-bit calls of a 64-bit kernel further up. Neither
 * x86_64 nor arm64 has anything there.
 */
#define ETW_SYSCALL_IMAGE		0xFFFFFFFFFFE00000ULL
#define ETW_SYSCALL_IMAGE_COMPAT	0xFFFFFFFFFFE10000ULL

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
 * @win32_start_addr: where it began to run in user mode; 0 when unknown
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

#include "events/config.h"
#include "events/disk.h"
#include "events/file.h"
#include "events/net.h"
#include "events/image.h"
#include "events/memory.h"
#include "events/stack.h"

#endif /* _UAPI_ETW_HOOKS_H */
