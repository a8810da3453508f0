// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/*
 * TraceEvent decodes TraceLogging events by tdh.dll, but on Windows only. On any system it reads
 * descriptions that a file contains (KernelTraceControl's EventInfo), by provider and event id.
 * TraceLogging events have no ids, so TraceEvent numbers their kinds itself, in the order of their
 * delivery. Descriptions with the same numbers, each before the first event of its kind, make
 * TraceEvent decode the events.
 */
#include <limits.h>
#include <stdlib.h>
#include "libetw/include/tdh.h"
#include "self_described.h"

/* The first kind of a provider gets the number below it */
#define ABOVE_FIRST_ID	0xFF00
#define OPCODE_EVENT_INFO	32
#define NO_ID		0xFFFFFFFFu

/* KernelTraceControl: descriptions in files */
static const GUID metadata_guid = {
	0xbbccf6c1, 0x6cd1, 0x48c4, { 0x80, 0xff, 0x83, 0x94, 0x82, 0xe3, 0x76, 0x71 }
};

static const EVENT_HEADER_EXTENDED_DATA_ITEM *schema_of(const EVENT_RECORD *event)
{
	USHORT i;

	for (i = 0; i < event->ExtendedDataCount; i++)
		if (event->ExtendedData[i].ExtType == EVENT_HEADER_EXT_TYPE_EVENT_SCHEMA_TL)
			return &event->ExtendedData[i];
	return NULL;
}

/* Return: see new_id() */
static USHORT number_kind(struct self_described *described, const EVENT_RECORD *event,
			  const EVENT_HEADER_EXTENDED_DATA_ITEM *schema)
{
	const EVENT_HEADER *header = &event->EventHeader;
	uint64_t provider = map_mix(MAP_MIX, &header->ProviderId, sizeof(header->ProviderId));
	uint64_t kind = map_mix(provider, &header->EventDescriptor.Opcode, 1);
	size_t before = described->kinds.count, known = described->providers.count, i;

	kind = map_mix(kind, (const void *)(uintptr_t)schema->DataPtr, schema->DataSize);
	if (map_add(&described->kinds, kind) != before)
		return 0;
	if (!map_make_room((void **)&described->last_id, known, sizeof(*described->last_id)))
		return 0;
	i = map_add(&described->providers, provider);
	if (i == MAP_NONE)
		return 0;
	if (i == known)
		described->last_id[i] = ABOVE_FIRST_ID;
	return described->last_id[i] ? --described->last_id[i] : 0;
}

/* Return: the number of the kind, if the event is its first one; 0: it is not, or no memory */
static USHORT new_id(struct self_described *described, const EVENT_RECORD *event)
{
	const EVENT_HEADER_EXTENDED_DATA_ITEM *schema = schema_of(event);
	USHORT id;

	if (!schema)
		return 0;
	pthread_mutex_lock(&described->lock);
	id = number_kind(described, event, schema);
	pthread_mutex_unlock(&described->lock);
	return id;
}

/* Return: bytes in @description->info; 0: there is no description */
static ULONG describe(EVENT_RECORD *event, struct event_description *description)
{
	ULONG size = description->room, status;
	BYTE *more;

	status = TdhGetEventInformation(event, 0, NULL, (PTRACE_EVENT_INFO)description->info,
					&size);
	if (status == ERROR_INSUFFICIENT_BUFFER && size <= USHRT_MAX) {
		more = realloc(description->info, size);
		if (!more)
			return 0;
		description->info = more;
		description->room = size;
		status = TdhGetEventInformation(event, 0, NULL, (PTRACE_EVENT_INFO)more, &size);
	}
	return status == ERROR_SUCCESS && size <= USHRT_MAX ? size : 0;
}

BOOL self_described_take(struct self_described *described, EVENT_RECORD *event,
			 struct event_description *description)
{
	USHORT id = new_id(described, event);
	ULONG size = id ? describe(event, description) : 0;
	EVENT_RECORD *to = &description->event;

	if (!size)
		return FALSE;
	((PTRACE_EVENT_INFO)description->info)->EventDescriptor.Id = id;
	*to = (EVENT_RECORD){
		.BufferContext = event->BufferContext, .UserContext = event->UserContext,
		.UserData = description->info, .UserDataLength = size,
	};
	to->EventHeader = (EVENT_HEADER){
		.Size = sizeof(EVENT_HEADER), .ProviderId = metadata_guid,
		.Flags = EVENT_HEADER_FLAG_CLASSIC_HEADER | EVENT_HEADER_FLAG_64_BIT_HEADER,
		.EventProperty = EVENT_HEADER_PROPERTY_LEGACY_EVENTLOG,
		.ThreadId = NO_ID, .ProcessId = NO_ID, .TimeStamp = event->EventHeader.TimeStamp,
		.EventDescriptor.Opcode = OPCODE_EVENT_INFO,
	};
	return TRUE;
}

void self_described_free(struct self_described *described)
{
	pthread_mutex_destroy(&described->lock);
	map_free(&described->kinds);
	map_free(&described->providers);
	free(described->last_id);
}
