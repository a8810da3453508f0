/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Lines of source files. */
#ifndef ETW_SOURCE_TEXT_H
#define ETW_SOURCE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct source_text - a file, read when it is first needed
 * @text: its bytes; each newline became a zero
 * @size: of them
 * @lines: offsets of the lines; @count of them
 * @tried: it was read, or cannot be
 */
struct source_text {
	char *text;
	size_t size;
	size_t *lines;
	size_t count;
	bool tried;
};

/**
 * source_text_line() - get a line of a file
 * @source: zeroed before the first call
 * @sysroot: stands before the path, "" for none
 * @path: ordinary file of at most 16 MB
 * @line: from 1
 *
 * Return: the line without indentation, valid as long as @source is; NULL: it is not there
 */
const char *source_text_line(struct source_text *source, const char *sysroot, const char *path,
			     uint32_t line);
void source_text_free(struct source_text *source);

#endif /* ETW_SOURCE_TEXT_H */
