// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Tables of numbers and texts, written. */
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "etw.h"
#include "common/print_fields.h"
#include "sheet.h"

#define NUMBER_TEXT	32

static bool is_time(enum sheet_kind kind)
{
	return kind == SHEET_TIME || kind == SHEET_LONGEST || kind == SHEET_MEAN ||
	       kind == SHEET_MOMENT;
}

static bool is_percent(enum sheet_kind kind)
{
	return kind == SHEET_PERCENT || kind == SHEET_SHARE;
}

static bool is_in_text(const struct sheet_column *column)
{
	return column->where == SHEET_EVERYWHERE || column->where == SHEET_IN_TEXT;
}

static bool is_in_export(const struct sheet_column *column)
{
	return column->where == SHEET_EVERYWHERE || column->where == SHEET_IN_EXPORT;
}

static void number_text(const struct sheet_column *column, const struct sheet_cell *cell,
			char to[NUMBER_TEXT])
{
	if (!cell->known)
		snprintf(to, NUMBER_TEXT, "-");
	else if (column->kind == SHEET_HEX)
		snprintf(to, NUMBER_TEXT, "0x%" PRIx64, cell->number);
	else if (is_percent(column->kind))
		snprintf(to, NUMBER_TEXT, "%.2f", cell->number / 100.0);
	else if (is_time(column->kind))
		snprintf(to, NUMBER_TEXT, "%.6f", (int64_t)cell->number / 1e9);
	else
		snprintf(to, NUMBER_TEXT, "%" PRIu64, cell->number);
}

static const struct sheet_cell *row_of(const struct sheet *sheet, size_t row)
{
	return sheet->cells + row * sheet->columns;
}

static void find_widths(const struct sheet *sheet, const struct sheet_cell *others, int *width)
{
	const struct sheet_cell *row;
	char text[NUMBER_TEXT];
	size_t i, k;

	for (k = 0; k < sheet->columns; k++)
		width[k] = strlen(sheet->column[k].name) + 2 * is_time(sheet->column[k].kind);
	for (i = 0; i <= sheet->rows; i++) {
		row = i < sheet->rows ? row_of(sheet, i) : others;
		for (k = 0; k < sheet->columns; k++) {
			if (sheet->column[k].kind == SHEET_TEXT)
				continue;
			number_text(&sheet->column[k], &row[k], text);
			if (width[k] < (int)strlen(text))
				width[k] = strlen(text);
		}
	}
}

/* Texts are written as they are: the last columns are texts. @sum: there are none */
static void print_row(const struct sheet *sheet, const struct sheet_cell *row, const int *width,
		      bool sum)
{
	char text[NUMBER_TEXT];
	const char *before = "";
	size_t k;

	for (k = 0; k < sheet->columns; k++) {
		if (!is_in_text(&sheet->column[k]) ||
		    (sum && sheet->column[k].kind == SHEET_TEXT))
			continue;
		fputs(before, stdout);
		before = " ";
		if (sheet->column[k].kind == SHEET_TEXT) {
			text_print_quoted(row[k].known ? row[k].text : "", stdout);
			continue;
		}
		number_text(&sheet->column[k], &row[k], text);
		printf("%*s", width[k], sum && !row[k].known ? "" : text);
	}
}

static void print_head(const struct sheet *sheet, const int *width)
{
	const struct sheet_column *column;
	char text[SHEET_NAME + 2];
	const char *before = "";
	size_t k;

	for (k = 0; k < sheet->columns; k++) {
		column = &sheet->column[k];
		if (!is_in_text(column))
			continue;
		snprintf(text, sizeof(text), "%s%s", column->name,
			 is_time(column->kind) ? " s" : "");
		printf("%s%*s", before, column->kind == SHEET_TEXT ? 0 : width[k], text);
		before = " ";
	}
	putchar('\n');
}

/* What is not shown is summed up, so that the columns add up. */
static void sum_others(const struct sheet *sheet, size_t from, struct sheet_cell *others)
{
	const struct sheet_cell *row;
	enum sheet_kind kind;
	size_t i, k;

	for (i = from; i < sheet->rows; i++) {
		row = row_of(sheet, i);
		for (k = 0; k < sheet->columns; k++) {
			kind = sheet->column[k].kind;
			if (!row[k].known || (kind != SHEET_COUNT && kind != SHEET_TIME &&
					      kind != SHEET_PERCENT && kind != SHEET_LONGEST))
				continue;
			others[k].known = true;
			if (kind != SHEET_LONGEST)
				others[k].number += row[k].number;
			else if (others[k].number < row[k].number)
				others[k].number = row[k].number;
		}
	}
}

