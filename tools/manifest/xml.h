/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* XML files by libxml2, which is loaded when it is needed. */
#ifndef ETW_MANIFEST_XML_H
#define ETW_MANIFEST_XML_H

#include <stdbool.h>
#include <stddef.h>

struct xml_node;

/**
 * struct xml_file - an XML file
 * @name: for messages
 * @document: libxml2's; NULL: the file is closed
 */
struct xml_file {
	const char *name;
	void *document;
};

/* Whether libxml2 can be loaded */
bool xml_is_here(void);
/* Return: the root element, or NULL after a message */
const struct xml_node *xml_open(struct xml_file *file, const char *name);
void xml_close(struct xml_file *file);

/* The first element inside of @node with this name, or with any. Return: NULL: none */
const struct xml_node *xml_child(const struct xml_node *node, const char *name);
/* The next element beside @node. Return: NULL: none */
const struct xml_node *xml_next(const struct xml_node *node, const char *name);
const char *xml_name(const struct xml_node *node);
/* Return: the value, or NULL: there is no such attribute */
const char *xml_attribute(const struct xml_node *node, const char *name);
/* The element @of with this value of an attribute. Return: NULL: none */
const struct xml_node *xml_find(const struct xml_node *parent, const char *of,
				const char *attribute, const char *value);
int xml_line(const struct xml_node *node);

/* The first element or text inside of @node; the next one beside it. Return: NULL: none */
const struct xml_node *xml_part(const struct xml_node *node);
const struct xml_node *xml_next_part(const struct xml_node *node);
/* Return: the text, or NULL: @node is an element */
const char *xml_text(const struct xml_node *node);
/*
 * The attribute with this index; namespaces, which are declared as "xmlns" or "xmlns:PREFIX", come
 * first: @prefix is NULL for other attributes. Return: false: there are less
 */
bool xml_attribute_at(const struct xml_node *node, size_t index, const char **prefix,
		      const char **name, const char **value);

#endif /* ETW_MANIFEST_XML_H */
