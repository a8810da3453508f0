// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* etw mc: the maps of a template: those of values, those of bits, and their names. */
#include <stdlib.h>
#include <string.h>
#include "mc_template.h"

#define AT_NAME		8
#define AT_FLAG		12
#define AT_COUNT	16

static bool is_bits(const struct xml_node *map)
{
	return !strcmp(xml_name(map), "bitMap");
}

static int put_entry(struct mc_template *template, const struct xml_node *at, bool bits)
{
	uint32_t message;
	uint64_t value;

	if (manifest_number(template->manifest, at, "value", UINT32_MAX, &value) ||
	    mc_message_of(template, at, bits ? MESSAGE_BIT : MESSAGE_VALUE, 0, &message) ||
	    mc_put32(&template->blob, value))
		return -1;
	return mc_put32(&template->blob, message);
}

static int put_map(struct mc_template *template, const struct xml_node *map)
{
	const char *name = xml_attribute(map, "name");
	struct blob *blob = &template->blob;
	const bool bits = is_bits(map);
	const size_t at = blob->size;
	const struct xml_node *entry;
	struct mc_place *place;
	uint32_t count = 0;

	if (!name)
		return manifest_wrong(template->manifest, map, "the map has no name");
	place = mc_add(&template->maps, 0, name);
	if (!place || !blob_add(blob, bits ? "BMAP" : "VMAP", 4) ||
	    !blob_add(blob, NULL, MAP_HEAD - 4))
		return -1;
	place->at = at;
	for (entry = xml_child(map, "map"); entry; entry = xml_next(entry, "map"), count++)
		if (put_entry(template, entry, bits))
			return -1;
	mc_set32(blob, at + 4, blob->size - at);
	mc_set32(blob, at + AT_FLAG, bits);
	mc_set32(blob, at + AT_COUNT, count);
	return 0;
}

static int compare(const void *a, const void *b)
{
	const struct mc_place *x = a, *y = b;

	return strcmp(x->name, y->name);
}

int mc_put_maps(struct mc_template *template)
{
	const struct xml_node *first = xml_child(manifest_list(template->manifest, "maps"), NULL);
	struct blob *blob = &template->blob;
	const size_t begin = blob->size;
	const struct xml_node *at;
	uint32_t count = 0, bits;
	size_t i;

	for (at = first; at; at = xml_next(at, NULL))
		count++;
	if (!blob_add(blob, "MAPS", 4) || mc_put32(blob, 0) || mc_put32(blob, count) ||
	    !blob_add(blob, NULL, 4 * (size_t)count))
		return -1;
	for (bits = 0; bits < 2; bits++)
		for (at = first; at; at = xml_next(at, NULL))
			if (is_bits(at) == !!bits && put_map(template, at))
				return -1;
	qsort(template->maps.place, count, sizeof(*template->maps.place), compare);
	for (i = 0; i < count; i++) {
		mc_set32(blob, begin + LIST_HEAD + 4 * i, template->maps.place[i].at);
		if (mc_put_name(blob, template->maps.place[i].name,
				template->maps.place[i].at + AT_NAME))
			return -1;
	}
	mc_set32(blob, begin + 4, blob->size - begin);
	return 0;
}
