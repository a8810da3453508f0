// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* etw mc: the binary template (WEVT_TEMPLATE) of a manifest, in the form of mc.exe. */
#include <stdlib.h>
#include <string.h>
#include "libetl/messages.h"
#include "libetl/text.h"
#include "mc_template.h"

#define MAJOR		5
#define MINOR		1
#define DESCRIPTOR	0x20
#define DESCRIPTOR_SIZE	16

/* The lists of a provider, in the order of mc.exe */
static const enum wevt_kind kinds[] = {
	WEVT_CHANNELS, WEVT_MAPS, WEVT_TEMPLATES, WEVT_PRIVATE, WEVT_OPCODES, WEVT_LEVELS,
	WEVT_TASKS, WEVT_KEYWORDS, WEVT_EVENTS,
};

int mc_put16(struct blob *blob, uint16_t value)
{
	return blob_add(blob, &value, sizeof(value)) ? 0 : -1;
}

int mc_put32(struct blob *blob, uint32_t value)
{
	return blob_add(blob, &value, sizeof(value)) ? 0 : -1;
}

void mc_set32(struct blob *blob, size_t at, uint32_t value)
{
	memcpy(blob->bytes + at, &value, sizeof(value));
}

int mc_align(struct blob *blob)
{
	return blob->size % 4 && !blob_add(blob, NULL, 4 - blob->size % 4) ? -1 : 0;
}

int mc_put_wide(struct blob *blob, const char *text, size_t length, size_t *units)
{
	const size_t at = blob->size;
	char *copy = strndup(text, length);
	uint16_t *wide = copy ? calloc(length + 1, sizeof(*wide)) : NULL;
	size_t count = wide ? text_to_utf16(copy, wide, length) : 0;
	int err = wide && blob_add(blob, wide, count * sizeof(*wide)) ? 0 : -1;

	if (!wide)
		no_memory();
	if (units)
		*units = err ? 0 : (blob->size - at) / sizeof(*wide);
	free(wide);
	free(copy);
	return err;
}

int mc_put_name(struct blob *blob, const char *name, size_t place)
{
	const size_t at = blob->size;

	if (mc_put32(blob, 0) || mc_put_wide(blob, name, strlen(name), NULL) ||
	    mc_put16(blob, 0) || mc_align(blob))
		return -1;
	mc_set32(blob, at, blob->size - at);
	mc_set32(blob, place, at);
	return 0;
}

static int put_private(struct mc_template *template)
{
	struct blob *blob = &template->blob;
	const char *name = template->manifest->name;
	const size_t at = blob->size;

	if (!blob_add(blob, "PRVA", 4) || mc_put32(blob, 0) || mc_put32(blob, 1) ||
	    mc_put32(blob, 0x10000001) || mc_put32(blob, at + 20) ||
	    mc_put_wide(blob, name, strlen(name), NULL) || mc_put16(blob, 0) || mc_align(blob))
		return -1;
	mc_set32(blob, at + 4, blob->size - at);
	return 0;
}

/* Offset of what an attribute of the event has chosen; 0: nothing */
static uint32_t chosen(const struct mc_template *template, enum wevt_kind kind,
		       const struct xml_node *event, const char *attribute, uint64_t key)
{
	const struct mc_place *place = NULL;

	if (!xml_attribute(event, attribute))
		return 0;
	place = mc_find(&template->lists[kind], key);
	/* an opcode of the provider has no task */
	if (!place && kind == WEVT_OPCODES)
		place = mc_find(&template->lists[kind], key & 0xFF0000);
	return place ? place->at : 0;
}

static int put_event(struct mc_template *template, const struct xml_node *event,
		     const uint8_t *descriptor)
{
	struct blob *blob = &template->blob;
	const uint32_t task = get16(descriptor + 6);
	const char *name = xml_attribute(event, "template");
	const struct mc_place *of = name ? mc_find_name(&template->templates, name) : NULL;
	uint32_t message;

	if (mc_message_of(template, event, MESSAGE_EVENT, (uint32_t)descriptor[2] << 16 |
			  get16(descriptor), &message) ||
	    !blob_add(blob, descriptor, DESCRIPTOR_SIZE) || mc_put32(blob, message) ||
	    mc_put32(blob, of ? of->at : 0) ||
	    mc_put32(blob, chosen(template, WEVT_OPCODES, event, "opcode",
				  (uint32_t)descriptor[5] << 16 | task)) ||
	    mc_put32(blob, chosen(template, WEVT_LEVELS, event, "level", descriptor[4])) ||
	    mc_put32(blob, chosen(template, WEVT_TASKS, event, "task", task)))
		return -1;
	/* keywords, their offset, flags */
	return blob_add(blob, NULL, 12) ? 0 : -1;
}

