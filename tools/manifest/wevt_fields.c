// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The items of a binary template: EVENT_PROPERTY_INFO. */
#include <string.h>
#include "wevt.h"

#define PROPERTY_SIZE	24
/* As many as an event of an XML manifest may have */
#define MOST_FIELDS	1024

/* Offsets in EVENT_PROPERTY_INFO */
#define AT_NAME		4
#define AT_IN		8
#define AT_MAP		12
#define AT_COUNT	16

static const struct {
	uint32_t item;
	uint32_t property;
} flags[] = {
	{ ITEM_STRUCT, PROPERTY_STRUCT }, { ITEM_FIXED_LENGTH, PROPERTY_FIXED_LENGTH },
	{ ITEM_PARAM_LENGTH, PROPERTY_PARAM_LENGTH }, { ITEM_FIXED_COUNT, PROPERTY_FIXED_COUNT },
	{ ITEM_PARAM_COUNT, PROPERTY_PARAM_COUNT },
};

/**
 * struct items - the items of a template
 * @at: of the first one
 * @count: all
 * @top: those that are no members of structures
 */
struct items {
	uint32_t at;
	uint32_t count;
	uint32_t top;
};

/* Fields that an item refers to exist. Return: false after a message */
static bool check_item(const struct wevt *wevt, const struct items *items, uint32_t at)
{
	const uint8_t *item = wevt->template.bytes + at;
	const uint32_t flag = get32(item);

	if (flag & ITEM_STRUCT && get16(item + 4) + get16(item + 6) > (int)items->count)
		return wevt_wrong(wevt, &wevt->template, at, "members %u to %u of %u fields",
				  get16(item + 4), get16(item + 4) + get16(item + 6), items->count);
	if ((flag & ITEM_PARAM_COUNT && get16(item + 12) >= items->count) ||
	    (flag & ITEM_PARAM_LENGTH && get16(item + 14) >= items->count))
		return wevt_wrong(wevt, &wevt->template, at, "a count or length in field %u of %u",
				  get16(item + (flag & ITEM_PARAM_COUNT ? 12 : 14)), items->count);
	return true;
}

static bool put_map_name(struct wevt *wevt, uint32_t map, struct blob *blob, size_t place)
{
	const uint8_t *text;
	size_t bytes;

	if (!wevt_inside(wevt, map, 1, MAP_HEAD, "the map of a field") ||
	    !wevt_text(wevt, get32(wevt->template.bytes + map + 8), &text, &bytes) ||
	    !wevt_step(wevt, bytes))
		return false;
	return blob_wide(blob, text, bytes, place + AT_MAP);
}

static bool put_item(struct wevt *wevt, const struct items *items, uint32_t index,
		     struct blob *blob, size_t place)
{
	const uint32_t at = items->at + ITEM_SIZE * index;
	const uint8_t *item = wevt->template.bytes + at, *name;
	const uint32_t flag = get32(item), map = get32(item + 8);
	uint16_t types[2] = { item[4], item[5] }, sizes[2] = { get16(item + 12), get16(item + 14) };
	uint32_t property = 0;
	size_t i, bytes;

	if (!check_item(wevt, items, at))
		return false;
	for (i = 0; i < sizeof(flags) / sizeof(flags[0]); i++)
		property |= flag & flags[i].item ? flags[i].property : 0;
	if (flag & ITEM_STRUCT) {
		types[0] = get16(item + 4);
		types[1] = get16(item + 6);
	}
	if (!(flag & (ITEM_FIXED_COUNT | ITEM_PARAM_COUNT)))
		sizes[0] = 1;
	memcpy(blob->bytes + place, &property, sizeof(property));
	memcpy(blob->bytes + place + AT_IN, types, sizeof(types));
	memcpy(blob->bytes + place + AT_COUNT, sizes, sizeof(sizes));
	if (!wevt_text(wevt, get32(item + 16), &name, &bytes) || !wevt_step(wevt, bytes) ||
	    !blob_wide(blob, name, bytes, place + AT_NAME))
		return false;
	return !map || flag & ITEM_STRUCT || put_map_name(wevt, map, blob, place);
}

bool wevt_fields(struct wevt *wevt, uint32_t at, struct blob *blob)
{
	const uint8_t *bytes = wevt->template.bytes + at;
	struct items items;
	size_t place = blob->size;
	uint32_t i;

	if (!wevt_inside(wevt, at, 1, TEMPLATE_HEAD, "a template"))
		return false;
	if (memcmp(bytes, "TEMP", 4))
		return wevt_wrong(wevt, &wevt->template, at, "no template: TEMP is missing");
	items = (struct items){ get32(bytes + 16), get32(bytes + 12), get32(bytes + 8) };
	if (items.count > MOST_FIELDS || items.top > items.count)
		return wevt_wrong(wevt, &wevt->template, at,
				  "%u fields, %u of them in no structure", items.count, items.top);
	if (!items.count)
		return true;
	if (!wevt_inside(wevt, items.at, items.count, ITEM_SIZE, "the fields of a template") ||
	    !wevt_step(wevt, PROPERTY_SIZE * items.count) ||
	    !blob_add(blob, NULL, PROPERTY_SIZE * items.count))
		return false;
	memcpy(blob->bytes + place - 12, &items.count, sizeof(items.count));
	memcpy(blob->bytes + place - 8, &items.top, sizeof(items.top));
	for (i = 0; i < items.count; i++, place += PROPERTY_SIZE)
		if (!put_item(wevt, &items, i, blob, place))
			return false;
	return true;
}
