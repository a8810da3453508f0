/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* When a process began: together with its id, this identifies it. */
#ifndef ETW_PROCESS_START_H
#define ETW_PROCESS_START_H

#include <stdbool.h>
#include <stdint.h>

/**
 * process_start() - read when a process began
 * @pid: its folder in /proc, a number or "self"
 * @ticks: gets clock ticks (_SC_CLK_TCK a second) since the machine started
 *
 * Return: false: there is no such process
 */
bool process_start(const char *pid, uint64_t *ticks);

#endif /* ETW_PROCESS_START_H */
