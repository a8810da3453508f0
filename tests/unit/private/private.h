/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* What the tests of the private logger share: checks, sessions, a walk over a file. */
#ifndef ETW_TEST_PRIVATE_H
#define ETW_TEST_PRIVATE_H

#include <evntrace.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tests/lib/guest/check.h"

#define LOGGER	"private test"

static inline void check(const char *name, bool good)
{
	check_that(good, "%s", name);
}

/* Says what it was when it is not what it should be */
static inline void check_code(const char *name, ULONG code, ULONG wanted)
{
	if (code != wanted)
		printf("# %s: %u, not %u\n", name, code, wanted);
	check(name, code == wanted);
}

struct session {
	EVENT_TRACE_PROPERTIES fixed;
	char name[64];
	char file[512];
};

static inline void session_clear(struct session *session, const char *file)
{
	memset(session, 0, sizeof(*session));
	session->fixed.Wnode.BufferSize = sizeof(*session);
	session->fixed.Wnode.Flags = WNODE_FLAG_TRACED_GUID;
	session->fixed.Wnode.ClientContext = 1;
	session->fixed.LogFileMode = EVENT_TRACE_PRIVATE_LOGGER_MODE;
	session->fixed.LoggerNameOffset = offsetof(struct session, name);
	session->fixed.LogFileNameOffset = offsetof(struct session, file);
	snprintf(session->file, sizeof(session->file), "%s", file);
}

static inline ULONG session_start(struct session *session, TRACEHANDLE *handle)
{
	return StartTraceA(handle, LOGGER, &session->fixed);
}

static inline ULONG session_control(struct session *session, TRACEHANDLE handle, ULONG code)
{
	return ControlTraceA(handle, NULL, &session->fixed, code);
}

/* An event of the class that the tests look for */
struct event {
	EVENT_TRACE_HEADER header;
	uint8_t data[0xFF00];
};

static const GUID test_class = {
	0x5d3c1f02, 0x8a4e, 0x4b5b, { 0x9c, 0x11, 0x20, 0x07, 0x33, 0x44, 0x5a, 0x01 },
};

static inline void event_fill(struct event *event, uint8_t type, uint32_t size)
{
	memset(&event->header, 0, sizeof(event->header));
	event->header.Size = sizeof(event->header) + size;
	event->header.Class.Type = type;
	event->header.Guid = test_class;
	event->header.Flags = WNODE_FLAG_TRACED_GUID;
}

/* The file in memory */
struct file {
	uint8_t *bytes;
	uint64_t size;
};

static inline bool file_load(struct file *file, const char *name)
{
	FILE *stream = fopen(name, "rb");
	long size = -1;

	file->bytes = NULL;
	if (!stream)
		return false;
	if (!fseek(stream, 0, SEEK_END))
		size = ftell(stream);
	rewind(stream);
	if (size >= 0)
		file->bytes = malloc(size + 1);
	file->size = size;
	if (file->bytes && fread(file->bytes, 1, size, stream) != (size_t)size) {
		free(file->bytes);
		file->bytes = NULL;
	}
	fclose(stream);
	return file->bytes;
}

static inline uint64_t take_bytes(const uint8_t *at, unsigned int bytes)
{
	uint64_t value = 0;

	memcpy(&value, at, bytes);
	return value;
}

/*
 * Calls @see for each record, with its buffer's processor index.
 * Return: false when the file is no row of whole buffers with whole records
 */
static inline bool file_walk(const struct file *file,
			     void (*see)(void *context, const uint8_t *record, uint32_t size,
					 uint32_t processor),
			     void *context)
{
	uint64_t at;
	uint32_t step, end, pos, size;
	const uint8_t *buffer;

	for (at = 0; at < file->size; at += step) {
		buffer = file->bytes + at;
		if (file->size - at < 0x48)
			return false;
		step = take_bytes(buffer, 4);
		end = take_bytes(buffer + 0x30, 4);
		if (step < 0x48 || step > file->size - at || end > step)
			return false;
		for (pos = 0x48; pos < end; pos += (size + 7) & ~7u) {
			/* SYSTEM records have their Size at 4, the others at 0 */
			size = take_bytes(buffer + pos + (buffer[pos + 2] == 0x02 ? 4 : 0), 2);
			if (size < 8 || size > end - pos)
				return false;
			see(context, buffer + pos, size, take_bytes(buffer + 0x28, 2));
		}
		if (pos != end)
			return false;
	}
	return true;
}

static inline bool is_ours(const uint8_t *record, uint32_t size)
{
	return size >= 0x30 && record[2] == 0x14 && record[3] == 0xC0 &&
	       !memcmp(record + 0x18, &test_class, sizeof(test_class));
}

/* Loss records of the logger: EVENT_HEADER, its provider, event 2 */
static inline bool is_loss(const uint8_t *record, uint32_t size)
{
	return size == 0x50 + 0x28 && record[2] == 0x13 && record[3] == 0xC0 &&
	       take_bytes(record + 0x18, 4) == 0xf79c09b4 && take_bytes(record + 0x28, 2) == 2;
}

#endif /* ETW_TEST_PRIVATE_H */
