// SPDX-License-Identifier: GPL-2.0
/* A look into the page tables of a fault. */
#include <linux/mm.h>
#include <linux/hugetlb_inline.h>
#include <linux/pgtable.h>
#include <linux/swap.h>
#include <linux/swapops.h>
#include "compat.h"
#include "page_state.h"

/* As handle_pte_fault() asks; @accessible: the mapping is, so what is hidden comes back */
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
 * etw_page_state() - what is at an address
 * @vma: its mapping; the caller, or who it interrupts, holds the lock of the
 *	address space or of the mapping, as handle_mm_fault() does
 * @address: in it
 * @swap_offset: out, with ETW_PAGE_SWAPPED: bytes
 *
 * Tables of mapped memory are freed by who holds those locks for writing, or
 * after a grace period of RCU, which preemption being off holds back. Entries may
 * change under us: each is read once.
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

	/* tables that processes share go by other rules */
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
	/* the table that was seen, not what may stand there by now */
	return state_of_pte(READ_ONCE(*pte_offset_kernel(&pmd, address)), accessible,
			    swap_offset);
}
