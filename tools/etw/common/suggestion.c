// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* "Did you mean": of the words that would have been right, the nearest to what was typed. */
#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include "suggestion.h"

/* So many letters show which word is meant, if that word begins with them. */
#define PREFIX	3

static unsigned int least(unsigned int a, unsigned int b)
{
	return a < b ? a : b;
}

static bool same(char a, char b)
{
	return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/*
 * Edits from @a to @b: a letter more, less, or another one, or two letters exchanged. Both
 * words are shorter than SUGGESTION_WORD.
 */
static unsigned int edits(const char *a, const char *b)
{
	unsigned int row[3][SUGGESTION_WORD + 1];
	unsigned int *two = row[0], *one = row[1], *now = row[2], *spare;
	size_t i, k, columns = strlen(b);

	for (k = 0; k <= columns; k++)
		one[k] = k;
	for (i = 1; i <= strlen(a); i++) {
		now[0] = i;
		for (k = 1; k <= columns; k++) {
			now[k] = least(least(one[k], now[k - 1]) + 1,
				       one[k - 1] + !same(a[i - 1], b[k - 1]));
			if (i > 1 && k > 1 && same(a[i - 1], b[k - 2]) &&
			    same(a[i - 2], b[k - 1]))
				now[k] = least(now[k], two[k - 2] + 1);
		}
		spare = two;
		two = one;
		one = now;
		now = spare;
	}
	return one[columns];
}

void suggestion_begin(struct suggestion *suggestion, const char *typed)
{
	size_t length = strlen(typed);

	*suggestion = (struct suggestion){ .typed = typed };
	/* of a long word more may be wrong, and of two letters nothing */
	if (length >= PREFIX && length < SUGGESTION_WORD)
		suggestion->distance = least(length / 3, 3) + 1;
}

void suggestion_try(struct suggestion *suggestion, const char *known)
{
	size_t length = strlen(suggestion->typed);
	unsigned int distance;

	/* a file can have a word of any length, and have it many times */
	if (!suggestion->distance || strnlen(known, SUGGESTION_WORD) == SUGGESTION_WORD)
		return;
	distance = strncasecmp(known, suggestion->typed, length) ?
		   edits(suggestion->typed, known) : 1;
	if (distance >= suggestion->distance)
		return;
	suggestion->distance = distance;
	snprintf(suggestion->best, sizeof(suggestion->best), "%s", known);
}

const char *suggestion_text(struct suggestion *suggestion)
{
	if (suggestion->best[0])
		snprintf(suggestion->text, sizeof(suggestion->text), ", did you mean '%s'?",
			 suggestion->best);
	return suggestion->text;
}
