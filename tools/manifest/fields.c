// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The fields of a template: EVENT_PROPERTY_INFO. */
#include <string.h>
#include "manifest.h"

#define PROPERTY_SIZE	24
/* An event has at most as many fields */
#define MOST_FIELDS	1024

/* Offsets in EVENT_PROPERTY_INFO */
#define AT_FLAGS	0
#define AT_NAME		4
#define AT_IN		8
#define AT_OUT		10
#define AT_MAP		12
#define AT_COUNT	16
#define AT_LENGTH	18

/**
 * struct fields_walk - a template while it is read
 * @manifest: it is of this one
 * @blob: where the properties are
 * @begin: of the first property
 * @next: the next property that is a member of a structure
 */
struct fields_walk {
	const struct manifest *manifest;
	struct blob *blob;
	size_t begin;
	uint32_t next;
};

static bool is_field(const struct xml_node *node)
{
	return !strcmp(xml_name(node), "data") || !strcmp(xml_name(node), "struct");
}

static uint32_t count_of(const struct xml_node *parent)
{
	const struct xml_node *at;
	uint32_t count = 0;

	for (at = xml_child(parent, NULL); at; at = xml_next(at, NULL))
		count += is_field(at);
	return count;
}

static void put16(struct fields_walk *walk, uint32_t index, size_t at, uint16_t value)
{
	memcpy(walk->blob->bytes + walk->begin + PROPERTY_SIZE * index + at, &value,
	       sizeof(value));
}

static void put32(struct fields_walk *walk, uint32_t index, size_t at, uint32_t value)
{
	memcpy(walk->blob->bytes + walk->begin + PROPERTY_SIZE * index + at, &value,
	       sizeof(value));
}

static int put_text(struct fields_walk *walk, uint32_t index, size_t at, const char *text)
{
	const size_t place = walk->begin + PROPERTY_SIZE * index + at;

	return blob_text(walk->blob, text, place) ? 0 : -1;
}

/* Return: position of the field that is called @name among its siblings; -1: none */
static int position_of(const struct xml_node *parent, const char *name)
{
	const struct xml_node *at;
	const char *found;
	int position = 0;

	for (at = xml_child(parent, NULL); at; at = xml_next(at, NULL)) {
		if (!is_field(at))
			continue;
		found = xml_attribute(at, "name");
		if (found && !strcmp(found, name))
			return position;
		position++;
	}
	return -1;
}

/**
 * struct field_size - how a count or a length is described
 * @attribute: of the manifest
 * @at: offset in the property
 * @fixed: flag of a number
 * @param: flag of a field that contains the number
 */
struct field_size {
	const char *attribute;
	size_t at;
	uint32_t fixed;
	uint32_t param;
};

static const struct field_size sizes[] = {
	{ "count", AT_COUNT, PROPERTY_FIXED_COUNT, PROPERTY_PARAM_COUNT },
	{ "length", AT_LENGTH, PROPERTY_FIXED_LENGTH, PROPERTY_PARAM_LENGTH },
};

/* A number, or the name of a field. Return: the property's flag, 0: none; -1 after a message */
static int put_size(struct fields_walk *walk, const struct xml_node *parent,
		    const struct xml_node *field, uint32_t index, uint32_t first,
		    const struct field_size *size)
{
	const char *text = xml_attribute(field, size->attribute);
	uint64_t value;
	int position;

	if (!text || !*text)
		return 0;
	if (*text >= '0' && *text <= '9') {
		if (manifest_number(walk->manifest, field, size->attribute, 0xFFFF, &value))
			return -1;
		put16(walk, index, size->at, value);
		return size->fixed;
	}
	position = position_of(parent, text);
	if (position < 0)
		return manifest_wrong(walk->manifest, field, "%s=\"%s\": there is no such field",
				      size->attribute, text);
	put16(walk, index, size->at, first + position);
	return size->param;
}

