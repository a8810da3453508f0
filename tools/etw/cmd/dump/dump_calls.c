// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/*
 * etw dump --names: at the end of a system call, its paths and the address of its socket, which are
 * events of their own.
 */
#include <stdlib.h>
#include <string.h>
#include "libetl/call_paths.h"
#include "libetl/map.h"
#include "dump.h"
#include "etw.h"

/**
 * struct call - the latest call of a thread
 * @open: it has not ended
 * @number: of the call
 * @paths: its paths so far
 */
struct call {
	bool open;
	uint64_t number;
	struct call_paths paths;
};

/**
 * struct dump_calls - calls of all threads
 * @threads: ids
 * @call: by index in @threads
 * @ended: index in @threads + 1 of the call that the latest record ends; 0: it ends none
 * @address: in the latest record; "": none
 * @fields: of the latest record
 */
struct dump_calls {
	struct map threads;
	struct call *call;
	size_t ended;
	char address[SOCKET_ADDRESS_TEXT];
	struct fields fields;
};

enum call_event { CALL_BEGIN, CALL_END, CALL_PATH, CALL_ADDRESS, NO_CALL };

/* @number: the field with the number of the call */
static enum call_event kind_of(const struct etl_record *record, const char **number)
{
	static const struct {
		const char *begin;
		enum call_event event;
		const char *number;
	} kinds[] = {
		{ "Linux.raw_syscalls/sys_enter", CALL_BEGIN, "id" },
		{ "Linux.raw_syscalls/sys_exit", CALL_END, "id" },
		{ "Linux.syscalls/sys_enter_", CALL_BEGIN, "__syscall_nr" },
		{ "Linux.syscalls/sys_exit_", CALL_END, "__syscall_nr" },
		{ CALL_PATH_EVENT, CALL_PATH, "" },
		{ CALL_ADDRESS_EVENT, CALL_ADDRESS, "" },
	};
	char name[EVENT_NAME];
	size_t i;

	if (etl_has_hook(record) || !record->has_ids)
		return NO_CALL;
	event_name(record, name, sizeof(name));
	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (strncmp(name, kinds[i].begin, strlen(kinds[i].begin)))
			continue;
		*number = kinds[i].number;
		return kinds[i].event;
	}
	return NO_CALL;
}

struct dump_calls *dump_calls_new(void)
{
	struct dump_calls *calls = calloc(1, sizeof(*calls));

	if (!calls)
		no_memory();
	return calls;
}

static int begin_call(struct dump_calls *calls, uint32_t tid, const char *number)
{
	const struct field *field = fields_find(&calls->fields, number);
	size_t known = calls->threads.count, i;
	struct call *call;

	if (!field)
		return 0;
	/* room first: each thread has a call */
	if (!map_make_room((void **)&calls->call, known, sizeof(*calls->call)))
		return no_memory();
	i = map_add(&calls->threads, tid);
	if (i == MAP_NONE)
		return no_memory();
	call = &calls->call[i];
	if (i < known)
		call_paths_free(&call->paths);
	call->open = true;
	call->number = field->number;
	call_paths_begin(&call->paths, &calls->fields, number);
	return 0;
}

/* The end of another call: that of the open one, or this one's begin, is lost. */
static void end_call(struct dump_calls *calls, size_t i, const char *number)
{
	const struct field *field = fields_find(&calls->fields, number);
	struct call *call = &calls->call[i];

	if (call->open && field && field->number == call->number)
		calls->ended = i + 1;
	call->open = false;
}

static int note(const struct dump_calls *calls, struct call *call, enum call_event event)
{
	int err = 0;

	if (call->open)
		err = event == CALL_PATH ? call_paths_note(&call->paths, &calls->fields) :
					   call_paths_note_address(&call->paths, &calls->fields);
	return err ? no_memory() : 0;
}

int dump_calls_see(struct dump_calls *calls, const struct etl_record *record)
{
	const char *number = "";
	enum call_event event = kind_of(record, &number);
	size_t i;

	calls->ended = 0;
	calls->address[0] = 0;
	if (event == NO_CALL)
		return 0;
	fields_reset(&calls->fields);
	decode_payload(record, &calls->fields);
	if (event == CALL_BEGIN)
		return begin_call(calls, record->thread_id, number);
	if (event == CALL_ADDRESS)
		call_address_text(&calls->fields, calls->address);
	i = map_find(&calls->threads, record->thread_id);
	if (i == MAP_NONE)
		return 0;
	if (event != CALL_END)
		return note(calls, &calls->call[i], event);
	end_call(calls, i, number);
	return 0;
}

void dump_calls_add(struct line *line, const struct dump_calls *calls)
{
	const struct call_paths *paths;

	if (calls->address[0])
		fields_string(&line->fields, "Address", calls->address);
	if (!calls->ended)
		return;
	paths = &calls->call[calls->ended - 1].paths;
	if (paths->path)
		fields_string(&line->fields, paths->is_address ? "Address" : "Path", paths->path);
	if (paths->second)
		fields_string(&line->fields, "SecondPath", paths->second);
}

void dump_calls_free(struct dump_calls *calls)
{
	size_t i;

	if (!calls)
		return;
	for (i = 0; i < calls->threads.count; i++)
		call_paths_free(&calls->call[i].paths);
	free(calls->call);
	map_free(&calls->threads);
	free(calls);
}
