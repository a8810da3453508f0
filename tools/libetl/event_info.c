// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Descriptions of manifest events that a file contains: by event, and their names. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "event_info.h"
#include "event_info_form.h"
#include "event_names.h"
#include "guids.h"
#include "text.h"

static uint64_t key_of(const struct etw_guid *provider, uint16_t id, uint8_t version)
{
	uint32_t event = id << 8 | version;

	return map_mix(map_mix(MAP_MIX, provider, sizeof(*provider)), &event, sizeof(event));
}

bool event_info_is_one(const struct etl_record *record)
{
	uint16_t hook_id;

	return record->header == ETL_FULL && hook_of(record, &hook_id) &&
	       (hook_id == (GROUP_METADATA << 8 | OPCODE_EVENT_INFO) ||
		hook_id == (GROUP_METADATA << 8 | OPCODE_MAP_INFO));
}

/* Return: whether all properties are inside of @size bytes */
static bool read_info(const uint8_t *bytes, uint32_t size, struct event_info *info)
{
	if (size < INFO_PROPERTIES || get32(bytes + INFO_SOURCE) != SOURCE_MANIFEST)
		return false;
	memcpy(&info->provider, bytes, sizeof(info->provider));
	info->id = get16(bytes + INFO_ID);
	info->version = bytes[INFO_VERSION];
	info->size = size;
	info->count = get32(bytes + INFO_COUNT);
	info->top = get32(bytes + INFO_TOP);
	return info->count <= (size - INFO_PROPERTIES) / PROPERTY_SIZE && info->top <= info->count;
}

/* The map has the key already */
static int put_info(struct event_infos *infos, size_t i, struct event_info *info,
		    const uint8_t *bytes)
{
	if (!map_make_room((void **)&infos->info, i, sizeof(*infos->info)))
		return -1;
	infos->info[i] = (struct event_info){ };
	info->bytes = malloc(info->size);
	if (!info->bytes)
		return -1;
	memcpy(info->bytes, bytes, info->size);
	infos->info[i] = *info;
	return 0;
}

/* Descriptions of a file and of manifests have one bound. */
static bool take_room(struct event_infos *infos, uint32_t size)
{
	if (infos->bytes + size > EVENT_INFO_BYTES) {
		infos->ignored++;
		return false;
	}
	infos->bytes += size;
	return true;
}

static int add_info(struct event_infos *infos, const uint8_t *bytes, uint32_t size)
{
	struct event_info info = { };
	size_t i, count = infos->map.count;
	int err;

	if (!read_info(bytes, size, &info))
		return 0;
	i = map_add(&infos->map, key_of(&info.provider, info.id, info.version));
	if (i == MAP_NONE)
		return -1;
	/* a merged file of several has it several times */
	if (i < count)
		return 0;
	err = put_info(infos, i, &info, bytes);
	if (err)
		infos->map.count = count;
	return err;
}

int event_infos_describe(struct event_infos *infos, const uint8_t *bytes, uint32_t size)
{
	const size_t count = infos->map.count;
	int err;

	if (!take_room(infos, size))
		return 0;
	err = add_info(infos, bytes, size);
	/* what is known or broken is not kept, so it needs no room */
	if (infos->map.count == count)
		infos->bytes -= size;
	return err;
}

int event_infos_name(struct event_infos *infos, const uint8_t *bytes, uint32_t size)
{
	const size_t count = infos->maps.map.count;
	int err;

	if (!take_room(infos, size))
		return 0;
	err = event_maps_add(&infos->maps, bytes, size);
	if (infos->maps.map.count == count)
		infos->bytes -= size;
	return err;
}

int event_infos_add(struct event_infos *infos, const struct etl_record *record)
{
	if (record->opcode == OPCODE_MAP_INFO)
		return event_infos_name(infos, record->payload, record->payload_size);
	return event_infos_describe(infos, record->payload, record->payload_size);
}

