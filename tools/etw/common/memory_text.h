/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* The memory of a session's buffers, as text. */
#ifndef ETW_MEMORY_TEXT_H
#define ETW_MEMORY_TEXT_H

#include "etw_abi.h"

/*
 * Prints the highest number of buffers that a session had, and the number that it may have,
 * with their size and share of the memory. Nothing if the module reports no highest number.
 */
void memory_report(const struct etw_statistics *statistics, uint32_t maximum);
/* "102.4 MB, 5.0 % of the memory" */
const char *memory_text(uint64_t buffers, uint32_t buffer_size);

#endif /* ETW_MEMORY_TEXT_H */
