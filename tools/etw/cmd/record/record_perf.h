/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* etw record --no-module: perf records, and the recording is imported. */
#ifndef ETW_RECORD_PERF_H
#define ETW_RECORD_PERF_H

#include "options/session_options.h"

/* @options: finished. @command: argv of the command, or NULL. Return: an exit code */
int record_by_perf(const struct session_options *options, char **command);

/* Whether perf records with these options, by a recording of true beside their file */
bool perf_may_record(const struct session_options *options);

#endif /* ETW_RECORD_PERF_H */
