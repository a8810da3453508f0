/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Several traces into one: of etw merge, and of etw record --dotnet. */
#ifndef ETW_CMD_MERGE_H
#define ETW_CMD_MERGE_H

#include <stdbool.h>

/* The first file has the header. With @quiet without a summary. Return: an exit code */
int merge_files(int count, char **names, const char *output, bool quiet);

#endif /* ETW_CMD_MERGE_H */
