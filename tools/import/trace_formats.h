/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Fields of tracepoints, from the format files of tracefs, which recordings contain, too. */
#ifndef ETW_IMPORT_TRACE_FORMATS_H
#define ETW_IMPORT_TRACE_FORMATS_H

#include "etw_format.h"
#include "libetl/map.h"
#include "piece.h"

enum trace_field_kind {
	TRACE_NUMBER,		/* one integer */
	TRACE_REAL,		/* a floating-point number of 4 or 8 bytes */
	TRACE_NUMBERS,		/* an array of integers of @element bytes */
	TRACE_TEXT,		/* char NAME[N] */
	TRACE_AT,		/* __data_loc: the data's offset and length */
	TRACE_FROM,		/* __rel_loc: the same, counted from behind this field */
};

/**
 * struct trace_field - a field
 * @name: of it
 * @offset: in the raw data
 * @size: bytes there
 * @element: bytes of an integer of an array
 * @kind: what the bytes are
 * @text: the data of TRACE_AT and TRACE_FROM is a string
 * @is_signed: the integer is
 * @is_address: it is an address in the kernel
 * @out: how it is shown, enum out_type; 0: as it is
 */
struct trace_field {
	char name[64];
	uint32_t offset;
	uint32_t size;
	uint32_t element;
	enum trace_field_kind kind;
	bool text;
	bool is_signed;
	bool is_address;
	uint8_t out;
};

/**
 * struct trace_format - a tracepoint
 * @name: "SYSTEM:EVENT"
 * @provider_name: "Linux.SYSTEM", for etw's probes as probe_group_provider(); "": the events are
 *	those of the importing program
 * @provider: its GUID
 * @id: perf_event_attr::config
 * @fields: without common_type and common_pid
 * @count: number of them
 */
struct trace_format {
	char name[320];
	char provider_name[80];
	struct etw_guid provider;
	uint64_t id;
	struct trace_field *fields;
	size_t count;
};

/**
 * struct trace_formats - the tracepoints of a file
 * @ids: index in @formats by id
 * @formats: by index, each in a place of its own, because kinds of events point to them
 * @count: number of them
 */
struct trace_formats {
	struct map ids;
	struct trace_format **formats;
	size_t count;
};

/*
 * Reads HEADER_TRACING_DATA. Return: NULL, or why it cannot be read, with @piece at the place;
 * formats before the place stay
 */
const char *trace_formats_read(struct trace_formats *formats, struct piece *piece);
/*
 * Adds a format of @count fields with the first free id. Return: NULL: no memory. It stays where
 * it is
 */
const struct trace_format *trace_formats_add(struct trace_formats *formats, const char *name,
					     const struct trace_field *fields, size_t count);
struct tep_event;
/* Adds a format as libtraceevent has read it. Return: NULL: no memory */
const struct trace_format *trace_formats_add_event(struct trace_formats *formats,
						   const struct tep_event *event);
/*
 * Adds the event of a format file of this machine. Return: NULL, or why not; a file that is none
 * adds no event
 */
const char *trace_formats_add_text(struct trace_formats *formats, const char *system,
				   const char *text, size_t size);
/* The bytes begin as tracing data does, which also is what trace.dat begins with */
bool trace_formats_begin(const uint8_t *bytes, uint64_t size);
/* NULL: the file has no format of that id */
const struct trace_format *trace_format_of(const struct trace_formats *formats, uint64_t id);
/* "EVENT" of "SYSTEM:EVENT" */
const char *trace_event_name(const struct trace_format *format);
/* @names: one or several, separated by |, of which the first that the format has counts */
const struct trace_field *trace_field_of(const struct trace_format *format, const char *names);
/* The bytes of a field in raw data of @size bytes. What the raw data does not have is empty. */
struct piece trace_field_bytes(const struct trace_field *field, const uint8_t *raw, uint32_t size);
void trace_formats_free(struct trace_formats *formats);

#endif /* ETW_IMPORT_TRACE_FORMATS_H */
