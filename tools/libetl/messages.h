/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Error messages and warnings: a program that uses libetl defines these functions. */
#ifndef ETW_MESSAGES_H
#define ETW_MESSAGES_H

#include <errno.h>
#include <string.h>

/*
 * libetl prints nothing itself. The tool writes its messages to standard error, or to
 * syslog; libetw drops them. Return: 1, which is the tool's EXIT_FAILED
 */
int failed(const char *format, ...) __attribute__((format(printf, 1, 2)));
void warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Return: -1 */
static inline int no_memory(void)
{
	failed("%s", strerror(ENOMEM));
	return -1;
}

#endif /* ETW_MESSAGES_H */
