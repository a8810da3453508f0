/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* What etw unwind prints of a table. */
#ifndef ETW_UNWIND_REPORT_H
#define ETW_UNWIND_REPORT_H

#include "unwind_table.h"

/* Prints the counts of a table, and with @rows its rows */
void unwind_print_text(const struct unwind_table *table, const char *path, bool rows);
/* The same as JSON. Return: 0, or -1: it could not be written */
int unwind_print_json(const struct unwind_table *table, const char *path, bool rows);

#endif /* ETW_UNWIND_REPORT_H */
