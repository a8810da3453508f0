// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The items that EnableFlags can point at: found, added, put into a block. */
#include <string.h>
#include "session.h"

uint32_t extension_find(const uint32_t *dwords, uint32_t count, uint32_t type)
{
	struct trace_enable_flag_ext_item item;
	uint32_t at;

	for (at = 1; at < count; at += item.offset) {
		memcpy(&item, &dwords[at], sizeof(item));
		if (!item.offset || item.offset > count - at)
			break;
		if (item.type == type && item.offset > 1)
			return at;
	}
	return 0;
}

uint32_t extension_add(uint32_t *dwords, uint32_t count, uint32_t type, const uint32_t *item,
		       uint32_t item_dwords)
{
	struct trace_enable_flag_ext_item first = { .offset = 1 + item_dwords, .type = type };
	struct trace_enable_flag_ext_header header;

	if (!count || count + first.offset > EXTENSION_DWORDS + MORE_DWORDS)
		return 0;
	memcpy(&header, dwords, sizeof(header));
	header.length += first.offset;
	header.items++;
	memcpy(dwords, &header, sizeof(header));
	memcpy(&dwords[count], &first, sizeof(first));
	memcpy(&dwords[count + 1], item, 4 * item_dwords);
	return count + first.offset;
}

uint32_t extension_remove(uint32_t *dwords, uint32_t count, uint32_t type)
{
	struct trace_enable_flag_ext_header header;
	struct trace_enable_flag_ext_item item;
	uint32_t at = extension_find(dwords, count, type);

	if (!at)
		return count;
	memcpy(&item, &dwords[at], sizeof(item));
	memcpy(&header, dwords, sizeof(header));
	header.length -= item.offset;
	header.items--;
	memcpy(dwords, &header, sizeof(header));
	memmove(&dwords[at], &dwords[at + item.offset], 4 * (count - at - item.offset));
	return count - item.offset;
}

uint32_t extension_of_flags(uint32_t flags, uint32_t *dwords)
{
	static const struct trace_enable_flag_ext_header empty = { .length = 1 };

	memcpy(dwords, &empty, sizeof(empty));
	return extension_add(dwords, 1, ETW_EXT_ENABLE_FLAGS, &flags, 1);
}

uint32_t extension_of_block(const struct block *block, uint32_t *dwords)
{
	uint32_t flags = block->info.enable_flags;

	return flags & EVENT_TRACE_FLAG_EXTENSION ? extension_of(block, dwords) :
						    extension_of_flags(flags, dwords);
}

uint32_t extension_of(const struct block *block, uint32_t *dwords)
{
	struct trace_enable_flag_extension extension;
	struct trace_enable_flag_ext_header header;

	memcpy(&extension, &block->info.enable_flags, sizeof(extension));
	if (!(extension.flag & ETW_EXT_FLAG) || extension.length != ETW_EXT_ITEMS ||
	    extension.offset + sizeof(header) > block->size)
		return 0;
	memcpy(&header, block->bytes + extension.offset, sizeof(header));
	if (extension.offset + 4u * header.length > block->size)
		return 0;
	memcpy(dwords, block->bytes + extension.offset, 4u * header.length);
	return header.length;
}

ULONG extension_put(struct block *block, const uint32_t *dwords, uint32_t count, uint32_t length)
{
	struct trace_enable_flag_extension extension = {
		.length = length, .flag = ETW_EXT_FLAG,
	};

	block->size = (block->size + 3) & ~3u;
	if (block->size > 0xFFFF || 4 * count > sizeof(block->bytes) - block->size)
		return ERROR_INVALID_PARAMETER;
	extension.offset = block->size;
	memcpy(&block->info.enable_flags, &extension, sizeof(extension));
	memcpy(block->bytes + block->size, dwords, 4 * count);
	block->size += 4 * count;
	block->info.wnode.buffer_size = block->size;
	return ERROR_SUCCESS;
}
