/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* The lines of a TMF file. */
#ifndef ETW_TMF_LINES_H
#define ETW_TMF_LINES_H

#include <stdbool.h>
#include "libetl/text.h"

/**
 * struct tmf_lines - a text that is read by lines
 * @at: where the next line begins
 * @line: number of the line that was read last
 * @next: number of the next line
 */
struct tmf_lines {
	char *at;
	unsigned int line;
	unsigned int next;
};

/**
 * struct tmf_argument_text - the parts of ARGUMENT, ItemTYPE(LIST) -- NUMBER
 * @type: the type
 * @list: text in the parentheses, or NULL
 * @number: the number
 */
struct tmf_argument_text {
	const char *type;
	char *list;
	unsigned int number;
};

/*
 * lines.c: the next line, without blanks around it. A message with line ends in its text is
 * one line. Return: the line; NULL after the last one
 */
char *tmf_next_line(struct tmf_lines *lines);
/* Ends the text before the blanks in front of @end. Return: the new end */
char *tmf_cut_blanks(const char *from, char *end);
/* Parses the GUID that a line begins with, in braces or not. Return: the text behind, or NULL */
char *tmf_line_guid(char *line, struct etw_guid *guid);
/* A quoted text; quotes in Windows' files need not be escaped. Return: its end, or NULL */
char *tmf_end_of_text(char *text);
/* Replaces C's escapes in place. An unknown escape stays as it is, as in "\Device". */
void tmf_unquote(char *text);
/* Splits the line from its end, because the argument is code and may contain commas. */
bool tmf_split_argument(char *line, struct tmf_argument_text *text);
/* The word behind KEY= (in any case), or an empty word. @length: out: length of the word */
const char *tmf_word_behind(const char *text, const char *key, size_t *length);
/* The next number of an argument in a format, from 10 on; 0: there are no more */
unsigned int tmf_next_number(const char **format);

#endif /* ETW_TMF_LINES_H */
