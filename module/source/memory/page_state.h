/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* State of a page table entry while a fault at its address is handled. */
#ifndef ETW_PAGE_STATE_H
#define ETW_PAGE_STATE_H

#include <linux/types.h>

struct vm_area_struct;

enum etw_page_state {
	ETW_PAGE_NOTHING,	/* never touched, or dropped */
	ETW_PAGE_PRESENT,	/* present, but read-only */
	ETW_PAGE_UNMARKED,	/* present and writable, or hidden to find its users (NUMA) */
	ETW_PAGE_SWAPPED,
	ETW_PAGE_AWAY,		/* migrating, or device memory */
};

enum etw_page_state etw_page_state(const struct vm_area_struct *vma, unsigned long address,
				   u64 *swap_offset);

#endif /* ETW_PAGE_STATE_H */
