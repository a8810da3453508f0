/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Tables of numbers and texts, as text, JSON or CSV. */
#ifndef ETW_STAT_SHEET_H
#define ETW_STAT_SHEET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum sheet_kind {
	SHEET_ID,		/* a number that names something */
	SHEET_COUNT,		/* a number that adds up */
	SHEET_BYTES,		/* likewise, bytes */
	SHEET_PART,		/* a number that does not: rows overlap */
	SHEET_PERCENT,		/* hundredths of a percent that add up */
	SHEET_SHARE,		/* the same, of rows that overlap */
	SHEET_TIME,		/* ns that add up; text: seconds */
	SHEET_LONGEST,		/* ns, the longest of several */
	SHEET_MEAN,		/* ns, a mean */
	SHEET_MOMENT,		/* ns since the start of the session */
	SHEET_HEX,		/* a number in hexadecimal */
	SHEET_TEXT,
};

/* A narrow terminal hides the needed columns last. */
enum sheet_where {
	SHEET_EVERYWHERE, SHEET_IN_TEXT, SHEET_IN_EXPORT, SHEET_NOWHERE, SHEET_NEEDED,
	SHEET_NEEDED_IN_TEXT,
};

#define SHEET_NAME	48

/**
 * struct sheet_column - one column
 * @kind: how it is written
 * @where: text shows it, or JSON and CSV, or all
 * @name: its head; exports add " ns" to times
 */
struct sheet_column {
	enum sheet_kind kind;
	enum sheet_where where;
	char name[SHEET_NAME];
};

/**
 * struct sheet_cell - a value
 * @known: there is one
 * @number: all kinds but SHEET_TEXT; a SHEET_MOMENT is signed
 * @text: SHEET_TEXT, owned by the sheet; may be NULL
 */
struct sheet_cell {
	bool known;
	uint64_t number;
	char *text;
};

/**
 * struct sheet - a table
 * @name: of its rows in JSON
 * @column: @columns of them
 * @cells: row by row; @rows of them, room for @row_room
 * @no_memory: something is missing
 */
struct sheet {
	const char *name;
	struct sheet_column *column;
	size_t columns;
	struct sheet_cell *cells;
	size_t rows;
	size_t row_room;
	bool no_memory;
};

/* Columns first, then rows. Return: the column's index */
size_t sheet_column(struct sheet *sheet, enum sheet_kind kind, enum sheet_where where,
		    const char *name);
void sheet_row(struct sheet *sheet);
/* In the last row; what is not set is unknown */
void sheet_number(struct sheet *sheet, size_t column, uint64_t number);
void sheet_text(struct sheet *sheet, size_t column, const char *text);
/* By a number, the largest first, else by the columns from the left */
void sheet_sort(struct sheet *sheet, size_t column);
/* On a terminal, lines fit its width, and numbers have units and thousands for people. */
void sheet_print(const struct sheet *sheet, uint32_t top);
void sheet_csv(const struct sheet *sheet);
/* All of them as one object. Return: EXIT_OK, or EXIT_FAILED after a message */
int sheets_json(const struct sheet *const sheets[], size_t count);
void sheet_free(struct sheet *sheet);

#endif /* ETW_STAT_SHEET_H */
