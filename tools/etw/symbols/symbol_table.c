// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Functions by address: of a file, of the kernel, of a just-in-time compiler. */
#include <stdlib.h>
#include <string.h>
#include "libetl/array.h"
#include "libetl/text.h"
#include "symbol_table.h"

struct symbol_table *symbol_table_new(void)
{
	struct symbol_table *table = calloc(1, sizeof(*table));

	if (table)
		symbol_table_text(table, "", 0);
	return table;
}

uint32_t symbol_table_text(struct symbol_table *table, const char *text, size_t bytes)
{
	/* what is no UTF-8 takes two bytes for each */
	size_t wanted, at = table->used, most = 2 * bytes + 1;
	char *bigger;

	if (table->text_room - table->used < most) {
		wanted = 2 * table->text_room + most + 4096;
		bigger = wanted > UINT32_MAX ? NULL : realloc(table->text, wanted);
		if (!bigger) {
			table->no_memory = true;
			return 0;
		}
		table->text = bigger;
		table->text_room = wanted;
	}
	table->used += text_from_bytes((const uint8_t *)text, bytes, table->text + at, most) + 1;
	return at;
}

void symbol_table_add(struct symbol_table *table, const struct function *function)
{
	if (!array_grow((void **)&table->function, &table->room, table->count + 1,
			sizeof(*table->function))) {
		table->no_memory = true;
		return;
	}
	table->function[table->count++] = *function;
}

static int by_address(const void *left, const void *right)
{
	const struct function *a = left, *b = right;

	if (a->address != b->address)
		return a->address < b->address ? -1 : 1;
	if (a->rank != b->rank)
		return a->rank > b->rank ? -1 : 1;
	return a->name < b->name ? -1 : a->name > b->name;
}

/* Of several at an address one stays. */
void symbol_table_ready(struct symbol_table *table)
{
	struct function *function = table->function;
	size_t i, kept = 0;

	if (!table->count)
		return;
	qsort(function, table->count, sizeof(*function), by_address);
	for (i = 0; i < table->count; i++)
		if (!kept || function[kept - 1].address != function[i].address)
			function[kept++] = function[i];
	table->count = kept;
}

const struct function *symbol_table_find(const struct symbol_table *table, uint64_t address)
{
	const struct function *function;
	uint64_t limit;
	size_t low = 0, high = table->count, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (table->function[middle].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low)
		return NULL;
	function = &table->function[low - 1];
	limit = function->size ? function->size : SYMBOL_LONGEST;
	return address - function->address < limit ? function : NULL;
}

uint64_t symbol_table_reach(const struct symbol_table *table, const struct function *function)
{
	uint64_t reach = function->size ? function->size : SYMBOL_LONGEST;

	if (function + 1 < table->function + table->count &&
	    function[1].address - function->address < reach)
		reach = function[1].address - function->address;
	return reach;
}

void symbol_table_free(struct symbol_table *table)
{
	if (!table)
		return;
	free(table->function);
	free(table->text);
	free(table->from);
	free(table);
}