/* The keywords of an event: offsets behind all events */
static int put_keywords(struct mc_template *template, const struct xml_node *event, size_t at)
{
	const char *names = xml_attribute(event, "keywords");
	const size_t begin = template->blob.size;
	const struct mc_place *place;
	char name[256];
	size_t length;

	for (names = names ? names : ""; *names; names += length) {
		names += strspn(names, " \t\r\n");
		length = strcspn(names, " \t\r\n");
		snprintf(name, sizeof(name), "%.*s", (int)length, names);
		place = mc_find_name(&template->lists[WEVT_KEYWORDS], name);
		if (place && mc_put32(&template->blob, place->at))
			return -1;
	}
	if (template->blob.size == begin)
		return 0;
	mc_set32(&template->blob, at + 36, (template->blob.size - begin) / 4);
	mc_set32(&template->blob, at + 40, begin);
	return 0;
}

/**
 * struct mc_event - an event in the order of a template
 * @node: its element
 * @descriptor: of it
 */
struct mc_event {
	const struct xml_node *node;
	uint8_t descriptor[DESCRIPTOR_SIZE];
};

/* By number and version */
static int compare(const void *a, const void *b)
{
	const struct mc_event *x = a, *y = b;
	const int id = get16(x->descriptor) - get16(y->descriptor);

	return id ? id : x->descriptor[2] - y->descriptor[2];
}

static int find_events(const struct manifest *manifest, struct mc_event **events, size_t *count)
{
	const struct xml_node *at = xml_child(manifest_list(manifest, "events"), "event");
	struct blob info = { }, found = { };
	struct mc_event event;
	int err = 0;

	for (; !err && at; at = xml_next(at, "event")) {
		info.size = 0;
		err = manifest_event(manifest, at, &info);
		if (err)
			break;
		event.node = at;
		memcpy(event.descriptor, info.bytes + DESCRIPTOR, DESCRIPTOR_SIZE);
		err = blob_add(&found, &event, sizeof(event)) ? 0 : -1;
	}
	free(info.bytes);
	*events = (struct mc_event *)found.bytes;
	*count = found.size / sizeof(event);
	if (!err && *count)
		qsort(*events, *count, sizeof(event), compare);
	return err;
}

static int put_events(struct mc_template *template)
{
	struct blob *blob = &template->blob;
	const size_t at = blob->size;
	struct mc_event *events;
	size_t count, i;
	int err = find_events(template->manifest, &events, &count);

	if (!err && (!blob_add(blob, "EVNT", 4) || mc_put32(blob, 0) || mc_put32(blob, count) ||
		     mc_put32(blob, 0)))
		err = -1;
	for (i = 0; !err && i < count; i++)
		err = put_event(template, events[i].node, events[i].descriptor);
	for (i = 0; !err && i < count; i++)
		err = put_keywords(template, events[i].node, at + EVENTS_HEAD + EVENT_ENTRY * i);
	if (!err)
		mc_set32(blob, at + 4, blob->size - at);
	free(events);
	return err;
}

static int put_kind(struct mc_template *template, enum wevt_kind kind)
{
	switch (kind) {
	case WEVT_CHANNELS:
		return mc_put_channels(template);
	case WEVT_MAPS:
		return mc_put_maps(template);
	case WEVT_TEMPLATES:
		return mc_put_templates(template);
	case WEVT_PRIVATE:
		return put_private(template);
	case WEVT_EVENTS:
		return put_events(template);
	default:
		return mc_put_list(template, kind);
	}
}

