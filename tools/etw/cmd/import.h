/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* A recording of perf becomes a trace: of etw import, and of etw record --no-module. */
#ifndef ETW_CMD_IMPORT_H
#define ETW_CMD_IMPORT_H

#include <stdbool.h>

/* Prints a summary, as JSON or not, unless @quiet. Return: an exit code, after messages */
int import_recording(const char *name, const char *output, bool json, bool quiet);

#endif /* ETW_CMD_IMPORT_H */
