// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* XML files by libxml2. */
#include <string.h>
#include "libetl/messages.h"
#include "xml.h"
#if defined(ETW_HAVE_XML) && defined(ETW_HAVE_DLOPEN)
#include <errno.h>
#include <libxml/parser.h>
#include <stddef.h>
#include <unistd.h>
#include "libetl/library.h"

#define LIBRARY	"libxml2.so.2"

/**
 * struct libxml - functions of libxml2
 *
 * The library is loaded only when it is needed, as few calls of the tool need it.
 */
struct libxml {
	__typeof__(xmlReadFile) *read;
	__typeof__(xmlFreeDoc) *free;
	__typeof__(xmlDocGetRootElement) *root;
	__typeof__(xmlGetLineNo) *line;
	__typeof__(xmlGetLastError) *error;
};

#define FUNCTION(member, name)	{ name, offsetof(struct libxml, member) }

static const struct libxml *load(void)
{
	static const struct library_function functions[] = {
		FUNCTION(read, "xmlReadFile"), FUNCTION(free, "xmlFreeDoc"),
		FUNCTION(root, "xmlDocGetRootElement"), FUNCTION(line, "xmlGetLineNo"),
		FUNCTION(error, "xmlGetLastError"),
	};
	static struct libxml libxml;
	static bool loaded;

	if (!loaded)
		loaded = library_load(LIBRARY, functions, sizeof(functions) / sizeof(functions[0]),
				      &libxml);
	return loaded ? &libxml : NULL;
}

bool xml_is_here(void)
{
	return load();
}

/* libxml2's messages end with a newline */
static void broken(const char *name, const xmlError *error)
{
	const char *text = error && error->message ? error->message : "no XML\n";

	failed("%s:%d: %.*s", name, error ? error->line : 0, (int)strcspn(text, "\n"), text);
}

const struct xml_node *xml_open(struct xml_file *file, const char *name)
{
	const struct libxml *libxml = load();
	const xmlNode *root;

	file->name = name;
	if (!libxml) {
		failed("%s: %s is missing (install libxml2)", name, LIBRARY);
		return NULL;
	}
	if (access(name, R_OK)) {
		failed("%s: %s", name, strerror(errno));
		return NULL;
	}
	file->document = libxml->read(name, NULL, XML_PARSE_NONET | XML_PARSE_NOERROR |
				      XML_PARSE_NOWARNING | XML_PARSE_NOCDATA |
				      XML_PARSE_BIG_LINES);
	root = file->document ? libxml->root(file->document) : NULL;
	if (!root)
		broken(name, libxml->error());
	return (const struct xml_node *)root;
}

void xml_close(struct xml_file *file)
{
	if (file->document)
		load()->free(file->document);
	file->document = NULL;
}

static const struct xml_node *element_from(const xmlNode *at, const char *name)
{
	while (at && (at->type != XML_ELEMENT_NODE ||
		      (name && strcmp((const char *)at->name, name))))
		at = at->next;
	return (const struct xml_node *)at;
}

const struct xml_node *xml_child(const struct xml_node *node, const char *name)
{
	return node ? element_from(((const xmlNode *)node)->children, name) : NULL;
}

const struct xml_node *xml_next(const struct xml_node *node, const char *name)
{
	return element_from(((const xmlNode *)node)->next, name);
}

const char *xml_name(const struct xml_node *node)
{
	return (const char *)((const xmlNode *)node)->name;
}

/* An entity in an attribute is left out: its node has no content */
const char *xml_attribute(const struct xml_node *node, const char *name)
{
	const xmlAttr *at = ((const xmlNode *)node)->properties;

	while (at && strcmp((const char *)at->name, name))
		at = at->next;
	if (!at)
		return NULL;
	return at->children && at->children->content ? (const char *)at->children->content : "";
}

int xml_line(const struct xml_node *node)
{
	return load()->line((const xmlNode *)node);
}

static const struct xml_node *part_from(const xmlNode *at)
{
	while (at && at->type != XML_ELEMENT_NODE && at->type != XML_TEXT_NODE)
		at = at->next;
	return (const struct xml_node *)at;
}

const struct xml_node *xml_part(const struct xml_node *node)
{
	return part_from(((const xmlNode *)node)->children);
}

const struct xml_node *xml_next_part(const struct xml_node *node)
{
	return part_from(((const xmlNode *)node)->next);
}

const char *xml_text(const struct xml_node *node)
{
	const xmlNode *at = (const xmlNode *)node;

	return at->type == XML_TEXT_NODE && at->content ? (const char *)at->content : NULL;
}

bool xml_attribute_at(const struct xml_node *node, size_t index, const char **prefix,
		      const char **name, const char **value)
{
	const xmlNs *space = ((const xmlNode *)node)->nsDef;
	const xmlAttr *at = ((const xmlNode *)node)->properties;

	for (; space && index; space = space->next)
		index--;
	if (space) {
		*prefix = space->prefix ? "xmlns:" : "";
		*name = space->prefix ? (const char *)space->prefix : "xmlns";
		*value = space->href ? (const char *)space->href : "";
		return true;
	}
	for (; at && index; at = at->next)
		index--;
	if (!at)
		return false;
	*prefix = NULL;
	*name = (const char *)at->name;
	*value = at->children && at->children->content ? (const char *)at->children->content : "";
	return true;
}
#else
bool xml_is_here(void)
{
	return false;
}

const struct xml_node *xml_open(struct xml_file *file, const char *name)
{
	*file = (struct xml_file){ .name = name };
	failed("%s: this etw was built without libxml2", name);
	return NULL;
}

void xml_close(struct xml_file *file)
{
	file->document = NULL;
}

const struct xml_node *xml_child(const struct xml_node *node, const char *name)
{
	(void)name;
	return node;
}

const struct xml_node *xml_next(const struct xml_node *node, const char *name)
{
	(void)name;
	return node;
}

const char *xml_name(const struct xml_node *node)
{
	(void)node;
	return "";
}

const char *xml_attribute(const struct xml_node *node, const char *name)
{
	(void)node;
	(void)name;
	return NULL;
}

int xml_line(const struct xml_node *node)
{
	(void)node;
	return 0;
}

const struct xml_node *xml_part(const struct xml_node *node)
{
	return node;
}

const struct xml_node *xml_next_part(const struct xml_node *node)
{
	return node;
}

const char *xml_text(const struct xml_node *node)
{
	(void)node;
	return NULL;
}

bool xml_attribute_at(const struct xml_node *node, size_t index, const char **prefix,
		      const char **name, const char **value)
{
	(void)node;
	(void)index;
	*prefix = NULL;
	*name = "";
	*value = "";
	return false;
}
#endif

const struct xml_node *xml_find(const struct xml_node *parent, const char *of,
				const char *attribute, const char *value)
{
	const struct xml_node *at;
	const char *found;

	for (at = xml_child(parent, of); at; at = xml_next(at, of)) {
		found = xml_attribute(at, attribute);
		if (found && !strcmp(found, value))
			return at;
	}
	return NULL;
}
