// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* ControlTrace() and its short forms. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "session.h"

/* A session that keeps its events in memory: a copy of them, when a name is given */
static ULONG save_copy(uint32_t id, const char *path)
{
	struct etw_control control = { .size = sizeof(control), .logger_id = id };
	int stream = etw_control_ioctl(ETW_IOC_SNAPSHOT, &control);
	ULONG error;

	if (stream < 0)
		return etw_error(stream);
	error = logfile_save(stream, path);
	close(stream);
	return error;
}

static ULONG flush_session(uint32_t id, const struct properties *properties,
			   const struct block *block)
{
	if ((block->info.log_file_mode & EVENT_TRACE_BUFFERING_MODE) && properties->file[0])
		return save_copy(id, properties->file);
	return flush_into_file(id, block);
}

/* Counts buffered events that will not be read as lost, also if the writer was killed. */
static void add_unread(uint32_t id, struct block *block)
{
	struct etw_statistics left = {
		.size = sizeof(left), .logger_id = id, .processor = ETW_ALL_PROCESSORS,
	};

	if (!etw_control_ioctl(ETW_IOC_STATISTICS, &left))
		block->info.events_lost += left.buffered;
}

static bool is_without_writer(const struct wmi_logger_information *info)
{
	return info->log_file_name.length && !info->real_time_consumer_count &&
	       !(info->log_file_mode & EVENT_TRACE_BUFFERING_MODE);
}

/*
 * A session without a reader is discarded, because otherwise its name would stay taken. That
 * includes a session that was stopped before, for which the result is ERROR_WMI_INSTANCE_NOT_FOUND.
 */
static ULONG stop_unread(uint32_t id, struct block *block)
{
	bool killed;
	int err;

	/* the writer may have gone since the block was filled in */
	kernel_query(id, block);
	killed = block->size && is_without_writer(&block->info);
	err = kernel_stop(id, false);
	if (killed)
		add_unread(id, block);
	if (!block->info.real_time_consumer_count)
		kernel_stop(id, true);
	if (killed && (!err || err == -EALREADY))
		return ERROR_PROCESS_ABORTED;
	return etw_error(err);
}

/* On return the file of a session is complete, and the numbers are final. */
static ULONG stop_session(uint32_t id, struct block *block)
{
	int writer = writer_connect(id, block), err;
	ULONG error;

	if (writer >= 0 && !writer_request(writer, UINT64_MAX)) {
		close(writer);
		writer = -1;
	}
	if (writer < 0)
		return stop_unread(id, block);
	err = kernel_stop(id, false);
	if (err && err != -EALREADY) {
		error = etw_error(err);
	} else {
		error = writer_wait_end(writer, block);
		/* killed meanwhile */
		if (error == ERROR_PROCESS_ABORTED)
			error = stop_unread(id, block);
	}
	close(writer);
	return error;
}

ULONG kernel_update(uint32_t id, struct block *block)
{
	struct etw_control control = {
		.size = sizeof(control), .logger_id = id, .information = (uintptr_t)block->bytes,
		.information_size = block->size,
	};

	/* what there is now need not be what a block may ask for */
	block->info.minimum_buffers = 0;
	return etw_error(etw_control_ioctl(ETW_IOC_UPDATE, &control));
}

/* What may not change may be left out: 0, or no name. */
static ULONG update_session(uint32_t id, const struct properties *properties,
			    struct block *block)
{
	const EVENT_TRACE_PROPERTIES *fixed = &properties->fixed;
	struct wmi_logger_information *info = &block->info;
	ULONG error = ERROR_SUCCESS;

	if ((fixed->LogFileMode & ~info->log_file_mode) & EVENT_TRACE_REAL_TIME_MODE)
		return ERROR_NOT_SUPPORTED;
	info->maximum_buffers = fixed->MaximumBuffers;
	if (fixed->FlushTimer)
		info->flush_timer = fixed->FlushTimer;
	if (fixed->EnableFlags)
		error = block_set_events(block, properties);
	return error ? error : kernel_update(id, block);
}

/*
 * The module knows a file by name only. It takes all changes first, because it may refuse them;
 * when the writer cannot take the file, the module takes the changes back.
 */
static ULONG update_with_file(uint32_t id, const struct properties *properties,
			      struct block *block, int writer)
{
	struct block *before = malloc(sizeof(*before));
	ULONG error;

	if (!before)
		return ERROR_NOT_ENOUGH_MEMORY;
	*before = *block;
	error = block_set_file(block, properties->file);
	if (!error)
		error = update_session(id, properties, block);
	if (!error) {
		error = writer_change_file(writer, properties->file);
		if (error)
			kernel_update(id, before);
	}
	free(before);
	return error;
}

static ULONG update_trace(uint32_t id, struct properties *properties, struct block *block)
{
	ULONG error = logfile_make_absolute(properties->file);
	char file[FILE_NAME_TEXT];
	int writer;

	block_text(block, &block->info.log_file_name, file, sizeof(file));
	if (error || !properties->file[0] || !strcmp(properties->file, file))
		return error ? error : update_session(id, properties, block);
	writer = file[0] ? writer_connect(id, block) : -1;
	/* no file, or that of another program */
	if (writer < 0)
		return ERROR_NOT_SUPPORTED;
	error = update_with_file(id, properties, block, writer);
	close(writer);
	return error;
}

