// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Arguments of probes that are names of variables. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include "probe_variables.h"

#define LETTERS		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"
#define LETTERS_DIGITS	LETTERS "0123456789"

/**
 * struct word - an argument
 * @name: of the field
 * @variable: what is recorded
 * @type: behind the colon; "": none was given
 */
struct word {
	char name[64];
	char variable[64];
	char type[32];
};

static bool take(char *to, size_t room, const char *from, size_t length)
{
	if (!length || length >= room)
		return false;
	memcpy(to, from, length);
	to[length] = 0;
	return true;
}

/* Return: false: it is an argument of tracefs, which begins with none of the letters */
static bool read_word(struct word *word, const char *text, size_t length)
{
	const char *equal = memchr(text, '=', length), *at = equal ? equal + 1 : text;
	const size_t left = length - (at - text), size = strspn(at, LETTERS_DIGITS);

	*word = (struct word){ };
	if (!left || !strchr(LETTERS, *at) || size > left || (size < left && at[size] != ':') ||
	    !take(word->variable, sizeof(word->variable), at, size))
		return false;
	if (size < left && !take(word->type, sizeof(word->type), at + size + 1, left - size - 1))
		return false;
	if (!equal)
		strcpy(word->name, word->variable);
	return !equal || take(word->name, sizeof(word->name), text, equal - text);
}

static bool is_string(const char *type)
{
	return !strncmp(type, "string", 6) || !strncmp(type, "ustring", 7);
}

static int print(const struct word *word, const struct probe_variable *variable, char *to,
		 size_t room)
{
	const char *type = word->type[0] ? word->type : variable->type;

	if (is_string(type))
		return snprintf(to, room, "%s=+0(%s):%s", word->name, variable->fetch, type);
	return snprintf(to, room, "%s=%s:%s", word->name, variable->fetch, type);
}

const char *probe_variables_replace(const char *arguments, probe_variable_find *find, void *context,
				    char *to, size_t room, char wrong[64])
{
	struct probe_variable variable;
	const char *at = arguments, *why;
	size_t length, used = 0;
	struct word word;

	wrong[0] = 0;
	for (; *at; at += length + (at[length] == ' ')) {
		length = strcspn(at, " ");
		variable = (struct probe_variable){ };
		if (used)
			to[used++] = ' ';
		if (read_word(&word, at, length)) {
			why = find(context, word.variable, &variable);
			if (why) {
				strcpy(wrong, word.variable);
				return why;
			}
		}
		if (variable.fetch[0])
			used += print(&word, &variable, to + used, room - used);
		else
			used += snprintf(to + used, room - used, "%.*s", (int)length, at);
		if (used + 1 >= room)
			return "the arguments are too long";
	}
	to[used] = 0;
	return NULL;
}
