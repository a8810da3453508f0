/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* The end of the probes that this process makes. */
#ifndef ETW_PROBES_PROBE_GUARD_H
#define ETW_PROBES_PROBE_GUARD_H

#include <stdbool.h>

/*
 * Before the first probe: from now on the probes are removed when this process has ended, by
 * whatever signal. Return: 0, or an exit code after a message
 */
int probes_guard(const char *verb);
/* Removes the probes of this process now */
void probes_end(void);
/*
 * A session has the probes from now on, and they outlive this process. @forked: up to the end of
 * the processes that this one has forked since probes_guard()
 */
void probes_leave(bool forked);
/* Removes probes of processes that have ended, but for those that a session records */
void probes_sweep(void);

#endif /* ETW_PROBES_PROBE_GUARD_H */
