/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* What reports are made of: values by a key, and how long things took. */
#ifndef ETW_STAT_KEYED_H
#define ETW_STAT_KEYED_H

#include "quantiles.h"
#include "report.h"
#include "sheet.h"

#define QUANTILES_COLUMNS	3

/**
 * struct keyed - values of one size by a key
 * @map: of the keys
 * @size: of a value; set by the caller
 * @release: frees what a value owns; NULL: nothing
 * @values: by the key's index
 */
struct keyed {
	struct map map;
	size_t size;
	void (*release)(void *value);
	char *values;
};

/* All 0 at first; valid until the next call. Return: NULL: no memory */
void *keyed_of(struct keyed *keyed, uint64_t key);
/* Return: NULL: there is none */
void *keyed_find(const struct keyed *keyed, uint64_t key);
void *keyed_at(const struct keyed *keyed, size_t index);
void keyed_free(struct keyed *keyed);

/**
 * struct spans - times that something took
 * @count: how often
 * @ns: together
 * @quantiles: of them
 */
struct spans {
	uint64_t count;
	uint64_t ns;
	struct quantiles quantiles;
};

#define SPANS_COLUMNS	(3 + QUANTILES_COLUMNS)

void spans_add(struct spans *spans, uint64_t ns);
void spans_merge(struct spans *to, const struct spans *from);
void spans_free(struct spans *spans);
/* 50 %, 90 % and 99 % of what the name says. Return: the first column of QUANTILES_COLUMNS */
size_t quantiles_columns(struct sheet *sheet, const char *what);
/* Without a value, nothing; without memory, the sheet lacks it, too */
void quantiles_put(struct sheet *sheet, size_t column, const struct quantiles *quantiles);
/* Together, mean, percentiles, longest. Return: the first column of SPANS_COLUMNS */
size_t spans_columns(struct sheet *sheet, const char *what);
void spans_put(struct sheet *sheet, size_t column, const struct spans *spans);
/* A number of ticks, not a time stamp, in ns */
uint64_t ns_of_ticks(const struct etl_logfile *log, uint64_t ticks);
/* All of them, CSV the first one; frees them. Return: the exit code */
int sheets_report(struct sheet *const sheets[], size_t count, const struct stat_options *options);

#endif /* ETW_STAT_KEYED_H */
