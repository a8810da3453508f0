/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/* Copyright (C) 2026 The etw authors */
/* Events that describe the system; included by etw_hooks.h. */
#ifndef _UAPI_ETW_EVENTS_CONFIG_H
#define _UAPI_ETW_EVENTS_CONFIG_H

#include <linux/types.h>
#include "etw_format.h"

#define WMI_LOG_TYPE_CONFIG_CPU			0x0B0A
#define WMI_LOG_TYPE_CONFIG_PHYSICALDISK	0x0B0B
#define WMI_LOG_TYPE_CONFIG_LOGICALDISK		0x0B0C
#define WMI_LOG_TYPE_CONFIG_NIC			0x0B0D
#define WMI_LOG_TYPE_CONFIG_NUMANODE		0x0B18
#define WMI_LOG_TYPE_CONFIG_PLATFORM		0x0B19
#define WMI_LOG_TYPE_CONFIG_PROCESSORGROUP	0x0B1A
#define WMI_LOG_TYPE_CONFIG_PROCESSORNUMBER	0x0B1B
#define WMI_LOG_TYPE_CONFIG_PROCESSOR		0x0B23

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

#endif /* _UAPI_ETW_EVENTS_CONFIG_H */
