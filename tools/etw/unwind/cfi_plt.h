/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Entries for procedure linkage tables that the linker did not describe. */
#ifndef ETW_CFI_PLT_H
#define ETW_CFI_PLT_H

#include "cfi.h"

/**
 * struct cfi_plt - a procedure linkage table
 * @bytes: its code
 * @size: of @bytes
 * @address: where it is loaded
 */
struct cfi_plt {
	const uint8_t *bytes;
	uint64_t size;
	uint64_t address;
};

/**
 * cfi_plt_add() - add entries for tables that have none
 * @section: zero, but for @machine; its @cie is to be freed by the caller
 * @plt: the tables
 * @count: number of these
 * @entries: entries of the file, to which others are added
 *
 * Return: false: no memory
 */
bool cfi_plt_add(struct cfi_section *section, const struct cfi_plt *plt, size_t count,
		 struct cfi_entries *entries);

#endif /* ETW_CFI_PLT_H */
