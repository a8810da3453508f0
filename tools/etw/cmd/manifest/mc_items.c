// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* etw mc: the templates of events: their form in XML, and their fields. */
#include <stdlib.h>
#include <string.h>
#include "mc_template.h"

#define INFO_SIZE	0x70
#define INFO_COUNT	0x64
#define INFO_TOP	0x68

/* Offsets in TEMP */
#define AT_SIZE		4
#define AT_TOP		8
#define AT_COUNT	12
#define AT_ITEMS	16
#define AT_FORM		20
#define AT_GUID		24
/* Forms */
#define EVENT_DATA	1
#define USER_DATA	2

static const struct {
	uint32_t property;
	uint32_t item;
} flags[] = {
	{ PROPERTY_STRUCT, ITEM_STRUCT }, { PROPERTY_FIXED_LENGTH, ITEM_FIXED_LENGTH },
	{ PROPERTY_PARAM_LENGTH, ITEM_PARAM_LENGTH }, { PROPERTY_FIXED_COUNT, ITEM_FIXED_COUNT },
	{ PROPERTY_PARAM_COUNT, ITEM_PARAM_COUNT },
};

/* The output type of a field that names none, by its input type */
static const uint8_t out_types[] = {
	[1] = 1, [2] = 1, [3] = 3, [4] = 4, [5] = 5, [6] = 6, [7] = 7, [8] = 8, [9] = 9, [10] = 10,
	[11] = 11, [12] = 12, [13] = 13, [14] = 15, [15] = 14, [16] = 19, [17] = 2, [18] = 2,
	[19] = 1, [20] = 18, [21] = 19, [22] = 1, [23] = 1, [25] = 15,
};

/* The map of a field. Return: its offset; 0: the field has none, or there is no such map */
static uint32_t map_of(const struct mc_template *template, const struct event_info *info,
		       const struct event_property *property)
{
	const struct mc_place *place;
	char name[256];

	if (property->flags & PROPERTY_STRUCT ||
	    !event_info_text(info, property->map_name, name, sizeof(name)))
		return 0;
	place = mc_find_name(&template->maps, name);
	return place ? place->at : 0;
}

static int put_item(struct mc_template *template, const struct event_info *info, uint32_t index)
{
	struct blob *blob = &template->blob;
	struct event_property property;
	uint32_t flag = 0;
	size_t i;

	event_info_property(info, index, &property);
	for (i = 0; i < sizeof(flags) / sizeof(flags[0]); i++)
		flag |= property.flags & flags[i].property ? flags[i].item : 0;
	if (mc_put32(blob, flag))
		return -1;
	if (flag & ITEM_STRUCT) {
		if (mc_put16(blob, property.in) || mc_put16(blob, property.out))
			return -1;
	} else if (mc_put16(blob, property.in | (property.out ? property.out :
						 out_types[property.in]) << 8) ||
		   mc_put16(blob, 0)) {
		return -1;
	}
	if (mc_put32(blob, map_of(template, info, &property)) ||
	    mc_put16(blob, flag & (ITEM_FIXED_COUNT | ITEM_PARAM_COUNT) ? property.count : 0) ||
	    mc_put16(blob, property.length))
		return -1;
	return mc_put32(blob, 0);
}

static int put_names(struct mc_template *template, const struct event_info *info, size_t items)
{
	struct event_property property;
	char name[1024];
	uint32_t i;

	for (i = 0; i < info->count; i++, items += ITEM_SIZE) {
		event_info_property(info, i, &property);
		event_info_text(info, property.name, name, sizeof(name));
		if (mc_put_name(&template->blob, name, items + 16))
			return -1;
	}
	return 0;
}

/*
 * mc.exe makes the identifier of a template of the template's form, in a way that is not public.
 * This one is another hash of the form: equal forms have equal identifiers.
 */
static void put_guid(struct mc_template *template, size_t at, size_t end)
{
	uint8_t *bytes = template->blob.bytes + at;
	const size_t form = TEMPLATE_HEAD, size = end - at - form;
	uint64_t hash[2];

	hash[0] = map_mix(MAP_MIX, bytes + form, size);
	hash[1] = map_mix(map_mix(MAP_MIX, hash, sizeof(hash[0])), bytes + form, size);
	memcpy(bytes + AT_GUID, hash, sizeof(hash));
	/* as one of a hash */
	bytes[AT_GUID + 7] = (bytes[AT_GUID + 7] & 0x0F) | 0x50;
	bytes[AT_GUID + 8] = (bytes[AT_GUID + 8] & 0x3F) | 0x80;
}

static int put_template(struct mc_template *template, const struct xml_node *node,
			const struct event_info *info)
{
	struct blob *blob = &template->blob;
	const char *name = xml_attribute(node, "tid");
	const size_t at = blob->size;
	struct mc_place *place;
	size_t items;
	uint32_t i;

	if (!name)
		return manifest_wrong(template->manifest, node, "the template has no tid");
	place = mc_add(&template->templates, 0, name);
	if (!place || !blob_add(blob, "TEMP", 4) || !blob_add(blob, NULL, TEMPLATE_HEAD - 4))
		return -1;
	place->at = at;
	if (mc_put_form(template, node, info->top))
		return -1;
	items = blob->size;
	put_guid(template, at, items);
	for (i = 0; i < info->count; i++)
		if (put_item(template, info, i))
			return -1;
	if (put_names(template, info, items))
		return -1;
	mc_set32(blob, at + AT_SIZE, blob->size - at);
	mc_set32(blob, at + AT_TOP, info->top);
	mc_set32(blob, at + AT_COUNT, info->count);
	mc_set32(blob, at + AT_ITEMS, items);
	mc_set32(blob, at + AT_FORM, xml_child(node, "UserData") ? USER_DATA : EVENT_DATA);
	return 0;
}

int mc_put_templates(struct mc_template *template)
{
	const struct xml_node *at =
		xml_child(manifest_list(template->manifest, "templates"), "template");
	struct blob *blob = &template->blob, fields = { };
	const size_t begin = blob->size;
	struct event_info info;
	uint32_t count = 0;
	int err = 0;

	if (!blob_add(blob, "TTBL", 4) || !blob_add(blob, NULL, LIST_HEAD - 4))
		return -1;
	for (; !err && at; at = xml_next(at, "template"), count++) {
		fields.size = 0;
		if (!blob_add(&fields, NULL, INFO_SIZE) ||
		    manifest_fields(template->manifest, at, &fields)) {
			err = -1;
			break;
		}
		info = (struct event_info){
			.bytes = fields.bytes, .size = fields.size,
			.count = get32(fields.bytes + INFO_COUNT),
			.top = get32(fields.bytes + INFO_TOP),
		};
		err = put_template(template, at, &info);
	}
	free(fields.bytes);
	if (err)
		return -1;
	mc_set32(blob, begin + 4, blob->size - begin);
	mc_set32(blob, begin + 8, count);
	return 0;
}
