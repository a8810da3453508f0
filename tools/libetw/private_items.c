// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* What the private logger's EnableFlags point at: looked at as the module does. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "config/items.h"
#include "session.h"

/* The module's rule for a session without kernel events; nothing here knows another item */
static int check_plain(const struct etw_items *items)
{
	uint32_t i;

	for (i = 0; i < ETW_ITEM_KINDS; i++)
		if (etw_items_have(items, i) && i != ETW_ITEM_ENABLE_FLAGS)
			return -EINVAL;
	for (i = 0; i < items->nr_masks; i++)
		if (items->masks.masks[i] & ~(i ? 0 : EVENT_TRACE_FLAG_TEST))
			return -EINVAL;
	return 0;
}

static int parse(const struct block *block, struct etw_items *items)
{
	struct etw_config_error where;
	int err = etw_items_parse(block->bytes, block->size, sizeof(block->info),
				  block->info.enable_flags, items, &where);

	return err ? err : check_plain(items);
}

ULONG private_items(struct properties *properties)
{
	struct trace_enable_flag_extension extension;
	struct etw_items *items;
	struct block *block;
	ULONG error;

	if (!properties->nr_dwords)
		return ERROR_SUCCESS;
	memcpy(&extension, &properties->fixed.EnableFlags, sizeof(extension));
	block = calloc(1, sizeof(*block));
	items = calloc(1, sizeof(*items));
	error = block && items ? ERROR_SUCCESS : ERROR_NOT_ENOUGH_MEMORY;
	if (!error) {
		block->size = sizeof(block->info);
		error = extension_put(block, properties->dwords, properties->nr_dwords,
				      extension.length);
	}
	if (!error)
		error = etw_error(parse(block, items));
	if (!error)
		properties->fixed.EnableFlags = items->masks.masks[0];
	free(items);
	free(block);
	return error;
}
