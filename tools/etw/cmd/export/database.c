// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* A database file that SQLite writes. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include "database.h"
#include "etw.h"
#if defined(ETW_HAVE_SQLITE) && defined(ETW_HAVE_DLOPEN)
#include <sqlite3.h>
#include <stddef.h>
#include "libetl/library.h"

#define LIBRARY	"libsqlite3.so.0"

/* Many columns; each takes a few bytes of a statement */
#define INSERT_TEXT	1024

/**
 * struct sqlite - functions of SQLite
 *
 * The library is loaded only when it is needed, as few calls of the tool need it.
 */
struct sqlite {
	__typeof__(sqlite3_open_v2) *open;
	__typeof__(sqlite3_close) *close;
	__typeof__(sqlite3_exec) *run;
	__typeof__(sqlite3_errmsg) *error;
	__typeof__(sqlite3_prepare_v2) *prepare;
	__typeof__(sqlite3_column_count) *columns;
	__typeof__(sqlite3_bind_int64) *number;
	__typeof__(sqlite3_bind_double) *real;
	__typeof__(sqlite3_bind_text) *text;
	__typeof__(sqlite3_bind_null) *none;
	__typeof__(sqlite3_step) *step;
	__typeof__(sqlite3_reset) *reset;
	__typeof__(sqlite3_finalize) *finalize;
};

static struct sqlite sqlite;

#define FUNCTION(member, name)	{ "sqlite3_" name, offsetof(struct sqlite, member) }

int database_library(const char *name)
{
	static const struct library_function functions[] = {
		FUNCTION(open, "open_v2"), FUNCTION(close, "close"), FUNCTION(run, "exec"),
		FUNCTION(error, "errmsg"), FUNCTION(prepare, "prepare_v2"),
		FUNCTION(columns, "column_count"), FUNCTION(number, "bind_int64"),
		FUNCTION(real, "bind_double"), FUNCTION(text, "bind_text"),
		FUNCTION(none, "bind_null"), FUNCTION(step, "step"), FUNCTION(reset, "reset"),
		FUNCTION(finalize, "finalize"),
	};
	static bool loaded;

	if (!loaded)
		loaded = library_load(LIBRARY, functions, sizeof(functions) / sizeof(functions[0]),
				      &sqlite);
	if (loaded)
		return 0;
	failed("%s: %s is missing (install libsqlite3-0)", name, LIBRARY);
	return -1;
}

static int fail(struct database *database)
{
	if (!database->failed)
		failed("%s: %s", database->name, sqlite.error(database->connection));
	database->failed = true;
	return -1;
}

/*
 * The file is removed unless it becomes whole, so a journal would not be read: without one, and
 * without waiting for the disk, each page is written once.
 */
static const char settings[] =
	"PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE;"
	"PRAGMA cache_size = -65536; BEGIN;";

int database_open(struct database *database, const char *name)
{
	char *path = NULL;
	int code;

	*database = (struct database){ .name = name };
	if (database_library(name))
		return -1;
	/* a name such as ":memory:" would be no file */
	if (asprintf(&path, "%s%s", name[0] == '/' ? "" : "./", name) < 0)
		return no_memory();
	code = sqlite.open(path, (sqlite3 **)&database->connection, SQLITE_OPEN_READWRITE, NULL);
	free(path);
	if (!database->connection)
		return no_memory();
	return code != SQLITE_OK ? fail(database) : database_run(database, settings);
}

int database_run(struct database *database, const char *sql)
{
	if (database->failed)
		return -1;
	return sqlite.run(database->connection, sql, NULL, NULL, NULL) == SQLITE_OK ?
		0 : fail(database);
}

int database_table(struct database *database, unsigned int index, const char *table)
{
	sqlite3_stmt **insert = (sqlite3_stmt **)&database->insert[index];
	sqlite3_stmt *all = NULL;
	char text[INSERT_TEXT];
	int columns, used;

	if (database->failed)
		return -1;
	snprintf(text, sizeof(text), "SELECT * FROM %s", table);
	if (sqlite.prepare(database->connection, text, -1, &all, NULL) != SQLITE_OK)
		return fail(database);
	columns = sqlite.columns(all);
	sqlite.finalize(all);
	used = snprintf(text, sizeof(text), "INSERT OR IGNORE INTO %s VALUES (?", table);
	while (--columns > 0 && used < INSERT_TEXT - 4)
		used += sprintf(text + used, ",?");
	sprintf(text + used, ")");
	return sqlite.prepare(database->connection, text, -1, insert, NULL) == SQLITE_OK ?
		0 : fail(database);
}

void database_row(struct database *database, unsigned int index)
{
	database->row = database->insert[index];
	database->column = 1;
}

static void check(struct database *database, int code)
{
	if (code != SQLITE_OK)
		fail(database);
}

void database_number(struct database *database, int64_t value)
{
	if (!database->failed)
		check(database, sqlite.number(database->row, database->column++, value));
}

void database_real(struct database *database, double value)
{
	if (!database->failed)
		check(database, sqlite.real(database->row, database->column++, value));
}

void database_text(struct database *database, const char *text)
{
	if (!database->failed)
		check(database, sqlite.text(database->row, database->column++, text, -1,
					    SQLITE_TRANSIENT));
}

void database_none(struct database *database)
{
	if (!database->failed)
		check(database, sqlite.none(database->row, database->column++));
}

void database_end_row(struct database *database)
{
	if (database->failed)
		return;
	if (sqlite.step(database->row) != SQLITE_DONE || sqlite.reset(database->row) != SQLITE_OK)
		fail(database);
}

int database_close(struct database *database)
{
	unsigned int i;

	if (!database->connection)
		return -1;
	for (i = 0; i < DATABASE_TABLES; i++)
		sqlite.finalize(database->insert[i]);
	database_run(database, "COMMIT");
	if (sqlite.close(database->connection) != SQLITE_OK)
		fail(database);
	database->connection = NULL;
	return database->failed ? -1 : 0;
}
#else
int database_library(const char *name)
{
	failed("%s: this etw was built without SQLite", name);
	return -1;
}

int database_open(struct database *database, const char *name)
{
	*database = (struct database){ .name = name, .failed = true };
	return database_library(name);
}

int database_run(struct database *database, const char *sql)
{
	(void)database;
	(void)sql;
	return -1;
}

int database_table(struct database *database, unsigned int index, const char *table)
{
	(void)database;
	(void)index;
	(void)table;
	return -1;
}

void database_row(struct database *database, unsigned int index)
{
	(void)database;
	(void)index;
}

void database_number(struct database *database, int64_t value)
{
	(void)database;
	(void)value;
}

void database_real(struct database *database, double value)
{
	(void)database;
	(void)value;
}

void database_text(struct database *database, const char *text)
{
	(void)database;
	(void)text;
}

void database_none(struct database *database)
{
	(void)database;
}

void database_end_row(struct database *database)
{
	(void)database;
}

int database_close(struct database *database)
{
	(void)database;
	return -1;
}
#endif
