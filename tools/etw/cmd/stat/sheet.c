// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Tables of numbers and texts: what is in them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "libetl/text.h"
#include "sheet.h"

size_t sheet_column(struct sheet *sheet, enum sheet_kind kind, enum sheet_where where,
		    const char *name)
{
	struct sheet_column *more = reallocarray(sheet->column, sheet->columns + 1,
						 sizeof(*more));

	if (!more) {
		sheet->no_memory = true;
		return 0;
	}
	sheet->column = more;
	more += sheet->columns;
	*more = (struct sheet_column){ .kind = kind, .where = where };
	snprintf(more->name, sizeof(more->name), "%s", name);
	text_escape_control(more->name);
	return sheet->columns++;
}

void sheet_row(struct sheet *sheet)
{
	size_t room = sheet->row_room ? 2 * sheet->row_room : 64;
	struct sheet_cell *more;

	if (sheet->no_memory)
		return;
	if (sheet->rows == sheet->row_room) {
		more = reallocarray(sheet->cells, room * sheet->columns, sizeof(*more));
		if (!more) {
			sheet->no_memory = true;
			return;
		}
		sheet->cells = more;
		sheet->row_room = room;
	}
	memset(sheet->cells + sheet->rows++ * sheet->columns, 0,
	       sheet->columns * sizeof(*sheet->cells));
}

static struct sheet_cell *last_cell(struct sheet *sheet, size_t column)
{
	if (sheet->no_memory)
		return NULL;
	return &sheet->cells[(sheet->rows - 1) * sheet->columns + column];
}

void sheet_number(struct sheet *sheet, size_t column, uint64_t number)
{
	struct sheet_cell *cell = last_cell(sheet, column);

	if (!cell)
		return;
	cell->known = true;
	cell->number = number;
}

void sheet_text(struct sheet *sheet, size_t column, const char *text)
{
	struct sheet_cell *cell = last_cell(sheet, column);

	if (!cell)
		return;
	free(cell->text);
	cell->text = strdup(text);
	cell->known = cell->text;
	sheet->no_memory |= !cell->text;
}

static size_t sort_columns, sort_by;

static int compare_rows(const void *left, const void *right)
{
	const struct sheet_cell *a = left, *b = right;
	size_t i;

	if (a[sort_by].number != b[sort_by].number)
		return a[sort_by].number > b[sort_by].number ? -1 : 1;
	for (i = 0; i < sort_columns; i++)
		if (a[i].number != b[i].number)
			return a[i].number < b[i].number ? -1 : 1;
	return 0;
}

void sheet_sort(struct sheet *sheet, size_t column)
{
	if (sheet->no_memory || sheet->rows < 2)
		return;
	sort_columns = sheet->columns;
	sort_by = column;
	qsort(sheet->cells, sheet->rows, sheet->columns * sizeof(*sheet->cells), compare_rows);
}

void sheet_free(struct sheet *sheet)
{
	size_t i;

	for (i = 0; i < sheet->rows * sheet->columns; i++)
		free(sheet->cells[i].text);
	free(sheet->cells);
	free(sheet->column);
	memset(sheet, 0, sizeof(*sheet));
}
