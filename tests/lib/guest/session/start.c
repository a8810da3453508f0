// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* START as session's options describe it. */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include "session.h"

/* Numbers with commas between them */
static void add_item(struct block *block, __u16 type, const char *numbers)
{
	struct trace_enable_flag_ext_item item = { .offset = 1, .type = type };
	__u32 at = block->used++;
	char *end;

	for (; *numbers; numbers = *end ? end + 1 : end) {
		block->extension[block->used++] = strtoul(numbers, &end, 0);
		item.offset++;
		if (end == numbers || (*end && *end != ',') || item.offset > ETW_MAX_HOOK_FILTER)
			die_of_usage();
	}
	memcpy(&block->extension[at], &item, sizeof(item));
	block->items++;
}

/* TYPE:NUMBERS */
static void add_any_item(struct block *block, char *text)
{
	char *numbers = strchr(text, ':');

	if (!numbers)
		die_of_usage();
	add_item(block, strtoul(text, NULL, 0), numbers + 1);
}

static void finish_items(struct block *block, __u32 options)
{
	struct trace_enable_flag_extension overlay = {
		.offset = offsetof(struct block, extension),
		.length = ETW_EXT_ITEMS, .flag = ETW_EXT_FLAG,
	};
	struct trace_enable_flag_ext_header header;
	char number[16];

	snprintf(number, sizeof(number), "%u", options);
	if (options)
		add_item(block, ETW_EXT_VND_FILTER_OPTIONS, number);
	if (!block->items)
		return;
	snprintf(number, sizeof(number), "%u", block->info.enable_flags);
	add_item(block, ETW_EXT_ENABLE_FLAGS, number);
	header = (struct trace_enable_flag_ext_header){ block->used, block->items };
	memcpy(block->extension, &header, sizeof(header));
	memcpy(&block->info.enable_flags, &overlay, sizeof(overlay));
}

void start_begin(struct start *start)
{
	*start = (struct start){
		.block = {
			.info = {
				.wnode.flags = WNODE_FLAG_TRACED_GUID,
				.log_file_mode = EVENT_TRACE_REAL_TIME_MODE |
					EVENT_TRACE_SYSTEM_LOGGER_MODE |
					EVENT_TRACE_USE_MS_FLUSH_TIMER,
				.enable_flags = EVENT_TRACE_FLAG_TEST,
				.logger_name.buffer = offsetof(struct block, name),
			},
			.used = 1,
		},
		.flags = ETW_START_NO_RUNDOWN,
	};
}

/* One of START_OPTIONS, as getopt() found it */
void start_option(struct start *start, int option)
{
	struct block *block = &start->block;

	switch (option) {
	case 'b': block->info.buffer_size = strtoul(optarg, NULL, 0); break;
	case 'n': block->info.maximum_buffers = strtoul(optarg, NULL, 0); break;
	case 'm': block->info.minimum_buffers = strtoul(optarg, NULL, 0); break;
	case 'o': block->info.log_file_mode |= EVENT_TRACE_BUFFERING_MODE; break;
	case 'f': block->info.enable_flags = strtoul(optarg, NULL, 0); break;
	case 'c': block->info.wnode.client_context = strtoul(optarg, NULL, 0); break;
	case 't': block->info.flush_timer = strtoul(optarg, NULL, 0); break;
	case 'r': start->flags &= ~ETW_START_NO_RUNDOWN; break;
	case 'p': add_item(block, ETW_EXT_PIDS, optarg); break;
	case 'C': start->filter |= ETW_FILTER_CHILDREN; break;
	case 'H': add_item(block, ETW_EXT_VND_HOOK_FILTER, optarg); break;
	case 'X': start->filter |= ETW_FILTER_EXCLUDE_SELF; break;
	case 'i': add_any_item(block, optarg); break;
	case 'A': start->flags |= ETW_START_NO_ADDRESSES; break;
	default:
		die_of_usage();
	}
}

/* Returns the id. */
__u32 start_send(struct start *start, const char *name)
{
	struct block *block = &start->block;
	struct etw_control c = {
		.size = sizeof(c), .information = (unsigned long)block, .flags = start->flags,
	};
	int i;

	if (!block->info.enable_flags)
		block->info.log_file_mode &= ~EVENT_TRACE_SYSTEM_LOGGER_MODE;
	finish_items(block, start->filter);
	for (i = 0; i < 63 && name[i]; i++)
		block->name[i] = name[i];
	block->info.logger_name.length = 2 * i;
	c.information_size = offsetof(struct block, extension) + 4 * block->used;
	block->info.wnode.buffer_size = c.information_size;
	if (ioctl(control, ETW_IOC_START, &c)) {
		fprintf(stderr, "session: field %x, reason %u, item %u\n", c.error_offset,
			c.error_reason, c.error_item);
		die("START");
	}
	return c.logger_id;
}
