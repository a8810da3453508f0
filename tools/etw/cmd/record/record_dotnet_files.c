// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The files of etw record --dotnet: one of the kernel, one of each .NET process, and the output. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "cmd/import.h"
#include "cmd/merge.h"
#include "libetl/output_file.h"
#include "record_dotnet.h"

#define END	".nettrace"
/* Of one command */
#define MOST_FILES	1024

int dotnet_files_make(struct dotnet_files *files, const char *output)
{
	char *path;
	int length = snprintf(files->folder, sizeof(files->folder), "%s.dotnet-XXXXXX", output);

	if (length >= (int)sizeof(files->folder))
		return failed("record: %s: %s", output, strerror(ENAMETOOLONG));
	if (!mkdtemp(files->folder))
		return failed("record: --dotnet: %s: %s", files->folder, strerror(errno));
	/* the command may have another working directory */
	path = realpath(files->folder, NULL);
	if (!path || strlen(path) >= sizeof(files->folder)) {
		rmdir(files->folder);
		free(path);
		return failed("record: --dotnet: %s: the path is too long", files->folder);
	}
	strcpy(files->folder, path);
	free(path);
	snprintf(files->kernel, sizeof(files->kernel), "%s/kernel.etl", files->folder);
	/* the runtime puts its process id there */
	snprintf(files->pattern, sizeof(files->pattern), "%s/{pid}" END, files->folder);
	return EXIT_OK;
}

void dotnet_files_remove(const struct dotnet_files *files)
{
	DIR *folder = opendir(files->folder);
	struct dirent *entry;

	while (folder && (entry = readdir(folder)))
		unlinkat(dirfd(folder), entry->d_name, 0);
	if (folder)
		closedir(folder);
	rmdir(files->folder);
}

/**
 * struct parts - traces that are merged
 * @names: from malloc()
 * @count: number of them
 */
struct parts {
	char *names[MOST_FILES];
	int count;
};

static int import_one(const struct dotnet_files *files, const char *name, struct parts *parts)
{
	char from[4600];
	int code;

	if (parts->count == MOST_FILES)
		return failed("record: --dotnet: more than %u processes of .NET", MOST_FILES);
	snprintf(from, sizeof(from), "%s/%s", files->folder, name);
	if (asprintf(&parts->names[parts->count], "%s.etl", from) < 0)
		return failed("%s", strerror(ENOMEM));
	code = import_recording(from, parts->names[parts->count], false, true);
	if (code)
		free(parts->names[parts->count]);
	else
		parts->count++;
	return code;
}

static bool is_nettrace(const char *name)
{
	size_t length = strlen(name);

	return length > strlen(END) && !strcmp(name + length - strlen(END), END);
}

/* A file that cannot be imported does not keep the others out. Return: the worst exit code */
static int import_all(const struct dotnet_files *files, struct parts *parts)
{
	struct dirent *entry;
	DIR *folder = opendir(files->folder);
	int code = EXIT_OK;

	if (!folder)
		return failed("record: --dotnet: %s: %s", files->folder, strerror(errno));
	while ((entry = readdir(folder)))
		if (is_nettrace(entry->d_name) && import_one(files, entry->d_name, parts))
			code = EXIT_FAILED;
	closedir(folder);
	return code;
}

static int write_file(const struct parts *parts, const char *output, bool quiet)
{
	if (parts->count > 1)
		return merge_files(parts->count, (char **)parts->names, output, quiet);
	if (rename(parts->names[0], output))
		return failed("record: %s: %s", output, strerror(errno));
	return EXIT_OK;
}

static int write_output(const struct parts *parts, const char *output, bool quiet)
{
	char *path = output_path(output), *kept = NULL;
	int code = path ? output_keep(path, &kept) : -ENOMEM;

	if (code)
		code = failed("record: %s: it can't be kept as %s.old: %s", output, output,
			      strerror(-code));
	else
		code = write_file(parts, path, quiet);
	if (code && kept && output_restore(path, kept))
		warn("%s: the previous file stays in %s", path, kept);
	free(kept);
	free(path);
	return code;
}

/* The header is that of the kernel's trace. Return: an exit code */
static int collect(const struct dotnet_files *files, const char *output, bool quiet,
		   struct parts *parts)
{
	int code, kernel;

	if (!access(files->kernel, F_OK)) {
		parts->names[0] = strdup(files->kernel);
		if (!parts->names[0])
			return failed("%s", strerror(ENOMEM));
		parts->count = 1;
	}
	kernel = parts->count;
	code = import_all(files, parts);
	if (parts->count == kernel && !code)
		warn("record: --dotnet: no process of .NET has written events");
	else if (!quiet)
		printf("%s: events of %d processes of .NET\n", output, parts->count - kernel);
	return code;
}

int dotnet_files_merge(struct dotnet_files *files, const char *output, bool quiet, int code)
{
	struct parts *parts = calloc(1, sizeof(*parts));
	int err, merged = EXIT_OK;

	if (!parts)
		return failed("%s", strerror(ENOMEM));
	err = collect(files, output, quiet, parts);
	if (parts->count)
		merged = write_output(parts, output, quiet);
	else if (!code && !err)
		code = failed("record: --dotnet: nothing was recorded");
	while (parts->count)
		free(parts->names[--parts->count]);
	free(parts);
	err = err ? err : merged;
	if (err)
		warn("record: --dotnet: what was recorded stays in %s", files->folder);
	else
		dotnet_files_remove(files);
	return err ? err : code;
}
