/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* The tool's failed() and warn(), for programs with its objects but without its main.c. */
#ifndef TESTS_UNIT_TOOLS_TOOL_MESSAGES_H
#define TESTS_UNIT_TOOLS_TOOL_MESSAGES_H

#include <stdarg.h>
#include <stdio.h>

static void message(const char *format, va_list arguments)
{
	vfprintf(stderr, format, arguments);
	putc('\n', stderr);
}

int failed(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	message(format, arguments);
	va_end(arguments);
	return 1;
}

void warn(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	message(format, arguments);
	va_end(arguments);
}

#endif /* TESTS_UNIT_TOOLS_TOOL_MESSAGES_H */
