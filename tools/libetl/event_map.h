/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Names of values of manifest events that a file contains: EVENT_MAP_INFO. */
#ifndef ETW_EVENT_MAP_H
#define ETW_EVENT_MAP_H

#include "map.h"
#include "reader.h"

/**
 * struct event_map - names of values
 * @bytes: EVENT_MAP_INFO, checked: the entries are inside
 * @size: bytes of it
 * @count: entries
 * @bits: each entry is a bit, not a value
 */
struct event_map {
	uint8_t *bytes;
	uint32_t size;
	uint32_t count;
	bool bits;
};

/**
 * struct event_maps - the maps of a file
 * @map: by provider and name
 * @maps: by index of @map
 */
struct event_maps {
	struct map map;
	struct event_map *maps;
};

/* Adds the map that the payload contains. Return: 0, also if it is broken; -1: no memory */
int event_maps_add(struct event_maps *maps, const uint8_t *payload, uint32_t size);
void event_maps_free(struct event_maps *maps);
/* NULL: there is no such map */
const struct event_map *event_map_find(const struct event_maps *maps,
				       const struct etw_guid *provider, const char *name);
/* The names of @value. Return: false: there is no such map, or @value has no name in it */
bool event_map_text(const struct event_maps *maps, const struct etw_guid *provider,
		    const char *name, uint32_t value, char *to, size_t room);
/* The UTF-16 at an offset of a description, without blanks at its end. Return: bytes of @to */
size_t described_text(const uint8_t *bytes, uint32_t size, uint32_t at, char *to, size_t room);

#endif /* ETW_EVENT_MAP_H */
