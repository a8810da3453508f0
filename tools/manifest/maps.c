// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Names of values: EVENT_MAP_INFO. */
#include <string.h>
#include "manifest.h"

#define FLAG_VALUES	1
#define FLAG_BITS	2

/**
 * struct map_head - the first part of EVENT_MAP_INFO
 * @name: offset
 * @flag: whether the entries are values or bits
 * @count: entries
 * @value_type: 0: numbers
 */
struct map_head {
	uint32_t name;
	uint32_t flag;
	uint32_t count;
	uint32_t value_type;
};

/* An entry of EVENT_MAP_INFO: offset of the text, and the value */
struct map_entry {
	uint32_t text;
	uint32_t value;
};

static uint32_t count_of(const struct xml_node *map)
{
	const struct xml_node *at;
	uint32_t count = 0;

	for (at = xml_child(map, "map"); at; at = xml_next(at, "map"))
		count++;
	return count;
}

static int put_entry(const struct manifest *manifest, const struct xml_node *at,
		     struct blob *blob, size_t place)
{
	const char *message = xml_attribute(at, "message");
	uint64_t value;
	uint32_t number;

	if (!message)
		return manifest_wrong(manifest, at, "the value has no message");
	if (manifest_number(manifest, at, "value", UINT32_MAX, &value))
		return -1;
	number = value;
	if (!blob_text(blob, manifest_string(manifest, message), place))
		return -1;
	memcpy(blob->bytes + place + sizeof(number), &number, sizeof(number));
	return 0;
}

int manifest_map(const struct manifest *manifest, const struct xml_node *map, struct blob *blob)
{
	const bool bits = !strcmp(xml_name(map), "bitMap");
	const struct map_head head = {
		.flag = bits ? FLAG_BITS : FLAG_VALUES, .count = count_of(map),
	};
	const char *name = xml_attribute(map, "name");
	const struct xml_node *at;
	size_t place;

	if (!name)
		return manifest_wrong(manifest, map, "the map has no name");
	if (!blob_add(blob, &manifest->guid, sizeof(manifest->guid)))
		return -1;
	blob->base = blob->size;
	if (!blob_add(blob, &head, sizeof(head)))
		return -1;
	place = blob->size;
	if (!blob_add(blob, NULL, head.count * sizeof(struct map_entry)) ||
	    !blob_text(blob, name, blob->base))
		return -1;
	for (at = xml_child(map, "map"); at; at = xml_next(at, "map")) {
		if (put_entry(manifest, at, blob, place))
			return -1;
		place += sizeof(struct map_entry);
	}
	return 0;
}
