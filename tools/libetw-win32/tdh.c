// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/*
 * tdh.dll: names of providers, and of events and their fields. Windows keeps the former in its
 * registry; here a provider has a GUID and no name. TraceEvent then computes the GUID that .NET and
 * TraceLogging give to a name.
 */
#include <string.h>
#include "libetl/event_describe.h"
#include "record_of.h"
#include "win32.h"

/**
 * struct provider_list - PROVIDER_ENUMERATION_INFO, without entries
 * @count: 0
 * @reserved: 0
 */
struct provider_list {
	ULONG count;
	ULONG reserved;
};

/**
 * TdhEnumerateProviders() - lists the providers that have a name
 * @list: out: an empty list
 * @size: bytes at @list; out: bytes of the list
 *
 * Return: ERROR_SUCCESS; ERROR_INSUFFICIENT_BUFFER, with @size set; ERROR_INVALID_PARAMETER.
 */
ULONG TdhEnumerateProviders(PVOID list, PULONG size)
{
	static const struct provider_list none;
	ULONG had;

	if (!size)
		return ERROR_INVALID_PARAMETER;
	had = *size;
	*size = sizeof(none);
	if (!list || had < sizeof(none))
		return ERROR_INSUFFICIENT_BUFFER;
	memcpy(list, &none, sizeof(none));
	return ERROR_SUCCESS;
}

/**
 * TdhEnumerateProviderFieldInformation() - names of a provider's keywords, and others
 * @provider: its GUID
 * @field: which of its fields
 * @list: not used
 * @size: not used
 *
 * Return: ERROR_NOT_FOUND, because no provider has a manifest here.
 */
ULONG TdhEnumerateProviderFieldInformation(LPCGUID provider, ULONG field, PVOID list, PULONG size)
{
	(void)provider;
	(void)field;
	(void)list;
	(void)size;
	return ERROR_NOT_FOUND;
}

/**
 * TdhGetEventInformation() - names and types of the fields of an event
 * @event: the event
 * @contexts: not used
 * @context: not used
 * @info: out: TRACE_EVENT_INFO
 * @size: bytes at @info; out: bytes of the description
 *
 * The layouts of kernel events and of the module's provider are known. TraceEvent calls this for
 * events that no parser has a class for.
 *
 * Return: ERROR_SUCCESS; ERROR_NOT_FOUND: the layout is unknown; ERROR_INSUFFICIENT_BUFFER, with
 * @size set; ERROR_INVALID_PARAMETER.
 */
ULONG TdhGetEventInformation(PEVENT_RECORD event, ULONG contexts, PVOID context, PVOID info,
			     PULONG size)
{
	uint8_t bytes[EVENT_DESCRIPTION];
	struct etl_record record;
	ULONG had, needed;

	(void)contexts;
	(void)context;
	if (!event || !size)
		return ERROR_INVALID_PARAMETER;
	record_of(event, &record);
	needed = event_describe(&record, bytes);
	if (!needed)
		return ERROR_NOT_FOUND;
	had = *size;
	*size = needed;
	if (!info || had < needed)
		return ERROR_INSUFFICIENT_BUFFER;
	memcpy(info, bytes, needed);
	return ERROR_SUCCESS;
}

/**
 * TdhGetEventMapInformation() - names of the values of a field
 * @event: the event
 * @name: of the map
 * @info: not used
 * @size: not used
 *
 * Return: ERROR_NOT_FOUND, because no description of TdhGetEventInformation() names a map.
 */
ULONG TdhGetEventMapInformation(PEVENT_RECORD event, LPCWSTR name, PVOID info, PULONG size)
{
	(void)event;
	(void)name;
	(void)info;
	(void)size;
	return ERROR_NOT_FOUND;
}
