/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* The line of standard error that shows how far a verb is, on a terminal only. */
#ifndef ETW_PROGRESS_LINE_H
#define ETW_PROGRESS_LINE_H

#include <stdbool.h>

/*
 * False if standard error is no terminal, or one without control sequences: TERM is dumb or not
 * set
 */
bool progress_line_possible(void);

/* Replaces the line, if one is possible. Control characters must be escaped before. */
void progress_line(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Removes the line, if there is one */
void progress_line_clear(void);

#endif /* ETW_PROGRESS_LINE_H */
