// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Reads the page tables at a faulting address. */
#include <linux/mm.h>
#include <linux/hugetlb_inline.h>
#include <linux/pgtable.h>
#include <linux/swap.h>
#include <linux/swapops.h>
#include "compat.h"
#include "page_state.h"

/* Same checks as handle_pte_fault(). @accessible: the mapping is, so a hidden page returns */
static enum etw_page_state state_of_pte(pte_t pte, bool accessible, u64 *swap_offset)
{
	if (pte_none(pte))
		return ETW_PAGE_NOTHING;
	if (pte_present(pte))
		return pte_write(pte) || (pte_protnone(pte) && accessible) ? ETW_PAGE_UNMARKED :
									     ETW_PAGE_PRESENT;
	if (!etw_pte_is_swap(pte))
		return ETW_PAGE_AWAY;
	*swap_offset = (u64)etw_pte_swap_offset(pte) << PAGE_SHIFT;
	return ETW_PAGE_SWAPPED;
}

static enum etw_page_state state_of_pmd(pmd_t pmd, bool accessible)
{
	if (pmd_none(pmd))
		return ETW_PAGE_NOTHING;
	if (!pmd_present(pmd))
		return ETW_PAGE_AWAY;
#ifdef CONFIG_TRANSPARENT_HUGEPAGE
	if (pmd_write(pmd) || (pmd_protnone(pmd) && accessible))
		return ETW_PAGE_UNMARKED;
#endif
	return ETW_PAGE_PRESENT;
}

/**
 * etw_page_state() - state of the page at an address
 * @vma: its mapping; the caller, or the code that it interrupts, holds the lock of the
 *	address space or of the mapping, as handle_mm_fault() does
 * @address: an address in @vma
 * @swap_offset: out, with ETW_PAGE_SWAPPED: bytes
 *
 * Page tables of mapped memory are freed under those locks held for writing, or after an
 * RCU grace period, which the caller delays with preemption off. Entries may change at any
 * time, so each is read once.
 *
 * Context: preemption off.
 */
enum etw_page_state etw_page_state(const struct vm_area_struct *vma, unsigned long address,
				   u64 *swap_offset)
{
	bool accessible = vma->vm_flags & VM_ACCESS_FLAGS;
	pgd_t *pgd = pgd_offset(vma->vm_mm, address);
	p4d_t *p4dp, p4d;
	pud_t *pudp, pud;
	pmd_t *pmdp, pmd;

	/* page tables that processes share are freed by other rules */
	if ((is_vm_hugetlb_page((struct vm_area_struct *)vma) && vma->vm_flags & VM_MAYSHARE) ||
	    pgd_none(READ_ONCE(*pgd)))
		return ETW_PAGE_NOTHING;
	p4dp = p4d_offset(pgd, address);
	p4d = READ_ONCE(*p4dp);
	if (p4d_none(p4d) || !p4d_present(p4d))
		return ETW_PAGE_NOTHING;
	pudp = pud_offset(p4dp, address);
	pud = READ_ONCE(*pudp);
	if (pud_none(pud))
		return ETW_PAGE_NOTHING;
	if (!pud_present(pud) || pud_leaf(pud))
		return pud_present(pud) ? ETW_PAGE_PRESENT : ETW_PAGE_AWAY;
	pmdp = pmd_offset(pudp, address);
	pmd = READ_ONCE(*pmdp);
	if (!pmd_present(pmd) || pmd_leaf(pmd))
		return state_of_pmd(pmd, accessible);
	/* uses the table that was read above, not the one that is there by now */
	return state_of_pte(READ_ONCE(*pte_offset_kernel(&pmd, address)), accessible,
			    swap_offset);
}
