// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* A report as text: columns as wide as what is in them. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "common/print_fields.h"
#include "report.h"
#include "terminal.h"

/* Digits of any number with its fraction, or the longest name of a counter */
#define CELL_TEXT	(COUNTER_NAME + 32)

/* Characters that the ids before a name take; and those of a name that are shown in any case */
#define IDS		17
#define LEAST_NAME	8

double column_value(const struct report *report, const struct column *column,
		    const struct row *row, bool *valid)
{
	const struct row *total = &report->rows[report->nr_rows - 1];
	double a = row->values[column->a];
	double b = column->kind == COLUMN_SHARE ? total->values[column->a] :
						  row->values[column->b];

	*valid = true;
	switch (column->kind) {
	case COLUMN_COUNT:
	case COLUMN_TIME:
		return a;
	case COLUMN_RATIO:
		break;
	case COLUMN_PERCENT:
	case COLUMN_SHARE:
		a *= 100;
		break;
	case COLUMN_PER_KILO:
		a *= 1000;
		break;
	}
	*valid = b;
	return *valid ? a / b : 0;
}

/* @people: times have a unit each, and counts have commas between thousands */
static void cell_text(const struct report *report, const struct column *column,
		      const struct row *row, bool people, char to[CELL_TEXT])
{
	bool valid;
	double value = column_value(report, column, row, &valid);

	if (column->kind == COLUMN_COUNT && people)
		terminal_count(row->values[column->a], to);
	else if (column->kind == COLUMN_TIME && people)
		terminal_time(row->values[column->a], to);
	else if (column->kind == COLUMN_COUNT)
		snprintf(to, CELL_TEXT, "%" PRIu64, row->values[column->a]);
	else if (!valid)
		snprintf(to, CELL_TEXT, "-");
	else if (column->kind == COLUMN_TIME)
		snprintf(to, CELL_TEXT, "%.6f", value / 1e9);
	else
		snprintf(to, CELL_TEXT, "%.2f", value);
}

/* The name of a column of times is their unit, but those for people have a unit each */
static const char *head_of(const struct column *column, bool people)
{
	return people && column->kind == COLUMN_TIME && !strcmp(column->name, "s") ? "time" :
	       column->name;
}

/* Names can be of any language, but take no more than their bytes. */
static void find_widths(const struct report *report, const struct row *rows, size_t count,
			bool people, int *widths)
{
	char text[CELL_TEXT];
	size_t i, k;

	for (i = 0; i < report->columns; i++) {
		widths[i] = strlen(head_of(&report->column[i], people));
		for (k = 0; k < count; k++) {
			cell_text(report, &report->column[i], &rows[k], people, text);
			if (widths[i] < (int)strlen(text))
				widths[i] = strlen(text);
		}
	}
}

/* @room: characters that the name may take; 0: any number */
static void print_name(const char *name, size_t room)
{
	size_t length = terminal_length(name);

	if (room)
		terminal_print(name, length < room ? length : room, false);
	else
		text_print_quoted(name, stdout);
}

/* @room: characters that are left of the line; 0: any number */
static void print_label(const struct row *row, size_t room)
{
	switch (row->kind) {
	case ROW_THREAD:
	case ROW_PROCESS:
		if (row->has_pid)
			printf(" %7u ", row->pid);
		else
			printf(" %7s ", "?");
		if (row->kind == ROW_THREAD || !row->has_pid)
			printf("%7u ", row->tid);
		if (room)
			room = room > IDS + 2 * LEAST_NAME ? room - IDS : 2 * LEAST_NAME;
		if (row->kind == ROW_PROCESS && row->has_pid)
			print_name(row->process, room);
		else
			terminal_names(row->process, row->thread, room);
		break;
	case ROW_CONTAINER:
		putchar(' ');
		print_name(row->label, room);
		break;
	case ROW_CPU:
		printf(" cpu %u", row->tid);
		break;
	case ROW_UNATTRIBUTED:
		printf(" unattributed: %s", row->label);
		break;
	case ROW_OTHERS:
		printf(" %u others", row->tid);
		break;
	case ROW_TOTAL:
		fputs(" total", stdout);
		break;
	}
	putchar('\n');
}

static void print_row(const struct report *report, const struct row *row, const int *widths,
		      const struct terminal *terminal)
{
	size_t used = 0, i;
	char text[CELL_TEXT];

	for (i = 0; i < report->columns; i++) {
		cell_text(report, &report->column[i], row, terminal->is, text);
		used += printf("%s%*s", i ? " " : "", widths[i], text);
	}
	/* a line that is too long anyway has short names */
	print_label(row, !terminal->width ? 0 : terminal->width > used ?
			 terminal->width - used : 1);
}

/* What is not shown is summed up, so that the columns add up. */
static bool sum_others(const struct report *report, struct row *others)
{
	size_t i, k;

	memset(others, 0, sizeof(*others));
	if (!report->top || report->first <= report->top)
		return false;
	others->kind = ROW_OTHERS;
	others->tid = report->first - report->top;
	others->values = calloc(report->cells->width, sizeof(*others->values));
	if (!others->values)
		return false;
	for (i = report->top; i < report->first; i++)
		for (k = 0; k < report->cells->width; k++)
			others->values[k] += report->rows[i].values[k];
	return true;
}

void report_text(const struct report *report)
{
	static const char *const heads[] = {
		[BY_THREAD] = "     pid     tid process/thread", [BY_PROCESS] = "     pid process",
		[BY_CPU] = " cpu", [BY_CONTAINER] = " container",
	};
	const struct terminal terminal = terminal_of_stdout();
	int widths[REPORT_COLUMNS];
	struct row others;
	size_t i;

	find_widths(report, report->rows, report->nr_rows, terminal.is, widths);
	terminal_begin_head(&terminal);
	for (i = 0; i < report->columns; i++)
		printf("%s%*s", i ? " " : "", widths[i],
		       head_of(&report->column[i], terminal.is));
	fputs(heads[report->by], stdout);
	terminal_end_head(&terminal);
	putchar('\n');
	for (i = 0; i < report->first && (!report->top || i < report->top); i++)
		print_row(report, &report->rows[i], widths, &terminal);
	if (sum_others(report, &others))
		print_row(report, &others, widths, &terminal);
	free(others.values);
	for (i = report->first; i < report->nr_rows; i++)
		if (report->by != BY_CPU || report->rows[i].kind != ROW_CPU)
			print_row(report, &report->rows[i], widths, &terminal);
}
