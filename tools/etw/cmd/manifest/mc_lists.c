// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* etw mc: levels, opcodes, tasks, keywords and channels of a template. */
#include <stdlib.h>
#include <string.h>
#include "libetl/array.h"
#include "libetl/messages.h"
#include "libetl/text.h"
#include "mc_template.h"

#define INFO_DESCRIPTOR	0x20
#define TASK_SHIFT	16

/**
 * struct list_form - a list of a manifest and of a template
 * @magic: of the template's list
 * @list: of the manifest
 * @of: its elements
 * @value: their attribute
 * @most: value
 * @message: kind
 * @common: attribute of events that may name what all providers have
 * @sorted: by number, not in the order of the manifest
 */
static const struct list_form {
	const char *magic;
	const char *list;
	const char *of;
	const char *value;
	uint64_t most;
	enum mc_message_kind message;
	const char *common;
	bool sorted;
} forms[] = {
	[WEVT_LEVELS] = { "LEVL", "levels", "level", "value", 0xFF, MESSAGE_LEVEL, "level", true },
	[WEVT_TASKS] = { "TASK", "tasks", "task", "value", 0xFFFF, MESSAGE_TASK, NULL, false },
	[WEVT_OPCODES] = { "OPCO", "opcodes", "opcode", "value", 0xFF, MESSAGE_OPCODE, "opcode",
			   true },
	[WEVT_KEYWORDS] = { "KEYW", "keywords", "keyword", "mask", UINT64_MAX, MESSAGE_KEYWORD,
			    "keywords", false },
};

struct mc_place *mc_find(const struct mc_list *list, uint64_t key)
{
	size_t i;

	for (i = 0; i < list->count; i++)
		if (list->place[i].key == key)
			return &list->place[i];
	return NULL;
}

struct mc_place *mc_find_name(const struct mc_list *list, const char *name)
{
	size_t i;

	for (i = 0; i < list->count; i++)
		if (!strcmp(list->place[i].name, name))
			return &list->place[i];
	return NULL;
}

struct mc_place *mc_add(struct mc_list *list, uint64_t key, const char *name)
{
	struct mc_place *place;

	if (!array_grow((void **)&list->place, &list->room, list->count + 1, sizeof(*place))) {
		no_memory();
		return NULL;
	}
	place = &list->place[list->count++];
	*place = (struct mc_place){ .key = key, .name = name };
	return place;
}

/* Numbers of messages: a keyword's bit, an opcode with its task below */
static uint32_t number_of(enum wevt_kind kind, uint64_t key)
{
	uint32_t bit = 0;

	if (kind == WEVT_OPCODES)
		return (key & 0xFFFF) << TASK_SHIFT | key >> TASK_SHIFT;
	if (kind != WEVT_KEYWORDS)
		return key;
	while (bit < 64 && !(key >> bit & 1))
		bit++;
	return bit + 1;
}

/* @task: of an opcode; 0 otherwise */
static int add_elements(struct mc_template *template, enum wevt_kind kind,
			const struct xml_node *at, uint32_t task)
{
	const struct list_form *form = &forms[kind];
	struct mc_list *list = &template->lists[kind];
	struct mc_place *place;
	const char *name;
	uint64_t value;

	for (; at; at = xml_next(at, form->of)) {
		name = xml_attribute(at, "name");
		if (!name)
			return manifest_wrong(template->manifest, at, "the %s has no name",
					      form->of);
		if (manifest_number(template->manifest, at, form->value, form->most, &value))
			return -1;
		if (kind == WEVT_OPCODES)
			value = value << TASK_SHIFT | task;
		/* the first one with a number counts */
		if (mc_find(list, value))
			continue;
		place = mc_add(list, value, name);
		if (!place)
			return -1;
		place->node = at;
	}
	return 0;
}

/* Opcodes of tasks, too */
static int add_opcodes(struct mc_template *template)
{
	const struct xml_node *at = xml_child(manifest_list(template->manifest, "tasks"), "task");
	uint64_t value;

	for (; at; at = xml_next(at, "task"))
		if (manifest_number(template->manifest, at, "value", 0xFFFF, &value) ||
		    add_elements(template, WEVT_OPCODES,
				 xml_child(xml_child(at, "opcodes"), "opcode"), value))
			return -1;
	return 0;
}

/* A level, an opcode or keywords that all providers have, with the numbers of the event */
static int add_common(struct mc_template *template, const struct xml_node *event,
		      const uint8_t *descriptor, enum wevt_kind kind)
{
	static const char *const keywords[] = {
		"win:ResponseTime", "win:WDIContext", "win:WDIDiag", "win:SQM", "win:AuditFailure",
		"win:AuditSuccess", "win:CorrelationHint", "win:EventlogClassic",
	};
	const char *name = xml_attribute(event, forms[kind].common);
	struct mc_list *list = &template->lists[kind];
	size_t i;

	if (!name || (kind != WEVT_KEYWORDS && strncmp(name, "win:", 4)))
		return 0;
	if (kind == WEVT_LEVELS)
		return mc_find(list, descriptor[4]) || mc_add(list, descriptor[4], name) ? 0 : -1;
	if (kind == WEVT_OPCODES)
		return mc_find(list, (uint64_t)descriptor[5] << TASK_SHIFT) ||
		       mc_add(list, (uint64_t)descriptor[5] << TASK_SHIFT, name) ? 0 : -1;
	for (i = 0; i < sizeof(keywords) / sizeof(keywords[0]); i++)
		if (get64(descriptor + 8) >> (48 + i) & 1 && !mc_find(list, 1ull << (48 + i)) &&
		    !mc_add(list, 1ull << (48 + i), keywords[i]))
			return -1;
	return 0;
}

