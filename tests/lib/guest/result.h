/* SPDX-License-Identifier: GPL-2.0 */
/* How a program of the guests reports its checks: lines of "ok" and "not ok", counted. */
#ifndef ETW_TEST_RESULT_H
#define ETW_TEST_RESULT_H

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "errors.h"

/* One for all files of a program: each that includes this defines it */
__attribute__((weak)) int failures;

__attribute__((format(printf, 2, 3)))
static inline int result(int good, const char *format, ...)
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

/* What a test needs to go on has failed */
static inline void die(const char *what)
{
	printf("not ok - %s: %s\n", what, strerror(errno));
	fflush(stdout);
	_exit(1);
}

#endif /* ETW_TEST_RESULT_H */
