/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* How many events a trace lost, closed or not. */
#ifndef ETW_TRACE_LOSSES_H
#define ETW_TRACE_LOSSES_H

#include "trace.h"

/*
 * EventsLost; of a file that was not closed, what its loss records add up to if that is more.
 * Return: 0, or -1 after a message
 */
int trace_events_lost(const struct trace *trace, uint32_t *events_lost);

#endif /* ETW_TRACE_LOSSES_H */
