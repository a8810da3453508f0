// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The kernel's own table of its symbols, /proc/kallsyms, as functions by address. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "symbol_table.h"

#define KERNEL	"vmlinux"

/* Code begins less than that behind an image without a symbol of its own (image_kernel.c) */
#define MOST_BEFORE_CODE	(2u << 20)

/* Files of /proc say no size: read to the end. */
char *whole_file(const char *path, size_t *size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	size_t room = 1 << 16;
	char *text, *bigger;
	ssize_t n = 1;

	if (fd < 0)
		return NULL;
	text = malloc(room);
	for (*size = 0; text && n;) {
		if (*size == room) {
			bigger = realloc(text, room *= 2);
			if (!bigger)
				free(text);
			text = bigger;
			continue;
		}
		n = read(fd, text + *size, room - *size);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			free(text);
			text = NULL;
			break;
		}
		*size += n;
	}
	close(fd);
	return text;
}

/**
 * struct kallsyms_line - "ADDRESS TYPE NAME[\t[MODULE]]"
 * @address: 0 if the user may not see it
 * @type: as nm says it
 * @name: @name_size bytes
 * @module: @module_size bytes; 0: the kernel itself
 */
struct kallsyms_line {
	uint64_t address;
	char type;
	const char *name;
	size_t name_size;
	const char *module;
	size_t module_size;
};

static bool parse_line(const char *at, const char *end, struct kallsyms_line *line)
{
	const char *tab;
	unsigned int digit;

	*line = (struct kallsyms_line){ };
	for (; at < end && *at != ' '; at++) {
		digit = *at >= '0' && *at <= '9' ? *at - '0' :
			*at >= 'a' && *at <= 'f' ? *at - 'a' + 10 : 16;
		if (digit > 15)
			return false;
		line->address = line->address << 4 | digit;
	}
	if (end - at < 4 || at[2] != ' ')
		return false;
	line->type = at[1];
	line->name = at + 3;
	tab = memchr(line->name, '\t', end - line->name);
	line->name_size = (tab ? tab : end) - line->name;
	if (tab && end - tab > 3 && tab[1] == '[' && end[-1] == ']') {
		line->module = tab + 2;
		line->module_size = end - 1 - line->module;
	}
	return true;
}

/* Code only, and no marks that linkers and BPF's images leave between functions */
static bool is_function(const struct kallsyms_line *line)
{
	return line->address && line->name_size && strchr("tTwW", line->type) &&
	       line->name[0] != '$' && line->name[0] != '.';
}

/* Modules follow each other: the last name is the next one's, mostly. */
static uint32_t module_name(struct symbol_table *table, const struct kallsyms_line *line,
			    uint32_t last)
{
	const char *name = line->module_size ? line->module : KERNEL;
	size_t size = line->module_size ? line->module_size : strlen(KERNEL);

	if (last && strlen(table->text + last) == size && !memcmp(table->text + last, name, size))
		return last;
	return symbol_table_text(table, name, size);
}

static uint32_t rank_of(const struct kallsyms_line *line)
{
	return line->type == 'T' ? 2 : line->type == 't';
}

struct symbol_table *symbols_of_kallsyms(const char *text, size_t size)
{
	struct symbol_table *table = symbol_table_new();
	const char *at = text, *end, *stop = text + size;
	struct kallsyms_line line;
	uint32_t module = 0;

	for (; table && at < stop; at = end + 1) {
		end = memchr(at, '\n', stop - at);
		if (!end)
			end = stop;
		if (!parse_line(at, end, &line) || !is_function(&line))
			continue;
		module = module_name(table, &line, module);
		symbol_table_add(table, &(struct function){
			.address = line.address, .rank = rank_of(&line), .module = module,
			.name = symbol_table_text(table, line.name, line.name_size),
		});
	}
	if (!table || !table->count || table->no_memory) {
		symbol_table_free(table);
		return NULL;
	}
	symbol_table_ready(table);
	return table;
}

static bool is_named(const struct kallsyms_line *line, const char *name)
{
	return !line->module_size && line->name_size == strlen(name) &&
	       !memcmp(line->name, name, line->name_size);
}

bool kallsyms_begin_at(const char *text, size_t size, uint64_t base)
{
	const char *at = text, *end, *stop = text + size;
	uint64_t image = 0, code = 0;
	struct kallsyms_line line;

	for (; at < stop && !image; at = end + 1) {
		end = memchr(at, '\n', stop - at);
		if (!end)
			end = stop;
		if (!parse_line(at, end, &line))
			continue;
		if (is_named(&line, "_text"))
			image = line.address;
		else if (is_named(&line, "_stext"))
			code = line.address;
	}
	return image ? image == base : !code || code - base < MOST_BEFORE_CODE;
}
