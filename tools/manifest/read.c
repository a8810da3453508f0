// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* A manifest: instrumentationManifest, providers, events. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "libetl/messages.h"
#include "libetl/text.h"
#include "manifest.h"
#include "wevt.h"

#define STRING_BEGIN	"$(string."

int manifest_wrong(const struct manifest *manifest, const struct xml_node *node,
		   const char *format, ...)
{
	char text[512];
	va_list list;

	va_start(list, format);
	vsnprintf(text, sizeof(text), format, list);
	va_end(list);
	failed("%s:%d: %s", manifest->file.name, xml_line(node), text);
	return -1;
}

int manifest_number(const struct manifest *manifest, const struct xml_node *node,
		    const char *attribute, uint64_t most, uint64_t *value)
{
	const char *text = xml_attribute(node, attribute);
	char *end;

	if (!text)
		return manifest_wrong(manifest, node, "%s is missing", attribute);
	errno = 0;
	*value = strtoull(text, &end, 0);
	if (errno || end == text || *end || *text == '-' || *value > most)
		return manifest_wrong(manifest, node, "%s=\"%s\": no number up to %llu", attribute,
				      text, (unsigned long long)most);
	return 0;
}

const struct xml_node *manifest_list(const struct manifest *manifest, const char *name)
{
	return xml_child(manifest->provider, name);
}

const char *manifest_string(const struct manifest *manifest, const char *reference)
{
	const size_t begin = strlen(STRING_BEGIN), length = strlen(reference);
	const struct xml_node *at;
	const char *id, *text;

	if (strncmp(reference, STRING_BEGIN, begin) || reference[length - 1] != ')')
		return reference;
	for (at = xml_child(manifest->strings, "string"); at; at = xml_next(at, "string")) {
		id = xml_attribute(at, "id");
		text = xml_attribute(at, "value");
		if (id && text && strlen(id) == length - begin - 1 &&
		    !strncmp(id, reference + begin, length - begin - 1))
			return text;
	}
	return reference;
}

static int add_maps(struct manifest *manifest)
{
	const struct xml_node *at = xml_child(manifest_list(manifest, "maps"), NULL);
	struct blob blob = { };
	int err = 0;

	for (; !err && at; at = xml_next(at, NULL)) {
		blob.size = 0;
		err = manifest_map(manifest, at, &blob);
		if (!err && event_infos_name(manifest->infos, blob.bytes, blob.size))
			err = no_memory();
	}
	free(blob.bytes);
	return err;
}

static int add_events(struct manifest *manifest)
{
	const struct xml_node *at = xml_child(manifest_list(manifest, "events"), "event");
	struct blob blob = { };
	int err = 0;

	for (; !err && at; at = xml_next(at, "event")) {
		blob.size = 0;
		err = manifest_event(manifest, at, &blob);
		if (!err && event_infos_describe(manifest->infos, blob.bytes, blob.size))
			err = no_memory();
	}
	free(blob.bytes);
	return err;
}

int manifest_enter(struct manifest *manifest)
{
	const struct xml_node *node = manifest->provider;
	const char *guid = xml_attribute(node, "guid");

	manifest->name = xml_attribute(node, "name");
	if (!manifest->name || !*manifest->name)
		return manifest_wrong(manifest, node, "the provider has no name");
	if (!guid || !text_to_guid(guid, &manifest->guid))
		return manifest_wrong(manifest, node, "guid=\"%s\": no GUID", guid ? guid : "");
	return 0;
}

/* Return: the element at the end of a path of names, which a zero ends */
static const struct xml_node *follow(const struct xml_node *from, const char *path)
{
	for (; from && *path; path += strlen(path) + 1)
		from = xml_child(from, path);
	return from;
}

int manifest_open(struct manifest *manifest, const char *name)
{
	const struct xml_node *root = xml_open(&manifest->file, name);
	const struct xml_node *events = follow(root, "instrumentation\0events\0");

	if (!root)
		return -1;
	manifest->strings = follow(root, "localization\0resources\0stringTable\0");
	manifest->provider = xml_child(events, "provider");
	if (!manifest->provider)
		return manifest_wrong(manifest, root, "no provider: no manifest of events");
	return 0;
}

static bool read_xml(struct event_infos *infos, const char *name)
{
	struct manifest manifest = { .infos = infos };
	int err = manifest_open(&manifest, name);

	for (; !err && manifest.provider;
	     manifest.provider = xml_next(manifest.provider, "provider"))
		err = manifest_enter(&manifest) || add_maps(&manifest) || add_events(&manifest);
	xml_close(&manifest.file);
	return !err;
}

bool manifest_read(struct event_infos *infos, const char *name)
{
	return wevt_is_one(name) ? wevt_read(infos, name) : read_xml(infos, name);
}
