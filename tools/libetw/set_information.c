// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* TraceSetInformation(). */
#include <stdlib.h>
#include <string.h>
#include "libetl/guids.h"
#include "etw_groups.h"
#include "session.h"

/* Of TRACE_STACK_CACHING_INFO, where the caller has 0 */
#define CACHE_BYTES	0x100000u
#define CACHE_BUCKETS	0x400u

/* An item that takes the place of the one of its type; without dwords it is switched off */
struct change {
	uint32_t type;
	uint32_t nr_dwords;
	uint32_t dwords[ETW_MAX_STACKWALK_FILTER];
};

static ULONG change_block(struct block *block, const struct change *change, uint32_t *dwords)
{
	uint32_t count = extension_of_block(block, dwords);

	count = extension_remove(dwords, count, change->type);
	if (change->nr_dwords)
		count = extension_add(dwords, count, change->type, change->dwords,
				      change->nr_dwords);
	return count ? extension_put(block, dwords, count, ETW_EXT_ITEMS) :
		       ERROR_INVALID_PARAMETER;
}

static ULONG change_in(uint32_t id, const struct change *change, struct block *block)
{
	uint32_t *dwords;
	ULONG error = etw_error(kernel_query(id, block));

	if (error)
		return error;
	if (!block_has_kernel_events(block))
		return ERROR_INVALID_PARAMETER;
	dwords = calloc(EXTENSION_DWORDS + MORE_DWORDS, sizeof(*dwords));
	if (!dwords)
		return ERROR_NOT_ENOUGH_MEMORY;
	error = change_block(block, change, dwords);
	free(dwords);
	return error ? error : kernel_update(id, block);
}

static ULONG change_session(TRACEHANDLE handle, const struct change *change)
{
	struct block *block;
	ULONG error;

	if (!ETW_HANDLE_LOGGER_ID(handle) || handle == INVALID_PROCESSTRACE_HANDLE)
		return ERROR_INVALID_PARAMETER;
	if (handle & ETW_HANDLE_PRIVATE)
		return ERROR_NOT_SUPPORTED;
	block = malloc(sizeof(*block));
	if (!block)
		return ERROR_NOT_ENOUGH_MEMORY;
	error = change_in(ETW_HANDLE_LOGGER_ID(handle), change, block);
	free(block);
	return error;
}

/* The hook id of an event that is given by its class and type */
static ULONG hook_of_event(const CLASSIC_EVENT_ID *event, uint32_t *hook)
{
	struct etl_record record = { .header = ETL_FULL, .opcode = event->Type };
	uint16_t found;

	memcpy(&record.guid, &event->EventGuid, sizeof(record.guid));
	if (!hook_of(&record, &found))
		return ERROR_WMI_GUID_NOT_FOUND;
	*hook = found;
	return ERROR_SUCCESS;
}

static bool has_hook(const struct change *change, uint32_t hook)
{
	uint32_t i;

	for (i = 0; i < change->nr_dwords; i++)
		if (change->dwords[i] == hook)
			return true;
	return false;
}

static ULONG set_stacks(TRACEHANDLE handle, const CLASSIC_EVENT_ID *events, ULONG size)
{
	struct change change = { .type = ETW_EXT_STACKWALK_FILTER };
	uint32_t i, count = size / sizeof(*events), hook;
	CLASSIC_EVENT_ID event;
	ULONG error;

	if (size % sizeof(*events))
		return ERROR_BAD_LENGTH;
	for (i = 0; i < count; i++) {
		error = etw_error(etw_copy_in(&event, &events[i], sizeof(event)));
		if (!error)
			error = hook_of_event(&event, &hook);
		if (error)
			return error;
		if (has_hook(&change, hook))
			continue;
		if (change.nr_dwords == ETW_MAX_STACKWALK_FILTER)
			return ERROR_INVALID_PARAMETER;
		change.dwords[change.nr_dwords++] = hook;
	}
	return change_session(handle, &change);
}

