// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The block that START and UPDATE send: fixed part, names, extension. */
#include <string.h>
#include "libetl/text.h"
#include "linux_events/linux_events.h"
#include "group_masks.h"
#include "request.h"

static void put_name(struct block *block, struct etw_unicode_string *string, const char *text,
		     uint32_t limit)
{
	uint16_t units[ETW_MAX_LOG_FILE_NAME + 1] = { };
	uint32_t count = text ? text_to_utf16(text, units, limit) : 0;

	string->length = 2 * count;
	string->maximum_length = 2 * count + 2;
	string->buffer = block->size;
	memcpy(block->bytes + block->size, units, 2 * count + 2);
	block->size += 2 * count + 2;
}

/*
 * Behind the other items: their descriptions are as long as the events are many, so that no
 * structure has room for them.
 */
static void put_linux_events(struct block *block, uint32_t extension,
			     const struct linux_events *events)
{
	struct trace_enable_flag_ext_header header;
	struct trace_enable_flag_ext_item item = { .type = ETW_EXT_VND_LINUX_EVENTS };
	uint32_t at = block->size, size;

	size = linux_events_encode(events, block->bytes + at + sizeof(item),
				   sizeof(block->bytes) - at - sizeof(item));
	item.offset = 1 + size / 4;
	memcpy(block->bytes + at, &item, sizeof(item));
	block->size += sizeof(item) + size;
	memcpy(&header, block->bytes + extension, sizeof(header));
	header.items++;
	header.length += item.offset;
	memcpy(block->bytes + extension, &header, sizeof(header));
}

/* Dwords are where the kernel could read them in one piece; it need not be so. */
static void put_extension(struct block *block, const struct etw_items *items,
			  const struct linux_events *linux_events)
{
	struct trace_enable_flag_extension extension = {
		.length = ETW_EXT_ITEMS, .flag = ETW_EXT_FLAG,
	};

	block->size = (block->size + 3) & ~3u;
	extension.offset = block->size;
	memcpy(&block->info.enable_flags, &extension, sizeof(extension));
	block->size += etw_items_encode(items, block->bytes + block->size,
					sizeof(block->bytes) - block->size);
	if (linux_events)
		put_linux_events(block, extension.offset, linux_events);
}

void block_put_events(struct block *block, const struct perfinfo_groupmask *masks,
		      const struct etw_items *items, const struct linux_events *linux_events)
{
	static const struct perfinfo_groupmask none;
	static struct etw_items all;

	if (linux_events || (items->present & ~(1u << ETW_ITEM_ENABLE_FLAGS)) ||
	    !events_flags(masks, &block->info.enable_flags)) {
		all = *items;
		if (memcmp(masks, &none, sizeof(none)))
			items_say(&all, ETW_ITEM_ENABLE_FLAGS);
		all.masks = *masks;
		all.nr_masks = ETW_MASKS;
		put_extension(block, &all, linux_events);
	}
	block->info.wnode.buffer_size = block->size;
}

void request_block(const struct start_request *request, struct block *block)
{
	static const struct etw_guid kernel_guid = ETW_SYSTEM_TRACE_CONTROL_GUID;
	struct wmi_logger_information *info = &block->info;

	memset(block, 0, sizeof(*block));
	block->size = sizeof(*info);
	if (request->mode & EVENT_TRACE_SYSTEM_LOGGER_MODE)
		info->wnode.guid = kernel_guid;
	info->wnode.client_context = request->clock;
	info->wnode.flags = WNODE_FLAG_TRACED_GUID;
	info->buffer_size = request->buffer_kb;
	info->minimum_buffers = request->minimum_buffers;
	info->maximum_buffers = request->maximum_buffers;
	info->maximum_file_size = request->maximum_file_mb;
	info->log_file_mode = request->mode;
	info->flush_timer = request->flush_timer;
	put_name(block, &info->logger_name, request->name, ETW_MAX_LOGGER_NAME);
	put_name(block, &info->log_file_name, request->file, ETW_MAX_LOG_FILE_NAME);
	block_put_events(block, &request->masks, &request->items, request->linux_events);
}

void block_text(const struct block *block, const struct etw_unicode_string *string, char *to,
		uint32_t room)
{
	to[0] = 0;
	if (string->buffer <= block->size && string->length <= block->size - string->buffer)
		text_from_utf16(block->bytes + string->buffer, string->length, to, room);
}

/* The item with that number, from 1, or with that type. Return: 0: there is none */
static uint32_t find_item(const struct block *block, uint32_t index, uint32_t type,
			  struct trace_enable_flag_ext_item *item)
{
	struct trace_enable_flag_extension extension;
	uint32_t at;

	memcpy(&extension, &block->info.enable_flags, sizeof(extension));
	if (!(extension.flag & ETW_EXT_FLAG) || extension.length != ETW_EXT_ITEMS)
		return 0;
	at = extension.offset + sizeof(struct trace_enable_flag_ext_header);
	for (; at + sizeof(*item) <= block->size; at += 4 * item->offset) {
		memcpy(item, block->bytes + at, sizeof(*item));
		if (index ? !--index : item->type == type)
			return at;
		if (!item->offset)
			break;
	}
	return 0;
}

uint32_t block_item_type(const struct block *block, uint32_t index)
{
	struct trace_enable_flag_ext_item item;

	return index && find_item(block, index, 0, &item) ? item.type : 0;
}

const uint8_t *block_item_data(const struct block *block, uint32_t type, uint32_t *size)
{
	struct trace_enable_flag_ext_item item;
	uint32_t at = find_item(block, 0, type, &item);

	if (!at || !item.offset || block->size - at < 4u * item.offset)
		return NULL;
	*size = 4u * item.offset - sizeof(item);
	return block->bytes + at + sizeof(item);
}
