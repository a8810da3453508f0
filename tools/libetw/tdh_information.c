// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/*
 * Trace Data Helper: names of events, of their fields and values, and of providers. Windows keeps
 * manifests in its registry; here an event is described by itself, by a manifest that the program
 * loads, by its file, by a TMF file, or by libetl.
 */
#include <stdlib.h>
#include <string.h>
#include "libetl/event_describe.h"
#include "libetl/event_info_form.h"
#include "libetw.h"
#include "record_of.h"
#include "tdh_private.h"
#include "tdh_tmf.h"

static_assert(sizeof(TRACE_EVENT_INFO) == 0x88, "TRACE_EVENT_INFO");
static_assert(offsetof(TRACE_EVENT_INFO, DecodingSource) == INFO_SOURCE, "DecodingSource");
static_assert(offsetof(TRACE_EVENT_INFO, TaskNameOffset) == INFO_TASK_NAME, "TaskNameOffset");
static_assert(offsetof(TRACE_EVENT_INFO, PropertyCount) == INFO_COUNT, "PropertyCount");
static_assert(offsetof(TRACE_EVENT_INFO, EventPropertyInfoArray) == INFO_PROPERTIES,
	      "EventPropertyInfoArray");
static_assert(sizeof(EVENT_PROPERTY_INFO) == PROPERTY_SIZE, "EVENT_PROPERTY_INFO");
static_assert(sizeof(EVENT_MAP_INFO) == 24, "EVENT_MAP_INFO");
static_assert(sizeof(PROPERTY_DATA_DESCRIPTOR) == 16, "PROPERTY_DATA_DESCRIPTOR");
static_assert(sizeof(TRACE_PROVIDER_INFO) == 24, "TRACE_PROVIDER_INFO");

/* The size, and the bytes if there is room; frees these */
static ULONG give(struct tdh_info *info, PVOID to, ULONG *size)
{
	ULONG had = *size;

	*size = info->size;
	if (to && had >= info->size)
		memcpy(to, info->bytes, info->size);
	free(info->bytes);
	return to && had >= info->size ? ERROR_SUCCESS : ERROR_INSUFFICIENT_BUFFER;
}

/* Kernel events and those of the module's provider */
static ULONG describe_known(const EVENT_RECORD *event, struct tdh_info *info)
{
	struct etl_record record;
	TRACE_EVENT_INFO *to;

	record_of(event, &record);
	info->bytes = malloc(EVENT_DESCRIPTION);
	if (!info->bytes)
		return ERROR_OUTOFMEMORY;
	info->size = event_describe(&record, info->bytes);
	if (!info->size) {
		free(info->bytes);
		return ERROR_NOT_FOUND;
	}
	to = (TRACE_EVENT_INFO *)info->bytes;
	to->EventDescriptor = event->EventHeader.EventDescriptor;
	return ERROR_SUCCESS;
}

static ULONG describe_message(const EVENT_RECORD *event, ULONG count,
			      const TDH_CONTEXT *contexts, struct tdh_info *info)
{
	int before = etw_cancel_disable();
	struct tdh_contexts from;
	ULONG err = tdh_contexts_read(contexts, count, &from);

	if (!err) {
		err = tdh_describe_message(event, &from, info);
		tdh_contexts_free(&from);
	}
	etw_cancel_restore(before);
	return err;
}

ULONG tdh_describe(const EVENT_RECORD *event, ULONG count, const TDH_CONTEXT *contexts,
		   struct tdh_info *info)
{
	ULONG err;

	*info = (struct tdh_info){ };
	if (event->EventHeader.Flags & EVENT_HEADER_FLAG_TRACE_MESSAGE)
		return describe_message(event, count, contexts, info);
	err = tdh_describe_itself(event, info);
	if (err == ERROR_NOT_FOUND)
		err = describe_known(event, info);
	if (err == ERROR_NOT_FOUND)
		err = tdh_noted(event, info);
	return err;
}

