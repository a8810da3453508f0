/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* The part of a rundown with processes, threads, images and counters. */
#ifndef ETW_PROCESS_RUNDOWN_H
#define ETW_PROCESS_RUNDOWN_H

#include "context/rundown.h"

int etw_process_rundown(struct etw_rundown *rundown, enum etw_rundown_phase phase);

#endif /* ETW_PROCESS_RUNDOWN_H */
