// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Channels of a manifest, and which one an event has. */
#include <stdlib.h>
#include <string.h>
#include "manifest.h"

/* Values below are those of channels that Windows has */
#define FIRST_VALUE	16
/* A channel is a byte of a record */
#define VALUES		256

static const struct {
	const char *name;
	uint8_t value;
} imported[] = {
	{ "TraceClassic", 0 }, { "System", 8 }, { "Application", 9 }, { "Security", 10 },
	{ "TraceLogging", 11 }, { "ProviderMetadata", 12 },
};

static bool is_channel(const struct xml_node *node)
{
	return !strcmp(xml_name(node), "channel") || !strcmp(xml_name(node), "importChannel");
}

static const char *name_of(const struct xml_node *channel)
{
	const char *name = xml_attribute(channel, "name");

	return name ? name : "";
}

/* Whether an imported channel is one that Windows has */
static bool known_value(const struct xml_node *channel, uint64_t *value)
{
	size_t i;

	if (strcmp(xml_name(channel), "importChannel"))
		return false;
	for (i = 0; i < sizeof(imported) / sizeof(imported[0]); i++)
		if (!strcmp(imported[i].name, name_of(channel))) {
			*value = imported[i].value;
			return true;
		}
	return false;
}

/* The values that channels of the provider state themselves; a wrong one is reported elsewhere. */
static void find_taken(const struct manifest *manifest, bool taken[VALUES])
{
	const struct xml_node *at = xml_child(manifest_list(manifest, "channels"), NULL);
	unsigned long long value;
	const char *text;

	for (; at; at = xml_next(at, NULL)) {
		text = is_channel(at) ? xml_attribute(at, "value") : NULL;
		value = text ? strtoull(text, NULL, 0) : VALUES;
		if (value < VALUES)
			taken[value] = true;
	}
}

static uint64_t next_free(const bool taken[VALUES], uint64_t value)
{
	while (value < VALUES && taken[value])
		value++;
	return value;
}

/* A channel without a value has the next free one, in the order of the file, as from mc.exe. */
int manifest_channel(const struct manifest *manifest, const struct xml_node *channel,
		     uint64_t *value)
{
	const struct xml_node *at = xml_child(manifest_list(manifest, "channels"), NULL);
	bool taken[VALUES] = { };
	uint64_t next, known;

	if (known_value(channel, value))
		return 0;
	if (xml_attribute(channel, "value"))
		return manifest_number(manifest, channel, "value", VALUES - 1, value);
	find_taken(manifest, taken);
	next = next_free(taken, FIRST_VALUE);
	for (; at && at != channel; at = xml_next(at, NULL))
		if (is_channel(at) && !xml_attribute(at, "value") && !known_value(at, &known))
			next = next_free(taken, next + 1);
	if (next >= VALUES)
		return manifest_wrong(manifest, channel, "no value is free for this channel");
	*value = next;
	return 0;
}

/* An event names a channel by its chid, or by its name if it has none. */
static const struct xml_node *find(const struct manifest *manifest, const char *id)
{
	const struct xml_node *at = xml_child(manifest_list(manifest, "channels"), NULL);
	const char *chid;

	for (; at; at = xml_next(at, NULL)) {
		if (!is_channel(at))
			continue;
		chid = xml_attribute(at, "chid");
		if (!strcmp(chid ? chid : name_of(at), id))
			return at;
	}
	return NULL;
}

int manifest_channel_of(const struct manifest *manifest, const struct xml_node *event,
			uint8_t *value, const char **name)
{
	const char *id = xml_attribute(event, "channel");
	const struct xml_node *channel;
	uint64_t found = 0;

	*value = 0;
	*name = NULL;
	if (!id)
		return 0;
	channel = find(manifest, id);
	if (!channel)
		return manifest_wrong(manifest, event, "channel=\"%s\": there is no such channel", id);
	if (manifest_channel(manifest, channel, &found))
		return -1;
	*value = found;
	*name = name_of(channel);
	return 0;
}
