/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/*
 * Binary templates of manifests, which mc.exe calls WEVT_TEMPLATE: files of their own, or resources
 * of PE files.
 */
#ifndef ETW_MANIFEST_WEVT_H
#define ETW_MANIFEST_WEVT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "manifest.h"

/* Steps that the reading of a file may take: its offsets may name one part many times. */
#define WEVT_STEPS	(1u << 27)
/* The longest file that is read */
#define WEVT_FILE	(512u << 20)

/* Kinds of the parts of a provider, as a template numbers them */
enum wevt_kind {
	WEVT_LEVELS = 0,
	WEVT_TASKS = 1,
	WEVT_OPCODES = 2,
	WEVT_KEYWORDS = 3,
	WEVT_EVENTS = 4,
	WEVT_CHANNELS = 5,
	WEVT_MAPS = 6,
	WEVT_TEMPLATES = 7,
	WEVT_PRIVATE = 13,
};

/* Sizes of heads and entries */
#define CRIM_HEAD	16
#define CRIM_ENTRY	20
#define WEVT_HEAD	16
#define WEVT_ENTRY	8
#define LIST_HEAD	12
#define CHANNEL_ENTRY	16
#define EVENTS_HEAD	16
#define EVENT_ENTRY	48
#define KEYWORD_ENTRY	16
#define OPCODE_ENTRY	12
#define LEVEL_ENTRY	12
#define TASK_ENTRY	28
#define MAP_HEAD	20
#define MAP_ENTRY	8
#define TEMPLATE_HEAD	40
#define ITEM_SIZE	20
#define PRIVATE_ENTRY	8

/* No message */
#define WEVT_NONE	0xFFFFFFFFu

/* Flags of an item of a template */
enum wevt_item_flag {
	ITEM_STRUCT = 0x01,
	ITEM_FIXED_LENGTH = 0x02,
	ITEM_PARAM_LENGTH = 0x04,
	ITEM_FIXED_COUNT = 0x08,
	ITEM_PARAM_COUNT = 0x10,
};

/**
 * struct wevt_part - a part of a file
 * @bytes: of it
 * @size: of it; 0: there is none
 * @base: its offset in the file, for messages
 */
struct wevt_part {
	const uint8_t *bytes;
	size_t size;
	size_t base;
};

/**
 * struct wevt - a template while it is read
 * @name: of the file
 * @file: all of it
 * @template: offsets count from its beginning
 * @messages: message table; @size 0: there is none
 * @infos: the descriptions
 * @steps: that are left
 * @provider: the GUID of the current provider
 * @provider_name: offset of its name in UTF-16, which @provider_bytes has; 0: none
 * @provider_bytes: of the name, without a terminator
 * @channels: offset of the channels of the current provider; 0: none
 */
struct wevt {
	const char *name;
	struct wevt_part file;
	struct wevt_part template;
	struct wevt_part messages;
	struct event_infos *infos;
	uint32_t steps;
	struct etw_guid provider;
	const uint8_t *provider_name;
	size_t provider_bytes;
	size_t channels;
};

/* wevt.c: whether the file begins as a template or as a PE file */
bool wevt_is_one(const char *name);
/* Adds what the file describes. Return: false after a message */
bool wevt_read(struct event_infos *infos, const char *name);
/* The same of a file that is in memory; @name is for messages */
bool wevt_read_bytes(struct event_infos *infos, const char *name, const uint8_t *bytes,
		     size_t size);
/* A message with file and offset, which counts from the beginning of @part. Return: false */
bool wevt_wrong(const struct wevt *wevt, const struct wevt_part *part, size_t at,
		const char *format, ...) __attribute__((format(printf, 4, 5)));
/* Whether @count elements of @size bytes are at @at of the template, after a message if not */
bool wevt_inside(const struct wevt *wevt, uint64_t at, uint64_t count, size_t size,
		 const char *what);
/* Takes steps. Return: false after a message: the file takes too many */
bool wevt_step(struct wevt *wevt, uint64_t steps);
/* A text with its size before it. Return: false after a message; @bytes without a terminator */
bool wevt_text(const struct wevt *wevt, uint32_t at, const uint8_t **text, size_t *bytes);

/* wevt_event.c: all events of a list. Return: false after a message */
bool wevt_events(struct wevt *wevt, uint32_t at);
/* wevt_map.c: all maps of a list. Return: false after a message */
bool wevt_maps(struct wevt *wevt, uint32_t at);
/* wevt_fields.c: EVENT_PROPERTY_INFO of a template, at the end of @blob. Return: as above */
bool wevt_fields(struct wevt *wevt, uint32_t at, struct blob *blob);
/*
 * wevt_message.c: the message with this number, without the newline at its end; @bytes is 0 if
 * there is none. Takes its steps. Return: false after a message: the table is broken
 */
bool wevt_message(struct wevt *wevt, uint32_t id, const uint8_t **text, size_t *bytes);
/* pe.c: finds template and messages in a PE file. Return: false after a message */
bool wevt_open_pe(struct wevt *wevt);

#endif /* ETW_MANIFEST_WEVT_H */
