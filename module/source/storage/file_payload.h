/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Payloads of file operations: 0440..0451. */
#ifndef ETW_FILE_PAYLOAD_H
#define ETW_FILE_PAYLOAD_H

#include <linux/types.h>
#include "etw_hooks.h"

struct etw_sink;
struct file;
struct inode;

/* FILE_INFORMATION_CLASS for operations that Linux does in its own way */
#define ETW_FILE_BASIC_INFORMATION		4
#define ETW_FILE_RENAME_INFORMATION		10
#define ETW_FILE_LINK_INFORMATION		11
#define ETW_FILE_DISPOSITION_INFORMATION	13
#define ETW_FILE_ALL_INFORMATION		18
#define ETW_FILE_ALLOCATION_INFORMATION		19
#define ETW_FILE_END_OF_FILE_INFORMATION	20
#define ETW_FILE_ID_BOTH_DIRECTORY_INFORMATION	37
#define ETW_FSCTL_SET_ZERO_DATA			0x980C8

/* IoStatus.Information of an open file */
#define ETW_FILE_OPENED				1
#define ETW_FILE_CREATED			2
#define ETW_FILE_OVERWRITTEN			3

/**
 * struct etw_file_event - a record of a file operation, before its layout for a session
 * @hook_id: hook id
 * @irp: number of the operation
 * @file: open file, or NULL
 * @inode: file, or NULL
 * @offset: 0443, 0444, 0448: position
 * @extra: ExtraInformation
 * @size: requested bytes
 * @flags: IoFlags, InfoClass, CreateOptions
 * @attributes: 0440: FileAttributes
 * @text: text after the fixed part, UTF-16 with its terminator, or NULL
 * @text_size: bytes of @text
 */
struct etw_file_event {
	u16 hook_id;
	u64 irp;
	const struct file *file;
	const struct inode *inode;
	u64 offset;
	u64 extra;
	u32 size;
	u32 flags;
	u32 attributes;
	const void *text;
	u32 text_size;
};

/**
 * union etw_file_payload - the fixed part of any such record
 * @create: 0440
 * @simple: 0441 0442 0449
 * @transfer: 0443 0444
 * @information: 0445..0447 044A 044B 044F..0451
 * @directory: 0448
 */
union etw_file_payload {
	struct wmi_file_io_create create;
	struct wmi_file_io_simple simple;
	struct wmi_file_io_transfer transfer;
	struct wmi_file_io_information information;
	struct wmi_file_io_directory directory;
};

u32 etw_file_status(long result);
u32 etw_file_create_options(int flags);
u32 etw_file_layout(union etw_file_payload *to, const struct etw_sink *sink,
		    const struct etw_file_event *event);

#endif /* ETW_FILE_PAYLOAD_H */
