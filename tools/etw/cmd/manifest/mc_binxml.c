// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* etw mc: the form of an event's data as binary XML (MS-EVEN6), with names inside of elements. */
#include <stdlib.h>
#include <string.h>
#include "libetl/messages.h"
#include "mc_template.h"

#define TOKEN_END		0x00
#define TOKEN_ELEMENT		0x01
#define TOKEN_CLOSE_START	0x02
#define TOKEN_END_ELEMENT	0x04
#define TOKEN_VALUE		0x05
#define TOKEN_ATTRIBUTE		0x06
#define TOKEN_SUBSTITUTION	0x0D
#define TOKEN_MORE		0x40
#define TYPE_STRING		1
#define TYPE_ARRAY		0x80
#define BLANKS			" \t\r\n"
/* Elements inside of each other */
#define DEEPEST			32

/**
 * struct form - the form while it is written
 * @template: it is of this one
 * @node: of the manifest, for messages
 * @fields: of the template, with an index below @top
 * @top: fields
 */
struct form {
	struct mc_template *template;
	const struct xml_node *node;
	const struct xml_node **fields;
	uint32_t top;
};

static int put8(const struct form *form, uint8_t value)
{
	return blob_add(&form->template->blob, &value, 1) ? 0 : -1;
}

/* Hash, length, text, zero */
static int put_xml_name(const struct form *form, const char *prefix, const char *name)
{
	struct blob *blob = &form->template->blob;
	const size_t at = blob->size;
	uint32_t hash = 0;
	size_t before, units;

	if (mc_put32(blob, 0) || mc_put_wide(blob, prefix, strlen(prefix), &before) ||
	    mc_put_wide(blob, name, strlen(name), &units))
		return -1;
	units += before;
	if (units > UINT16_MAX)
		return manifest_wrong(form->template->manifest, form->node, "a long name");
	for (before = 0; before < units; before++)
		hash = hash * 65599 + get16(blob->bytes + at + 4 + 2 * before);
	mc_set32(blob, at, (hash & 0xFFFF) | (uint32_t)units << 16);
	return mc_put16(blob, 0);
}

static int put_value(const struct form *form, const char *text, size_t length, bool more)
{
	struct blob *blob = &form->template->blob;
	const size_t at = blob->size;
	size_t units;

	if (put8(form, TOKEN_VALUE | (more ? TOKEN_MORE : 0)) || put8(form, TYPE_STRING) ||
	    mc_put16(blob, 0) || mc_put_wide(blob, text, length, &units))
		return -1;
	if (units > UINT16_MAX)
		return manifest_wrong(form->template->manifest, form->node, "a long text");
	memcpy(blob->bytes + at + 2, &units, sizeof(uint16_t));
	return 0;
}

/* The type of a field's values in binary XML: that of TDH but for counted ones */
static uint8_t type_of(const struct xml_node *field)
{
	const char *in = xml_attribute(field, "inType"), *count = xml_attribute(field, "count");
	uint16_t type = in ? manifest_in_type(in) : 0;

	type = type == 22 ? 1 : type == 23 ? 2 : type == 25 ? 14 : type;
	return type | (count && *count ? TYPE_ARRAY : 0);
}

static int put_field(const struct form *form, uint32_t index)
{
	if (put8(form, TOKEN_SUBSTITUTION) || mc_put16(&form->template->blob, index))
		return -1;
	return put8(form, type_of(form->fields[index]));
}

/* Blanks at the ends are left out; "%1" is the first field. */
static int put_text(const struct form *form, const char *text)
{
	const char *next;
	size_t length;
	unsigned long index;
	char *end;

	text += strspn(text, BLANKS);
	length = strlen(text);
	while (length && strchr(BLANKS, text[length - 1]))
		length--;
	while (length) {
		index = *text == '%' ? strtoul(text + 1, &end, 10) : 0;
		if (index && end > text + 1 && text[1] >= '0' && text[1] <= '9') {
			if (index > form->top)
				return manifest_wrong(form->template->manifest, form->node,
						      "%%%lu: the template has %u fields", index,
						      form->top);
			if (put_field(form, index - 1))
				return -1;
			length -= end - text;
			text = end;
			continue;
		}
		next = memchr(text + 1, '%', length - 1);
		if (put_value(form, text, next ? (size_t)(next - text) : length, next))
			return -1;
		length -= next ? (size_t)(next - text) : length;
		text = next;
	}
	return 0;
}

static int put_attribute(const struct form *form, const char *prefix, const char *name,
			 const char *value, bool more)
{
	if (put8(form, TOKEN_ATTRIBUTE | (more ? TOKEN_MORE : 0)) ||
	    put_xml_name(form, prefix, name))
		return -1;
	return *value ? put_text(form, value) : put_value(form, "", 0, false);
}

