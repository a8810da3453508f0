/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Events of user_events that contain an EventHeader, as LinuxTracepoints writes them. */
#ifndef ETW_EVENT_HEADER_H
#define ETW_EVENT_HEADER_H

#include "fields.h"
#include "reader.h"

/* Name of the field with all bytes behind the header */
#define EVENT_HEADER_DATA	"eventheader_data"
/* Name of the first field of the header, by which the format is known */
#define EVENT_HEADER_FLAGS	"eventheader_flags"

/**
 * struct event_header - names and data in such an event: bytes of its record
 * @provider: of the tracepoint "PROVIDER_L5K1f"
 * @provider_size: bytes of it
 * @name: of the event, or of the tracepoint if the event contains none
 * @name_size: bytes of it
 * @metadata: names and types of the fields
 * @metadata_size: bytes of it; 0: the event does not describe its fields
 * @data: the fields
 * @data_size: bytes of it, which the kernel fills up to a multiple of 8
 */
struct event_header {
	const uint8_t *provider;
	size_t provider_size;
	const uint8_t *name;
	size_t name_size;
	const uint8_t *metadata;
	size_t metadata_size;
	const uint8_t *data;
	uint32_t data_size;
};

/*
 * Gives the record what its EventHeader contains: provider, level, keyword, id, version, opcode and
 * activity. Another record stays as it is.
 */
void event_header_apply(struct etl_record *record);
/* Of a record that has one, see etl_record::has_event_header. Return: false: it is damaged */
bool event_header_of(const struct etl_record *record, struct event_header *header);
/* Adds the fields */
void event_header_decode(const struct event_header *header, struct fields *fields);

#endif /* ETW_EVENT_HEADER_H */
