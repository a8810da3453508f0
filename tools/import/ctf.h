/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Traces of CTF, as LTTng writes them. */
#ifndef ETW_IMPORT_CTF_H
#define ETW_IMPORT_CTF_H

#include "ctf_values.h"
#include "libetl/map.h"

#if defined(ETW_HAVE_BABELTRACE) && defined(ETW_HAVE_DLOPEN)

struct importing;

/**
 * struct ctf_reading - traces that are read
 * @ctf: the library
 * @importing: the import
 * @folders: of the traces, each with a file "metadata"
 * @count: number of them
 * @has_offset: @offset is known
 * @offset: of the first clock, from its origin, in nanoseconds
 * @kinds: numbers of kinds of events in the import, by ctf_values_key()
 * @streams: index in @cpus by stream
 * @cpus: processor of the last packet of each stream
 * @cpus_known: number of them
 * @failed: an error was printed
 * @values: fields of the event that is read
 */
struct ctf_reading {
	const struct ctf_library *ctf;
	struct importing *importing;
	char **folders;
	size_t count;
	bool has_offset;
	int64_t offset;
	struct map kinds;
	struct map streams;
	uint32_t *cpus;
	size_t cpus_known;
	bool failed;
	struct ctf_values values;
};

/* ctf_messages.c: all of the messages of libbabeltrace2. @context: struct ctf_reading */
bt_graph_simple_sink_component_consume_func_status
ctf_consume(bt_message_iterator *iterator, void *context);
bt_graph_simple_sink_component_initialize_func_status
ctf_initialize(bt_message_iterator *iterator, void *context);
/* ctf_machine.c: the machine of a trace of the kernel, before its first event */
void ctf_find_machine(struct ctf_reading *reading, const bt_stream *stream);
/* ctf_graph.c: reads all of @reading->folders. Return: 0; -1 after a message */
int ctf_graph_run(struct ctf_reading *reading);

#endif
#endif /* ETW_IMPORT_CTF_H */
