// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* etw stat FILE syscalls: which paths calls failed with, and how often. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "etw.h"
#include "syscalls.h"

/**
 * struct failure - calls of one number that failed with one error and one path
 * @times: how often
 * @last: time of the last one, session clock
 * @path: as syscall_paths_text() has it
 */
struct failure {
	uint64_t times;
	uint64_t last;
	uint64_t call;
	int64_t result;
	char *path;
};

static void release(void *value)
{
	free(((struct failure *)value)->path);
}

void failed_paths_begin(struct keyed *failed)
{
	*failed = (struct keyed){ .size = sizeof(struct failure), .release = release };
}

bool syscall_paths_text(const struct syscall *call, char to[SYSCALL_PATHS])
{
	if (!call->paths.path)
		return false;
	snprintf(to, SYSCALL_PATHS, "%s%s%s", call->paths.path, call->paths.second ? " -> " : "",
		 call->paths.second ? call->paths.second : "");
	return true;
}

const char *syscall_error_name(int64_t result)
{
	return result < 0 && result >= -4095 ? strerrorname_np(-result) : NULL;
}

int failed_paths_add(struct keyed *failed, const struct syscall *call)
{
	static char path[SYSCALL_PATHS];
	struct failure *failure;
	uint64_t key;

	if (!call->failed || !syscall_paths_text(call, path))
		return 0;
	key = map_mix(MAP_MIX, &call->call, sizeof(call->call));
	key = map_mix(key, &call->result, sizeof(call->result));
	failure = keyed_of(failed, map_mix(key, path, strlen(path)));
	if (!failure)
		return no_memory();
	if (!failure->path)
		failure->path = strdup(path);
	if (!failure->path)
		return no_memory();
	failure->times++;
	failure->last = call->from;
	failure->call = call->call;
	failure->result = call->result;
	return 0;
}

void failed_paths_fill(const struct keyed *failed, struct sheet *sheet, const void *context,
		       void (*name)(const void *context, uint64_t call, uint64_t time,
				    char to[SYMBOL_TEXT]))
{
	size_t times = sheet_column(sheet, SHEET_COUNT, SHEET_EVERYWHERE, "times");
	size_t error = sheet_column(sheet, SHEET_TEXT, SHEET_EVERYWHERE, "error");
	size_t call = sheet_column(sheet, SHEET_TEXT, SHEET_EVERYWHERE, "call");
	size_t path = sheet_column(sheet, SHEET_TEXT, SHEET_EVERYWHERE, "path"), i;
	const struct failure *failure;
	char text[SYMBOL_TEXT];

	for (i = 0; i < failed->map.count; i++) {
		failure = keyed_at(failed, i);
		sheet_row(sheet);
		sheet_number(sheet, times, failure->times);
		snprintf(text, sizeof(text), "%" PRId64, failure->result);
		sheet_text(sheet, error, syscall_error_name(failure->result) ?: text);
		name(context, failure->call, failure->last, text);
		sheet_text(sheet, call, text);
		if (failure->path)
			sheet_text(sheet, path, failure->path);
	}
	sheet_sort(sheet, times);
}
