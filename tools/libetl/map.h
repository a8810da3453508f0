/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Numbers keys densely, so that an array can hold what belongs to them. */
#ifndef ETW_MAP_H
#define ETW_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct map - keys in the order in which they came
 * @keys: by index; @count of them
 * @count: keys
 * @slots: index + 1 by hash, 0: none; open addressing
 * @room: of @slots, a power of two
 * @seed: random part of the hash; otherwise a file could choose keys that share one slot
 */
struct map {
	uint64_t *keys;
	size_t count;
	uint32_t *slots;
	size_t room;
	uint64_t seed;
};

#define MAP_NONE	((size_t)-1)

/* Return: the key's index, or MAP_NONE */
size_t map_find(const struct map *map, uint64_t key);
/* Return: the index of the key, which is new when it was @map->count; MAP_NONE: no memory */
size_t map_add(struct map *map, uint64_t key);
void map_free(struct map *map);
/*
 * Room for one more element in an array that has a place for each key of a map.
 * @count: elements so far. Return: false: no memory, and the array is as it was
 */
bool map_make_room(void **array, size_t count, size_t size);

/* For other tables whose keys a file chooses: a random seed, and a hash of 32 bits */
uint64_t map_seed(void);
uint64_t map_hash(uint64_t seed, uint64_t key);

/* Makes keys of bytes: the first part is mixed into MAP_MIX, each further part into the result */
#define MAP_MIX	0xCBF29CE484222325ULL
uint64_t map_mix(uint64_t key, const void *bytes, size_t size);

#endif /* ETW_MAP_H */
