// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* OpenTrace. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "libetl/text.h"
#include "consume.h"

static_assert(sizeof(EVENT_TRACE_LOGFILEA) == 0x1C0, "EVENT_TRACE_LOGFILE");
static_assert(offsetof(EVENT_TRACE_LOGFILEA, BufferCallback) == 0x190, "BufferCallback");

/* Units of the longest path, its terminator included */
#define MOST_UNITS	4096

/* A name of the W form as UTF-8 */
static char *narrow(const WCHAR *text)
{
	size_t units = 0, room;
	char *copy;

	while (text[units])
		units++;
	room = 3 * units + 1;
	copy = malloc(room);
	if (copy)
		text_from_utf16((const uint8_t *)text, 2 * units, copy, room);
	return copy;
}

ULONG consume_copy_name(bool wide, const void *name, char **copy)
{
	size_t unit = wide ? sizeof(WCHAR) : 1;
	WCHAR text[MOST_UNITS];
	int err = etw_copy_string(text, name, MOST_UNITS * unit, unit);

	if (err)
		return err == -E2BIG ? ERROR_BAD_PATHNAME : etw_error(err);
	*copy = wide ? narrow(text) : strdup((const char *)text);
	if (!*copy)
		return ERROR_NOT_ENOUGH_MEMORY;
	return **copy ? ERROR_SUCCESS : ERROR_BAD_PATHNAME;
}

/* One name, and the one that the mode asks for */
static ULONG check(const EVENT_TRACE_LOGFILEA *logfile)
{
	bool live = logfile->ProcessTraceMode & PROCESS_TRACE_MODE_REAL_TIME;

	if (!logfile->LogFileName && !logfile->LoggerName)
		return ERROR_BAD_PATHNAME;
	if (logfile->LogFileName && logfile->LoggerName)
		return ERROR_INVALID_PARAMETER;
	return live == !!logfile->LoggerName ? ERROR_SUCCESS : ERROR_INVALID_PARAMETER;
}

/* No eventfd, because fstat() reports one file for all eventfds, including the program's. */
static ULONG make_wake(struct consumer *consumer)
{
	int ends[2], cancel;

	if (pipe2(ends, O_CLOEXEC))
		return etw_error(errno);
	cancel = etw_cancel_disable();
	consumer->wake[0] = descriptor_raise(ends[0]);
	consumer->wake[1] = descriptor_raise(ends[1]);
	etw_cancel_restore(cancel);
	return etw_error(descriptor_know(consumer->wake[0], &consumer->wake_is));
}

static ULONG prepare(struct consumer *consumer)
{
	const EVENT_TRACE_LOGFILEA *logfile = &consumer->logfile.a;
	ULONG result;

	if (logfile->LoggerName)
		result = consume_copy_name(consumer->wide, logfile->LoggerName, &consumer->session);
	else
		result = consume_copy_name(consumer->wide, logfile->LogFileName, &consumer->file);
	if (result)
		return result;
	result = consume_attach(consumer);
	/* A session may begin later: ProcessTrace() looks again. */
	if (consumer->session && result == ERROR_WMI_INSTANCE_NOT_FOUND)
		result = ERROR_SUCCESS;
	return !result && consumer->is_stream ? make_wake(consumer) : result;
}

/* The caller's own names and functions are as they were. */
static ULONG copy_out(struct consumer *consumer, EVENT_TRACE_LOGFILEA *to)
{
	consumer->logfile.a.BuffersRead = 0;
	return etw_error(etw_copy_out(to, &consumer->logfile.a, sizeof(*to)));
}

static void free_unopened(void *consumer)
{
	consume_free(consumer);
}

/* The open of a pipe waits for its writer, and for the header buffer */
static ULONG fill_in(struct consumer *consumer, EVENT_TRACE_LOGFILEA *logfile)
{
	ULONG result;

	pthread_cleanup_push(free_unopened, consumer);
	result = etw_error(etw_copy_in(&consumer->logfile.a, logfile, sizeof(*logfile)));
	if (!result)
		result = check(&consumer->logfile.a);
	if (!result)
		result = prepare(consumer);
	if (!result)
		result = copy_out(consumer, logfile);
	pthread_cleanup_pop(0);
	return result;
}

static ULONG open_trace(EVENT_TRACE_LOGFILEA *logfile, bool wide, PROCESSTRACE_HANDLE *handle)
{
	struct consumer *consumer = calloc(1, sizeof(*consumer));
	ULONG result;

	if (!consumer)
		return ERROR_NOT_ENOUGH_MEMORY;
	consumer->fd = -1;
	consumer->wake[0] = -1;
	consumer->wake[1] = -1;
	consumer->wide = wide;
	result = fill_in(consumer, logfile);
	if (result)
		consume_free(consumer);
	else
		*handle = consume_add(consumer);
	return result;
}

/* Both forms of the structure have one layout; @wide says what its names are. */
static PROCESSTRACE_HANDLE open_any(EVENT_TRACE_LOGFILEA *logfile, bool wide)
{
	PROCESSTRACE_HANDLE handle = INVALID_PROCESSTRACE_HANDLE;

	etw_result(logfile ? open_trace(logfile, wide, &handle) : ERROR_INVALID_PARAMETER);
	return handle;
}

/**
 * OpenTraceA() - opens a trace to be consumed
 * @Logfile: LogFileName (a file, or what can be read as a stream) or, with
 *	PROCESS_TRACE_MODE_REAL_TIME, LoggerName; mode, callbacks, Context; filled
 *	in with what the header event says
 *
 * Return: a handle, or INVALID_PROCESSTRACE_HANDLE; then GetLastError() is
 * ERROR_INVALID_PARAMETER (no @Logfile; both names; a name that does not go with
 * the mode), ERROR_BAD_PATHNAME (no name), ERROR_FILE_NOT_FOUND,
 * ERROR_PATH_NOT_FOUND, ERROR_ACCESS_DENIED, ERROR_FILE_CORRUPT (no trace),
 * ERROR_BUSY (another consumer reads the session), ERROR_READ_FAULT,
 * ERROR_NOT_ENOUGH_MEMORY, ERROR_TOO_MANY_OPEN_FILES, ERROR_NOACCESS. That there is no session of
 * the name is for ProcessTrace() to say.
 */
PROCESSTRACE_HANDLE OpenTraceA(PEVENT_TRACE_LOGFILEA Logfile)
{
	return open_any(Logfile, false);
}

/**
 * OpenTraceW() - OpenTraceA() with names in UTF-16
 * @Logfile: see there
 *
 * Return: see there.
 */
PROCESSTRACE_HANDLE OpenTraceW(PEVENT_TRACE_LOGFILEW Logfile)
{
	return open_any((EVENT_TRACE_LOGFILEA *)Logfile, true);
}
