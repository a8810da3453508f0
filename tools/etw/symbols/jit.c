// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* What a just-in-time compiler wrote to /tmp/perf-PID.map for perf. */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "symbol_table.h"

/* "START SIZE NAME", in hexadecimal without 0x; a name may have blanks */
static void take_line(struct symbol_table *table, char *line)
{
	struct function function = { };
	char *at = line;

	function.address = strtoull(line, &at, 16);
	if (at == line || *at != ' ')
		return;
	line = at + 1;
	function.size = strtoull(line, &at, 16);
	if (at == line || *at != ' ' || !function.size)
		return;
	line = at + 1;
	line[strcspn(line, "\n")] = 0;
	if (!*line)
		return;
	/* code that was compiled again at the same place: the last one is there */
	function.rank = table->count;
	function.name = symbol_table_text(table, line, strlen(line));
	symbol_table_add(table, &function);
}

/* Everybody can write to /tmp, and names go to the terminal. */
static bool is_trusted(int fd)
{
	struct stat stat;

	return !fstat(fd, &stat) && S_ISREG(stat.st_mode) &&
	       (stat.st_uid == geteuid() || !stat.st_uid);
}

struct symbol_table *symbols_of_jit(const char *sysroot, uint32_t pid)
{
	struct symbol_table *table = NULL;
	char path[4096], *line = NULL;
	size_t room = 0;
	FILE *file = NULL;
	int fd;

	snprintf(path, sizeof(path), "%s/tmp/perf-%" PRIu32 ".map", sysroot, pid);
	/* another user may have put a FIFO or a link there */
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY);
	if (fd < 0)
		return NULL;
	if (is_trusted(fd))
		file = fdopen(fd, "r");
	if (!file) {
		close(fd);
		return NULL;
	}
	table = symbol_table_new();
	while (table && getline(&line, &room, file) > 0)
		take_line(table, line);
	free(line);
	fclose(file);
	if (table)
		symbol_table_ready(table);
	return table;
}
