// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Folders of 'perf record --threads': a perf.data, and records of each thread of perf. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include "import.h"
#include "libetl/messages.h"
#include "libetl/trace.h"

#define MOST_PARTS	4096

/**
 * struct perf_folder - files of a folder
 * @files: "data", then "data.0" and so on
 * @names: of them
 * @parts: all but the first
 * @count: number of files
 */
struct perf_folder {
	struct trace files[MOST_PARTS + 1];
	char *names[MOST_PARTS + 1];
	struct perf_part parts[MOST_PARTS];
	size_t count;
};

bool import_is_perf_folder(const char *name)
{
	char *path;
	bool is;

	if (asprintf(&path, "%s/data", name) < 0)
		return false;
	is = !access(path, F_OK);
	free(path);
	return is;
}

/* Return: 1: there is no such file; 0; -1 after a message */
static int load(struct perf_folder *folder, const char *name)
{
	char *path;
	int length;

	length = folder->count ? asprintf(&path, "%s/data.%zu", name, folder->count - 1) :
				 asprintf(&path, "%s/data", name);
	if (length < 0)
		return no_memory();
	if (folder->count && access(path, F_OK)) {
		free(path);
		return 1;
	}
	folder->names[folder->count] = path;
	if (trace_load(&folder->files[folder->count], path)) {
		free(path);
		return -1;
	}
	folder->count++;
	return 0;
}

static int load_all(struct perf_folder *folder, const char *name)
{
	size_t i;
	int err;

	do
		err = load(folder, name);
	while (!err && folder->count <= MOST_PARTS);
	if (err < 0)
		return -1;
	if (!err) {
		failed("import: %s: more than %d files of records", name, MOST_PARTS);
		return -1;
	}
	for (i = 1; i < folder->count; i++)
		folder->parts[i - 1] = (struct perf_part){
			.name = folder->names[i], .bytes = folder->files[i].bytes,
			.size = folder->files[i].size,
		};
	return 0;
}

static void close_folder(struct importing *importing)
{
	struct perf_folder *folder = importing->source;
	size_t i;

	for (i = 0; i < folder->count; i++) {
		trace_close(&folder->files[i]);
		free(folder->names[i]);
	}
	free(folder);
}

int import_open_perf_folder(struct importing *importing, const char *name, const char *output)
{
	struct perf_folder *folder = calloc(1, sizeof(*folder));

	if (!folder)
		return no_memory();
	importing->source = folder;
	importing->close = close_folder;
	importing->file.name = name;
	if (load_all(folder, name))
		return -1;
	importing->stream.parts = folder->parts;
	importing->stream.part_count = folder->count - 1;
	return import_open_perf(importing, folder->names[0], folder->files[0].bytes,
				folder->files[0].size, output);
}
