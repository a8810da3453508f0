// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Names of values: lists that a type has in parentheses, and enumerations. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "tmf.h"

bool tmf_value_parse(const char *text, uint64_t *value)
{
	bool hex, negative;
	char *end;

	text += strspn(text, " \t");
	negative = *text == '-';
	text += negative;
	hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
	text += hex ? 2 : 0;
	if (!strchr(hex ? "0123456789abcdefABCDEF" : "0123456789", *text) || !*text)
		return false;
	errno = 0;
	*value = strtoull(text, &end, hex ? 16 : 10);
	if (negative)
		*value = -*value;
	return !errno && !end[strspn(end, " \t")];
}

static int compare(const void *a, const void *b)
{
	const struct tmf_name *left = a, *right = b;

	if (left->value != right->value)
		return left->value < right->value ? -1 : 1;
	return left->order < right->order ? -1 : left->order > right->order;
}

void tmf_names_sort(struct tmf_names *names)
{
	if (names->count)
		qsort(names->name, names->count, sizeof(*names->name), compare);
}

/* The first of several names of a value */
const char *tmf_names_find(const struct tmf_names *names, uint64_t value)
{
	size_t low = 0, high = names ? names->count : 0, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (names->name[middle].value < value)
			low = middle + 1;
		else
			high = middle;
	}
	return names && low < names->count && names->name[low].value == value ?
	       names->name[low].text : NULL;
}

/* The next word of a list, without blanks around it. Return: NULL: there are no more */
static char *next_name(char **list)
{
	char *word = *list, *end;

	if (!word)
		return NULL;
	end = word + strcspn(word, ",");
	*list = *end ? end + 1 : NULL;
	word += strspn(word, " \t");
	while (end > word && strchr(" \t", end[-1]))
		end--;
	*end = 0;
	return word;
}

/* Takes a value behind the name off the text. Return: it, or @next */
static uint64_t take_value(char *text, uint64_t next)
{
	char *equal = strrchr(text, '=');
	uint64_t value;

	if (!equal || !tmf_value_parse(equal + 1, &value))
		return next;
	while (equal > text && strchr(" \t", equal[-1]))
		equal--;
	*equal = 0;
	return value;
}

const struct tmf_names *tmf_names_parse(struct tmf *tmf, const char *list, unsigned int size)
{
	uint64_t value = 0, mask = size < 8 ? (1ull << 8 * size) - 1 : UINT64_MAX;
	struct tmf_names *names = tmf_keep(tmf, NULL, sizeof(*names));
	char *rest = tmf_keep(tmf, list, strlen(list) + 1), *text;
	size_t most = 1;

	for (; *list; list++)
		most += *list == ',';
	if (names)
		names->name = tmf_keep(tmf, NULL, most * sizeof(*names->name));
	if (!rest || !names || !names->name)
		return NULL;
	while ((text = next_name(&rest))) {
		value = take_value(text, value);
		names->name[names->count] = (struct tmf_name){
			.value = value++ & mask, .order = names->count, .text = text,
		};
		names->count++;
	}
	tmf_names_sort(names);
	return names;
}
