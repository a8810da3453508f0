// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* StartTrace(). */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "libetl/text.h"
#include "session.h"

#define FILE_MODES	(EVENT_TRACE_FILE_MODE_SEQUENTIAL | EVENT_TRACE_FILE_MODE_CIRCULAR | \
			 EVENT_TRACE_FILE_MODE_NEWFILE | EVENT_TRACE_FILE_MODE_APPEND)
/*
 * Modes that exclude EVENT_TRACE_FILE_MODE_APPEND. BUFFERING is among them for private loggers: all
 * other sessions are refused before, because BUFFERING excludes a file, and APPEND requires one.
 */
#define NOT_APPENDED	(EVENT_TRACE_FILE_MODE_CIRCULAR | EVENT_TRACE_FILE_MODE_NEWFILE | \
			 EVENT_TRACE_REAL_TIME_MODE | EVENT_TRACE_BUFFERING_MODE)

static const GUID kernel_guid = {
	0x9e814aad, 0x3204, 0x11d2, { 0x9a, 0x82, 0x00, 0x60, 0x08, 0xa8, 0x69, 0x39 }
};

/* The kernel's session has one name and one GUID; either stands for both. */
static ULONG check_kernel_name(struct properties *properties)
{
	GUID *guid = &properties->fixed.Wnode.Guid;
	bool named = text_is_same_name(properties->name, KERNEL_LOGGER_NAMEA);

	if (IsEqualGUID(guid, &kernel_guid) && !named)
		return ERROR_INVALID_PARAMETER;
	if (named)
		*guid = kernel_guid;
	return ERROR_SUCCESS;
}

static ULONG check(struct properties *properties)
{
	uint32_t mode = properties->fixed.LogFileMode;

	if (!(properties->fixed.Wnode.Flags & WNODE_FLAG_TRACED_GUID) || !properties->name[0])
		return ERROR_INVALID_PARAMETER;
	if (properties->fixed.Wnode.Flags & WNODE_FLAG_VERSIONED_PROPERTIES)
		return ERROR_NOT_SUPPORTED;
	/* a private logger has the file for its flushes from the start */
	if (properties->file[0] && (mode & EVENT_TRACE_BUFFERING_MODE) &&
	    !(mode & EVENT_TRACE_PRIVATE_LOGGER_MODE))
		return ERROR_INVALID_PARAMETER;
	if (!properties->file[0] && (mode & FILE_MODES || !mode))
		return ERROR_BAD_PATHNAME;
	if ((mode & EVENT_TRACE_FILE_MODE_APPEND) && (mode & NOT_APPENDED))
		return ERROR_INVALID_PARAMETER;
	/* no other process can read a private session */
	if (properties->file[0] && (mode & EVENT_TRACE_REAL_TIME_MODE) &&
	    (mode & EVENT_TRACE_PRIVATE_LOGGER_MODE))
		return ERROR_NOT_SUPPORTED;
	return check_kernel_name(properties);
}

static int start(struct block *block, uint32_t *id)
{
	struct etw_control control = {
		.size = sizeof(control), .information = (uintptr_t)block->bytes,
		.information_size = block->size,
	};
	int err = etw_control_ioctl(ETW_IOC_START, &control);

	*id = control.logger_id;
	/* a tracepoint that this kernel lacks; there is no session that could be */
	return err == -ENOENT ? -EOPNOTSUPP : err;
}

/* START checks this again. If the sessions can't be listed, START returns the error. */
static bool is_taken(const char *name)
{
	return kernel_find(name) >= 0;
}

/* The file is opened first, so that no session begins if it can't be written. */
static ULONG start_with_file(struct properties *properties, struct block *block, uint32_t *id)
{
	bool has_file = properties->file[0];
	ULONG error = ERROR_SUCCESS;
	struct logfile file;
	int err;

	if (is_taken(properties->name))
		return ERROR_ALREADY_EXISTS;
	if (has_file)
		error = logfile_open(properties, &file);
	if (error)
		return error;
	err = start(block, id);
	if (err) {
		if (has_file)
			logfile_abandon(&file);
		return etw_error(err);
	}
	if (has_file)
		error = logfile_run(&file, *id);
	if (error)
		kernel_stop(*id, true);
	return error;
}

/* The caller gave the file's name, and keeps it where the whole path has no room. */
static ULONG put(struct properties *properties)
{
	ULONG error = properties_put(properties);

	return error == ERROR_MORE_DATA ? ERROR_SUCCESS : error;
}

static ULONG start_kernel(TRACEHANDLE *handle, struct properties *properties)
{
	struct block *block = calloc(1, sizeof(*block));
	TRACEHANDLE made;
	uint32_t id;
	ULONG error;

	if (!block)
		return ERROR_NOT_ENOUGH_MEMORY;
	error = block_of(properties, block);
	if (!error)
		error = start_with_file(properties, block, &id);
	if (!error) {
		made = id;
		kernel_query(id, block);
		block_to_properties(block, properties);
		error = etw_error(etw_copy_out(handle, &made, sizeof(made)));
		if (!error)
			error = put(properties);
		/* the caller did not get its handle */
		if (error)
			kernel_stop(id, true);
	}
	free(block);
	return error;
}

static ULONG start_private(TRACEHANDLE *handle, struct properties *properties)
{
	ULONG error = private_items(properties);
	TRACEHANDLE made = 0;

	if (!error)
		error = private_start(&made, properties->name,
				      properties->file[0] ? properties->file : NULL,
				      &properties->fixed);
	if (error)
		return error;
	error = etw_error(etw_copy_out(handle, &made, sizeof(made)));
	if (!error)
		error = put(properties);
	/* the caller did not get its handle */
	if (error)
		private_control(made, NULL, &properties->fixed, properties->name,
				properties->file, EVENT_TRACE_CONTROL_STOP);
	return error;
}

static ULONG start_session(TRACEHANDLE *handle, const void *name, bool wide,
			   EVENT_TRACE_PROPERTIES *at)
{
	struct properties *properties;
	ULONG error;

	if (!name || !at)
		return ERROR_INVALID_PARAMETER;
	error = properties_new(at, wide, true, &properties);
	if (error)
		return error;
	error = name_in(name, wide, properties->name);
	if (!error)
		error = check(properties);
	if (!error)
		error = logfile_make_absolute(properties->file);
	if (!error)
		error = properties_check(properties);
	if (!error && (properties->fixed.LogFileMode & EVENT_TRACE_PRIVATE_LOGGER_MODE))
		error = start_private(handle, properties);
	else if (!error)
		error = start_kernel(handle, properties);
	free(properties);
	return error;
}

/* Without a session the handle is 0, unless that has no place, either. */
static ULONG start_trace(TRACEHANDLE *handle, const void *name, bool wide,
			 EVENT_TRACE_PROPERTIES *at)
{
	static const TRACEHANDLE none;
	ULONG error;
	int cancel;

	if (!handle)
		return ERROR_INVALID_PARAMETER;
	cancel = etw_cancel_disable();
	error = start_session(handle, name, wide, at);
	if (error)
		etw_copy_out(handle, &none, sizeof(none));
	etw_cancel_restore(cancel);
	return error;
}

ULONG StartTraceA(PTRACEHANDLE handle, LPCSTR name, PEVENT_TRACE_PROPERTIES properties)
{
	return etw_result(start_trace(handle, name, false, properties));
}

ULONG StartTraceW(PTRACEHANDLE handle, LPCWSTR name, PEVENT_TRACE_PROPERTIES properties)
{
	return etw_result(start_trace(handle, name, true, properties));
}
