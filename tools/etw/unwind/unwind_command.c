// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The unwind tables of a command, made before it runs. */
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>
#include "needed_files.h"
#include "unwind_command.h"

static void add(struct unwind_command *tables, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct unwind_table *table = &tables->file[tables->files].table;

	if (fd < 0)
		return;
	if (unwind_table_read_open(fd, table)) {
		unwind_table_free(table);
		close(fd);
		return;
	}
	tables->file[tables->files++].fd = fd;
}

void unwind_command_read(struct unwind_command *tables, const char *command)
{
	struct needed_files needed;
	size_t i;

	*tables = (struct unwind_command){ };
	if (!command)
		return;
	needed_files_find(&needed, command);
	tables->file = calloc(needed.count, sizeof(*tables->file));
	for (i = 0; tables->file && i < needed.count; i++)
		add(tables, needed.path[i]);
	needed_files_free(&needed);
}

void unwind_command_free(struct unwind_command *tables)
{
	size_t i;

	for (i = 0; i < tables->files; i++) {
		unwind_table_free(&tables->file[i].table);
		close(tables->file[i].fd);
	}
	free(tables->file);
	*tables = (struct unwind_command){ };
}
