// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* What a just-in-time compiler wrote for perf: /tmp/perf-PID.map, and which jit-PID.dump. */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "jit.h"
#include "process_file.h"

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

static bool is_trusted(int fd)
{
	struct stat stat;

	return !fstat(fd, &stat) && S_ISREG(stat.st_mode) &&
	       (stat.st_uid == geteuid() || !stat.st_uid);
}

FILE *jit_open(const char *path)
{
	/* another user may have put a FIFO or a link there */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY);
	FILE *file = NULL;

	if (fd < 0)
		return NULL;
	if (is_trusted(fd))
		file = fdopen(fd, "r");
	if (!file)
		close(fd);
	return file;
}

static struct symbol_table *read_map(const char *sysroot, uint32_t pid)
{
	struct symbol_table *table = NULL;
	char path[4096], *line = NULL;
	size_t room = 0;
	FILE *file;

	snprintf(path, sizeof(path), "%s/tmp/perf-%" PRIu32 ".map", sysroot, pid);
	file = jit_open(path);
	if (!file)
		return NULL;
	table = symbol_table_new();
	while (table && getline(&line, &room, file) > 0)
		take_line(table, line);
	free(line);
	fclose(file);
	if (table)
		symbol_table_ready(table);
	return table;
}

/* "jit-PID.dump", with the id that the process has in its own namespace */
static bool is_dump(const char *name)
{
	size_t digits;

	if (strncmp(name, "jit-", 4))
		return false;
	digits = strspn(name + 4, "0123456789");
	return digits && !strcmp(name + 4 + digits, ".dump");
}

static void read_dump(struct images *code, const struct jit_request *request, const char *name)
{
	char path[4096], root[PROCESS_ROOT];

	snprintf(path, sizeof(path), "%s%s", request->sysroot, name);
	if (jitdump_read(code, path, request) || !request->living ||
	    !process_root(request->pid, root))
		return;
	snprintf(path, sizeof(path), "%s%s", root, name);
	jitdump_read(code, path, request);
}

/* Those that the process had mapped; otherwise the one where .NET writes it. */
static void read_dumps(struct images *code, const struct jit_request *request)
{
	const struct images *images = request->images;
	const struct image *image;
	struct map known = { };
	size_t i, count = 0;
	char name[32];

	for (i = 0; i < images->count; i++) {
		image = &images->list[i];
		if (image->pid != request->pid || !is_dump(images->module[image->module].name) ||
		    map_add(&known, image->module) != count)
			continue;
		count++;
		read_dump(code, request, images->module[image->module].path);
	}
	map_free(&known);
	if (count)
		return;
	snprintf(name, sizeof(name), "/tmp/jit-%" PRIu32 ".dump", request->pid);
	read_dump(code, request, name);
}

void jit_code_read(struct jit_code *code, const struct jit_request *request)
{
	*code = (struct jit_code){ };
	read_dumps(&code->dump, request);
	images_ready(&code->dump);
	code->map = read_map(request->sysroot, request->pid);
}

void jit_code_free(struct jit_code *code)
{
	images_free(&code->dump);
	symbol_table_free(code->map);
}
