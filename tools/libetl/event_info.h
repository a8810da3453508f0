/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/*
 * Descriptions of manifest events that a file contains. Merging on Windows writes a
 * TRACE_EVENT_INFO for each event whose provider is installed there, so that the file can be read
 * on any machine.
 */
#ifndef ETW_EVENT_INFO_H
#define ETW_EVENT_INFO_H

#include "event_map.h"
#include "fields.h"
#include "reader.h"

/**
 * struct event_info - the description of an event
 * @provider: of the event
 * @id: of the event
 * @version: of the event
 * @shared: an event with another id has the same provider, task and opcode
 * @bytes: TRACE_EVENT_INFO, checked: the properties are inside
 * @size: bytes of it
 * @count: properties
 * @top: properties that are not members of a structure; they come first
 */
struct event_info {
	struct etw_guid provider;
	uint16_t id;
	uint8_t version;
	bool shared;
	uint8_t *bytes;
	uint32_t size;
	uint32_t count;
	uint32_t top;
};

/**
 * struct event_infos - the descriptions of a file
 * @map: by provider, id and version
 * @info: by index of @map
 * @maps: names of values
 * @bytes: of all descriptions
 * @ignored: descriptions for which EVENT_INFO_BYTES have no room
 */
struct event_infos {
	struct map map;
	struct event_info *info;
	struct event_maps maps;
	uint64_t bytes;
	uint64_t ignored;
};

/* A few bytes of a compressed file may unpack to a description of 64 KB. */
#define EVENT_INFO_BYTES	(64u << 20)

/* A property of a description: EVENT_PROPERTY_INFO */
struct event_property {
	uint32_t flags;
	uint32_t name;
	uint16_t in;		/* or the first member of a structure */
	uint16_t out;		/* or the number of members */
	uint32_t map_name;
	uint16_t count;		/* or the property that contains it */
	uint16_t length;	/* or the property that contains it */
};

enum event_property_flag {
	PROPERTY_STRUCT = 0x01,
	PROPERTY_PARAM_LENGTH = 0x02,
	PROPERTY_PARAM_COUNT = 0x04,
	PROPERTY_FIXED_LENGTH = 0x10,
	PROPERTY_FIXED_COUNT = 0x20,
};

/* Whether the record contains such a description, or names of values */
bool event_info_is_one(const struct etl_record *record);
/* Adds the description that the record contains. Return: 0, also if it is broken; -1: no memory */
int event_infos_add(struct event_infos *infos, const struct etl_record *record);
/* Adds a TRACE_EVENT_INFO, or names of values. Return: as event_infos_add() */
int event_infos_describe(struct event_infos *infos, const uint8_t *bytes, uint32_t size);
int event_infos_name(struct event_infos *infos, const uint8_t *bytes, uint32_t size);
/* After the last one: finds the names that events share */
int event_infos_finish(struct event_infos *infos);
void event_infos_free(struct event_infos *infos);

/* NULL: the file does not describe the event */
const struct event_info *event_info_of(const struct etl_record *record);
/* @index: below @info->count */
void event_info_property(const struct event_info *info, uint32_t index,
			 struct event_property *property);
/* The string at the offset as UTF-8, without blanks at its end; "" for offset 0. Return: bytes */
size_t event_info_text(const struct event_info *info, uint32_t at, char *to, size_t room);
/*
 * "Provider/Task/Opcode", the latter without "win:" and not at all if it is Info; with the id if
 * it would not be unique. Return: false without a description
 */
bool event_info_name(const struct etl_record *record, char *to, size_t room);

/* event_info_payload.c: adds the payload's fields. Return: false without a description */
bool event_info_decode(const struct etl_record *record, struct fields *fields);

#endif /* ETW_EVENT_INFO_H */
