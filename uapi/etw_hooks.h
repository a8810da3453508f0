/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/* Hook ids of kernel events and the group mask bits that enable them. */
#ifndef _UAPI_ETW_HOOKS_H
#define _UAPI_ETW_HOOKS_H

#include <linux/types.h>
#include "etw_format.h"

#define ETW_PACKED	__attribute__((__packed__))

/* hook id = group << 8 | type (kernel-events.md 2) */
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
#define PERFINFO_LOG_TYPE_READYTHREAD		0x0532
#define PERFINFO_LOG_TYPE_THREAD_SET_NAME	0x0548
#define WMI_LOG_TYPE_CONFIG_CPU			0x0B0A
#define WMI_LOG_TYPE_CONFIG_PHYSICALDISK	0x0B0B
#define WMI_LOG_TYPE_CONFIG_LOGICALDISK		0x0B0C
#define WMI_LOG_TYPE_CONFIG_NIC			0x0B0D
#define WMI_LOG_TYPE_CONFIG_NUMANODE		0x0B18
#define WMI_LOG_TYPE_CONFIG_PLATFORM		0x0B19
#define WMI_LOG_TYPE_CONFIG_PROCESSORGROUP	0x0B1A
#define WMI_LOG_TYPE_CONFIG_PROCESSORNUMBER	0x0B1B
#define WMI_LOG_TYPE_CONFIG_PROCESSOR		0x0B23

/*
 * A group mask value names an element (top three bits) and bits in it (low
 * 29). EnableFlags are element 0; some of them are aliases of bits in other
 * elements (kernel-events.md 1.5).
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
#define PERF_DISPATCHER			0x20000200U

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
/* the one bit of element 0 that Windows leaves unused: for test sources */
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
 * PackageFullName and ApplicationId (UTF-16). (kernel-events.md 5.2)
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
 * Followed by the thread's name (UTF-16). (kernel-events.md 5.3)
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

/**
 * struct wmi_cpu_record - payload of 0x0B0A version 3
 * @mhz: nominal clock
 * @number_of_processors: online CPUs
 * @mem_size: MB
 * @page_size: bytes
 * @allocation_granularity: bytes
 * @computer_name: UTF-16
 * @domain_name: UTF-16
 * @hyper_threading_flag: mask of CPUs that are SMT siblings
 * @highest_user_address: last byte
 * @processor_architecture: 9 AMD64, 12 ARM64
 * @processor_level: family
 * @processor_revision: model << 8 | stepping
 * @pae_enabled: 1
 * @nx_enabled: 1
 * @memory_speed: 0
 */
struct wmi_cpu_record {
	__u32 mhz;
	__u32 number_of_processors;
	__u32 mem_size;
	__u32 page_size;
	__u32 allocation_granularity;
	__u16 computer_name[256];
	__u16 domain_name[134];
	__u64 hyper_threading_flag;
	__u64 highest_user_address;
	__u16 processor_architecture;
	__u16 processor_level;
	__u16 processor_revision;
	__u8 pae_enabled;
	__u8 nx_enabled;
	__u32 memory_speed;
} ETW_PACKED;

ETW_ASSERT_SIZE(struct wmi_cpu_record, 828);
ETW_ASSERT_OFFSET(struct wmi_cpu_record, hyper_threading_flag, 0x320);
#define WMI_CPU_VERSION			3

/**
 * struct wmi_processor_record - payload of 0x0B23 version 2, one per CPU
 * @index: CPU
 * @feature_set: 0
 * @mhz: nominal clock
 * @name: brand, UTF-16
 * @identifier: family, model, stepping, UTF-16
 * @vendor: UTF-16
 */
struct wmi_processor_record {
	__u32 index;
	__u32 feature_set;
	__u32 mhz;
	__u16 name[64];
	__u16 identifier[128];
	__u16 vendor[16];
};

ETW_ASSERT_SIZE(struct wmi_processor_record, 428);

/**
 * struct wmi_physical_disk_record - payload of 0x0B0B version 2
 * @disk_number: dense from 0
 * @bytes_per_sector: logical block size
 * @sectors_per_track: 63
 * @tracks_per_cylinder: 255
 * @cylinders: capacity in these units
 * @scsi_port: 0
 * @scsi_path: 0
 * @scsi_target: 0
 * @scsi_lun: 0
 * @manufacturer: model, UTF-16
 * @partition_count: partitions
 * @write_cache_enabled: 1 write back
 * @pad: 0
 * @boot_drive_letter: empty
 * @spare: 0
 */
struct wmi_physical_disk_record {
	__u32 disk_number;
	__u32 bytes_per_sector;
	__u32 sectors_per_track;
	__u32 tracks_per_cylinder;
	__u64 cylinders;
	__u32 scsi_port;
	__u32 scsi_path;
	__u32 scsi_target;
	__u32 scsi_lun;
	__u16 manufacturer[256];
	__u32 partition_count;
	__u8 write_cache_enabled;
	__u8 pad;
	__u16 boot_drive_letter[3];
	__u16 spare[2];
};

ETW_ASSERT_SIZE(struct wmi_physical_disk_record, 568);
ETW_ASSERT_OFFSET(struct wmi_physical_disk_record, partition_count, 0x228);

/**
 * struct wmi_logical_disk_record - payload of 0x0B0C version 2
 * @start_offset: bytes
 * @partition_size: bytes
 * @disk_number: of its disk
 * @size: of this structure
 * @drive_type: 1, a partition
 * @drive_letter: UTF-16, at most three characters
 * @pad: 0
 * @partition_number: from 1
 * @sectors_per_cluster: 0 when not mounted
 * @bytes_per_sector: logical block size
 * @pad2: 0
 * @number_of_free_clusters: 0 when not mounted
 * @total_number_of_clusters: 0 when not mounted
 * @file_system: UTF-16, empty when not mounted
 * @volume_ext: 0
 * @pad3: 0
 */
struct wmi_logical_disk_record {
	__u64 start_offset;
	__u64 partition_size;
	__u32 disk_number;
	__u32 size;
	__u32 drive_type;
	__u16 drive_letter[4];
	__u32 pad;
	__u32 partition_number;
	__u32 sectors_per_cluster;
	__u32 bytes_per_sector;
	__u32 pad2;
	__s64 number_of_free_clusters;
	__s64 total_number_of_clusters;
	__u16 file_system[16];
	__u32 volume_ext;
	__u32 pad3;
};

ETW_ASSERT_SIZE(struct wmi_logical_disk_record, 112);
ETW_ASSERT_OFFSET(struct wmi_logical_disk_record, file_system, 0x48);
#define WMI_CONFIG_VERSION		2

#endif /* _UAPI_ETW_HOOKS_H */
