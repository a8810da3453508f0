/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Ratios of two counters. */
#ifndef ETW_STAT_RATIOS_H
#define ETW_STAT_RATIOS_H

#include "report.h"

/*
 * Adds columns for instructions per cycle and rates of misses where the names say that
 * both counters are there; @first is the number of the first of @count counters.
 */
void report_ratios(struct report *report, char (*names)[COUNTER_NAME], unsigned int count,
		   unsigned int first);

#endif /* ETW_STAT_RATIOS_H */
