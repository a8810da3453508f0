// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Numbers keys densely, so that an array can hold what belongs to them. */
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include "map.h"

/*
 * Keys come from files. With a known hash, a file could have keys that all belong into one slot,
 * and each search would walk through all of them. Without random bytes the constant remains.
 */
uint64_t map_seed(void)
{
	uint64_t seed;

	if (getrandom(&seed, sizeof(seed), GRND_NONBLOCK) != sizeof(seed))
		seed = 0x9E3779B97F4A7C15ULL;
	return seed | 1;
}

uint64_t map_hash(uint64_t seed, uint64_t key)
{
	key = (key ^ seed) * seed;
	key = (key ^ key >> 32) * 0x9E3779B97F4A7C15ULL;
	return key >> 32;
}

static size_t first_slot(const struct map *map, uint64_t key)
{
	return map_hash(map->seed, key) & (map->room - 1);
}

static size_t slot_of(const struct map *map, uint64_t key)
{
	size_t i = first_slot(map, key);

	while (map->slots[i] && map->keys[map->slots[i] - 1] != key)
		i = (i + 1) & (map->room - 1);
	return i;
}

size_t map_find(const struct map *map, uint64_t key)
{
	uint32_t found = map->room ? map->slots[slot_of(map, key)] : 0;

	return found ? found - 1 : MAP_NONE;
}

/* Both arrays at once: as many keys as half of the slots */
static int grow(struct map *map)
{
	size_t i, room = map->room ? 2 * map->room : 256;
	uint64_t *keys = reallocarray(map->keys, room / 2, sizeof(*keys));
	uint32_t *slots;

	if (!keys)
		return -1;
	map->keys = keys;
	slots = calloc(room, sizeof(*slots));
	if (!slots)
		return -1;
	free(map->slots);
	map->slots = slots;
	map->room = room;
	if (!map->seed)
		map->seed = map_seed();
	for (i = 0; i < map->count; i++)
		slots[slot_of(map, keys[i])] = i + 1;
	return 0;
}

size_t map_add(struct map *map, uint64_t key)
{
	size_t found = map_find(map, key);

	if (found != MAP_NONE)
		return found;
	if (map->count == map->room / 2 && grow(map))
		return MAP_NONE;
	map->keys[map->count] = key;
	map->slots[slot_of(map, key)] = map->count + 1;
	return map->count++;
}

void map_free(struct map *map)
{
	free(map->keys);
	free(map->slots);
	memset(map, 0, sizeof(*map));
}

bool map_make_room(void **array, size_t count, size_t size)
{
	void *more;

	/* arrays double: they are full when the count is a power of two */
	if (count & (count - 1))
		return true;
	more = reallocarray(*array, count ? 2 * count : 1, size);
	if (more)
		*array = more;
	return more;
}

uint64_t map_mix(uint64_t key, const void *bytes, size_t size)
{
	const uint8_t *at = bytes;

	while (size--)
		key = (key ^ *at++) * 0x100000001B3ULL;
	return key;
}