/* Whether the provider has anything for a list */
static bool has(const struct mc_template *template, enum wevt_kind kind)
{
	switch (kind) {
	case WEVT_CHANNELS:
		return xml_child(manifest_list(template->manifest, "channels"), NULL);
	case WEVT_MAPS:
		return xml_child(manifest_list(template->manifest, "maps"), NULL);
	case WEVT_TEMPLATES:
		return xml_child(manifest_list(template->manifest, "templates"), "template");
	case WEVT_PRIVATE:
		return true;
	case WEVT_EVENTS:
		return xml_child(manifest_list(template->manifest, "events"), "event");
	default:
		return template->lists[kind].count;
	}
}

static void forget_lists(struct mc_template *template)
{
	size_t i;

	template->maps.count = 0;
	template->templates.count = 0;
	for (i = 0; i < sizeof(template->lists) / sizeof(template->lists[0]); i++)
		template->lists[i].count = 0;
	memset(template->next, 0, sizeof(template->next));
}

static int put_provider(struct mc_template *template)
{
	struct blob *blob = &template->blob;
	const size_t at = blob->size;
	size_t entry = at + WEVT_HEAD, i;
	uint32_t message, count = 0;

	forget_lists(template);
	if (manifest_enter(template->manifest) || mc_find_lists(template) ||
	    mc_message_of(template, template->manifest->provider, MESSAGE_CHANNEL, 0, &message))
		return -1;
	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		count += has(template, kinds[i]);
	if (!blob_add(blob, "WEVT", 4) || mc_put32(blob, 0) || mc_put32(blob, message) ||
	    mc_put32(blob, count) || !blob_add(blob, NULL, (size_t)WEVT_ENTRY * count))
		return -1;
	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (!has(template, kinds[i]))
			continue;
		/* events have numbers of 64 bits */
		if (kinds[i] == WEVT_EVENTS && blob->size % 8 && mc_put32(blob, 0))
			return -1;
		mc_set32(blob, entry, kinds[i]);
		mc_set32(blob, entry + 4, blob->size);
		entry += WEVT_ENTRY;
		if (put_kind(template, kinds[i]))
			return -1;
	}
	mc_set32(blob, at + 4, blob->size - at);
	mc_set32(blob, CRIM_HEAD + CRIM_ENTRY * template->index + 16, at);
	memcpy(blob->bytes + CRIM_HEAD + CRIM_ENTRY * template->index, &template->manifest->guid,
	       sizeof(template->manifest->guid));
	return 0;
}

static int make(struct mc_template *template)
{
	struct manifest *manifest = template->manifest;
	const struct xml_node *at;
	uint32_t count = 0;

	for (at = manifest->provider; at; at = xml_next(at, "provider"))
		count++;
	/* the number of a message has four bits for its provider */
	if (count > 16)
		return manifest_wrong(manifest, manifest->provider, "more than 16 providers");
	if (!blob_add(&template->blob, "CRIM", 4) || mc_put32(&template->blob, 0) ||
	    mc_put16(&template->blob, MAJOR) || mc_put16(&template->blob, MINOR) ||
	    mc_put32(&template->blob, count) ||
	    !blob_add(&template->blob, NULL, (size_t)CRIM_ENTRY * count))
		return -1;
	for (; manifest->provider; manifest->provider = xml_next(manifest->provider, "provider")) {
		if (put_provider(template))
			return -1;
		template->index++;
	}
	mc_set32(&template->blob, 4, template->blob.size);
	return 0;
}

/* @manifest is at its first provider afterwards, as before */
static int write_one(FILE *to, struct manifest *manifest,
		     int (*write)(FILE *to, struct mc_template *template))
{
	const struct xml_node *first = manifest->provider;
	struct mc_template template = { .manifest = manifest };
	int err = make(&template);
	size_t i;

	manifest->provider = first;
	if (!err)
		err = write(to, &template);
	free(template.blob.bytes);
	free(template.messages);
	map_free(&template.references);
	free(template.maps.place);
	free(template.templates.place);
	for (i = 0; i < sizeof(template.lists) / sizeof(template.lists[0]); i++)
		free(template.lists[i].place);
	return err;
}

static int write_bytes(FILE *to, struct mc_template *template)
{
	/* whole_file_write() reports the error */
	fwrite(template->blob.bytes, 1, template->blob.size, to);
	return 0;
}

int mc_write_template(FILE *to, struct manifest *manifest)
{
	return write_one(to, manifest, write_bytes);
}

int mc_write_messages(FILE *to, struct manifest *manifest)
{
	return write_one(to, manifest, mc_put_messages);
}
