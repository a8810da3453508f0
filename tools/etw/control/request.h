/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* The block that START and UPDATE send: fixed part, names, extension. */
#ifndef ETW_REQUEST_H
#define ETW_REQUEST_H

#include <stdbool.h>
#include <stdint.h>
#include "config/items.h"

struct linux_events;

/**
 * struct start_request - what START is asked for
 * @name: LoggerName
 * @file: LogFileName, may be NULL
 * @buffer_kb: 0 for the default
 * @minimum_buffers: of all CPUs; 0: as many as the maximum
 * @maximum_buffers: of all CPUs; 0 for the default
 * @maximum_file_mb: 0: no limit
 * @mode: EVENT_TRACE_*
 * @flush_timer: seconds, or ms as the mode says; 0: none
 * @clock: ETW_CLOCK_*
 * @flags: ETW_START_*
 * @masks: events, no aliases
 * @items: filters and all else that only an extension can say
 * @linux_events: of -e SYSTEM:NAME; NULL: none were said
 */
struct start_request {
	const char *name;
	const char *file;
	uint32_t buffer_kb;
	uint32_t minimum_buffers;
	uint32_t maximum_buffers;
	uint32_t maximum_file_mb;
	uint32_t mode;
	uint32_t flush_timer;
	uint32_t clock;
	uint32_t flags;
	struct perfinfo_groupmask masks;
	struct etw_items items;
	const struct linux_events *linux_events;
};

/**
 * struct block - a WMI_LOGGER_INFORMATION and what follows it
 * @size: bytes used
 * @info: fixed part
 * @bytes: all of it
 */
struct block {
	uint32_t size;
	union {
		struct wmi_logger_information info;
		uint8_t bytes[ETW_MAX_INFORMATION];
	};
};

void request_block(const struct start_request *request, struct block *block);

/*
 * Puts events and items behind what is there: as plain EnableFlags when these
 * can say it, else as an extension. @linux_events: NULL: no item of them; none: an item without
 * entries, which removes those of the session
 */
void block_put_events(struct block *block, const struct perfinfo_groupmask *masks,
		      const struct etw_items *items, const struct linux_events *linux_events);

/* A name out of the block, which is not trusted to be in order */
void block_text(const struct block *block, const struct etw_unicode_string *string, char *to,
		uint32_t room);

/* Type of the item with that number, from 1, in the extension; 0: there is none */
uint32_t block_item_type(const struct block *block, uint32_t index);

/* What an item of that type contains, in a block of ours; NULL: there is none */
const uint8_t *block_item_data(const struct block *block, uint32_t type, uint32_t *size);

#define items_say(items, kind)	((items)->present |= 1u << (kind))

/* items_text.c */
/* What an item is about; NULL for a type that is not known */
const char *item_title(enum etw_item_kind kind);
const char *item_type_title(uint32_t type);
uint32_t item_type(enum etw_item_kind kind);
/* What it says, in words; the caller frees it */
char *item_text(const struct etw_items *items, enum etw_item_kind kind);

#endif /* ETW_REQUEST_H */
