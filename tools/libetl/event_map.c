// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Names of values of manifest events that a file contains. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "event_map.h"
#include "text.h"

/* Offsets in EVENT_MAP_INFO, which is behind the provider's id */
#define MAP_NAME	0x00
#define MAP_FLAG	0x04
#define MAP_COUNT	0x08
#define MAP_ENTRIES	0x10
#define ENTRY_SIZE	8

#define FLAG_VALUES	1
#define FLAG_BITS	2

#define NAME_BYTES	256

size_t described_text(const uint8_t *bytes, uint32_t size, uint32_t at, char *to, size_t room)
{
	uint32_t most = at && at < size ? size - at : 0, n = 0;
	size_t done;

	while (n + 2 <= most && get16(bytes + at + n))
		n += 2;
	done = text_from_utf16(bytes + at, n, to, room);
	while (done && to[done - 1] == ' ')
		to[--done] = 0;
	return done;
}

static uint64_t key_of(const void *provider, const char *name)
{
	return map_mix(map_mix(MAP_MIX, provider, sizeof(struct etw_guid)), name, strlen(name));
}

/* Return: whether all entries are inside of @size bytes */
static bool read_map(const uint8_t *bytes, uint32_t size, struct event_map *map)
{
	uint32_t flag;

	if (size < MAP_ENTRIES)
		return false;
	flag = get32(bytes + MAP_FLAG);
	map->size = size;
	map->count = get32(bytes + MAP_COUNT);
	map->bits = flag == FLAG_BITS;
	return (flag == FLAG_VALUES || flag == FLAG_BITS) &&
	       map->count <= (size - MAP_ENTRIES) / ENTRY_SIZE;
}

static int put_map(struct event_maps *maps, size_t i, struct event_map *map, const uint8_t *bytes)
{
	if (!map_make_room((void **)&maps->maps, i, sizeof(*maps->maps)))
		return -1;
	map->bytes = malloc(map->size);
	if (!map->bytes)
		return -1;
	memcpy(map->bytes, bytes, map->size);
	maps->maps[i] = *map;
	return 0;
}

int event_maps_add(struct event_maps *maps, const uint8_t *payload, uint32_t size)
{
	const uint32_t before = sizeof(struct etw_guid);
	size_t i, count = maps->map.count;
	char name[NAME_BYTES];
	struct event_map map;
	int err;

	if (size < before || !read_map(payload + before, size - before, &map))
		return 0;
	described_text(payload + before, map.size, get32(payload + before + MAP_NAME), name,
		       sizeof(name));
	i = map_add(&maps->map, key_of(payload, name));
	if (i == MAP_NONE)
		return -1;
	if (i < count)
		return 0;
	err = put_map(maps, i, &map, payload + before);
	if (err)
		maps->map.count = count;
	return err;
}

void event_maps_free(struct event_maps *maps)
{
	size_t i;

	for (i = 0; i < maps->map.count; i++)
		free(maps->maps[i].bytes);
	free(maps->maps);
	map_free(&maps->map);
}

static void add_name(const struct event_map *map, const uint8_t *entry, char *to, size_t room)
{
	char name[NAME_BYTES];
	size_t done = strlen(to);

	described_text(map->bytes, map->size, get32(entry), name, sizeof(name));
	snprintf(to + done, room - done, "%s%s", done ? "|" : "", name);
}

/* Whether the entry's value @of is a part of @value */
static bool is_of(const struct event_map *map, uint32_t of, uint32_t value)
{
	if (map->bits && value)
		return of && (value & of) == of;
	return value == of;
}

const struct event_map *event_map_find(const struct event_maps *maps,
				       const struct etw_guid *provider, const char *name)
{
	size_t i = map_find(&maps->map, key_of(provider, name));

	return i == MAP_NONE ? NULL : &maps->maps[i];
}

bool event_map_text(const struct event_maps *maps, const struct etw_guid *provider,
		    const char *name, uint32_t value, char *to, size_t room)
{
	const struct event_map *map = event_map_find(maps, provider, name);
	uint32_t bits = value, of;
	const uint8_t *entry;
	size_t i, done;

	*to = 0;
	if (!map)
		return false;
	entry = map->bytes + MAP_ENTRIES;
	for (i = 0; i < map->count; i++, entry += ENTRY_SIZE) {
		of = get32(entry + 4);
		if (!is_of(map, of, bits))
			continue;
		add_name(map, entry, to, room);
		bits &= ~of;
		if (!bits)
			break;
	}
	done = strlen(to);
	if (done && bits)
		snprintf(to + done, room - done, "|0x%x", bits);
	return done;
}
