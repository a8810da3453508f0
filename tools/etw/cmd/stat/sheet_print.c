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
#include "terminal.h"

#define NUMBER_TEXT	TERMINAL_NUMBER

static bool is_time(enum sheet_kind kind)
{
	return kind == SHEET_TIME || kind == SHEET_LONGEST || kind == SHEET_MEAN ||
	       kind == SHEET_MOMENT;
}

static bool is_percent(enum sheet_kind kind)
{
	return kind == SHEET_PERCENT || kind == SHEET_SHARE;
}

static bool is_needed(const struct sheet_column *column)
{
	return column->where == SHEET_NEEDED || column->where == SHEET_NEEDED_IN_TEXT;
}

static bool is_in_text(const struct sheet_column *column)
{
	return column->where == SHEET_EVERYWHERE || column->where == SHEET_IN_TEXT ||
	       is_needed(column);
}

static bool is_in_export(const struct sheet_column *column)
{
	return column->where == SHEET_EVERYWHERE || column->where == SHEET_IN_EXPORT ||
	       column->where == SHEET_NEEDED;
}

static void number_text(const struct sheet_column *column, const struct sheet_cell *cell,
			bool people, char to[NUMBER_TEXT])
{
	if (!cell->known)
		snprintf(to, NUMBER_TEXT, "-");
	else if (column->kind == SHEET_HEX)
		snprintf(to, NUMBER_TEXT, "0x%" PRIx64, cell->number);
	else if (is_percent(column->kind))
		snprintf(to, NUMBER_TEXT, "%.2f", cell->number / 100.0);
	else if (is_time(column->kind) && people && column->kind != SHEET_MOMENT)
		terminal_time(cell->number, to);
	else if (is_time(column->kind))
		snprintf(to, NUMBER_TEXT, "%.6f", (int64_t)cell->number / 1e9);
	else if (people && column->kind == SHEET_BYTES)
		terminal_bytes(cell->number, to);
	else if (people && column->kind != SHEET_ID)
		terminal_count(cell->number, to);
	else
		snprintf(to, NUMBER_TEXT, "%" PRIu64, cell->number);
}

static const struct sheet_cell *row_of(const struct sheet *sheet, size_t row)
{
	return sheet->cells + row * sheet->columns;
}

/* Times for people have a unit each. */
static void head_text(const struct sheet_column *column, bool people, char to[SHEET_NAME + 2])
{
	bool seconds = is_time(column->kind) && (!people || column->kind == SHEET_MOMENT);

	snprintf(to, SHEET_NAME + 2, "%s%s", column->name, seconds ? " s" : "");
}

static size_t cell_width(const struct sheet_column *column, const struct sheet_cell *cell,
			 bool people)
{
	char text[NUMBER_TEXT];

	if (column->kind == SHEET_TEXT)
		return people && cell->known ? terminal_length(cell->text) : 0;
	number_text(column, cell, people, text);
	return strlen(text);
}

/* The width of a column that the terminal has no room for */
#define HIDDEN	SIZE_MAX

/* Texts that every terminal shows, and their least width */
#define KEPT_TEXTS	2
#define LEAST_TEXT	8

/* " 1234567 others" */
#define OTHERS_TEXT	15

static bool is_shown(const struct sheet *sheet, const size_t *width, size_t k)
{
	return is_in_text(&sheet->column[k]) && width[k] != HIDDEN;
}

/* The narrowest line that texts can be cut to */
static size_t least_line(const struct sheet *sheet, const size_t *width)
{
	size_t sum = 0, k;

	for (k = 0; k < sheet->columns; k++) {
		if (!is_shown(sheet, width, k))
			continue;
		sum += 1 + (sheet->column[k].kind == SHEET_TEXT && width[k] > LEAST_TEXT ?
			    LEAST_TEXT : width[k]);
	}
	return sum ? sum - 1 : 0;
}

/*
 * The column that is missed least: the last text behind the first two, or the last number that
 * names nothing. The first of these numbers stays. @all: also those that are needed.
 * Return: their count: there is none
 */
static size_t least_needed(const struct sheet *sheet, const size_t *width, bool all)
{
	size_t texts = 0, numbers = 0, text = sheet->columns, number = sheet->columns, k;
	bool may_go;
	enum sheet_kind kind;

	for (k = 0; k < sheet->columns; k++) {
		if (!is_shown(sheet, width, k))
			continue;
		kind = sheet->column[k].kind;
		may_go = all || !is_needed(&sheet->column[k]);
		if (kind == SHEET_TEXT) {
			if (++texts > KEPT_TEXTS && may_go)
				text = k;
		} else if (kind != SHEET_ID && kind != SHEET_HEX) {
			if (++numbers > 1 && may_go)
				number = k;
		}
	}
	return text < sheet->columns ? text : number;
}

/* What the count of the others takes behind the narrowest line: the last text makes room for it */
static size_t others_behind(const struct sheet *sheet, const size_t *width)
{
	bool text = false;
	size_t k;

	for (k = 0; k < sheet->columns; k++)
		if (is_shown(sheet, width, k))
			text = sheet->column[k].kind == SHEET_TEXT;
	return text ? OTHERS_TEXT - 1 - LEAST_TEXT : OTHERS_TEXT;
}

