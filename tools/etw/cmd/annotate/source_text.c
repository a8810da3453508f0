// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Lines of source files. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "libetl/array.h"
#include "source_text.h"

#define FILE_MOST	(16 << 20)

static bool read_text(struct source_text *source, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat file;
	ssize_t got = -1;

	if (fd >= 0 && !fstat(fd, &file) && S_ISREG(file.st_mode) && file.st_size <= FILE_MOST) {
		source->text = malloc(file.st_size + 1);
		if (source->text)
			got = pread(fd, source->text, file.st_size, 0);
	}
	if (fd >= 0)
		close(fd);
	if (got < 0)
		return false;
	source->size = got;
	source->text[got] = '\0';
	return true;
}

static void find_lines(struct source_text *source)
{
	size_t room = 0, at = 0;
	char *end;

	while (at < source->size &&
	       array_grow((void **)&source->lines, &room, source->count + 1,
			  sizeof(*source->lines))) {
		source->lines[source->count++] = at;
		end = memchr(source->text + at, '\n', source->size - at);
		if (!end)
			break;
		*end = '\0';
		at = end + 1 - source->text;
	}
}

const char *source_text_line(struct source_text *source, const char *sysroot, const char *path,
			     uint32_t line)
{
	char full[2 * 4096];
	const char *text;

	if (!source->tried) {
		source->tried = true;
		snprintf(full, sizeof(full), "%s%s", sysroot, path);
		if (read_text(source, full))
			find_lines(source);
	}
	if (!line || line > source->count)
		return NULL;
	text = source->text + source->lines[line - 1];
	return text + strspn(text, " \t");
}

void source_text_free(struct source_text *source)
{
	free(source->text);
	free(source->lines);
}
