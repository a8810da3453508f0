// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The lines of a TMF file, and what they consist of. */
#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "lines.h"
#include "tmf.h"

#define BLANKS		" \t\r\f\v"
/* Lines that the text of a message may have */
#define MOST_LINES	16

char *tmf_cut_blanks(const char *from, char *end)
{
	while (end > from && strchr(BLANKS, end[-1]))
		end--;
	*end = 0;
	return end;
}

char *tmf_line_guid(char *line, struct etw_guid *guid)
{
	size_t size = line[0] == '{' ? 38 : 36;
	char text[GUID_TEXT];

	if (strnlen(line, size) < size)
		return NULL;
	memcpy(text, line, size);
	text[size] = 0;
	return strchr(BLANKS "\n", line[size]) && text_to_guid(text, guid) ? line + size : NULL;
}

/* Whether a quote at @at ends the text: nothing follows, or a comment does */
static bool is_last_quote(const char *at)
{
	at += 1 + strspn(at + 1, BLANKS);
	return !*at || !strncmp(at, "//", 2);
}

char *tmf_end_of_text(char *text)
{
	char *at, *end = NULL;

	for (at = text; *at; at++) {
		if (at[0] == '\\' && at[1]) {
			at++;
		} else if (*at == '"') {
			end = at;
			if (is_last_quote(at))
				break;
		}
	}
	return end;
}

/* Whether the line can't be a piece of a message's text */
static bool begins_anew(char *line)
{
	struct etw_guid guid;

	line += strspn(line, BLANKS);
	return strchr("#{}", *line) || !strncmp(line, "//", 2) || tmf_line_guid(line, &guid);
}

/* Return: the end of the line, or that of the line which ends the message's text */
static char *end_of_message(char *line, char *end, unsigned int *more)
{
	char *text = memchr(line, '"', end - line), *at, *quote;
	unsigned int i;

	for (at = end, i = 0; text && i < MOST_LINES; i++) {
		char last = *at;

		*at = 0;
		quote = tmf_end_of_text(text + 1);
		if (quote && is_last_quote(quote)) {
			*at = last;
			*more = i;
			return at;
		}
		*at = last;
		if (!last || begins_anew(at + 1))
			break;
		at += 1 + strcspn(at + 1, "\n");
	}
	*more = 0;
	return end;
}

char *tmf_next_line(struct tmf_lines *lines)
{
	unsigned int more = 0;
	char *line, *end;

	if (!*lines->at)
		return NULL;
	line = lines->at + strspn(lines->at, BLANKS);
	end = line + strcspn(line, "\n");
	if (!strncmp(line, "#type", 5))
		end = end_of_message(line, end, &more);
	lines->line = ++lines->next;
	lines->next += more;
	lines->at = *end ? end + 1 : end;
	tmf_cut_blanks(line, end);
	return line;
}

static unsigned int take_number(const char **at, unsigned int base, unsigned int most)
{
	unsigned int value = 0;

	for (; most-- && **at >= '0' && **at < '0' + (int)base; ++*at)
		value = value * base + **at - '0';
	return value;
}

void tmf_unquote(char *text)
{
	static const char letters[] = "n\nt\tr\ra\ab\bf\fv\v\\\\\"\"";
	const char *from = text, *letter;
	char *to = text;

	while (*from) {
		if (from[0] != '\\' || !from[1]) {
			*to++ = *from++;
			continue;
		}
		from++;
		for (letter = letters; *letter && *letter != *from; letter += 2)
			;
		if (*letter) {
			*to++ = letter[1];
			from++;
		} else if (*from >= '0' && *from <= '7') {
			*to++ = take_number(&from, 8, 3);
		} else {
			*to++ = '\\';
		}
	}
	*to = 0;
}

/* The ( that belongs to the ) at @at, or NULL */
static char *opening(char *line, char *at)
{
	unsigned int depth = 0;

	for (; at >= line; at--) {
		depth += *at == ')';
		if (*at == '(' && !--depth)
			return at;
	}
	return NULL;
}

bool tmf_split_argument(char *line, struct tmf_argument_text *text)
{
	char *end = tmf_cut_blanks(line, line + strlen(line)), *at = end;
	unsigned long number;

	while (at > line && isdigit((unsigned char)at[-1]))
		at--;
	if (at == end)
		return false;
	number = strtoul(at, NULL, 10);
	text->number = number < UINT_MAX ? number : UINT_MAX;
	end = tmf_cut_blanks(line, at);
	if (end - line < 2 || (strcmp(end - 2, "--") && strcmp(end - 2, "//")))
		return false;
	end = tmf_cut_blanks(line, end - 2);
	text->list = NULL;
	if (end > line && end[-1] == ')') {
		at = opening(line, end - 1);
		if (!at)
			return false;
		end[-1] = 0;
		text->list = at + 1;
		end = tmf_cut_blanks(line, at);
	}
	for (at = end; at > line && (isalnum((unsigned char)at[-1]) || at[-1] == '_'); at--)
		;
	text->type = at;
	while (at > line && strchr(BLANKS, at[-1]))
		at--;
	return *text->type && (at == line || at[-1] == ',');
}

const char *tmf_word_behind(const char *text, const char *key, size_t *length)
{
	size_t size = strlen(key);

	for (text += strspn(text, " \t/"); *text; text += strspn(text, " \t/")) {
		*length = strcspn(text, " \t");
		if (!strncasecmp(text, key, size)) {
			*length -= size;
			return text + size;
		}
		text += *length;
	}
	*length = 0;
	return text;
}

unsigned int tmf_next_number(const char **format)
{
	unsigned int number;
	const char *at;

	while ((at = strchr(*format, '%'))) {
		*format = at + 1 + (at[1] != 0);
		if (at[1] < '1' || at[1] > '9')
			continue;
		*format = at + 1;
		for (number = 0; isdigit((unsigned char)**format); ++*format)
			number = number < 1000 ? 10 * number + **format - '0' : 1000;
		if (number >= TMF_FIRST_ARGUMENT)
			return number;
	}
	return 0;
}
