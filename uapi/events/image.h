/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/* Copyright (C) 2026 The etw authors */
/* Events of images; included by etw_hooks.h. */
#ifndef _UAPI_ETW_EVENTS_IMAGE_H
#define _UAPI_ETW_EVENTS_IMAGE_H

#include <linux/types.h>
#include "etw_format.h"

#define WMI_LOG_TYPE_PROCESS_LOAD_IMAGE		0x030A
#define WMI_LOG_TYPE_IMAGE_UNLOAD		0x1402
#define WMI_LOG_TYPE_IMAGE_DC_START		0x1403
#define WMI_LOG_TYPE_IMAGE_DC_END		0x1404
#define WMI_LOG_TYPE_IMAGE_KERNEL_BASE		0x1421

#define PERF_LOADER			0x00000004U

#define EVENT_TRACE_FLAG_IMAGE_LOAD	0x00000004U

/**
 * struct wmi_image_load - fixed part of 0x030A, 0x1402..0x1404 version 3
 * @image_base: where the first byte of the file is mapped; the kernel: _text
 * @image_size: bytes from there
 * @process_id: tgid; 0: the kernel and its modules
 * @image_checksum: 0
 * @time_date_stamp: first 4 bytes of the build-id; 0 when unknown
 * @signature_level: 0
 * @signature_type: 0
 * @reserved0: 0
 * @default_base: lowest address that the file requests
 * @reserved: 0
 *
 * The file name (UTF-16) follows. (kernel-events.rst 5.4)
 */
struct wmi_image_load {
	__u64 image_base;
	__u64 image_size;
	__u32 process_id;
	__u32 image_checksum;
	__u32 time_date_stamp;
	__u8 signature_level;
	__u8 signature_type;
	__u16 reserved0;
	__u64 default_base;
	__u32 reserved[4];
};

ETW_ASSERT_SIZE(struct wmi_image_load, 0x38);
ETW_ASSERT_OFFSET(struct wmi_image_load, time_date_stamp, 0x18);
ETW_ASSERT_OFFSET(struct wmi_image_load, default_base, 0x20);
#define WMI_IMAGE_VERSION		3
/* Payload of 0x1421: the address of _text */
#define WMI_IMAGE_KERNEL_BASE_VERSION	2

#endif /* _UAPI_ETW_EVENTS_IMAGE_H */
