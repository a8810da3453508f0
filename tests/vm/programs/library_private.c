// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* What sentences.txt says of headers in programs, and of the process's own logger. */
#include <sys/resource.h>
#include "library.h"

#define PRIVATE	"/tmp/library-private.etl"
#define BESIDE	"/tmp/library-beside.etl"
#define SPACELESS	"/tmp/library-spaceless.etl"

void check_header(void)
{
	EVENT_TRACE_HEADER header;

	memset(&header, 0, sizeof(header));
	row("H13", sizeof(header) == 0x30 && offsetof(EVENT_TRACE_HEADER, Guid) == 0x18 &&
	    offsetof(EVENT_TRACE_HEADER, Flags) == 0x2C, "0x%zx bytes", sizeof(header));
	header.HeaderType = 0x0A;
	header.MarkerFlags = 0xC0;
	row("H18", header.FieldTypeFlags == 0xC00A, "0x%x", header.FieldTypeFlags);
	header.Class.Type = 1;
	header.Class.Level = 2;
	header.Class.Version = 3;
	row("H20", header.Version == 0x00030201, "0x%x", (unsigned int)header.Version);
	header.KernelTime = 0x11;
	header.UserTime = 0x22;
	row("H27", header.ProcessorTime == 0x2200000011ULL, "0x%llx",
	    (unsigned long long)header.ProcessorTime);
	row("H37", WNODE_FLAG_USE_TIMESTAMP == 0x00000200 && WNODE_FLAG_TRACED_GUID == 0x00020000 &&
	    WNODE_FLAG_LOG_WNODE == 0x00040000 && WNODE_FLAG_USE_GUID_PTR == 0x00080000 &&
	    WNODE_FLAG_USE_MOF_PTR == 0x00100000, "five names");
	row("H38", TRACE_HEADER_FLAG_USE_TIMESTAMP == 0x00000200 &&
	    TRACE_HEADER_FLAG_TRACED_GUID == 0x00020000 &&
	    TRACE_HEADER_FLAG_LOG_WNODE == 0x00040000 &&
	    TRACE_HEADER_FLAG_USE_GUID_PTR == 0x00080000 &&
	    TRACE_HEADER_FLAG_USE_MOF_PTR == 0x00100000, "five names");
	row("H39", WNODE_FLAG_NO_HEADER == 0x00200000, "0x%x", WNODE_FLAG_NO_HEADER);
}

/* A record of another's, which the logger is to take as it is */
static const UCHAR whole[0x28] = {
	0x28, 0x00, 0x00, 0x90, 0x77, 0x00, 0x40, 0x00, 'o', 'f', ' ', 'a', 'n', 'o', 't', 'h',
	'e', 'r', 'f', 'i', 'l', 'e',
};

static void check_no_header(TRACEHANDLE handle, ULONG *error)
{
	EVENT_TRACE event;

	/* all that counts is behind the header, but Size and the flag */
	memset(&event, 0xEE, sizeof(event));
	event.Header.Size = 0x58;
	event.Header.Flags = WNODE_FLAG_NO_HEADER;
	event.MofData = (PVOID)whole;
	event.MofLength = sizeof(whole);
	event.ClientContext = 0;
	error[0] = trace(handle, &event);
	event.MofLength = sizeof(whole) - 8;
	event.Header.Flags = WNODE_FLAG_NO_HEADER;
	error[4] = trace(handle, &event);
	event.Header.Size = 0x57;
	event.Header.Flags = WNODE_FLAG_NO_HEADER;
	error[1] = trace(handle, &event);
	row("T46", error[1] == ERROR_INVALID_PARAMETER, "0x57: %u", (unsigned int)error[1]);
}

static int has(const char *file, unsigned int n, const void *data, ULONG size)
{
	struct found r = record_of(file, n);

	return r.bytes && r.size >= size && !memcmp(r.bytes + r.size - size, data, size);
}

