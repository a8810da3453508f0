/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Whether the module or Windows wrote a trace. */
#ifndef ETW_ORIGIN_H
#define ETW_ORIGIN_H

#include "trace.h"

/*
 * The module did, or libetw: some record is of our own provider. What of it can't be read is
 * passed over without a word. False, after a message, where there is no memory to look.
 */
bool trace_is_ours(const struct trace *trace);

#endif /* ETW_ORIGIN_H */