static int put_attributes(const struct form *form, const struct xml_node *node)
{
	struct blob *blob = &form->template->blob;
	const char *prefix, *name, *value, *next_prefix, *next_name, *next_value;
	const size_t at = blob->size;
	size_t i = 0;
	bool is = xml_attribute_at(node, 0, &prefix, &name, &value), more;

	if (!is)
		return 0;
	if (mc_put32(blob, 0))
		return -1;
	for (; is; is = more) {
		more = xml_attribute_at(node, ++i, &next_prefix, &next_name, &next_value);
		/* the default namespace is "xmlns" itself */
		if (put_attribute(form, prefix ? prefix : "", name, value, more))
			return -1;
		if (more) {
			prefix = next_prefix;
			name = next_name;
			value = next_value;
		}
	}
	mc_set32(blob, at, blob->size - at - 4);
	return 0;
}

/* Begins an element. Return: where its size is; 0 after a message */
static size_t begin_element(const struct form *form, const char *name, bool attributes)
{
	struct blob *blob = &form->template->blob;
	size_t at;

	if (put8(form, TOKEN_ELEMENT | (attributes ? TOKEN_MORE : 0)) || mc_put16(blob, 0xFFFF))
		return 0;
	at = blob->size;
	return mc_put32(blob, 0) || put_xml_name(form, "", name) ? 0 : at;
}

/* @at: what begin_element() returned. mc.exe writes elements without content in this form, too. */
static int end_element(const struct form *form, size_t at)
{
	if (put8(form, TOKEN_END_ELEMENT))
		return -1;
	mc_set32(&form->template->blob, at, form->template->blob.size - at - 4);
	return 0;
}

static int put_element(struct form *form, const struct xml_node *node, unsigned int depth)
{
	const struct xml_node *part = xml_part(node);
	const char *prefix, *name, *value;
	size_t at;
	int err = 0;

	form->node = node;
	if (depth > DEEPEST)
		return manifest_wrong(form->template->manifest, node,
				      "more than %d elements inside of each other", DEEPEST);
	at = begin_element(form, xml_name(node), xml_attribute_at(node, 0, &prefix, &name, &value));
	if (!at || put_attributes(form, node))
		return -1;
	if (put8(form, TOKEN_CLOSE_START))
		return -1;
	for (; !err && part; part = xml_next_part(part))
		err = xml_text(part) ? put_text(form, xml_text(part)) :
				       put_element(form, part, depth + 1);
	return err ? -1 : end_element(form, at);
}

/* Without UserData: EventData with an element of each field */
static int put_data(struct form *form)
{
	struct blob *blob = &form->template->blob;
	size_t at = begin_element(form, "EventData", false), data, list;
	uint32_t i;

	if (!at || put8(form, TOKEN_CLOSE_START))
		return -1;
	for (i = 0; i < form->top; i++) {
		form->node = form->fields[i];
		data = begin_element(form, strcmp(xml_name(form->node), "struct") ? "Data" :
				     "ComplexData", true);
		list = blob->size;
		if (!data || mc_put32(blob, 0) || put8(form, TOKEN_ATTRIBUTE) ||
		    put_xml_name(form, "", "Name") ||
		    put_value(form, xml_attribute(form->node, "name"),
			      strlen(xml_attribute(form->node, "name")), false))
			return -1;
		mc_set32(blob, list, blob->size - list - 4);
		if (put8(form, TOKEN_CLOSE_START) || put_field(form, i) ||
		    end_element(form, data))
			return -1;
	}
	return end_element(form, at);
}

int mc_put_form(struct mc_template *template, const struct xml_node *node, uint32_t top)
{
	static const uint8_t head[] = { 0x0F, 1, 1, 0 };
	const struct xml_node *at, *user = xml_child(xml_child(node, "UserData"), NULL);
	struct form form = {
		.template = template, .node = node, .top = top,
		.fields = calloc(top + 1, sizeof(*form.fields)),
	};
	uint32_t i = 0;
	int err = -1;

	for (at = xml_child(node, NULL); form.fields && at && i < top; at = xml_next(at, NULL))
		if (!strcmp(xml_name(at), "data") || !strcmp(xml_name(at), "struct"))
			form.fields[i++] = at;
	if (!form.fields)
		no_memory();
	else if (blob_add(&template->blob, head, sizeof(head)))
		err = (user ? put_element(&form, user, 0) : put_data(&form)) ||
		      put8(&form, TOKEN_END) || mc_align(&template->blob) ? -1 : 0;
	free(form.fields);
	return err;
}
