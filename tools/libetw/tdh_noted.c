// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Descriptions of events that ProcessTrace() finds in files, and those of loaded manifests. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include "libetl/event_info.h"
#include "libetl/event_info_form.h"
#include "libetl/guids.h"
#include "libetl/text.h"
#include "etw_linux.h"
#include "record_of.h"
#include "tdh_private.h"

#define NAME_BYTES	256

/* Of all files of the process, because an EVENT_RECORD does not name its file */
static struct event_infos *noted;
/* Recursive, because a handler may fork over a function that has it */
static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

void tdh_lock(void)
{
	pthread_mutex_lock(&lock);
}

void tdh_unlock(void)
{
	pthread_mutex_unlock(&lock);
}

/* Its only thread has another id than its parent's, and could not release the lock. */
static void in_child(void)
{
	static const pthread_mutex_t unlocked = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

	lock = unlocked;
}

/* So that no other thread changes them at a fork: the child has what its parent has. */
__attribute__((constructor)) static void watch_forks(void)
{
	pthread_atfork(tdh_lock, tdh_unlock, in_child);
}

/* Manifests count more than files. @last: NULL at first. Return: NULL: there are no more */
static const struct event_infos *next_of(const struct event_infos *last)
{
	const struct event_infos *next;

	if (last && last == noted)
		return NULL;
	next = tdh_manifest_next(last);
	return next ? next : noted;
}

void tdh_note(const struct etl_record *record)
{
	/* of all but a few records, this is all */
	if (record->header != ETL_FULL || !event_info_is_one(record))
		return;
	pthread_mutex_lock(&lock);
	if (!noted)
		noted = calloc(1, sizeof(*noted));
	/* without memory, the event stays unknown */
	if (noted)
		event_infos_add(noted, record);
	pthread_mutex_unlock(&lock);
}

/* With an empty text behind it, at an even offset */
static ULONG copy(struct tdh_info *info, const uint8_t *bytes, uint32_t size)
{
	info->size = (size + 1) / 2 * 2 + 2;
	info->bytes = calloc(1, info->size);
	if (!info->bytes)
		return ERROR_OUTOFMEMORY;
	memcpy(info->bytes, bytes, size);
	return ERROR_SUCCESS;
}

/* Programs follow the offsets without a check, so those that lead out become the empty text. */
static void check_text(const struct tdh_info *info, ULONG *offset)
{
	if (*offset > info->size - 2 || *offset % 2)
		*offset = info->size - 2;
}

/* Members stand behind their structure; otherwise a structure could contain itself. */
static void check_property(const struct tdh_info *info, ULONG index, EVENT_PROPERTY_INFO *property)
{
	const ULONG count = ((const TRACE_EVENT_INFO *)info->bytes)->PropertyCount;

	check_text(info, &property->NameOffset);
	if (property->Flags & PropertyStruct) {
		if (property->structType.StructStartIndex <= index ||
		    property->structType.StructStartIndex +
		    property->structType.NumOfStructMembers > count)
			property->structType.NumOfStructMembers = 0;
	} else {
		check_text(info, &property->nonStructType.MapNameOffset);
	}
	if (property->Flags & PropertyParamCount && property->countPropertyIndex >= count)
		property->Flags = (PROPERTY_FLAGS)(property->Flags & ~PropertyParamCount);
	if (property->Flags & PropertyParamLength && property->lengthPropertyIndex >= count)
		property->Flags = (PROPERTY_FLAGS)(property->Flags & ~PropertyParamLength);
}

static void check_info(struct tdh_info *info)
{
	TRACE_EVENT_INFO *to = (TRACE_EVENT_INFO *)info->bytes;
	ULONG *texts = &to->ProviderNameOffset, i;

	/* up to RelatedActivityIDNameOffset; two of them are the place and size of an XML */
	for (i = 0; i < 12; i++)
		check_text(info, &texts[i]);
	to->BinaryXMLOffset = 0;
	to->BinaryXMLSize = 0;
	for (i = 0; i < to->PropertyCount; i++)
		check_property(info, i, &to->EventPropertyInfoArray[i]);
}

static void check_map(struct tdh_info *info)
{
	EVENT_MAP_INFO *to = (EVENT_MAP_INFO *)info->bytes;
	ULONG i;

	check_text(info, &to->NameOffset);
	for (i = 0; i < to->EntryCount; i++)
		check_text(info, &to->MapEntryArray[i].OutputOffset);
}

