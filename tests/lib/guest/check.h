/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/*
 * Report the checks of a C program, on this machine or in a guest: lines in the form of
 * tests/lib/etwtest/ktap.py, "ok - NAME # DETAIL". NAME is the same in every run.
 */
#ifndef ETW_TEST_CHECK_H
#define ETW_TEST_CHECK_H

#include <stdarg.h>
#include <stdio.h>

/* One for all files of a program: each that includes this defines it */
__attribute__((weak)) int failures;

/* Report a check; @format: "NAME" or "NAME # DETAIL". Return: @good */
__attribute__((format(printf, 2, 3)))
static inline int check_that(int good, const char *format, ...)
{
	va_list list;

	printf(good ? "ok - " : "not ok - ");
	va_start(list, format);
	vprintf(format, list);
	va_end(list);
	putchar('\n');
	fflush(stdout);
	failures += !good;
	return good;
}

/* Report a check that this machine or kernel cannot make; @format: "NAME # REASON" */
__attribute__((format(printf, 1, 2)))
static inline void skip(const char *format, ...)
{
	va_list list;

	printf("skip - ");
	va_start(list, format);
	vprintf(format, list);
	va_end(list);
	putchar('\n');
	fflush(stdout);
}

#endif /* ETW_TEST_CHECK_H */
