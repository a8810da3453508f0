// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The table of return addresses: what it learns, what it never uses, and when it forgets. */
#include <kunit/test.h>
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/string.h>

static const char *function;	/* in which all addresses of the test are */
static u32 looked_up;

static int name_of_test(char *name, unsigned long address)
{
	looked_up++;
	return strscpy(name, function, KSYM_SYMBOL_LEN);
}

#define sprint_symbol_no_offset name_of_test
#define etw_sites sites_of_test
#define etw_sites_era era_of_test
#define etw_stack_names_tracepoint tracepoint_of_test
#define etw_stack_names_machinery machinery_of_test
static bool tracepoint_of_test(const char *name);
static bool machinery_of_test(const char *name);
#include "context/stack_sites.c"

static bool tracepoint_of_test(const char *name)
{
	return !strcmp(name, "__traceiter_test");
}

static bool machinery_of_test(const char *name)
{
	return !strcmp(name, "kprobe_test") || !strncmp(name, "0x", 2);
}

static char name[KSYM_SYMBOL_LEN];

/* Addresses of code, as far apart as calls are */
static unsigned long code(u32 i)
{
#ifdef CONFIG_X86_64
	return 0x10000000UL + i * 5UL;
#else
	return (unsigned long)schedule + i * 4UL;
#endif
}

static bool usable(u64 site, enum etw_site_kind kind)
{
	return (site & ETW_SITE_USE) == ETW_SITE_USABLE(kind);
}

static void learn_times(u32 i, enum etw_site_kind kind, u64 distance, u32 times)
{
	while (times--)
		etw_site_learn(code(i), kind, distance, name);
}

static void used_when_confirmed(struct kunit *test)
{
	u32 seen;

	for (seen = 1; seen <= 5; seen++) {
		learn_times(1, ETW_SITE_STEP, 7, 1);
		KUNIT_EXPECT_EQ(test, usable(etw_site_find(code(1)), ETW_SITE_STEP),
				seen >= ETW_SITE_CONFIRMED);
	}
	KUNIT_EXPECT_EQ(test, etw_site_distance(etw_site_find(code(1))), 7U);
	KUNIT_EXPECT_EQ(test, etw_site_find(code(2)), 0ULL);
}

static void never_used_after_a_difference(struct kunit *test)
{
	learn_times(1, ETW_SITE_STEP, 7, 5);
	learn_times(1, ETW_SITE_STEP, 8, 1);
	KUNIT_EXPECT_TRUE(test, usable(etw_site_find(code(1)), ETW_SITE_VARIES));
	learn_times(1, ETW_SITE_STEP, 7, 9);
	KUNIT_EXPECT_TRUE(test, usable(etw_site_find(code(1)), ETW_SITE_VARIES));
	/* before it was confirmed, and another kind at the same distance */
	learn_times(2, ETW_SITE_STEP, 7, 1);
	learn_times(2, ETW_SITE_SWITCH, 7, 5);
	KUNIT_EXPECT_TRUE(test, usable(etw_site_find(code(2)), ETW_SITE_VARIES));
}

/* Places that a walk found are compared only in the same era. */
static void era_ends_with_what_is_known(struct kunit *test)
{
	u32 era = atomic_read(&etw_sites_era), i;

	learn_times(1, ETW_SITE_STEP, 7, 5);
	learn_times(2, ETW_SITE_STEP, 7, 2);
	learn_times(2, ETW_SITE_STEP, 8, 1);
	KUNIT_EXPECT_EQ(test, (u32)atomic_read(&etw_sites_era), era);
	/* a usable site that differs, one that loses its place, and all of them */
	learn_times(1, ETW_SITE_STEP, 8, 1);
	KUNIT_EXPECT_EQ(test, (u32)atomic_read(&etw_sites_era), era + 1);
	for (i = 0; i < 2 << ETW_SITE_BITS; i++)
		learn_times(i, ETW_SITE_STEP, 9, 3);
	KUNIT_EXPECT_NE(test, (u32)atomic_read(&etw_sites_era), era + 1);
	era = atomic_read(&etw_sites_era);
	forget_all();
	KUNIT_EXPECT_NE(test, (u32)atomic_read(&etw_sites_era), era);
}

static void distance_too_large(struct kunit *test)
{
	learn_times(1, ETW_SITE_STEP, 0x10000, 5);
	KUNIT_EXPECT_TRUE(test, usable(etw_site_find(code(1)), ETW_SITE_VARIES));
	learn_times(2, ETW_SITE_STEP, 0xFFFF, 5);
	KUNIT_EXPECT_EQ(test, etw_site_distance(etw_site_find(code(2))), 0xFFFFU);
}

