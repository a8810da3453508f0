/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* The fields of an event of CTF, as raw data with a format. */
#ifndef ETW_IMPORT_CTF_VALUES_H
#define ETW_IMPORT_CTF_VALUES_H

#include "ctf_library.h"
#include "trace_formats.h"

#if defined(ETW_HAVE_BABELTRACE) && defined(ETW_HAVE_DLOPEN)

#define CTF_FIELDS	256
#define CTF_BYTES	0x10000

/**
 * struct ctf_values - the fields of an event
 * @ctf: the library
 * @fields: numbers, and the places of strings and arrays, one behind another
 * @count: number of them
 * @raw: bytes of the fields; behind them, when all fields are read, strings and arrays
 * @size: bytes of @raw
 * @behind: strings and arrays
 * @length: bytes of @behind
 * @too_large: there are more fields or bytes than fit
 * @in_context: fields are those of the context, which may have the thread
 * @tid: thread; 0: unknown
 * @pid: its process; 0: unknown
 * @comm: its name
 */
struct ctf_values {
	const struct ctf_library *ctf;
	struct trace_field fields[CTF_FIELDS];
	size_t count;
	uint8_t raw[CTF_BYTES + 8 * CTF_FIELDS];
	uint32_t size;
	uint8_t behind[CTF_BYTES];
	uint32_t length;
	bool too_large;
	bool in_context;
	uint32_t tid;
	uint32_t pid;
	char comm[16];
};

/* All fields of the event: its payload, then its contexts */
void ctf_values_read(struct ctf_values *values, const bt_event *event);
/* The same for all events with the same fields */
uint64_t ctf_values_key(const struct ctf_values *values, const bt_event_class *class);

#endif
#endif /* ETW_IMPORT_CTF_VALUES_H */
