/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* An entry for the first code of a program, if nothing describes it. */
#ifndef ETW_CFI_START_H
#define ETW_CFI_START_H

#include "cfi.h"

/**
 * cfi_start_add() - describe the code at the entry point, which has no caller
 * @section: with @machine; its @cie is to be freed by the caller
 * @start: the entry point
 * @end: behind the last address of its segment
 * @entries: of the whole file; an entry is added, unless one of them describes @start
 *
 * Return: false: no memory
 */
bool cfi_start_add(struct cfi_section *section, uint64_t start, uint64_t end,
		   struct cfi_entries *entries);

#endif /* ETW_CFI_START_H */
