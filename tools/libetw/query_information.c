// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* TraceQueryInformation(): intervals and sources of the sampled profile. */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "config/profile_sources.h"
#include "session.h"

/* Each entry is a multiple of this, as its 64-bit member requires */
#define ALIGN		8
#define FIXED		offsetof(PROFILE_SOURCE_INFO, Description)
#define ENTRY_ROOM	(FIXED + 2 * ETW_PROFILE_SOURCE_UNITS + ALIGN)
/* Windows' numbers, of which only some have a perf event */
#define SOURCES		32

/* Whether this machine can count it. A missing right does not mean that it cannot. */
static bool is_counted(uint32_t source)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr), .disabled = 1, .exclude_kernel = 1, .exclude_hv = 1,
	};
	struct etw_profile_event event;
	int fd;

	if (source == ETW_PROFILE_SOURCE_TIME)
		return true;
	etw_profile_source_event(source, &event);
	attr.type = event.type;
	attr.config = event.config;
	fd = syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	if (fd >= 0)
		close(fd);
	return fd >= 0 || errno == EACCES || errno == EPERM || errno == EMFILE;
}

/* Return: bytes of the entry */
static size_t put_source(uint32_t source, uint8_t *to)
{
	uint16_t name[ETW_PROFILE_SOURCE_UNITS];
	size_t units = etw_profile_source_units(source, name), size;
	PROFILE_SOURCE_INFO info = { .Source = source };
	uint32_t usual;

	profile_limits(source, &info.MinInterval, &info.MaxInterval, &usual);
	size = (FIXED + 2 * units + ALIGN - 1) & ~(size_t)(ALIGN - 1);
	info.NextEntryOffset = size;
	memset(to, 0, size);
	memcpy(to, &info, FIXED);
	memcpy(to + FIXED, name, 2 * units);
	return size;
}

/* The timer is the first of them, so there is a last one. */
static size_t list_sources(uint8_t *to)
{
	static const ULONG none;
	size_t size = 0, last = 0;
	uint32_t source;

	for (source = 0; source < SOURCES; source++) {
		if (!profile_is_source(source) || !is_counted(source))
			continue;
		last = size;
		size += put_source(source, to + size);
	}
	memcpy(to + last + offsetof(PROFILE_SOURCE_INFO, NextEntryOffset), &none, sizeof(none));
	return size;
}

static ULONG put(void *to, ULONG room, ULONG *filled, const void *from, ULONG size)
{
	ULONG error = filled ? etw_error(etw_copy_out(filled, &size, sizeof(size))) : ERROR_SUCCESS;

	if (error)
		return error;
	if (room < size)
		return ERROR_BAD_LENGTH;
	return etw_error(etw_copy_out(to, from, size));
}

static ULONG query_sources(void *to, ULONG room, ULONG *filled)
{
	uint8_t *list = malloc(SOURCES * ENTRY_ROOM);
	int before = errno;
	ULONG error;

	if (!list)
		return ERROR_NOT_ENOUGH_MEMORY;
	error = put(to, room, filled, list, list_sources(list));
	free(list);
	errno = before;
	return error;
}

static ULONG query_interval(void *to, ULONG room, ULONG *filled)
{
	TRACE_PROFILE_INTERVAL interval;
	ULONG error;

	if (room != sizeof(interval))
		return ERROR_BAD_LENGTH;
	error = etw_error(etw_copy_in(&interval, to, sizeof(interval)));
	if (error)
		return error;
	if (!profile_is_source(interval.Source))
		return ERROR_NOT_SUPPORTED;
	interval.Interval = profile_interval(interval.Source);
	return put(to, room, filled, &interval, sizeof(interval));
}

/**
 * TraceQueryInformation() - returns a setting of the sampled profile
 * @SessionHandle: not used
 * @InformationClass: TraceSampledProfileIntervalInfo: a TRACE_PROFILE_INTERVAL with the Source,
 *	which gets the Interval that TraceSetInformation() set in this process, or the default;
 *	TraceProfileSourceListInfo: PROFILE_SOURCE_INFOs of sources that the machine can count
 * @TraceInformation: out: the result
 * @InformationLength: bytes at @TraceInformation
 * @ReturnLength: out: bytes of the result; may be NULL
 *
 * Return: ERROR_SUCCESS; ERROR_BAD_LENGTH (@ReturnLength is set); ERROR_NOT_SUPPORTED (another
 * class; no such source); ERROR_NOACCESS; ERROR_NOT_ENOUGH_MEMORY.
 */
ULONG TraceQueryInformation(TRACEHANDLE SessionHandle, TRACE_INFO_CLASS InformationClass,
			    PVOID TraceInformation, ULONG InformationLength, PULONG ReturnLength)
{
	(void)SessionHandle;
	switch (InformationClass) {
	case TraceSampledProfileIntervalInfo:
		return etw_result(query_interval(TraceInformation, InformationLength,
						 ReturnLength));
	case TraceProfileSourceListInfo:
		return etw_result(query_sources(TraceInformation, InformationLength,
						ReturnLength));
	default:
		return etw_result(ERROR_NOT_SUPPORTED);
	}
}
