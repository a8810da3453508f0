/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* How tables look on a terminal: its width, colours, and numbers for people. */
#ifndef ETW_STAT_TERMINAL_H
#define ETW_STAT_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TERMINAL_NUMBER	32

/**
 * struct terminal - what stdout is
 * @is: a terminal; otherwise tables are for programs, and as wide as they are
 * @colours: it takes escape sequences, and NO_COLOR is not set
 * @width: columns; 0: unknown
 */
struct terminal {
	bool is;
	bool colours;
	unsigned int width;
};

struct terminal terminal_of_stdout(void);
/* Around the head of a table */
void terminal_begin_head(const struct terminal *terminal);
void terminal_end_head(const struct terminal *terminal);

/* With commas between thousands; ns in the unit that fits; bytes likewise */
void terminal_count(uint64_t number, char to[TERMINAL_NUMBER]);
void terminal_time(int64_t ns, char to[TERMINAL_NUMBER]);
void terminal_bytes(uint64_t bytes, char to[TERMINAL_NUMBER]);

/* Characters of a text as it is printed, without control characters */
size_t terminal_length(const char *text);
/* Prints it in @width characters, cut with an ellipsis or filled up. */
void terminal_print(const char *text, size_t width, bool fill);
/* Prints a text without a newline, wrapped at spaces; further lines begin with @indent spaces. */
void terminal_wrap(const struct terminal *terminal, const char *text, unsigned int indent);
/* Prints the names of a process and a thread in @room characters, cut; 0: whole, in quotes */
void terminal_names(const char *process, const char *thread, size_t room);
/* What is left for them behind @used characters, at least 8 for each; 0: the width is unknown */
size_t terminal_names_room(const struct terminal *terminal, size_t used);
/* Makes the widest of the columns narrower until their sum is @room, or each has 8 characters. */
void terminal_shrink(size_t *widths, size_t count, size_t room);

#endif /* ETW_STAT_TERMINAL_H */
