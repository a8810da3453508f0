/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* How a program reports that it checked a sentence of sentences.txt. */
#ifndef ETW_TEST_ROW_H
#define ETW_TEST_ROW_H

#include <stdarg.h>
#include <stdio.h>

/* Of the program's checks */
extern int failures;

__attribute__((format(printf, 3, 4)))
static inline void row(const char *id, int good, const char *format, ...)
{
	va_list list;

	printf("row %s %s: ", id, good ? "good" : "bad");
	va_start(list, format);
	vprintf(format, list);
	va_end(list);
	putchar('\n');
	fflush(stdout);
	failures += !good;
}

#endif /* ETW_TEST_ROW_H */
