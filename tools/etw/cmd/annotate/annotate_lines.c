// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The source lines of a function's instructions. */
#include <stdlib.h>
#include <string.h>
#include "libetl/array.h"
#include "symbols/elf_layout.h"
#include "symbols/elf_lines.h"
#include "annotate.h"

/**
 * struct line_row - of a line table
 * @offset: distance from the function
 * @order: of the rows, as they come
 * @file: index of the source file
 * @known: there is a line, unless @line is 0
 */
struct line_row {
	uint64_t offset;
	size_t order;
	uint32_t file;
	uint32_t line;
	bool known;
};

/**
 * struct rows - those of a function
 * @code: gets the source files
 * @files: hashes of their paths
 * @rva: of the function
 * @size: of the function
 */
struct rows {
	struct code *code;
	struct map files;
	uint64_t rva;
	uint64_t size;
	struct line_row *row;
	size_t count;
	size_t room;
	bool no_memory;
};

static bool number_of(struct rows *rows, const char *path, uint32_t *number)
{
	struct code *code = rows->code;
	size_t i = map_add(&rows->files, map_mix(MAP_MIX, path, strlen(path)));

	if (i == MAP_NONE)
		return false;
	*number = i;
	if (i < code->nr_files)
		return true;
	if (!array_grow((void **)&code->files, &code->file_room, i + 1, sizeof(*code->files)))
		return false;
	code->files[i] = strdup(path);
	return code->files[i] && ++code->nr_files;
}

static void take(void *context, uint64_t rva, const char *file, uint32_t line)
{
	struct rows *rows = context;
	struct line_row *row;

	if (rva - rows->rva >= rows->size || rows->no_memory)
		return;
	if (!array_grow((void **)&rows->row, &rows->room, rows->count + 1, sizeof(*row))) {
		rows->no_memory = true;
		return;
	}
	row = &rows->row[rows->count];
	*row = (struct line_row){ .offset = rva - rows->rva, .order = rows->count++, .line = line };
	row->known = file;
	if (file && !number_of(rows, file, &row->file))
		rows->no_memory = true;
}

/* Of several rows at an address, the last one with a file counts. */
static int by_offset(const void *left, const void *right)
{
	const struct line_row *a = left, *b = right;

	if (a->offset != b->offset)
		return a->offset < b->offset ? -1 : 1;
	if (a->known != b->known)
		return a->known ? 1 : -1;
	return a->order < b->order ? -1 : a->order > b->order;
}

static void put_rows(const struct rows *rows, struct code *code)
{
	struct instruction *to;
	size_t i, k = 0;

	for (i = 0; i < code->count; i++) {
		to = &code->instructions[i];
		while (k < rows->count && rows->row[k].offset <= to->offset)
			k++;
		if (!k || !rows->row[k - 1].known)
			continue;
		to->file = rows->row[k - 1].file;
		to->line = rows->row[k - 1].line;
	}
}

int annotate_lines(struct code *code, const char *path, const struct elf_layout *layout,
		   uint64_t rva, uint64_t size)
{
	struct rows rows = { .code = code, .rva = rva, .size = size };
	struct elf_lines_left left = { };

	code->why_no_lines = elf_lines_read(path, layout->lowest, take, &rows, &left);
	if (code->why_no_lines && layout->debug[0])
		code->why_no_lines = elf_lines_read(layout->debug, layout->lowest, take, &rows,
						    &left);
	if (!code->why_no_lines && !rows.count)
		code->why_no_lines = "its debug information has none of this function";
	if (!rows.no_memory && rows.count) {
		qsort(rows.row, rows.count, sizeof(*rows.row), by_offset);
		put_rows(&rows, code);
	}
	free(rows.row);
	map_free(&rows.files);
	return rows.no_memory ? -1 : 0;
}

static int by_samples(const void *left, const void *right)
{
	const struct source_line *a = left, *b = right;

	if (a->all != b->all)
		return a->all > b->all ? -1 : 1;
	if (a->file != b->file)
		return a->file < b->file ? -1 : 1;
	return a->line < b->line ? -1 : a->line > b->line;
}

int annotate_sum_lines(struct code *code)
{
	const struct instruction *from;
	struct source_line *line;
	struct map known = { };
	size_t i, k, at;
	int err = 0;

	for (i = 0; !err && i < code->count; i++) {
		from = &code->instructions[i];
		if (!from->line || !from->counts)
			continue;
		at = map_add(&known, (uint64_t)from->file << 32 | from->line);
		if (at == MAP_NONE || !array_grow((void **)&code->lines, &code->line_room, at + 1,
						  sizeof(*line))) {
			err = -1;
			break;
		}
		code->nr_lines = known.count;
		line = &code->lines[at];
		line->file = from->file;
		line->line = from->line;
		for (k = 0; k < SOURCES; k++) {
			line->counts[k] += from->counts[k];
			line->all += from->counts[k];
		}
	}
	map_free(&known);
	if (code->nr_lines)
		qsort(code->lines, code->nr_lines, sizeof(*code->lines), by_samples);
	return err;
}