void sheet_print(const struct sheet *sheet, uint32_t top)
{
	struct sheet_cell *others = calloc(sheet->columns, sizeof(*others));
	int *width = calloc(sheet->columns, sizeof(*width));
	size_t i, shown = top && top < sheet->rows ? top : sheet->rows;

	if (others && width) {
		sum_others(sheet, shown, others);
		find_widths(sheet, others, width);
		print_head(sheet, width);
		for (i = 0; i < shown; i++) {
			print_row(sheet, row_of(sheet, i), width, false);
			putchar('\n');
		}
		if (shown < sheet->rows) {
			print_row(sheet, others, width, true);
			printf(" %zu others\n", sheet->rows - shown);
		}
	} else {
		failed("%s", strerror(ENOMEM));
	}
	free(others);
	free(width);
}

static void csv_cell(const struct sheet_column *column, const struct sheet_cell *cell)
{
	if (!cell->known)
		return;
	if (column->kind == SHEET_TEXT)
		text_print_csv(cell->text, stdout);
	else if (column->kind == SHEET_HEX)
		printf("0x%" PRIx64, cell->number);
	else if (is_percent(column->kind))
		printf("%.2f", cell->number / 100.0);
	else if (column->kind == SHEET_MOMENT)
		printf("%" PRId64, (int64_t)cell->number);
	else
		printf("%" PRIu64, cell->number);
}

static void export_name(const struct sheet_column *column, char to[SHEET_NAME + 3])
{
	snprintf(to, SHEET_NAME + 3, "%s%s", column->name, is_time(column->kind) ? " ns" : "");
}

void sheet_csv(const struct sheet *sheet)
{
	const struct sheet_cell *row;
	char name[SHEET_NAME + 3];
	const char *before = "";
	size_t i, k;

	for (k = 0; k < sheet->columns; k++) {
		if (!is_in_export(&sheet->column[k]))
			continue;
		fputs(before, stdout);
		before = ",";
		export_name(&sheet->column[k], name);
		text_print_csv(name, stdout);
	}
	putchar('\n');
	for (i = 0; i < sheet->rows; i++) {
		row = row_of(sheet, i);
		before = "";
		for (k = 0; k < sheet->columns; k++) {
			if (!is_in_export(&sheet->column[k]))
				continue;
			fputs(before, stdout);
			before = ",";
			csv_cell(&sheet->column[k], &row[k]);
		}
		putchar('\n');
	}
}

static json_t *cell_json(const struct sheet_column *column, const struct sheet_cell *cell)
{
	if (!cell->known)
		return json_null();
	if (column->kind == SHEET_TEXT)
		return json_string(cell->text);
	/* an address of the kernel is more than a JSON integer holds for most readers */
	if (column->kind == SHEET_HEX)
		return json_sprintf("0x%" PRIx64, cell->number);
	if (is_percent(column->kind))
		return json_real(cell->number / 100.0);
	return json_integer(cell->number);
}

static json_t *sheet_json(const struct sheet *sheet)
{
	json_t *rows = json_array(), *object;
	char name[SHEET_NAME + 3];
	size_t i, k;

	for (i = 0; i < sheet->rows; i++) {
		object = json_object();
		for (k = 0; k < sheet->columns; k++) {
			if (!is_in_export(&sheet->column[k]))
				continue;
			export_name(&sheet->column[k], name);
			json_object_set_new(object, name,
					    cell_json(&sheet->column[k], &row_of(sheet, i)[k]));
		}
		json_array_append_new(rows, object);
	}
	return rows;
}

int sheets_json(const struct sheet *const sheets[], size_t count)
{
	json_t *all = json_object();
	size_t i;
	int err;

	for (i = 0; i < count; i++)
		json_object_set_new(all, sheets[i]->name, sheet_json(sheets[i]));
	err = json_dumpf(all, stdout, JSON_COMPACT) && !ferror(stdout);
	putchar('\n');
	json_decref(all);
	return err ? failed("%s", strerror(ENOMEM)) : EXIT_OK;
}
