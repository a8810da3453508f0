/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* etw mc: binary templates of manifests, and their message tables. */
#ifndef ETW_MC_TEMPLATE_H
#define ETW_MC_TEMPLATE_H

#include "libetl/map.h"
#include "manifest/wevt.h"
#include "mc.h"

/* Kinds of messages: the highest four bits of their numbers */
enum mc_message_kind {
	MESSAGE_KEYWORD = 1,
	MESSAGE_OPCODE = 3,
	MESSAGE_LEVEL = 5,
	MESSAGE_TASK = 7,
	MESSAGE_CHANNEL = 9,
	MESSAGE_EVENT = 11,
	MESSAGE_VALUE = 13,
	MESSAGE_BIT = 15,
};

/**
 * struct mc_message - a message
 * @id: its number
 * @text: of it
 */
struct mc_message {
	uint32_t id;
	const char *text;
};

/**
 * struct mc_place - where something with a name or number is in the template
 * @key: of a list: its number
 * @name: of it
 * @node: its element; NULL: one that all providers have
 * @message: number of its message
 * @at: offset
 */
struct mc_place {
	uint64_t key;
	const char *name;
	const struct xml_node *node;
	uint32_t message;
	uint32_t at;
};

/**
 * struct mc_list - a list of a provider
 * @place: the elements
 * @count: of them
 * @room: of @place
 */
struct mc_list {
	struct mc_place *place;
	size_t count;
	size_t room;
};

/**
 * struct mc_template - a template while it is written
 * @manifest: it is of this one
 * @blob: the bytes
 * @index: of the current provider
 * @messages: all messages
 * @nr_messages: of them
 * @room: of @messages
 * @references: texts of manifests by the index of their messages
 * @next: numbers of messages of values, of bits, and of the provider and its channels
 * @maps: of the current provider, as the following lists
 * @templates: by name
 * @lists: by enum wevt_kind: levels, tasks, opcodes, keywords
 */
struct mc_template {
	struct manifest *manifest;
	struct blob blob;
	uint32_t index;
	struct mc_message *messages;
	size_t nr_messages;
	size_t room;
	struct map references;
	uint32_t next[3];
	struct mc_list maps;
	struct mc_list templates;
	struct mc_list lists[4];
};

/* mc_template.c: the template of all providers. Return: 0, or -1 after a message */
int mc_write_template(FILE *to, struct manifest *manifest);
/* The message table of the same. Return: as above */
int mc_write_messages(FILE *to, struct manifest *manifest);

/* mc_messages.c: the number of the element's message. Return: 0, or -1 after a message */
int mc_message_of(struct mc_template *template, const struct xml_node *node,
		  enum mc_message_kind kind, uint32_t number, uint32_t *id);
/* The number of the text of what all providers have. Return: as above */
int mc_common_message(struct mc_template *template, const char *name, enum mc_message_kind kind,
		      uint32_t number, uint32_t *id);
int mc_put_messages(FILE *to, struct mc_template *template);

/* mc_lists.c. Return: 0, or -1 after a message */
int mc_find_lists(struct mc_template *template);
int mc_put_list(struct mc_template *template, enum wevt_kind kind);
int mc_put_channels(struct mc_template *template);
/* The element with the key. Return: NULL: none */
struct mc_place *mc_find(const struct mc_list *list, uint64_t key);
struct mc_place *mc_find_name(const struct mc_list *list, const char *name);
/* Adds an element. Return: NULL after a message: no memory */
struct mc_place *mc_add(struct mc_list *list, uint64_t key, const char *name);

/* mc_maps.c. Return: 0, or -1 after a message */
int mc_put_maps(struct mc_template *template);
/* mc_items.c: TTBL. Return: as above */
int mc_put_templates(struct mc_template *template);
/* mc_binxml.c: the form of an event's data in XML. Return: as above */
int mc_put_form(struct mc_template *template, const struct xml_node *node, uint32_t top);

/* Numbers of fixed size. Return: 0, or -1 after a message: no memory */
int mc_put16(struct blob *blob, uint16_t value);
int mc_put32(struct blob *blob, uint32_t value);
/* Changes a number that is there already */
void mc_set32(struct blob *blob, size_t at, uint32_t value);
/* Zeros up to a multiple of 4 */
int mc_align(struct blob *blob);
/* A text in UTF-16 without a terminator; @units may be NULL. Return: as mc_put16() */
int mc_put_wide(struct blob *blob, const char *text, size_t length, size_t *units);
/* A text with its size before it, and its offset at @place. Return: as mc_put16() */
int mc_put_name(struct blob *blob, const char *name, size_t place);

#endif /* ETW_MC_TEMPLATE_H */