/**
 * TdhGetEventInformation() - names and types of the fields of an event
 * @Event: the event
 * @TdhContextCount: contexts at @TdhContext
 * @TdhContext: for a message of WPP: where TMF files are, each type once
 * @Buffer: out
 * @BufferSize: bytes at @Buffer; out: bytes of the description
 *
 * Known are events that describe themselves (TraceLogging), kernel events, and those of the
 * module's provider. So are events of manifests that TdhLoadManifest() read, and of descriptions
 * in a file from which ProcessTrace() has delivered events. A message of WPP is known by a TMF
 * file; its properties are those of all messages, and their values are not in the payload.
 *
 * Return: ERROR_SUCCESS; ERROR_NOT_FOUND: the event is unknown; ERROR_INSUFFICIENT_BUFFER, with
 * @BufferSize set; ERROR_EVT_INVALID_EVENT_DATA: its description is broken;
 * ERROR_INVALID_PARAMETER; ERROR_BAD_PATHNAME: a context has no usable path; ERROR_ACCESS_DENIED: a
 * TMF file must not be read; ERROR_OUTOFMEMORY, ERROR_NOT_ENOUGH_MEMORY.
 */
ULONG TdhGetEventInformation(PEVENT_RECORD Event, ULONG TdhContextCount,
			     PTDH_CONTEXT TdhContext, PTRACE_EVENT_INFO Buffer,
			     ULONG *BufferSize)
{
	struct tdh_info info;
	ULONG err;

	if (!Event || !BufferSize)
		return ERROR_INVALID_PARAMETER;
	err = tdh_describe(Event, TdhContextCount, TdhContext, &info);
	return err ? err : give(&info, Buffer, BufferSize);
}

/**
 * TdhGetEventMapInformation() - names of the values of a field
 * @Event: the event
 * @MapName: of the map, as the description of the event has it
 * @Buffer: out
 * @BufferSize: bytes at @Buffer; out: bytes of the map
 *
 * Return: as TdhGetEventInformation(); ERROR_NOT_FOUND: nothing described such a map.
 */
ULONG TdhGetEventMapInformation(PEVENT_RECORD Event, LPWSTR MapName, PEVENT_MAP_INFO Buffer,
				ULONG *BufferSize)
{
	struct tdh_info info;
	ULONG err;

	if (!Event || !MapName || !BufferSize)
		return ERROR_INVALID_PARAMETER;
	err = tdh_noted_map(Event, MapName, &info);
	return err ? err : give(&info, Buffer, BufferSize);
}

/**
 * TdhEnumerateProviders() - lists the providers that have a name
 * @Buffer: out
 * @BufferSize: bytes at @Buffer; out: bytes of the list
 *
 * These are the kernel's, the module's, and those that manifests and files described.
 *
 * Return: ERROR_SUCCESS; ERROR_INSUFFICIENT_BUFFER, with @BufferSize set;
 * ERROR_INVALID_PARAMETER; ERROR_OUTOFMEMORY.
 */
ULONG TdhEnumerateProviders(PPROVIDER_ENUMERATION_INFO Buffer, ULONG *BufferSize)
{
	struct tdh_info info;
	ULONG err;

	if (!BufferSize)
		return ERROR_INVALID_PARAMETER;
	err = tdh_noted_providers(&info);
	return err ? err : give(&info, Buffer, BufferSize);
}

/**
 * TdhEnumerateProviderFieldInformation() - names of a provider's keywords, and others
 * @Guid: of the provider
 * @EventFieldType: which of its fields
 * @Buffer: not used
 * @BufferSize: not used
 *
 * Return: ERROR_NOT_FOUND, because the lists of manifests are not kept.
 */
ULONG TdhEnumerateProviderFieldInformation(LPGUID Guid, EVENT_FIELD_TYPE EventFieldType,
					   PPROVIDER_FIELD_INFOARRAY Buffer, ULONG *BufferSize)
{
	(void)Guid;
	(void)EventFieldType;
	(void)Buffer;
	(void)BufferSize;
	return ERROR_NOT_FOUND;
}