/* Name, count and length, which structures have, too. Return: flags, or -1 after a message */
static int put_common(struct fields_walk *walk, const struct xml_node *parent,
		      const struct xml_node *field, uint32_t index, uint32_t first)
{
	const char *name = xml_attribute(field, "name");
	int flags = 0, flag;
	size_t i;

	if (!name || !*name)
		return manifest_wrong(walk->manifest, field, "the field has no name");
	put16(walk, index, AT_COUNT, 1);
	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		flag = put_size(walk, parent, field, index, first, &sizes[i]);
		if (flag < 0)
			return -1;
		flags |= flag;
	}
	return put_text(walk, index, AT_NAME, name) ? -1 : flags;
}

static int put_data(struct fields_walk *walk, const struct xml_node *parent,
		    const struct xml_node *field, uint32_t index, uint32_t first)
{
	const char *in = xml_attribute(field, "inType"), *out = xml_attribute(field, "outType");
	const char *map = xml_attribute(field, "map");
	int flags = put_common(walk, parent, field, index, first);

	if (flags < 0)
		return -1;
	if (!in || !manifest_in_type(in))
		return manifest_wrong(walk->manifest, field, "inType=\"%s\": unknown type",
				      in ? in : "");
	if (out && !manifest_out_type(out))
		return manifest_wrong(walk->manifest, field, "outType=\"%s\": unknown type", out);
	put32(walk, index, AT_FLAGS, flags);
	put16(walk, index, AT_IN, manifest_in_type(in));
	put16(walk, index, AT_OUT, out ? manifest_out_type(out) : 0);
	return map && put_text(walk, index, AT_MAP, map) ? -1 : 0;
}

/* The members are behind all fields of the template */
static int put_struct(struct fields_walk *walk, const struct xml_node *parent,
		      const struct xml_node *field, uint32_t index)
{
	const uint32_t first = walk->next;
	const struct xml_node *at;
	int flags = put_common(walk, parent, field, index, 0);
	uint32_t count = 0;

	if (flags < 0)
		return -1;
	put32(walk, index, AT_FLAGS, flags | PROPERTY_STRUCT);
	put16(walk, index, AT_IN, first);
	put16(walk, index, AT_OUT, count_of(field));
	for (at = xml_child(field, NULL); at; at = xml_next(at, NULL)) {
		if (!strcmp(xml_name(at), "struct"))
			return manifest_wrong(walk->manifest, at,
					      "a structure inside of a structure");
		if (is_field(at) && put_data(walk, field, at, first + count++, first))
			return -1;
	}
	walk->next += count;
	return 0;
}

static uint32_t count_all(const struct xml_node *template)
{
	uint32_t count = count_of(template);
	const struct xml_node *at;

	for (at = xml_child(template, "struct"); at; at = xml_next(at, "struct"))
		count += count_of(at);
	return count;
}

int manifest_fields(const struct manifest *manifest, const struct xml_node *template,
		    struct blob *blob)
{
	const uint32_t top = count_of(template), count = count_all(template);
	struct fields_walk walk = { manifest, blob, blob->size, top };
	const struct xml_node *at;
	uint32_t index = 0;

	if (count > MOST_FIELDS)
		return manifest_wrong(manifest, template, "more than %u fields", MOST_FIELDS);
	if (!blob_add(blob, NULL, PROPERTY_SIZE * count))
		return -1;
	memcpy(blob->bytes + walk.begin - 12, &count, sizeof(count));
	memcpy(blob->bytes + walk.begin - 8, &top, sizeof(top));
	for (at = xml_child(template, NULL); at; at = xml_next(at, NULL)) {
		if (!strcmp(xml_name(at), "struct") && put_struct(&walk, template, at, index++))
			return -1;
		if (!strcmp(xml_name(at), "data") && put_data(&walk, template, at, index++, 0))
			return -1;
	}
	return 0;
}
