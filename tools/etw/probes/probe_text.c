// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The spelling of --probe and --uprobe, which is that of tracefs and of perf probe. */
#include <stdio.h>
#include <string.h>
#include "probe_text.h"

#define LETTERS		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"
#define DIGITS		"0123456789"
#define BLANKS		" \t\n"
#define RETURN		"%return"
/* So that there is room for "_" and a number behind it, and for "__return" */
#define MOST_OF_NAME	48

/* Behind the first @length bytes and blanks */
static const char *after(const char *at, size_t length)
{
	at += length;
	return at + strspn(at, BLANKS);
}

static bool copy(char *to, size_t room, const char *from, size_t length)
{
	if (length >= room)
		return false;
	memcpy(to, from, length);
	to[length] = 0;
	return true;
}

/* "p:", "r8:", "p ": the length of "p" or "r8"; 0: none of these */
static size_t type_length(const char *text)
{
	size_t length = *text == 'p' ? 1 : *text == 'r' ? 1 + strspn(text + 1, DIGITS) : 0;

	return length && text[length] && strchr(":" BLANKS, text[length]) ? length : 0;
}

/* Whether a word behind "p:" is an event's name: the word behind that is a place, no argument */
static bool names_event(enum probe_kind kind, const char *word, size_t length)
{
	const char *next = after(word, length);
	size_t size = strcspn(next, BLANKS);

	if (kind == PROBE_USER)
		return !memchr(word, ':', length);
	return *next && strchr(LETTERS DIGITS, *next) && !memchr(next, '=', size);
}

static const char *take_event(struct probe_text *probe, const char *word, size_t length)
{
	if (memchr(word, '/', length))
		return "the group of a probe is chosen by etw (p:EVENT PLACE)";
	if (!length || !strchr(LETTERS, *word) || strspn(word, LETTERS DIGITS) < length)
		return "the event's name is not of letters, digits and underscores";
	if (length > MOST_OF_NAME || !copy(probe->event, sizeof(probe->event), word, length))
		return "the event's name has more than 48 characters";
	return NULL;
}

static const char *take_place(struct probe_text *probe, const char *word, size_t length)
{
	const size_t suffix = strlen(RETURN);

	if (length >= suffix && !memcmp(word + length - suffix, RETURN, suffix)) {
		length -= suffix;
		if (probe->type[0] == 'p')
			strcpy(probe->type, "r");
	}
	if (!length)
		return "a function is missing";
	return copy(probe->place, sizeof(probe->place), word, length) ? NULL :
	       "the place is too long";
}

static const char *take_arguments(struct probe_text *probe, const char *at)
{
	size_t length, used = 0;

	for (; *at; at = after(at, length)) {
		length = strcspn(at, BLANKS);
		if (used + length + 2 > sizeof(probe->arguments))
			return "the arguments are too long";
		if (used)
			probe->arguments[used++] = ' ';
		memcpy(probe->arguments + used, at, length);
		used += length;
	}
	probe->arguments[used] = 0;
	return NULL;
}

/* "p[:EVENT] PLACE" or "p:PLACE", at the colon or the blank */
static const char *take_tracefs(struct probe_text *probe, enum probe_kind kind, const char **at)
{
	const bool colon = **at == ':';
	size_t length;
	const char *why;

	*at = after(*at, colon);
	length = strcspn(*at, BLANKS);
	if (!colon || !names_event(kind, *at, length))
		return NULL;
	why = take_event(probe, *at, length);
	*at = after(*at, length);
	return why;
}

/* "EVENT=PLACE" */
static const char *take_perf(struct probe_text *probe, const char **at)
{
	const size_t length = strcspn(*at, "=" BLANKS);
	const char *why;

	if ((*at)[length] != '=')
		return NULL;
	why = take_event(probe, *at, length);
	*at += length + 1;
	return why;
}

const char *probe_text_parse(struct probe_text *probe, enum probe_kind kind, const char *text)
{
	const char *at = after(text, 0), *why;
	const size_t type = type_length(at);
	size_t length;

	*probe = (struct probe_text){ .type = "p" };
	if (type) {
		if (!copy(probe->type, sizeof(probe->type), at, type))
			return "the number of instances is too large";
		at += type;
		why = take_tracefs(probe, kind, &at);
	} else {
		why = take_perf(probe, &at);
	}
	if (why)
		return why;
	length = strcspn(at, BLANKS);
	why = take_place(probe, at, length);
	return why ? why : take_arguments(probe, after(at, length));
}

void probe_identifier(const char *text, size_t length, char *to, size_t room)
{
	size_t i, used = 0;

	if (length && strchr(DIGITS, *text))
		to[used++] = '_';
	for (i = 0; i < length && used + 1 < room; i++)
		to[used++] = text[i] && strchr(LETTERS DIGITS, text[i]) ? text[i] : '_';
	to[used] = 0;
}

bool probe_text_is_line(const char *text)
{
	return *text && !text[strspn(text, DIGITS)];
}

/* "FUNCTION", or "SOURCE:LINE" without the folders of the source */
static const char *name_of_place(const char *place)
{
	const char *last = strrchr(place, ':'), *at = last;

	if (!last)
		return place;
	if (!probe_text_is_line(last + 1))
		return last + 1;
	while (at > place && at[-1] != ':' && at[-1] != '/')
		at--;
	return at;
}

void probe_text_event(const struct probe_text *probe, char to[PROBE_EVENT_NAME])
{
	const char *function = name_of_place(probe->place);

	if (probe->event[0]) {
		strcpy(to, probe->event);
		return;
	}
	probe_identifier(function, strlen(function), to, MOST_OF_NAME + 1);
	if (probe->type[0] == 'r')
		strcat(to, "__return");
}
