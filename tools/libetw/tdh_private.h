/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Descriptions of events: what the files of tdh.h share. */
#ifndef LIBETW_TDH_PRIVATE_H
#define LIBETW_TDH_PRIVATE_H

#include <stdbool.h>
#include "libetl/event_info.h"
#include "libetl/reader.h"
#include "include/tdh.h"

struct tdh_contexts;

/**
 * struct tdh_info - TRACE_EVENT_INFO, EVENT_MAP_INFO or PROVIDER_ENUMERATION_INFO
 * @bytes: from malloc()
 * @size: of it
 * @values: bytes behind it, which are the values of a message; 0: they are the payload
 */
struct tdh_info {
	uint8_t *bytes;
	uint32_t size;
	uint32_t values;
};

/* All return Win32 codes. @info: the caller frees its bytes after ERROR_SUCCESS */

/* tdh_information.c: what is known of the event, from any source; @contexts: @count of them */
ULONG tdh_describe(const EVENT_RECORD *event, ULONG count, const TDH_CONTEXT *contexts,
		   struct tdh_info *info);
/* tdh_tracelogging.c: by the event itself. ERROR_NOT_FOUND: it does not describe itself */
ULONG tdh_describe_itself(const EVENT_RECORD *event, struct tdh_info *info);

/* tdh_wpp.c: a message by a TMF file. ERROR_NOT_FOUND: none describes it */
ULONG tdh_describe_message(const EVENT_RECORD *event, const struct tdh_contexts *contexts,
			   struct tdh_info *info);

/* tdh_manifest.c: the manifest that was loaded after @last, NULL: the first; under tdh_lock() */
const struct event_infos *tdh_manifest_next(const struct event_infos *last);

/* tdh_noted.c: descriptions that came out of files and manifests */
void tdh_lock(void);
void tdh_unlock(void);
/* Takes it, if the record is one */
void tdh_note(const struct etl_record *record);
ULONG tdh_noted(const EVENT_RECORD *event, struct tdh_info *info);
ULONG tdh_noted_map(const EVENT_RECORD *event, LPCWSTR name, struct tdh_info *info);
ULONG tdh_noted_providers(struct tdh_info *info);

/**
 * struct tdh_value - the bytes of a field in an event
 * @at: in the payload
 * @size: of them
 */
struct tdh_value {
	const uint8_t *at;
	uint32_t size;
};

/* tdh_size.c: what a value needs. @has_length: @length are its bytes or characters */
struct tdh_type {
	USHORT in;
	USHORT out;
	uint32_t length;
	bool has_length;
	uint8_t pointer;
};

/* Return: bytes of the value at @at, of which @left are there; -1: they are less, or unknown */
int64_t tdh_value_size(const struct tdh_type *type, const uint8_t *at, uint32_t left);

/* tdh_walk.c: finds a field. @path: @steps of them */
ULONG tdh_find(const EVENT_RECORD *event, const struct tdh_info *info,
	       const PROPERTY_DATA_DESCRIPTOR *path, ULONG steps, struct tdh_value *value);

/* The pointers of an event */
static inline uint8_t tdh_pointer_size(const EVENT_RECORD *event)
{
	return event->EventHeader.Flags & EVENT_HEADER_FLAG_32_BIT_HEADER ? 4 : 8;
}

#endif /* LIBETW_TDH_PRIVATE_H */
