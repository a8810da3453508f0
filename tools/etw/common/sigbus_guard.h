/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* A trace that becomes shorter while it is read. */
#ifndef ETW_CUT_TRACE_H
#define ETW_CUT_TRACE_H

/* From now on, SIGBUS in a mapped trace prints a message and exits with EXIT_FAILED. */
void sigbus_guard_watch(void);

#endif /* ETW_CUT_TRACE_H */
