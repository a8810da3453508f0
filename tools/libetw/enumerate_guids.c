// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* EnumerateTraceGuidsEx(): lists of providers, and the sessions of one provider. */
#include <stdlib.h>
#include <string.h>
#include "session.h"

/* The module does not know in which processes a provider is registered. */
#define NO_PROCESS	0

/* A result is returned whole, or only its size with ERROR_INSUFFICIENT_BUFFER. */
static ULONG put_result(void *to, ULONG room, ULONG *filled, const void *from, size_t size)
{
	ULONG bytes = size, error = etw_error(etw_copy_out(filled, &bytes, sizeof(bytes)));

	if (error)
		return error;
	if (room < size || (size && !to))
		return ERROR_INSUFFICIENT_BUFFER;
	return etw_error(etw_copy_out(to, from, size));
}

/* Entries of a GUID are neighbours. Return: how many have the GUID of the first */
static uint32_t same_guid(const struct etw_provider_info *infos, uint32_t count)
{
	uint32_t n = 1;

	while (n < count && !memcmp(&infos[n].guid, &infos[0].guid, sizeof(infos[0].guid)))
		n++;
	return n;
}

static ULONG put_guids(const struct etw_provider_info *infos, uint32_t count, void *to,
		       ULONG room, ULONG *filled)
{
	GUID *guids = calloc(count ? count : 1, sizeof(*guids));
	uint32_t i, found = 0;
	ULONG error;

	if (!guids)
		return ERROR_NOT_ENOUGH_MEMORY;
	for (i = 0; i < count; i += same_guid(infos + i, count - i))
		memcpy(&guids[found++], &infos[i].guid, sizeof(*guids));
	error = put_result(to, room, filled, guids, found * sizeof(*guids));
	free(guids);
	return error;
}

/* TRACE_GUID_INFO, one TRACE_PROVIDER_INSTANCE_INFO, a TRACE_ENABLE_INFO for each session */
struct sessions {
	TRACE_GUID_INFO guid;
	TRACE_PROVIDER_INSTANCE_INFO instance;
	TRACE_ENABLE_INFO enabled[ETW_MAX_LOGGERS];
};

static void add_session(struct sessions *sessions, const struct etw_provider_info *info)
{
	/* a provider that no session has enabled has one entry, without a session */
	if (!info->logger_id || sessions->instance.EnableCount == ETW_MAX_LOGGERS)
		return;
	sessions->enabled[sessions->instance.EnableCount++] = (TRACE_ENABLE_INFO){
		.IsEnabled = 1, .Level = info->level, .LoggerId = info->logger_id,
		.MatchAnyKeyword = info->match_any, .MatchAllKeyword = info->match_all,
		.EnableProperty = info->properties,
	};
}

static ULONG put_sessions(const struct etw_provider_info *infos, uint32_t count, const GUID *guid,
			  void *to, ULONG room, ULONG *filled)
{
	struct sessions sessions = {
		.guid.InstanceCount = 1,
		.instance = { .Pid = NO_PROCESS, .Flags = TRACE_PROVIDER_FLAG_LEGACY },
	};
	uint32_t i, registrations = 0, found = 0;

	for (i = 0; i < count; i++) {
		if (memcmp(&infos[i].guid, guid, sizeof(*guid)))
			continue;
		found++;
		registrations += infos[i].registrations;
		add_session(&sessions, &infos[i]);
	}
	if (!found)
		return ERROR_WMI_GUID_NOT_FOUND;
	if (!registrations)
		sessions.instance.Flags |= TRACE_PROVIDER_FLAG_PRE_ENABLE;
	return put_result(to, room, filled, &sessions, offsetof(struct sessions, enabled) +
			  sessions.instance.EnableCount * sizeof(sessions.enabled[0]));
}

static ULONG take_guid(const void *from, ULONG size, GUID *guid)
{
	if (!from || size != sizeof(*guid))
		return ERROR_INVALID_PARAMETER;
	return etw_error(etw_copy_in(guid, from, sizeof(*guid)));
}

static ULONG enumerate(TRACE_QUERY_INFO_CLASS what, const void *in, ULONG in_size, void *to,
		       ULONG room, ULONG *filled)
{
	struct etw_provider_info *infos = NULL;
	uint32_t count = 0;
	ULONG error = ERROR_SUCCESS;
	GUID guid;

	if (what == TraceGuidQueryInfo)
		error = take_guid(in, in_size, &guid);
	if (!error)
		error = list_providers(&infos, &count);
	if (!error && what == TraceGuidQueryInfo)
		error = put_sessions(infos, count, &guid, to, room, filled);
	else if (!error)
		error = put_guids(infos, count, to, room, filled);
	free(infos);
	return error;
}

/**
 * EnumerateTraceGuidsEx() - lists providers, or the sessions that enabled one
 * @TraceQueryInfoClass: TraceGuidQueryList: the GUIDs that programs registered or sessions
 *	enabled; TraceGuidQueryInfo: a TRACE_GUID_INFO with one instance, whose Pid is 0, and the
 *	sessions that enabled the provider
 * @InBuffer: of TraceGuidQueryInfo: the GUID
 * @InBufferSize: its size
 * @OutBuffer: the result
 * @OutBufferSize: bytes at @OutBuffer
 * @ReturnLength: out: bytes of the result
 *
 * Return: ERROR_SUCCESS; ERROR_INSUFFICIENT_BUFFER (@ReturnLength is set),
 * ERROR_WMI_GUID_NOT_FOUND, ERROR_NOT_SUPPORTED (another class), ERROR_INVALID_PARAMETER, and
 * errors of EnumerateTraceGuids().
 */
ULONG EnumerateTraceGuidsEx(TRACE_QUERY_INFO_CLASS TraceQueryInfoClass, PVOID InBuffer,
			    ULONG InBufferSize, PVOID OutBuffer, ULONG OutBufferSize,
			    PULONG ReturnLength)
{
	ULONG error;
	int cancel;

	if (!ReturnLength)
		return etw_result(ERROR_INVALID_PARAMETER);
	if (TraceQueryInfoClass != TraceGuidQueryList && TraceQueryInfoClass != TraceGuidQueryInfo)
		return etw_result(ERROR_NOT_SUPPORTED);
	cancel = etw_cancel_disable();
	error = enumerate(TraceQueryInfoClass, InBuffer, InBufferSize, OutBuffer, OutBufferSize,
			  ReturnLength);
	etw_cancel_restore(cancel);
	return etw_result(error);
}