static ULONG set_flags(TRACEHANDLE handle, const void *masks, ULONG size)
{
	struct change change = { .type = ETW_EXT_ENABLE_FLAGS };
	ULONG error;

	if (!size || size % sizeof(uint32_t) || size > sizeof(struct perfinfo_groupmask))
		return ERROR_BAD_LENGTH;
	error = etw_error(etw_copy_in(change.dwords, masks, size));
	change.nr_dwords = size / sizeof(uint32_t);
	return error ? error : change_session(handle, &change);
}

static ULONG set_caching(TRACEHANDLE handle, const TRACE_STACK_CACHING_INFO *from, ULONG size)
{
	struct change change = { .type = ETW_EXT_STACK_CACHING };
	TRACE_STACK_CACHING_INFO caching;
	ULONG error;

	if (size != sizeof(caching))
		return ERROR_BAD_LENGTH;
	error = etw_error(etw_copy_in(&caching, from, sizeof(caching)));
	if (error)
		return error;
	if (caching.Enabled) {
		change.nr_dwords = 2;
		change.dwords[0] = caching.CacheSize ? caching.CacheSize : CACHE_BYTES;
		change.dwords[1] = caching.BucketCount ? caching.BucketCount : CACHE_BUCKETS;
	}
	return change_session(handle, &change);
}

static ULONG set_interval(const TRACE_PROFILE_INTERVAL *from, ULONG size)
{
	TRACE_PROFILE_INTERVAL interval;
	ULONG error;

	if (size != sizeof(interval))
		return ERROR_BAD_LENGTH;
	error = etw_error(etw_copy_in(&interval, from, sizeof(interval)));
	return error ? error : profile_set_interval(interval.Source, interval.Interval);
}

static ULONG set_sources(const void *from, ULONG size)
{
	uint32_t sources[ETW_MAX_SAMPLE_SOURCES];
	ULONG error;

	if (size % sizeof(*sources))
		return ERROR_BAD_LENGTH;
	if (size > sizeof(sources))
		return ERROR_INVALID_PARAMETER;
	error = etw_error(etw_copy_in(sources, from, size));
	return error ? error : profile_set_sources(sources, size / sizeof(*sources));
}

static ULONG set_information(TRACEHANDLE handle, TRACE_INFO_CLASS what, const void *from,
			     ULONG size)
{
	switch ((ULONG)what) {
	case TraceStackTracingInfo:
		return set_stacks(handle, from, size);
	case TraceSystemTraceEnableFlagsInfo:
		return set_flags(handle, from, size);
	case TraceSampledProfileIntervalInfo:
		return set_interval(from, size);
	case TraceProfileSourceConfigInfo:
		return set_sources(from, size);
	case TraceStackCachingInfo:
		return set_caching(handle, from, size);
	default:
		return ERROR_NOT_SUPPORTED;
	}
}

/**
 * TraceSetInformation() - changes a setting of a kernel session, or of the sampled profile
 * @SessionHandle: of a kernel session; not used for the profile
 * @InformationClass: TraceStackTracingInfo: CLASSIC_EVENT_IDs that get a stack, instead of all
 *	earlier ones; TraceSystemTraceEnableFlagsInfo: 1 to 8 ULONGs of the group masks;
 *	TraceStackCachingInfo: TRACE_STACK_CACHING_INFO; TraceSampledProfileIntervalInfo:
 *	TRACE_PROFILE_INTERVAL; TraceProfileSourceConfigInfo: ULONGs, sources that sample.
 *	The last two apply to kernel sessions that this process starts later
 * @TraceInformation: the setting
 * @InformationLength: its size
 *
 * Return: ERROR_SUCCESS; ERROR_BAD_LENGTH; ERROR_INVALID_PARAMETER (values out of range; no kernel
 * session); ERROR_NOT_SUPPORTED (another class; a source or event that the module lacks);
 * ERROR_WMI_GUID_NOT_FOUND (no class of kernel events); ERROR_NOACCESS; errors of UpdateTrace().
 */
ULONG TraceSetInformation(TRACEHANDLE SessionHandle, TRACE_INFO_CLASS InformationClass,
			  PVOID TraceInformation, ULONG InformationLength)
{
	int cancel = etw_cancel_disable();
	ULONG error = set_information(SessionHandle, InformationClass, TraceInformation,
				      InformationLength);

	etw_cancel_restore(cancel);
	return etw_result(error);
}