static ULONG control_session(uint32_t id, struct properties *properties, struct block *block,
			     ULONG code)
{
	ULONG error = ERROR_SUCCESS;
	int err = kernel_query(id, block);

	if (err)
		return etw_error(err);
	switch (code) {
	case EVENT_TRACE_CONTROL_STOP:
		error = stop_session(id, block);
		break;
	case EVENT_TRACE_CONTROL_UPDATE:
		error = update_trace(id, properties, block);
		break;
	case EVENT_TRACE_CONTROL_FLUSH:
		error = flush_session(id, properties, block);
		break;
	}
	/* the counts of a stopped session are returned even if its file has an error */
	if (error && code != EVENT_TRACE_CONTROL_STOP)
		return error;
	if (code != EVENT_TRACE_CONTROL_STOP) {
		kernel_query(id, block);
		writer_add_counts(id, block);
	}
	if (!block->size)
		return error ? error : ERROR_WMI_INSTANCE_NOT_FOUND;
	block_to_properties(block, properties);
	return error;
}

static ULONG control_kernel(TRACEHANDLE handle, const char *name, struct properties *properties,
			    ULONG code)
{
	struct block *block;
	ULONG error;
	int id = name[0] ? kernel_find(name) : ETW_HANDLE_LOGGER_ID(handle);

	if (id < 0)
		return etw_error(id);
	block = malloc(sizeof(*block));
	if (!block)
		return ERROR_NOT_ENOUGH_MEMORY;
	error = control_session(id, properties, block, code);
	free(block);
	return error;
}

static ULONG control_private(TRACEHANDLE handle, const char *name, struct properties *properties,
			     ULONG code)
{
	return private_control(handle, name[0] ? name : NULL, &properties->fixed,
			       properties->name, properties->file, code);
}

/* A name wins over a handle, as on Windows. */
static ULONG control_any(TRACEHANDLE handle, const char *name, struct properties *properties,
			 ULONG code)
{
	ULONG error;

	if (name[0]) {
		error = control_private(0, name, properties, code);
		if (error != ERROR_WMI_INSTANCE_NOT_FOUND)
			return error;
		return control_kernel(0, name, properties, code);
	}
	if (handle & ETW_HANDLE_PRIVATE)
		return control_private(handle, name, properties, code);
	if (!ETW_HANDLE_LOGGER_ID(handle))
		return ERROR_INVALID_PARAMETER;
	return control_kernel(handle, name, properties, code);
}

static ULONG control_trace(TRACEHANDLE handle, const void *instance, bool wide,
			   EVENT_TRACE_PROPERTIES *at, ULONG code)
{
	bool names = code == EVENT_TRACE_CONTROL_UPDATE || code == EVENT_TRACE_CONTROL_FLUSH;
	char name[SESSION_NAME_TEXT];
	struct properties *properties;
	ULONG error, put;

	if (code == EVENT_TRACE_CONTROL_INCREMENT_FILE)
		return ERROR_NOT_SUPPORTED;
	if (code > EVENT_TRACE_CONTROL_FLUSH)
		return ERROR_INVALID_PARAMETER;
	error = name_in(instance, wide, name);
	if (!error)
		error = properties_new(at, wide, names, &properties);
	if (error)
		return error;
	error = control_any(handle, name, properties, code);
	/* name and counts of a stopped session are returned even after an error */
	if (!error || (code == EVENT_TRACE_CONTROL_STOP && properties->name[0])) {
		put = properties_put(properties);
		error = error ? error : put;
	}
	free(properties);
	return error;
}

static ULONG control_uncancelled(TRACEHANDLE handle, const void *instance, bool wide,
				 EVENT_TRACE_PROPERTIES *at, ULONG code)
{
	int cancel = etw_cancel_disable();
	ULONG error = control_trace(handle, instance, wide, at, code);

	etw_cancel_restore(cancel);
	return error;
}

ULONG ControlTraceA(TRACEHANDLE handle, LPCSTR name, PEVENT_TRACE_PROPERTIES properties,
		    ULONG code)
{
	return etw_result(control_uncancelled(handle, name, false, properties, code));
}

ULONG ControlTraceW(TRACEHANDLE handle, LPCWSTR name, PEVENT_TRACE_PROPERTIES properties,
		    ULONG code)
{
	return etw_result(control_uncancelled(handle, name, true, properties, code));
}

/* Both functions of a verb: ControlTrace() with one code */
#define SHORT_FORM(name, code)								\
ULONG name##A(TRACEHANDLE handle, LPCSTR session, PEVENT_TRACE_PROPERTIES properties)	\
{											\
	return ControlTraceA(handle, session, properties, code);			\
}											\
ULONG name##W(TRACEHANDLE handle, LPCWSTR session, PEVENT_TRACE_PROPERTIES properties)	\
{											\
	return ControlTraceW(handle, session, properties, code);			\
}

SHORT_FORM(StopTrace, EVENT_TRACE_CONTROL_STOP)
SHORT_FORM(QueryTrace, EVENT_TRACE_CONTROL_QUERY)
SHORT_FORM(UpdateTrace, EVENT_TRACE_CONTROL_UPDATE)
SHORT_FORM(FlushTrace, EVENT_TRACE_CONTROL_FLUSH)
