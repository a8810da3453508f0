// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Payloads of file operations: translates Linux' values into Windows' terms. */
#include <linux/errno.h>
#include <linux/fcntl.h>
#include <linux/fs.h>
#include <linux/sched.h>
#include "context/sink.h"
#include "file_key.h"
#include "file_payload.h"
#include "source/opaque_key.h"

/* NT's CreateOptions and, in the top byte, dispositions */
#define OPTION_DIRECTORY		0x000001
#define OPTION_WRITE_THROUGH		0x000002
#define OPTION_NO_BUFFERING		0x000008
#define OPTION_SYNCHRONOUS		0x000020
#define OPTION_DELETE_ON_CLOSE		0x001000
#define OPTION_OPEN_REPARSE_POINT	0x200000
#define DISPOSITION_OPEN		0x01000000
#define DISPOSITION_CREATE		0x02000000
#define DISPOSITION_OPEN_IF		0x03000000
#define DISPOSITION_OVERWRITE		0x04000000
#define DISPOSITION_OVERWRITE_IF	0x05000000

#define SHARE_ALL			7

/**
 * etw_file_status() - NTSTATUS of the return value of a kernel function
 * @result: an errno if negative
 *
 * Includes the codes that replace -EINTR before a call is restarted.
 * (kernel-events.rst 9.2)
 */
u32 etw_file_status(long result)
{
	if (result >= 0)
		return 0;
	switch (result) {
	case -ENOENT:
		return 0xC0000034;
	case -EACCES:
		return 0xC0000022;
	case -EEXIST:
		return 0xC0000035;
	case -EINTR:
	case -ERESTARTSYS:
	case -ERESTARTNOINTR:
	case -ERESTARTNOHAND:
	case -ERESTART_RESTARTBLOCK:
		return 0xC0000120;
	case -EAGAIN:
		return 0x00000103;
	case -EINVAL:
		return 0xC000000D;
	}
	return 0xC0000001;
}

static u32 disposition(int flags)
{
	if (flags & O_CREAT)
		return flags & O_EXCL ? DISPOSITION_CREATE :
		       flags & O_TRUNC ? DISPOSITION_OVERWRITE_IF : DISPOSITION_OPEN_IF;
	return flags & O_TRUNC ? DISPOSITION_OVERWRITE : DISPOSITION_OPEN;
}

/**
 * etw_file_create_options() - CreateOptions
 * @flags: O_*
 */
u32 etw_file_create_options(int flags)
{
	u32 options = disposition(flags) | OPTION_SYNCHRONOUS;

	if (flags & O_DIRECTORY)
		options |= OPTION_DIRECTORY;
	if (flags & O_DSYNC)
		options |= OPTION_WRITE_THROUGH;
	if (flags & O_DIRECT)
		options |= OPTION_NO_BUFFERING;
	if (flags & O_NOFOLLOW)
		options |= OPTION_OPEN_REPARSE_POINT;
	if (flags & __O_TMPFILE)
		options |= OPTION_DELETE_ON_CLOSE;
	return options;
}

/* A failed open has a file object as well, which no other event uses. */
static u64 create_object(const struct etw_sink *sink, const struct etw_file_event *event)
{
	return event->file ? etw_opaque_key_cached(sink, (unsigned long)event->file) :
			     etw_opaque_key(sink, event->irp);
}

/**
 * etw_file_layout() - lay out the fixed part of a payload
 * @to: destination
 * @sink: session that the record is for
 * @event: values
 *
 * Context: any; the thread is the current one.
 * Return: bytes.
 */
u32 etw_file_layout(union etw_file_payload *to, const struct etw_sink *sink,
		    const struct etw_file_event *event)
{
	u64 object = etw_opaque_key_cached(sink, (unsigned long)event->file);
	u64 key = etw_file_key(sink, event->inode);

	switch (event->hook_id) {
	case PERFINFO_LOG_TYPE_FILE_IO_CREATE:
		to->create = (struct wmi_file_io_create){
			.irp = event->irp, .file_object = create_object(sink, event),
			.thread_id = current->pid, .create_options = event->flags,
			.file_attributes = event->attributes, .share_access = SHARE_ALL,
		};
		return sizeof(to->create);
	case PERFINFO_LOG_TYPE_FILE_IO_CLEANUP:
	case PERFINFO_LOG_TYPE_FILE_IO_CLOSE:
	case PERFINFO_LOG_TYPE_FILE_IO_FLUSH:
		to->simple = (struct wmi_file_io_simple){
			.irp = event->irp, .file_object = object, .file_key = key,
			.thread_id = current->pid,
		};
		return sizeof(to->simple);
	case PERFINFO_LOG_TYPE_FILE_IO_READ:
	case PERFINFO_LOG_TYPE_FILE_IO_WRITE:
		to->transfer = (struct wmi_file_io_transfer){
			.offset = event->offset, .irp = event->irp, .file_object = object,
			.file_key = key, .thread_id = current->pid, .io_size = event->size,
			.io_flags = event->flags,
		};
		return sizeof(to->transfer);
	case PERFINFO_LOG_TYPE_FILE_IO_DIRENUM:
		to->directory = (struct wmi_file_io_directory){
			.irp = event->irp, .file_object = object, .file_key = key,
			.thread_id = current->pid,
			.information_class = ETW_FILE_ID_BOTH_DIRECTORY_INFORMATION,
			.file_index = event->offset,
		};
		return sizeof(to->directory);
	}
	to->information = (struct wmi_file_io_information){
		.irp = event->irp, .file_object = object, .file_key = key,
		.extra_information = event->extra, .thread_id = current->pid,
		.information_class = event->flags,
	};
	return sizeof(to->information);
}