/* @others: the last line ends with their count, behind the columns */
static void hide_columns(const struct sheet *sheet, const struct terminal *terminal, bool others,
			 size_t *width)
{
	size_t k;

	while (least_line(sheet, width) + (others ? others_behind(sheet, width) : 0) >
	       terminal->width) {
		k = least_needed(sheet, width, false);
		if (k == sheet->columns)
			k = least_needed(sheet, width, true);
		if (k == sheet->columns)
			break;
		width[k] = HIDDEN;
	}
}

static void say_hidden(const struct sheet *sheet, const size_t *width)
{
	size_t hidden = 0, k;

	for (k = 0; k < sheet->columns; k++)
		hidden += is_in_text(&sheet->column[k]) && width[k] == HIDDEN;
	if (hidden)
		printf("(%zu more columns in --csv and --json)\n", hidden);
}

/* A terminal takes lines of its width: what is too long of texts is cut. */
static void fit_texts(const struct sheet *sheet, const struct terminal *terminal, bool others,
		      size_t *width)
{
	size_t *texts = calloc(sheet->columns, sizeof(*texts)), count = 0, used = 0, k;

	hide_columns(sheet, terminal, others, width);
	for (k = 0; texts && k < sheet->columns; k++) {
		if (!is_shown(sheet, width, k))
			continue;
		if (sheet->column[k].kind == SHEET_TEXT)
			texts[count++] = width[k];
		else
			used += width[k];
		used++;
	}
	if (count && used <= terminal->width)
		terminal_shrink(texts, count, terminal->width + 1 - used);
	for (k = count = 0; texts && k < sheet->columns; k++)
		if (is_shown(sheet, width, k) && sheet->column[k].kind == SHEET_TEXT)
			width[k] = texts[count++];
	free(texts);
}

static void find_widths(const struct sheet *sheet, const struct sheet_cell *others, size_t shown,
			const struct terminal *terminal, size_t *width)
{
	const struct sheet_cell *row;
	char head[SHEET_NAME + 2];
	size_t i, k, wide;

	for (k = 0; k < sheet->columns; k++) {
		head_text(&sheet->column[k], terminal->is, head);
		width[k] = strlen(head);
	}
	/* for programs, the columns are as wide as all rows need */
	for (i = 0; i <= sheet->rows; i++) {
		if (terminal->is && i >= shown && i < sheet->rows)
			continue;
		row = i < sheet->rows ? row_of(sheet, i) : others;
		for (k = 0; k < sheet->columns; k++) {
			wide = cell_width(&sheet->column[k], &row[k], terminal->is);
			if (width[k] < wide)
				width[k] = wide;
		}
	}
	if (terminal->width)
		fit_texts(sheet, terminal, shown < sheet->rows, width);
}

static void print_text(const struct terminal *terminal, const char *text, size_t width, bool last)
{
	if (terminal->is)
		terminal_print(text, width, !last);
	else
		text_print_quoted(text, stdout);
}

/* Texts are written as they are: the last columns are texts. @sum: there are none */
static void print_row(const struct sheet *sheet, const struct sheet_cell *row,
		      const size_t *width, const struct terminal *terminal, bool sum)
{
	char text[NUMBER_TEXT];
	const char *before = "";
	size_t k;

	for (k = 0; k < sheet->columns; k++) {
		if (!is_shown(sheet, width, k) ||
		    (sum && sheet->column[k].kind == SHEET_TEXT))
			continue;
		fputs(before, stdout);
		before = " ";
		if (sheet->column[k].kind == SHEET_TEXT) {
			print_text(terminal, row[k].known ? row[k].text : "", width[k],
				   k + 1 == sheet->columns);
			continue;
		}
		number_text(&sheet->column[k], &row[k], terminal->is, text);
		printf("%*s", (int)width[k], sum && !row[k].known ? "" : text);
	}
}

static void print_head(const struct sheet *sheet, const size_t *width,
		       const struct terminal *terminal)
{
	const struct sheet_column *column;
	char text[SHEET_NAME + 2];
	const char *before = "";
	size_t k;

	terminal_begin_head(terminal);
	for (k = 0; k < sheet->columns; k++) {
		column = &sheet->column[k];
		if (!is_shown(sheet, width, k))
			continue;
		head_text(column, terminal->is, text);
		fputs(before, stdout);
		before = " ";
		if (column->kind != SHEET_TEXT)
			printf("%*s", (int)width[k], text);
		else if (terminal->is)
			terminal_print(text, width[k], k + 1 < sheet->columns);
		else
			fputs(text, stdout);
	}
	terminal_end_head(terminal);
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
			if (!row[k].known || (kind != SHEET_COUNT && kind != SHEET_BYTES &&
					      kind != SHEET_TIME && kind != SHEET_PERCENT &&
					      kind != SHEET_LONGEST))
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
	size_t *width = calloc(sheet->columns, sizeof(*width));
	const struct terminal terminal = terminal_of_stdout();
	size_t i, shown = top && top < sheet->rows ? top : sheet->rows;

	if (others && width) {
		sum_others(sheet, shown, others);
		find_widths(sheet, others, shown, &terminal, width);
		print_head(sheet, width, &terminal);
		for (i = 0; i < shown; i++) {
			print_row(sheet, row_of(sheet, i), width, &terminal, false);
			putchar('\n');
		}
		if (shown < sheet->rows) {
			print_row(sheet, others, width, &terminal, true);
			printf(" %zu others\n", sheet->rows - shown);
		}
		say_hidden(sheet, width);
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