ULONG tdh_noted(const EVENT_RECORD *event, struct tdh_info *info)
{
	const struct event_info *found = NULL;
	struct etl_record record;
	ULONG err;

	record_of(event, &record);
	pthread_mutex_lock(&lock);
	record.infos = NULL;
	while (!found && (record.infos = next_of(record.infos)))
		found = event_info_of(&record);
	err = found ? copy(info, found->bytes, found->size) : ERROR_NOT_FOUND;
	pthread_mutex_unlock(&lock);
	if (!err)
		check_info(info);
	return err;
}

ULONG tdh_noted_map(const EVENT_RECORD *event, LPCWSTR name, struct tdh_info *info)
{
	const struct event_infos *infos = NULL;
	const struct event_map *map = NULL;
	struct etl_record record;
	char text[NAME_BYTES];
	size_t units = 0;
	ULONG err;

	while (name[units])
		units++;
	/* a description stores its names with a blank behind them */
	while (units && name[units - 1] == ' ')
		units--;
	text_from_utf16((const uint8_t *)name, 2 * units, text, sizeof(text));
	record_of(event, &record);
	pthread_mutex_lock(&lock);
	while (!map && (infos = next_of(infos)))
		map = event_map_find(&infos->maps, &record.guid, text);
	err = map ? copy(info, map->bytes, map->size) : ERROR_NOT_FOUND;
	pthread_mutex_unlock(&lock);
	if (!err)
		check_map(info);
	return err;
}

/**
 * struct listed - a provider with a name
 * @guid: of it
 * @source: SchemaSource
 * @name: UTF-8
 */
struct listed {
	struct etw_guid guid;
	ULONG source;
	char name[NAME_BYTES];
};

/* Return: false: no name, known already, or no memory */
static bool take_provider(const struct event_info *info, struct map *known, struct listed *to)
{
	size_t before = known->count;

	*to = (struct listed){ .guid = info->provider };
	if (!event_info_text(info, get32(info->bytes + INFO_PROVIDER_NAME), to->name,
			     sizeof(to->name)))
		return false;
	map_add(known, map_mix(MAP_MIX, &info->provider, sizeof(info->provider)));
	return known->count > before;
}

static ULONG put_list(const struct listed *list, size_t count, struct tdh_info *info)
{
	size_t i, head = offsetof(PROVIDER_ENUMERATION_INFO, TraceProviderInfoArray) +
			 count * sizeof(TRACE_PROVIDER_INFO);
	PROVIDER_ENUMERATION_INFO *to = calloc(1, head + count * 2 * NAME_BYTES);

	if (!to)
		return ERROR_OUTOFMEMORY;
	info->bytes = (uint8_t *)to;
	info->size = head;
	to->NumberOfProviders = count;
	for (i = 0; i < count; i++) {
		TRACE_PROVIDER_INFO *one = &to->TraceProviderInfoArray[i];

		memcpy(&one->ProviderGuid, &list[i].guid, sizeof(one->ProviderGuid));
		one->SchemaSource = list[i].source;
		one->ProviderNameOffset = info->size;
		info->size += 2 + 2 * text_to_utf16(list[i].name,
						    (uint16_t *)(info->bytes + info->size),
						    NAME_BYTES - 1);
	}
	return ERROR_SUCCESS;
}

/* Of manifests and files. Return: how many */
static size_t take_providers(struct listed *list)
{
	const struct event_infos *infos = NULL;
	struct map known = { };
	size_t i, count = 0;

	while ((infos = next_of(infos)))
		for (i = 0; i < infos->map.count; i++)
			count += take_provider(&infos->info[i], &known, &list[count]);
	map_free(&known);
	return count;
}

/* The kernel's and the module's provider, whose layouts libetl has; then the others */
ULONG tdh_noted_providers(struct tdh_info *info)
{
	const struct event_infos *infos = NULL;
	size_t count = 2, room = count;
	struct listed *list;
	ULONG err;

	pthread_mutex_lock(&lock);
	while ((infos = next_of(infos)))
		room += infos->map.count;
	list = calloc(room, sizeof(*list));
	if (list) {
		list[0] = (struct listed){ system_trace_guid, 1, "Windows Kernel Trace" };
		list[1] = (struct listed){ ETW_LINUX_PROVIDER_GUID, 0, "Linux" };
		count += take_providers(list + count);
	}
	pthread_mutex_unlock(&lock);
	err = list ? put_list(list, count, info) : ERROR_OUTOFMEMORY;
	free(list);
	return err;
}
