// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Profile sources: names by the list of format.rst 6.9, events by perf's own numbers. */
#include <kunit/test.h>
#include <linux/string.h>
#include "config/profile_sources.c"

/* What format.rst 6.9 lists, in order; it calls the timer Time, and its events say Timer. */
static const char * const listed[] = {
	"Timer", "AlignmentFixup", "TotalIssues", "PipelineDry", "LoadInstructions",
	"PipelineFrozen", "BranchInstructions", "TotalNonissues", "DcacheMisses", "IcacheMisses",
	"CacheMisses", "BranchMispredictions", "StoreInstructions", "FpInstructions",
	"IntegerInstructions", "2Issue", "3Issue", "4Issue", "SpecialInstructions",
	"TotalCycles", "IcacheIssues", "DcacheAccesses", "MemoryBarrierCycles",
	"LoadLinkedIssues",
};

static void names_of_windows(struct kunit *test)
{
	u32 i;

	KUNIT_ASSERT_EQ(test, ARRAY_SIZE(names), ARRAY_SIZE(listed));
	for (i = 0; i < ARRAY_SIZE(listed); i++)
		KUNIT_EXPECT_STREQ(test, etw_profile_source_name(i), listed[i]);
	KUNIT_EXPECT_NULL(test, etw_profile_source_name(ARRAY_SIZE(listed)));
	KUNIT_EXPECT_NULL(test, etw_profile_source_name(ETW_PROFILE_SOURCE_OWN));
	KUNIT_EXPECT_NULL(test, etw_profile_source_name(~0U));
}

/* perf's numbers as its ABI has them: type, then config */
static void events_of_perf(struct kunit *test)
{
	static const struct {
		const char *name;
		u32 type;
		u64 config;
	} due[] = {
		{ "TotalIssues", 0, 1 }, { "LoadInstructions", 3, 0 },
		{ "BranchInstructions", 0, 4 }, { "DcacheMisses", 3, 0x10000 },
		{ "IcacheMisses", 3, 0x10001 }, { "CacheMisses", 0, 3 },
		{ "BranchMispredictions", 0, 5 }, { "StoreInstructions", 3, 0x100 },
		{ "TotalCycles", 0, 0 }, { "DcacheAccesses", 3, 0 },
	};
	u32 source, i, known = 0;

	for (source = 0; source <= ETW_PROFILE_SOURCE_MAX; source++) {
		struct etw_profile_event event = { ~0U, ~0ULL };
		int err = etw_profile_source_event(source, &event);

		KUNIT_EXPECT_EQ(test, etw_profile_source_known(source), !err);
		if (err) {
			KUNIT_EXPECT_EQ(test, err, -EOPNOTSUPP);
			KUNIT_EXPECT_EQ(test, event.type, ~0U);
			continue;
		}
		known++;
		KUNIT_ASSERT_LT(test, source, (u32)ARRAY_SIZE(listed));
		for (i = 0; i < ARRAY_SIZE(due); i++)
			if (!strcmp(due[i].name, listed[source]))
				break;
		KUNIT_ASSERT_LT_MSG(test, i, (u32)ARRAY_SIZE(due), "%s", listed[source]);
		KUNIT_EXPECT_EQ_MSG(test, event.type, due[i].type, "%s", due[i].name);
		KUNIT_EXPECT_EQ_MSG(test, event.config, due[i].config, "%s", due[i].name);
	}
	KUNIT_EXPECT_EQ(test, known, (u32)ARRAY_SIZE(due));
	KUNIT_EXPECT_FALSE(test, etw_profile_source_known(0));
	KUNIT_EXPECT_FALSE(test, etw_profile_source_known(~0U));
}

static void names_in_records(struct kunit *test)
{
	static const struct {
		u32 source;
		const char *name;
	} due[] = {
		{ 0, "Timer" }, { 11, "BranchMispredictions" }, { 19, "TotalCycles" },
		{ 24, "Source24" }, { 100, "Source100" }, { 4096, "Source4096" },
		{ 65535, "Source65535" }, { 1000000009, "Source1000000009" },
		{ ~0U, "Source4294967295" },
	};
	u16 units[ETW_PROFILE_SOURCE_UNITS];
	u32 i, k, n;

	for (i = 0; i < ARRAY_SIZE(due); i++) {
		memset(units, 0xA5, sizeof(units));
		n = etw_profile_source_units(due[i].source, units);
		KUNIT_ASSERT_EQ(test, n, (u32)strlen(due[i].name) + 1);
		for (k = 0; k < n; k++)
			KUNIT_EXPECT_EQ(test, units[k], (u16)due[i].name[k]);
		KUNIT_EXPECT_EQ(test, units[n], 0xA5A5);
	}
	for (i = 0; i < ARRAY_SIZE(listed); i++)
		KUNIT_EXPECT_LE(test, etw_profile_source_units(i, units),
				(u32)ETW_PROFILE_SOURCE_UNITS);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(names_of_windows),
	KUNIT_CASE(events_of_perf),
	KUNIT_CASE(names_in_records),
	{}
};

static struct kunit_suite suite = {
	.name = "etw_profile_sources",
	.test_cases = cases,
};

kunit_test_suite(suite);
