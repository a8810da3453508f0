/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* --manifest of the verbs that name events. */
#ifndef ETW_MANIFEST_OPTION_H
#define ETW_MANIFEST_OPTION_H

#include "libetl/trace.h"

/*
 * Takes a value of OPTION_MANIFEST: adds what this manifest describes to @infos, which is NULL
 * before the first one. Return: EXIT_OK, or an exit code after a message
 */
int manifest_option_take(const char *name, struct event_infos **infos);

/*
 * Gives them to a trace that has been opened, before trace_describe(). They belong to the trace
 * then; @infos becomes NULL.
 */
void manifest_option_give(struct event_infos **infos, struct trace *trace);

#endif /* ETW_MANIFEST_OPTION_H */
