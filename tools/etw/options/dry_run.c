// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* --dry-run: the block that would be sent, in hexadecimal and in words. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "config/config.h"
#include "linux_events/linux_events.h"
#include "session_options.h"

static void print_hex(const struct block *block)
{
	uint32_t at;

	for (at = 0; at < block->size; at++) {
		if (at % 16 == 0)
			printf("%s%04x ", at ? "\n" : "", at);
		printf(" %02x", block->bytes[at]);
	}
	putchar('\n');
}

static void print_items(const struct block *block, const struct etw_items *items)
{
	struct trace_enable_flag_extension extension;
	enum etw_item_kind kind;
	char *text;

	if (!items->present)
		return;
	memcpy(&extension, &block->info.enable_flags, sizeof(extension));
	printf("extension at 0x%x\n", extension.offset);
	for (kind = 0; kind < ETW_ITEM_KINDS; kind++) {
		if (!etw_items_have(items, kind) || !item_title(kind))
			continue;
		text = item_text(items, kind);
		printf("  item %u at 0x%x: type %04x, %s: %s\n", items->index[kind],
		       items->offset[kind], item_type(kind), item_title(kind), text ? text : "?");
		free(text);
	}
}

/* They are in no structure: each entry has a size of its own. */
static void print_linux_events(const struct block *block)
{
	uint32_t size;
	const uint8_t *item = block_item_data(block, ETW_EXT_VND_LINUX_EVENTS, &size);

	if (!item)
		return;
	printf("events of Linux at 0x%x%s\n", (uint32_t)(item - block->bytes),
	       size ? "" : ": none");
	linux_events_print(item, size);
}

int dry_run(const struct block *block, uint32_t flags)
{
	static struct etw_settings settings;
	struct etw_config_error error;
	struct etw_control control = { };
	int err;

	printf("%s: a block of 0x%x bytes, flags 0x%x%s%s%s\n", verb_word(), block->size, flags,
	       flags & ETW_START_TIED ? ", ends with the tool" : "",
	       flags & ETW_START_NO_RUNDOWN ? ", no rundown" : "",
	       flags & ETW_START_NO_ADDRESSES ? ", no kernel addresses" : "");
	print_hex(block);
	/* The module has these rules too, and others that take the machine. */
	err = etw_config_parse(block->bytes, block->size, &settings, &error);
	print_items(block, &settings.items);
	print_linux_events(block);
	if (!err)
		return EXIT_OK;
	control.error_offset = error.offset;
	control.error_reason = error.reason;
	control.error_item = error.item;
	explain_block_error(&control, block, -err);
	return EXIT_FAILED;
}
