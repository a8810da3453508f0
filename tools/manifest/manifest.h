/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Manifests of providers: instrumentation XML to descriptions of events. */
#ifndef ETW_MANIFEST_H
#define ETW_MANIFEST_H

#include <stdbool.h>
#include <stdint.h>
#include "libetl/event_info.h"
#include "xml.h"

/**
 * struct manifest - a file while it is read
 * @file: the XML
 * @strings: the string table, or NULL
 * @provider: the current one
 * @guid: of it
 * @name: of it
 * @infos: the descriptions
 */
struct manifest {
	struct xml_file file;
	const struct xml_node *strings;
	const struct xml_node *provider;
	struct etw_guid guid;
	const char *name;
	struct event_infos *infos;
};

/*
 * read.c: opens the file; @provider is the first one. The caller closes @file in any case. Return:
 * 0, or -1 after a message
 */
int manifest_open(struct manifest *manifest, const char *name);
/* Sets @guid and @name by @provider. Return: 0, or -1 after a message */
int manifest_enter(struct manifest *manifest);
/* A list of the provider, such as "tasks". Return: NULL: there is none */
const struct xml_node *manifest_list(const struct manifest *manifest, const char *name);
/* "$(string.ID)" to the text of the string table. Return: the text, or @reference */
const char *manifest_string(const struct manifest *manifest, const char *reference);
/* Return: 0, or -1 after a message with file and line */
int manifest_number(const struct manifest *manifest, const struct xml_node *node,
		    const char *attribute, uint64_t most, uint64_t *value);
/* A message with file and line. Return: -1 */
int manifest_wrong(const struct manifest *manifest, const struct xml_node *node,
		   const char *format, ...) __attribute__((format(printf, 3, 4)));

/* channels.c: a channel or importChannel. Return: 0, or -1 after a message */
int manifest_channel(const struct manifest *manifest, const struct xml_node *channel,
		     uint64_t *value);
/* That of an event; without one, @value is 0 and @name is NULL. Return: as above */
int manifest_channel_of(const struct manifest *manifest, const struct xml_node *event,
			uint8_t *value, const char **name);

/* types.c. Return: 0 for an unknown name; the numbers of TDH */
uint16_t manifest_in_type(const char *name);
uint16_t manifest_out_type(const char *name);

/**
 * struct blob - bytes that grow
 * @bytes: from malloc()
 * @size: used
 * @room: of @bytes
 * @base: where the offsets of texts count from
 */
struct blob {
	uint8_t *bytes;
	size_t size;
	size_t room;
	size_t base;
};

/* blob.c: adds bytes, zeros if @from is NULL. Return: false after a message: no memory */
bool blob_add(struct blob *blob, const void *from, size_t size);
/* Adds a text in UTF-16; its offset is stored at @place. Return: as blob_add() */
bool blob_text(struct blob *blob, const char *text, size_t place);
/* The same of a text that is UTF-16, without its terminator */
bool blob_wide(struct blob *blob, const uint8_t *text, size_t bytes, size_t place);

/* event.c: TRACE_EVENT_INFO of an event. Return: 0, or -1 after a message */
int manifest_event(const struct manifest *manifest, const struct xml_node *event,
		   struct blob *blob);
/* fields.c: the array of properties, at the end of @blob */
int manifest_fields(const struct manifest *manifest, const struct xml_node *template,
		    struct blob *blob);
/* maps.c: the provider's GUID and EVENT_MAP_INFO */
int manifest_map(const struct manifest *manifest, const struct xml_node *map, struct blob *blob);

/*
 * read.c: adds what a manifest describes: XML, a binary template, or a PE file with one. Return:
 * false after a message
 */
bool manifest_read(struct event_infos *infos, const char *name);

#endif /* ETW_MANIFEST_H */
