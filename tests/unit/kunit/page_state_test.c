// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* What an entry of a page table says to a fault, as handle_pte_fault() has it. */
#include <kunit/test.h>
#include "source/memory/page_state.c"

static void of_pages(struct kunit *test)
{
	pte_t writable = pfn_pte(1, PAGE_SHARED);
	u64 offset = 7;

	KUNIT_EXPECT_EQ(test, state_of_pte(__pte(0), true, &offset), ETW_PAGE_NOTHING);
	KUNIT_EXPECT_EQ(test, state_of_pte(writable, true, &offset), ETW_PAGE_UNMARKED);
	KUNIT_EXPECT_EQ(test, state_of_pte(pte_mkclean(pte_mkold(writable)), true, &offset),
			ETW_PAGE_UNMARKED);
	KUNIT_EXPECT_EQ(test, state_of_pte(pte_wrprotect(writable), true, &offset),
			ETW_PAGE_PRESENT);
	KUNIT_EXPECT_EQ(test, offset, 7);
	KUNIT_EXPECT_EQ(test, state_of_pte(swp_entry_to_pte(swp_entry(0, 5)), true, &offset),
			ETW_PAGE_SWAPPED);
	KUNIT_EXPECT_EQ(test, offset, 5 << PAGE_SHIFT);
}

/* PROT_NONE's are hidden, too, but from a debugger's write only, which gets a copy. */
static void of_hidden_pages(struct kunit *test)
{
	pte_t hidden = pfn_pte(1, PAGE_NONE);
	u64 offset;

	if (!IS_ENABLED(CONFIG_NUMA_BALANCING))
		kunit_skip(test, "nothing is hidden");
	KUNIT_EXPECT_EQ(test, state_of_pte(hidden, true, &offset), ETW_PAGE_UNMARKED);
	KUNIT_EXPECT_EQ(test, state_of_pte(hidden, false, &offset), ETW_PAGE_PRESENT);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(of_pages),
	KUNIT_CASE(of_hidden_pages),
	{}
};

static struct kunit_suite suite = {
	.name = "etw_page_state",
	.test_cases = cases,
};

kunit_test_suite(suite);
