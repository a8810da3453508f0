/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* A session at a time, and its records: for calls.c, sessions.c and streams.c. */
#ifndef ETW_TEST_PRIVATE_ONE_H
#define ETW_TEST_PRIVATE_ONE_H

#include "private.h"

static const char *directory;
static char path[512];
static TRACEHANDLE handle;
static struct session session;
static struct event event;

static inline const char *file_of(const char *name)
{
	snprintf(path, sizeof(path), "%s/%s.etl", directory, name);
	return path;
}

static inline void start(const char *name, ULONG mode, ULONG buffer_kb, ULONG maximum_buffers)
{
	session_clear(&session, file_of(name));
	session.fixed.LogFileMode |= mode;
	session.fixed.BufferSize = buffer_kb;
	session.fixed.MaximumBuffers = maximum_buffers;
	if (session_start(&session, &handle))
		printf("not ok - %s starts\n", name);
}

static inline void stop(void)
{
	check_code("the session stops",
		   session_control(&session, handle, EVENT_TRACE_CONTROL_STOP), 0);
}

/* The records of ours in a file, one after another */
struct records {
	uint8_t *record[4096];
	uint32_t size[4096];
	uint32_t count;
	struct file file;
};

static inline void keep(void *context, const uint8_t *record, uint32_t size, uint32_t processor)
{
	struct records *records = context;

	(void)processor;
	if (records->count == 4096 || (!is_ours(record, size) && record[3] == 0xC0 &&
				       record[2] != 0x15))
		return;
	records->record[records->count] = (uint8_t *)record;
	records->size[records->count++] = size;
}

static inline struct records *read_records(void)
{
	static struct records records;

	memset(&records, 0, sizeof(records));
	check("the file is whole", file_load(&records.file, path) &&
				   file_walk(&records.file, keep, &records));
	return &records;
}

static inline ULONG send(const void *header)
{
	return TraceEvent(handle, (EVENT_TRACE_HEADER *)(uintptr_t)header);
}

#endif /* ETW_TEST_PRIVATE_ONE_H */