static int add_commons(struct mc_template *template)
{
	const struct xml_node *at = xml_child(manifest_list(template->manifest, "events"), "event");
	struct blob info = { };
	const uint8_t *descriptor;
	int err = 0;

	for (; !err && at; at = xml_next(at, "event")) {
		info.size = 0;
		err = manifest_event(template->manifest, at, &info);
		descriptor = info.bytes + INFO_DESCRIPTOR;
		if (!err && (add_common(template, at, descriptor, WEVT_LEVELS) ||
			     add_common(template, at, descriptor, WEVT_OPCODES) ||
			     add_common(template, at, descriptor, WEVT_KEYWORDS)))
			err = -1;
	}
	free(info.bytes);
	return err;
}

static int compare(const void *a, const void *b)
{
	const struct mc_place *x = a, *y = b;

	return x->key < y->key ? -1 : x->key > y->key;
}

int mc_find_lists(struct mc_template *template)
{
	static const enum wevt_kind kinds[] = {
		WEVT_OPCODES, WEVT_LEVELS, WEVT_TASKS, WEVT_KEYWORDS,
	};
	const struct xml_node *first;
	const struct list_form *form;
	struct mc_list *list;
	size_t i;

	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		form = &forms[kinds[i]];
		first = xml_child(manifest_list(template->manifest, form->list), form->of);
		if (add_elements(template, kinds[i], first, 0))
			return -1;
	}
	if (add_opcodes(template) || add_commons(template))
		return -1;
	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		list = &template->lists[kinds[i]];
		if (forms[kinds[i]].sorted && list->count)
			qsort(list->place, list->count, sizeof(*list->place), compare);
	}
	return 0;
}

/* The GUID of a task, as EventTrace's classes have one */
static int put_guid(struct mc_template *template, const struct mc_place *place)
{
	const char *text = place->node ? xml_attribute(place->node, "eventGUID") : NULL;
	struct etw_guid guid = { };

	if (text && !text_to_guid(text, &guid))
		return manifest_wrong(template->manifest, place->node, "eventGUID=\"%s\": no GUID",
				      text);
	return blob_add(&template->blob, &guid, sizeof(guid)) ? 0 : -1;
}

/* All but the offset of the name */
static int put_entry(struct mc_template *template, enum wevt_kind kind, struct mc_place *place)
{
	const enum mc_message_kind message = forms[kind].message;
	const uint32_t number = number_of(kind, place->key);
	struct blob *blob = &template->blob;

	place->at = blob->size;
	if (place->node ? mc_message_of(template, place->node, message, number, &place->message) :
			  mc_common_message(template, place->name, message, number,
					    &place->message))
		return -1;
	if (!blob_add(blob, &place->key, kind == WEVT_KEYWORDS ? 8 : 4) ||
	    mc_put32(blob, place->message) || (kind == WEVT_TASKS && put_guid(template, place)))
		return -1;
	return mc_put32(blob, 0);
}

int mc_put_list(struct mc_template *template, enum wevt_kind kind)
{
	struct mc_list *list = &template->lists[kind];
	struct blob *blob = &template->blob;
	const size_t at = blob->size;
	size_t i, entry;

	if (!blob_add(blob, forms[kind].magic, 4) || mc_put32(blob, 0) ||
	    mc_put32(blob, list->count))
		return -1;
	for (i = 0; i < list->count; i++)
		if (put_entry(template, kind, &list->place[i]))
			return -1;
	entry = list->count ? (blob->size - at - LIST_HEAD) / list->count : 0;
	for (i = 0; i < list->count; i++)
		if (mc_put_name(blob, list->place[i].name, list->place[i].at + entry - 4))
			return -1;
	mc_set32(blob, at + 4, blob->size - at);
	return 0;
}

static int put_channel(struct mc_template *template, const struct xml_node *channel)
{
	struct blob *blob = &template->blob;
	uint32_t message;
	uint64_t value;

	if (manifest_channel(template->manifest, channel, &value) ||
	    mc_message_of(template, channel, MESSAGE_CHANNEL, 0, &message) ||
	    mc_put32(blob, value) || mc_put32(blob, 0) ||
	    mc_put32(blob, !strcmp(xml_name(channel), "importChannel")))
		return -1;
	return mc_put32(blob, message);
}

int mc_put_channels(struct mc_template *template)
{
	const struct xml_node *first =
		xml_child(manifest_list(template->manifest, "channels"), NULL), *at;
	struct blob *blob = &template->blob;
	const size_t begin = blob->size;
	const char *name;
	uint32_t count = 0;
	size_t place = begin + LIST_HEAD + 4;

	for (at = first; at; at = xml_next(at, NULL))
		count++;
	if (!blob_add(blob, "CHAN", 4) || mc_put32(blob, 0) || mc_put32(blob, count))
		return -1;
	for (at = first; at; at = xml_next(at, NULL))
		if (put_channel(template, at))
			return -1;
	for (at = first; at; at = xml_next(at, NULL), place += CHANNEL_ENTRY) {
		name = xml_attribute(at, "name");
		if (!name)
			return manifest_wrong(template->manifest, at, "the channel has no name");
		if (mc_put_name(blob, name, place))
			return -1;
	}
	mc_set32(blob, begin + 4, blob->size - begin);
	return 0;
}