void event_infos_free(struct event_infos *infos)
{
	size_t i;

	if (!infos)
		return;
	for (i = 0; i < infos->map.count; i++)
		free(infos->info[i].bytes);
	free(infos->info);
	map_free(&infos->map);
	event_maps_free(&infos->maps);
	free(infos);
}

/* TraceLogging: the record's own description is the right one */
static bool describes_itself(const struct etl_record *record)
{
	struct etl_item item = { };

	while (etl_item_next(record, &item))
		if (item.type == ETL_ITEM_SCHEMA)
			return true;
	return false;
}

const struct event_info *event_info_of(const struct etl_record *record)
{
	const struct event_infos *infos = record->infos;
	const struct event_info *info;
	size_t i;

	if (!infos || record->header != ETL_EVENT || describes_itself(record))
		return NULL;
	i = map_find(&infos->map, key_of(&record->guid, record->id, record->version));
	if (i == MAP_NONE)
		return NULL;
	info = &infos->info[i];
	return info->id == record->id && info->version == record->version &&
	       etl_guid_equal(&info->provider, &record->guid) ? info : NULL;
}

void event_info_property(const struct event_info *info, uint32_t index,
			 struct event_property *property)
{
	const uint8_t *at = info->bytes + INFO_PROPERTIES + PROPERTY_SIZE * index;

	property->flags = get32(at);
	property->name = get32(at + 4);
	property->in = get16(at + 8);
	property->out = get16(at + 10);
	property->map_name = get32(at + 12);
	property->count = get16(at + 16);
	property->length = get16(at + 18);
}

size_t event_info_text(const struct event_info *info, uint32_t at, char *to, size_t room)
{
	return described_text(info->bytes, info->size, at, to, room);
}

static void add_part(const char *part, char *to, size_t room)
{
	size_t done = strlen(to);

	snprintf(to + done, room - done, "/%s", part);
}

static void put_name(const struct event_info *info, char *to, size_t room)
{
	char part[EVENT_NAME / 4], *opcode = part;
	bool task;

	if (!event_info_text(info, get32(info->bytes + INFO_PROVIDER_NAME), to, room / 2))
		text_from_guid(&info->provider, to);
	task = event_info_text(info, get32(info->bytes + INFO_TASK_NAME), part, sizeof(part));
	if (task)
		add_part(part, to, room);
	event_info_text(info, get32(info->bytes + INFO_OPCODE_NAME), part, sizeof(part));
	if (!strncmp(part, "win:", 4))
		opcode += 4;
	if (task && *opcode && strcmp(opcode, "Info"))
		add_part(opcode, to, room);
	if (!task || info->shared) {
		snprintf(part, sizeof(part), "%u", info->id);
		add_part(part, to, room);
	}
}

bool event_info_name(const struct etl_record *record, char *to, size_t room)
{
	const struct event_info *info = event_info_of(record);

	if (info)
		put_name(info, to, room);
	return info;
}

/* Finds the first event of each name; sets @shared of the first event if another id has the same name */
static int group_names(struct event_infos *infos, size_t *first)
{
	struct map names = { };
	char name[EVENT_NAME];
	size_t i, k, *of;

	of = calloc(infos->map.count + 1, sizeof(*of));
	for (i = 0; of && i < infos->map.count; i++) {
		put_name(&infos->info[i], name, sizeof(name));
		k = map_add(&names, map_mix(MAP_MIX, name, strlen(name)));
		if (k == MAP_NONE)
			break;
		if (k + 1 == names.count && !of[k])
			of[k] = i + 1;
		first[i] = of[k] - 1;
		if (infos->info[first[i]].id != infos->info[i].id)
			infos->info[first[i]].shared = true;
	}
	free(of);
	map_free(&names);
	return i == infos->map.count ? 0 : -1;
}

int event_infos_finish(struct event_infos *infos)
{
	size_t i, *first = calloc(infos->map.count + 1, sizeof(*first));
	int err = first ? group_names(infos, first) : -1;

	for (i = 0; !err && i < infos->map.count; i++)
		infos->info[i].shared = infos->info[first[i]].shared;
	free(first);
	return err;
}
