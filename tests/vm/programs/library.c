// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* What sentences.txt says of TraceEvent and TraceMessage, by a program that uses libetw. */
#define _GNU_SOURCE
#include <sched.h>
#include <stdarg.h>
#include <sys/mman.h>
#include "library.h"

/*
 * "row ID good|bad: ..." is about a sentence of sentences.txt. The files that
 * sessions left are read by offsets here, without any library.
 */

#define EVENTS	"/tmp/library.etl"

const GUID class_guid = { 0x4c62a3d1, 0x77, 0x88, { 1, 2, 3, 4, 5, 6, 7, 8 } };
int failures;

struct block {
	EVENT_TRACE_PROPERTIES p;
	char name[1024];
	char file[1024];
};

static void prepare(struct block *block, const char *file)
{
	memset(block, 0, sizeof(*block));
	block->p.Wnode.BufferSize = sizeof(*block);
	block->p.Wnode.Flags = WNODE_FLAG_TRACED_GUID;
	block->p.LoggerNameOffset = offsetof(struct block, name);
	block->p.LogFileNameOffset = offsetof(struct block, file);
	strcpy(block->file, file);
}

TRACEHANDLE start(const char *name, const char *file, ULONG mode, ULONG kb)
{
	TRACEHANDLE handle = 0;
	struct block block;
	ULONG error;

	prepare(&block, file);
	block.p.LogFileMode = mode;
	block.p.BufferSize = kb;
	error = StartTraceA(&handle, name, &block.p);
	if (error)
		printf("# StartTrace, %s: %u\n", name, (unsigned int)error);
	return error ? 0 : handle;
}

ULONG stop(TRACEHANDLE handle)
{
	struct block block;

	prepare(&block, "");
	return StopTraceA(handle, NULL, &block.p);
}

void fill(struct event *event, USHORT size, ULONG flags)
{
	unsigned int i;

	memset(&event->header, 0x5A, sizeof(event->header));
	for (i = 0; i < sizeof(event->data); i++)
		event->data[i] = i * 3;
	event->header.Size = size;
	event->header.Class.Type = 7;
	event->header.Class.Level = TRACE_LEVEL_ERROR;
	event->header.Class.Version = 2;
	event->header.Guid = class_guid;
	event->header.ClientContext = 0;
	event->header.Flags = flags;
}

static int last_errors_differ;

ULONG trace(TRACEHANDLE handle, PVOID event)
{
	ULONG error;

	SetLastError(0xABCD);
	error = TraceEvent(handle, (PEVENT_TRACE_HEADER)event);
	last_errors_differ += GetLastError() != error;
	return error;
}

static ULONG get(const UCHAR *from, int bytes)
{
	ULONG value = 0;

	while (bytes--)
		value = value << 8 | from[bytes];
	return value;
}

/* FULL_HEADER, INSTANCE and MESSAGE are programs' */
static int is_of_programs(const UCHAR *record)
{
	return record[3] == 0x90 || (record[3] == 0xC0 && (record[2] & ~0x1E) <= 1 &&
				     ((record[2] & 0x1E) == 0x0A || (record[2] & 0x1E) == 0x14));
}

static struct found find(const UCHAR *data, size_t size, unsigned int n)
{
	size_t buffer, at, end, record;

	for (buffer = 0; buffer + 0x48 <= size; buffer += get(data + buffer, 4)) {
		end = buffer + get(data + buffer + 0x30, 4);
		for (at = buffer + 0x48; at < end && end <= size; at += (record + 7) & ~7UL) {
			record = get(data + at + (data[at + 3] == 0xC0 && data[at + 2] <= 4 ? 4 : 0),
				     2);
			if (is_of_programs(data + at) && !n--)
				return (struct found){ data + at, record };
			if (record < 8)
				break;
		}
	}
	return (struct found){ NULL, 0 };
}

struct found record_of(const char *file, unsigned int n)
{
	static UCHAR *data;
	FILE *stream = fopen(file, "rb");
	size_t size;

	if (!data)
		data = malloc(4 << 20);
	if (!stream)
		return (struct found){ NULL, 0 };
	size = fread(data, 1, 4 << 20, stream);
	fclose(stream);
	return find(data, size, n);
}

/* The record of fill()'s event */
static int is_filled(struct found r, ULONG bytes)
{
	struct event event;

	fill(&event, 0, 0);
	return r.bytes && r.size == 0x30 + bytes && get(r.bytes, 4) == (0xC0140030 + bytes) &&
	       get(r.bytes + 4, 4) == 0x00020207 && !memcmp(r.bytes + 0x18, &class_guid, 16) &&
	       !memcmp(r.bytes + 0x30, event.data, bytes);
}

static void check_input(TRACEHANDLE handle)
{
	struct event event, before;
	ULONG64 left;
	ULONG error;

	fill(&event, sizeof(event.header) + 20, 0);
	before = event;
	error = trace(handle, &event);
	memcpy(&left, &event.header.ThreadId, sizeof(left));
	memcpy(&event.header.ThreadId, &before.header.ThreadId, sizeof(left));
	row("T05", error == ERROR_SUCCESS && ERROR_SUCCESS == 0, "%u", (unsigned int)error);
	row("T29", !error && left == handle && !memcmp(&event, &before, sizeof(event)),
	    "0x%llx at 0x08, nothing else is another", (unsigned long long)left);
}

