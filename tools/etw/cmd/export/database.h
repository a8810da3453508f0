/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* A database file that SQLite writes. */
#ifndef ETW_EXPORT_DATABASE_H
#define ETW_EXPORT_DATABASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DATABASE_TABLES	32

/**
 * struct database - a file that is being written
 * @name: of the file
 * @connection: SQLite's; NULL: not open
 * @insert: the statements that add rows, by table
 * @row: that of the row at hand
 * @column: its next column, from 1
 * @failed: something could not be written, after a message; all that follows does nothing
 */
struct database {
	const char *name;
	void *connection;
	void *insert[DATABASE_TABLES];
	void *row;
	int column;
	bool failed;
};

/* Whether SQLite is there, also when the tool was built. Return: 0, or -1 after a message */
int database_library(const char *name);
/* Opens an empty file. Return: 0, or -1 after a message; database_close() either way */
int database_open(struct database *database, const char *name);
/* Statements of SQL. Return: 0, or -1 after a message */
int database_run(struct database *database, const char *sql);
/* Rows of this table have the number @index from now on. Return: 0, or -1 after a message */
int database_table(struct database *database, unsigned int index, const char *table);
/* A row: its columns from the first to the last. A row with a key that is there is left out. */
void database_row(struct database *database, unsigned int index);
void database_number(struct database *database, int64_t value);
void database_real(struct database *database, double value);
/* NULL is no value */
void database_text(struct database *database, const char *text);
void database_none(struct database *database);
void database_end_row(struct database *database);
/* Return: 0, or -1: something had failed, or fails now, after a message */
int database_close(struct database *database);

#endif /* ETW_EXPORT_DATABASE_H */
