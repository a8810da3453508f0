// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* What the kernel has said in tracefs' error_log of a line that it refused. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "linux_events/tracefs.h"
#include "probes.h"

#define COMMAND		"\n  Command: "
#define ERROR		"error: "

/* The last entry of that command. NULL: there is none */
static const char *find_entry(const char *log, const char *line)
{
	const char *at = log, *found = NULL;
	const size_t length = strlen(line);

	while ((at = strstr(at, COMMAND))) {
		if (!strncmp(at + strlen(COMMAND), line, length) &&
		    strchr("\n", at[strlen(COMMAND) + length]))
			found = at;
		at += strlen(COMMAND);
	}
	return found;
}

/*
 * "[  12.345678] trace_kprobe: error: TEXT", the command, and a line with a caret below the word
 * that is meant.
 */
const char *probe_error_text(const char *line, char *to, size_t room)
{
	char *log = tracefs_read_file("error_log");
	const char *entry = log ? find_entry(log, line) : NULL;
	const char *begin, *text = NULL, *caret;
	size_t column = 0;

	to[0] = 0;
	if (entry) {
		begin = memrchr(log, '\n', entry - log);
		text = strstr(begin ? begin : log, ERROR);
		caret = entry + strlen(COMMAND) + strlen(line);
		column = *caret ? strspn(caret + 1, " ") : 0;
	}
	if (text && text < entry) {
		text += strlen(ERROR);
		column -= column < strlen(COMMAND) - 1 ? column : strlen(COMMAND) - 1;
		snprintf(to, room, "%.*s", (int)(entry - text), text);
		if (column && column < strlen(line))
			snprintf(to + strlen(to), room - strlen(to), ": at '%.*s'",
				 (int)strcspn(line + column, " "), line + column);
	}
	free(log);
	return to;
}