static void check_errors(TRACEHANDLE handle)
{
	UCHAR *pages = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct event event;
	ULONG error[6];

	mprotect(pages + 4096, 4096, PROT_NONE);
	error[0] = trace(handle, NULL);
	row("T14", error[0] == ERROR_INVALID_PARAMETER, "%u", (unsigned int)error[0]);
	fill(&event, sizeof(event.header) + 8, 0);
	memcpy(pages + 4096 - 0x20, &event, 0x20);
	error[0] = trace(handle, NOWHERE);
	error[1] = trace(handle, pages + 4096 - 0x20);
	memcpy(pages + 4096 - 0x37, &event, 0x37);
	error[2] = trace(handle, pages + 4096 - 0x37);
	row("T15", error[0] == ERROR_NOACCESS && error[1] == ERROR_NOACCESS &&
	    error[2] == ERROR_NOACCESS, "nowhere, half a header, half the data: %u, %u, %u",
	    (unsigned int)error[0], (unsigned int)error[1], (unsigned int)error[2]);
	fill(&event, 0x2F, 0);
	error[0] = trace(handle, &event);
	row("T22", error[0] == ERROR_INVALID_PARAMETER, "0x2F: %u", (unsigned int)error[0]);
	row("T06", error[0] == 87, "%u", (unsigned int)error[0]);
	fill(&event, sizeof(event.header), 0);
	error[0] = trace(0, &event);
	error[1] = trace(0xFFFF, &event);
	row("T38", error[0] == ERROR_INVALID_HANDLE, "%u", (unsigned int)error[0]);
	row("T39", error[1] == ERROR_INVALID_HANDLE, "%u", (unsigned int)error[1]);
	fill(&event, sizeof(event.header), WNODE_FLAG_USE_GUID_PTR);
	event.header.GuidPtr = (ULONG_PTR)KERNEL_ADDRESS;
	error[0] = trace(handle, KERNEL_ADDRESS);
	error[1] = trace(handle, &event);
	row("T43", error[0] == ERROR_NOACCESS && error[1] == ERROR_NOACCESS,
	    "event, GuidPtr: %u, %u", (unsigned int)error[0], (unsigned int)error[1]);
	fill(&event, sizeof(event.header) + 0x110, WNODE_FLAG_USE_MOF_PTR);
	error[0] = trace(handle, &event);
	row("T53", error[0] == ERROR_INVALID_DATA, "0x110: %u", (unsigned int)error[0]);
	munmap(pages, 8192);
}

static void check_too_large(TRACEHANDLE handle)
{
	struct event *large = calloc(1, 0x10000);
	ULONG error;

	fill(large, 0x4000, 0);
	error = trace(handle, large);
	row("T42", error == ERROR_MORE_DATA, "%u", (unsigned int)error);
	free(large);
}

static ULONG message_va(TRACEHANDLE handle, USHORT number, ...)
{
	va_list list;
	ULONG error;

	va_start(list, number);
	error = TraceMessageVa(handle, TRACE_MESSAGE_GUID, &class_guid, number, list);
	va_end(list);
	return error;
}

/* The same arguments both ways, and what they must become */
static void write_messages(TRACEHANDLE handle, ULONG *error)
{
	static const char text[] = "a text";
	ULONG number = 0x11223344;

	error[0] = TraceMessage(handle, TRACE_MESSAGE_GUID, &class_guid, 3, &number,
				(ULONG)sizeof(number), text, (ULONG)sizeof(text), NULL);
	error[1] = message_va(handle, 4, &number, (ULONG)sizeof(number), text,
			      (ULONG)sizeof(text), NULL);
	number = 0xC0;
	error[2] = TraceMessage(handle, TRACE_MESSAGE_COMPONENTID, (LPCGUID)&number, 5, NULL);
}

static int is_message(struct found r, ULONG number)
{
	return r.bytes && r.size == 8 + 16 + 4 + 7 && get(r.bytes, 4) == 0x90000000 + r.size &&
	       get(r.bytes + 4, 4) == (0x00820000 | number) &&
	       !memcmp(r.bytes + 8, &class_guid, 16) && get(r.bytes + 24, 4) == 0x11223344 &&
	       !memcmp(r.bytes + 28, "a text", 7);
}

static void check_messages(const ULONG *error, unsigned int first)
{
	struct found r = record_of(EVENTS, first);
	int by_list = is_message(r, 3), by_va;

	row("M05", !error[0] && by_list, "%u", (unsigned int)error[0]);
	by_va = is_message(record_of(EVENTS, first + 1), 4);
	row("M06", !error[1] && by_va, "%u", (unsigned int)error[1]);
	row("M37", by_list && by_va, "the same arguments make the same bytes");
	r = record_of(EVENTS, first + 2);
	row("M35", TRACE_MESSAGE_COMPONENTID == 0x0004 && !error[2] && r.bytes && r.size == 12 &&
	    get(r.bytes + 8, 4) == 0xC0, "%u", (unsigned int)error[2]);
}

/*
 * On one processor: a file has the buffers of each processor in the order in
 * which they were read, and record_of() counts records as they stand there.
 */
static void stay(void)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(0, &set);
	if (sched_setaffinity(0, sizeof(set), &set)) {
		perror("sched_setaffinity");
		exit(1);
	}
}

int main(void)
{
	TRACEHANDLE handle;
	ULONG error[3];

	stay();
	handle = start("library", EVENTS, EVENT_TRACE_FILE_MODE_SEQUENTIAL, 8);
	check_header();
	check_input(handle);
	check_errors(handle);
	check_too_large(handle);
	write_messages(handle, error);
	row("T07",
	    !last_errors_differ, "%d calls with a last error that was not what they returned",
	    last_errors_differ);
	if (stop(handle))
		row("T01", 0, "StopTrace");
	else
		row("T01", is_filled(record_of(EVENTS, 0), 20), "as it was given, in the file");
	row("H05", is_filled(record_of(EVENTS, 0), 20), "0xC0140044 begins it");
	check_messages(error, 1);
	check_private();
	check_consumer();
	return !!failures;
}
