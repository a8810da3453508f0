/* SPDX-License-Identifier: GPL-2.0 */
/* What a page table says of an address while a fault there is handled. */
#ifndef ETW_PAGE_STATE_H
#define ETW_PAGE_STATE_H

#include <linux/types.h>

struct vm_area_struct;

enum etw_page_state {
	ETW_PAGE_NOTHING,	/* never touched, or dropped */
	ETW_PAGE_PRESENT,	/* there, but read-only */
	ETW_PAGE_UNMARKED,	/* there to be written, or hidden to see who uses it (NUMA) */
	ETW_PAGE_SWAPPED,
	ETW_PAGE_AWAY,		/* migrates, or is of a device */
};

enum etw_page_state etw_page_state(const struct vm_area_struct *vma, unsigned long address,
				   u64 *swap_offset);

#endif /* ETW_PAGE_STATE_H */
