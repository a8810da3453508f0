// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* What reports are made of: values by a key, and how long things took. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "etw.h"
#include "keyed.h"

void *keyed_at(const struct keyed *keyed, size_t index)
{
	return keyed->values + index * keyed->size;
}

void *keyed_find(const struct keyed *keyed, uint64_t key)
{
	size_t i = map_find(&keyed->map, key);

	return i == MAP_NONE ? NULL : keyed_at(keyed, i);
}

void *keyed_of(struct keyed *keyed, uint64_t key)
{
	size_t known = keyed->map.count, i = map_find(&keyed->map, key);

	if (i != MAP_NONE)
		return keyed_at(keyed, i);
	/* room first: each key has a value */
	if (!map_make_room((void **)&keyed->values, known, keyed->size))
		return NULL;
	i = map_add(&keyed->map, key);
	return i == MAP_NONE ? NULL : memset(keyed_at(keyed, i), 0, keyed->size);
}

void keyed_free(struct keyed *keyed)
{
	size_t i;

	for (i = 0; keyed->release && i < keyed->map.count; i++)
		keyed->release(keyed_at(keyed, i));
	map_free(&keyed->map);
	free(keyed->values);
}

void spans_add(struct spans *spans, uint64_t ns)
{
	spans->count++;
	spans->ns += ns;
	quantiles_add(&spans->quantiles, ns);
}

void spans_free(struct spans *spans)
{
	quantiles_free(&spans->quantiles);
}

static const unsigned int percents[QUANTILES_COLUMNS] = { 50, 90, 99 };

size_t quantiles_columns(struct sheet *sheet, const char *what)
{
	char name[SHEET_NAME];
	size_t first = sheet->columns, i;

	for (i = 0; i < QUANTILES_COLUMNS; i++) {
		snprintf(name, sizeof(name), "p%u %s", percents[i], what);
		sheet_column(sheet, SHEET_MEAN, SHEET_EVERYWHERE, name);
	}
	return first;
}

void quantiles_put(struct sheet *sheet, size_t column, const struct quantiles *quantiles)
{
	size_t i;

	sheet->no_memory |= quantiles->no_memory;
	for (i = 0; quantiles->values && i < QUANTILES_COLUMNS; i++)
		sheet_number(sheet, column + i, quantiles_at(quantiles, percents[i]));
}

void spans_merge(struct spans *to, const struct spans *from)
{
	to->count += from->count;
	to->ns += from->ns;
	quantiles_merge(&to->quantiles, &from->quantiles);
}

size_t spans_columns(struct sheet *sheet, const char *what)
{
	size_t first = sheet_column(sheet, SHEET_TIME, SHEET_EVERYWHERE, what);
	char name[SHEET_NAME];

	snprintf(name, sizeof(name), "mean %s", what);
	sheet_column(sheet, SHEET_MEAN, SHEET_EVERYWHERE, name);
	quantiles_columns(sheet, what);
	snprintf(name, sizeof(name), "longest %s", what);
	sheet_column(sheet, SHEET_LONGEST, SHEET_EVERYWHERE, name);
	return first;
}

void spans_put(struct sheet *sheet, size_t column, const struct spans *spans)
{
	sheet_number(sheet, column, spans->ns);
	if (!spans->count)
		return;
	sheet_number(sheet, column + 1, spans->ns / spans->count);
	quantiles_put(sheet, column + 2, &spans->quantiles);
	sheet_number(sheet, column + SPANS_COLUMNS - 1, spans->quantiles.longest);
}

uint64_t ns_of_ticks(const struct etl_logfile *log, uint64_t ticks)
{
	return etl_nanoseconds(log, log->t0 + ticks);
}

int sheets_report(struct sheet *const sheets[], size_t count, const struct stat_options *options)
{
	bool no_memory = false;
	int code = EXIT_OK;
	size_t i;

	for (i = 0; i < count; i++)
		no_memory |= sheets[i]->no_memory;
	if (no_memory)
		code = failed("%s", strerror(ENOMEM));
	else if (options->as == AS_JSON)
		code = sheets_json((const struct sheet *const *)sheets, count);
	else if (options->as == AS_CSV)
		sheet_csv(sheets[0]);
	for (i = 0; i < count; i++) {
		if (!no_memory && options->as == AS_TEXT) {
			fputs(i ? "\n" : "", stdout);
			sheet_print(sheets[i], options->top);
		}
		sheet_free(sheets[i]);
	}
	return code;
}
