// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The line of standard error that shows how far a verb is, on a terminal only. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "progress_line.h"

#define TO_EMPTY_LINE	"\r\033[K"

static bool shown;

bool progress_line_possible(void)
{
	const char *kind = getenv("TERM");

	return kind && *kind && strcmp(kind, "dumb") && isatty(STDERR_FILENO);
}

void progress_line(const char *format, ...)
{
	va_list arguments;

	if (!progress_line_possible())
		return;
	fputs(TO_EMPTY_LINE, stderr);
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fflush(stderr);
	shown = true;
}

void progress_line_clear(void)
{
	if (!shown)
		return;
	fputs(TO_EMPTY_LINE, stderr);
	fflush(stderr);
	shown = false;
}
