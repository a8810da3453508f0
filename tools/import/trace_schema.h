/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Tracepoints as events that describe themselves (TraceLogging). */
#ifndef ETW_IMPORT_TRACE_SCHEMA_H
#define ETW_IMPORT_TRACE_SCHEMA_H

#include "trace_formats.h"

/* Of tracepoints, which have no level of their own */
#define TRACE_LEVEL_VERBOSE	5

/**
 * struct trace_schema - description of an event
 * @bytes: its size, tags, the event's name, the fields
 * @size: bytes of it
 */
struct trace_schema {
	uint8_t bytes[0x4000];
	uint16_t size;
};

/**
 * struct trace_type - type of a field
 * @in: enum in_type
 * @out: enum out_type; 0: none
 * @counting: TL_COUNT_*; 0: no array
 * @count: elements for TL_COUNT_CONSTANT
 */
struct trace_type {
	uint8_t in;
	uint8_t out;
	uint8_t counting;
	uint16_t count;
};

struct trace_type trace_type_of(const struct trace_field *field);

void trace_schema_begin(struct trace_schema *schema, const char *name);
/* Without room for it, the field is left out. Return: false: it is */
bool trace_schema_field(struct trace_schema *schema, const char *name,
			const struct trace_type *type);
void trace_schema_end(struct trace_schema *schema);
/* All fields of the format. Return: as trace_schema_field() */
bool trace_schema_of(struct trace_schema *schema, const struct trace_format *format);

#endif /* ETW_IMPORT_TRACE_SCHEMA_H */