static void tracers_functions(struct kunit *test)
{
	function = "__traceiter_test";
	learn_times(1, ETW_SITE_STEP, 7, 3);
	KUNIT_EXPECT_TRUE(test, usable(etw_site_find(code(1)), ETW_SITE_STEP));
	KUNIT_EXPECT_TRUE(test, etw_site_is_tracers(code(1), name));
	/* it may have changed return addresses */
	function = "kprobe_test";
	learn_times(2, ETW_SITE_STEP, 7, 3);
	KUNIT_EXPECT_TRUE(test, usable(etw_site_find(code(2)), ETW_SITE_VARIES));
	KUNIT_EXPECT_TRUE(test, etw_site_is_tracers(code(2), name));
	function = "do_test";
	KUNIT_EXPECT_FALSE(test, etw_site_is_tracers(code(3), name));
	looked_up = 0;
	KUNIT_EXPECT_FALSE(test, etw_site_is_tracers(code(3), name));
	KUNIT_EXPECT_EQ(test, looked_up, 0U);
}

static void passing_code_is_not_kept(struct kunit *test)
{
	static const char * const passing[] = {
		"0xffffffffc0a05083", "bpf_prog_6deef7357e7b4530_test",
		"bpf_trampoline_6442536467", "bpf_dispatcher_xdp",
	};
	u32 i;

	for (i = 0; i < ARRAY_SIZE(passing); i++) {
		function = passing[i];
		learn_times(i, ETW_SITE_STEP, 7, 3);
		KUNIT_EXPECT_EQ_MSG(test, etw_site_find(code(i)), 0ULL, "%s", passing[i]);
		KUNIT_EXPECT_EQ(test, etw_site_is_tracers(code(i), name), !i);
		KUNIT_EXPECT_EQ(test, etw_site_find(code(i)), 0ULL);
	}
}

/* Twice as many as there is space for: what remains is right, and the last ones remain. */
static void no_site_of_another_address(struct kunit *test)
{
	u32 i, kept = 0, wrong = 0;

	for (i = 0; i < 2 << ETW_SITE_BITS; i++)
		learn_times(i, ETW_SITE_STEP, 1 + i % 0xFFF0, 3);
	for (i = 0; i < 2 << ETW_SITE_BITS; i++) {
		u64 site = etw_site_find(code(i));

		kept += !!site;
		wrong += site && (!usable(site, ETW_SITE_STEP) ||
				  etw_site_distance(site) != 1 + i % 0xFFF0);
	}
	KUNIT_EXPECT_EQ(test, wrong, 0U);
	KUNIT_EXPECT_GE(test, kept, (u32)BIT(ETW_SITE_BITS) / 2);
	KUNIT_EXPECT_NE(test, etw_site_find(code((2 << ETW_SITE_BITS) - 1)), 0ULL);
}

static void words_that_are_no_addresses(struct kunit *test)
{
	learn_times(1, ETW_SITE_STEP, 7, 3);
	/* the same low half */
	KUNIT_EXPECT_EQ(test, etw_site_find(code(1) + BIT_ULL(32)), 0ULL);
	KUNIT_EXPECT_EQ(test, etw_site_find(code(1) | BIT_ULL(63)), 0ULL);
	KUNIT_EXPECT_EQ(test, etw_site_find(0), 0ULL);
	etw_site_learn(code(1) + BIT_ULL(32), ETW_SITE_STEP, 9, name);
	KUNIT_EXPECT_EQ(test, etw_site_find(code(1) + BIT_ULL(32)), 0ULL);
	KUNIT_EXPECT_EQ(test, etw_site_distance(etw_site_find(code(1))), 7U);
}

static void forgets_when_a_module_goes(struct kunit *test)
{
	/* one whose initialisation is freed, too */
	static const unsigned long frees[] = { MODULE_STATE_LIVE, MODULE_STATE_GOING };
	u32 i;

	for (i = 0; i < ARRAY_SIZE(frees); i++) {
		learn_times(1, ETW_SITE_STEP, 7, 3);
		modules.notifier_call(&modules, MODULE_STATE_COMING, NULL);
		KUNIT_EXPECT_NE(test, etw_site_find(code(1)), 0ULL);
		modules.notifier_call(&modules, frees[i], NULL);
		KUNIT_EXPECT_EQ(test, etw_site_find(code(1)), 0ULL);
		learn_times(1, ETW_SITE_STEP, 8, 3);
		KUNIT_EXPECT_EQ(test, etw_site_distance(etw_site_find(code(1))), 8U);
		forget_all();
	}
}

static int prepare(struct kunit *test)
{
	function = "do_test";
	forget_all();
	return 0;
}

static struct kunit_case cases[] = {
	KUNIT_CASE(used_when_confirmed),
	KUNIT_CASE(never_used_after_a_difference),
	KUNIT_CASE(era_ends_with_what_is_known),
	KUNIT_CASE(distance_too_large),
	KUNIT_CASE(tracers_functions),
	KUNIT_CASE(passing_code_is_not_kept),
	KUNIT_CASE(no_site_of_another_address),
	KUNIT_CASE(words_that_are_no_addresses),
	KUNIT_CASE(forgets_when_a_module_goes),
	{}
};

static struct kunit_suite suite = {
	.name = "etw_stack_sites",
	.init = prepare,
	.test_cases = cases,
};

kunit_test_suite(suite);