/* Return: the first error of so many */
static ULONG flood(TRACEHANDLE handle, int count)
{
	struct event event;
	ULONG error = 0;

	fill(&event, sizeof(event.header) + 0x100, 0);
	while (!error && count--)
		error = trace(handle, &event);
	return error;
}

/* The kernel's has no reader; the process's own has no memory for buffers. */
static void check_no_space(void)
{
	TRACEHANDLE full = start("full", "", EVENT_TRACE_REAL_TIME_MODE, 4);
	TRACEHANDLE own = start("own", SPACELESS, EVENT_TRACE_PRIVATE_LOGGER_MODE |
				EVENT_TRACE_FILE_MODE_SEQUENTIAL, 64);
	struct rlimit limit, none;
	ULONG error[2];

	getrlimit(RLIMIT_AS, &limit);
	none = limit;
	none.rlim_cur = 0;
	setrlimit(RLIMIT_AS, &none);
	error[1] = flood(own, 1);
	setrlimit(RLIMIT_AS, &limit);
	error[0] = flood(full, 1000000);
	row("T60", error[0] == ERROR_NOT_ENOUGH_MEMORY && error[1] == ERROR_NOT_ENOUGH_MEMORY,
	    "%u, %u", (unsigned int)error[0], (unsigned int)error[1]);
	stop(full);
	stop(own);
	error[0] = flood(full, 1);
	error[1] = flood(own, 1);
	row("T59", error[0] == ERROR_INVALID_HANDLE && error[1] == ERROR_INVALID_HANDLE,
	    "%u, %u", (unsigned int)error[0], (unsigned int)error[1]);
}

void check_private(void)
{
	TRACEHANDLE own, other, second;
	struct event event;
	struct found r;
	ULONG error[5];
	int apart;

	own = start("own", PRIVATE, EVENT_TRACE_PRIVATE_LOGGER_MODE |
		    EVENT_TRACE_FILE_MODE_SEQUENTIAL, 64);
	other = start("beside", BESIDE, EVENT_TRACE_FILE_MODE_SEQUENTIAL, 8);
	second = start("second", "/tmp/library-second.etl", EVENT_TRACE_PRIVATE_LOGGER_MODE |
		       EVENT_TRACE_FILE_MODE_SEQUENTIAL, 64);
	error[0] = GetLastError();
	row("T35", own && !second && error[0] == ERROR_ALREADY_EXISTS,
	    "the second is refused: %u", (unsigned int)error[0]);
	fill(&event, sizeof(event.header) + 4, 0);
	memcpy(event.data, "mine", 4);
	error[2] = trace(own, &event);
	fill(&event, sizeof(event.header) + 6, 0);
	memcpy(event.data, "theirs", 6);
	error[3] = trace(other, &event);
	check_no_header(own, error);
	if (stop(own) || stop(other))
		printf("# StopTrace: %u\n", (unsigned int)GetLastError());
	row("T34", own & 0x01000000 && !error[2] && has(PRIVATE, 0, "mine", 4),
	    "handle 0x%llx", (unsigned long long)own);
	apart = has(PRIVATE, 0, "mine", 4) && !has(PRIVATE, 0, "theirs", 6) &&
		has(BESIDE, 0, "theirs", 6) && !record_of(BESIDE, 1).bytes;
	row("T11", !error[2] && !error[3] && !(other & 0x01000000) && apart,
	    "each in the file of its session");
	r = record_of(PRIVATE, 1);
	row("T47", !error[0] && r.bytes && r.size == sizeof(whole) &&
	    !memcmp(r.bytes, whole, sizeof(whole)) && error[4] == ERROR_INVALID_PARAMETER,
	    "%u, of another length: %u", (unsigned int)error[0], (unsigned int)error[4]);
	row("T45", !error[0] && !record_of(PRIVATE, 2).bytes,
	    "0xEE in all other bytes of the header: %u", (unsigned int)error[0]);
	check_no_space();
}
