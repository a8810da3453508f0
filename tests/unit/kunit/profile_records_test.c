// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* What samples by given settings, and payloads against bytes of real traces. */
#include <kunit/test.h>
#include <linux/perf_event.h>
#include <linux/string.h>
#include "context/counters.c"
#include "source/profile/profile_records.c"

/**
 * struct bench - settings and what comes of them
 * @items: settings
 * @masks: what is enabled
 * @plan: what samples
 * @payload: a payload, and room behind it
 */
struct bench {
	struct etw_items items;
	struct perfinfo_groupmask masks;
	struct etw_profile_plan plan;
	u8 payload[ETW_PROFILE_PAYLOAD + 8];
};

static struct bench *bench_make(struct kunit *test)
{
	struct bench *bench = kunit_kzalloc(test, sizeof(*bench), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, bench);
	memset(bench->payload, 0xA5, sizeof(bench->payload));
	return bench;
}

static void enable(struct bench *bench, u32 group)
{
	bench->masks.masks[PERF_MASK_INDEX(group)] |= PERF_MASK_BITS(group);
}

static void add_counter(struct bench *bench, u32 source, u32 flags)
{
	bench->items.counters[bench->items.nr_counters].profile_source = source;
	bench->items.counter_attrs[bench->items.nr_counters++].flags = flags;
	bench->items.nr_counter_attrs = bench->items.nr_counters;
}

static void add_name(struct bench *bench, const char *name)
{
	bench->items.present |= BIT(ETW_ITEM_COUNTER_NAMES);
	do
		bench->items.counter_names[bench->items.counter_name_units++] = (u8)*name;
	while (*name++);
}

static void add_interval(struct bench *bench, u32 source, u32 interval)
{
	bench->items.intervals[bench->items.nr_intervals++] =
		(struct etw_ext_interval){ source, interval };
}

/* Intervals of the timer and of the first two sources; there are no more */
static void expect_plan(struct kunit *test, struct bench *bench, u32 timer, u32 first, u32 second)
{
	const u32 intervals[ETW_SAMPLERS] = { timer, first, second };
	u32 i;

	etw_profile_plan(&bench->masks, &bench->items, &bench->plan);
	for (i = 0; i < ETW_SAMPLERS; i++)
		KUNIT_EXPECT_EQ(test, bench->plan.interval[i], intervals[i]);
}

/* A text as payloads have it; returns where it ends */
static u32 expect_text(struct kunit *test, const struct bench *bench, u32 at, const char *text)
{
	do {
		KUNIT_EXPECT_EQ(test, bench->payload[at], (u8)*text);
		KUNIT_EXPECT_EQ(test, bench->payload[at + 1], 0);
		at += 2;
	} while (*text++);
	return at;
}

static void expect_end(struct kunit *test, const struct bench *bench, u32 at, u32 size)
{
	KUNIT_EXPECT_EQ(test, size, at);
	KUNIT_EXPECT_EQ(test, bench->payload[at], 0xA5);
}

static void nothing_samples(struct kunit *test)
{
	struct bench *bench = bench_make(test);

	expect_plan(test, bench, 0, 0, 0);
	enable(bench, PERF_CONTEXT_SWITCH);
	bench->items.sample_sources[bench->items.nr_sample_sources++] = 19;
	add_interval(bench, 0, 5000);
	expect_plan(test, bench, 0, 0, 0);
	KUNIT_EXPECT_EQ(test, bench->plan.source[1], 19);
}

static void intervals_by_source(struct kunit *test)
{
	struct bench *bench = bench_make(test);

	enable(bench, PERF_PROFILE);
	expect_plan(test, bench, 10000, 0, 0);
	enable(bench, PERF_PMC_PROFILE);
	bench->items.sample_sources[bench->items.nr_sample_sources++] = 19;
	bench->items.sample_sources[bench->items.nr_sample_sources++] = 0x1000;
	expect_plan(test, bench, 10000, 65536, 65536);
	add_interval(bench, 0x1000, 777);
	add_interval(bench, 0, 2500);
	expect_plan(test, bench, 2500, 65536, 777);
	KUNIT_EXPECT_EQ(test, bench->plan.source[0], 0);
	KUNIT_EXPECT_EQ(test, bench->plan.source[2], 0x1000);
	memset(&bench->masks, 0, sizeof(bench->masks));
	enable(bench, PERF_PMC_PROFILE);
	expect_plan(test, bench, 0, 65536, 777);
}

static void periods(struct kunit *test)
{
	const u32 ghz = 1000000;	/* cycles in a millisecond */

	KUNIT_EXPECT_EQ(test, etw_profile_period(ETW_DEFAULT_TIMER_INTERVAL, ghz), 1000000);
	KUNIT_EXPECT_EQ(test, etw_profile_period(15000, 3 * ghz), 4500000);
	KUNIT_EXPECT_EQ(test, etw_profile_period(ETW_MAX_TIMER_INTERVAL, 4 * ghz), 4000000000U);
	KUNIT_EXPECT_EQ(test, etw_profile_period(ETW_MAX_TIMER_INTERVAL, U32_MAX / 2),
			2147483647000);
	/* a slow clock doesn't make a storm of interrupts */
	KUNIT_EXPECT_EQ(test, etw_profile_period(ETW_MIN_TIMER_INTERVAL, 1000), 5000);
}

/* (kernel-events.rst 14) */
static void timer_as_in_windows(struct kunit *test)
{
	static const u8 due[] = {
		0, 0, 0, 0, 0x10, 0x27, 0, 0, 0x10, 0x27, 0, 0,
		'T', 0, 'i', 0, 'm', 0, 'e', 0, 'r', 0, 0, 0,
	};
	struct bench *bench = bench_make(test);
	u32 size = etw_encode_interval(&bench->items, 0, 10000, bench->payload);

	expect_end(test, bench, sizeof(due), size);
	KUNIT_EXPECT_EQ(test, memcmp(bench->payload, due, sizeof(due)), 0);
}

/* Windows' readers know type 72 in version 2 alone; none has an interval of 0. */
static void changes(struct kunit *test)
{
	static const struct {
		u32 new_interval, old_interval;
		u16 hook_id, version;
		u32 logged[2];
		bool named;
	} due[] = {
		{ 5000, 20000, 0x0F48, 2, { 5000, 20000 }, false },
		{ 20000, 5000, 0x0F48, 2, { 20000, 5000 }, false },
		{ 5000, 0, 0x0F49, 3, { 5000, 5000 }, true },
		{ 0, 20000, 0x0F4A, 3, { 20000, 20000 }, true },
	};
	struct bench *bench = bench_make(test);
	struct perfinfo_profile_interval fixed;
	struct etw_profile_change change;
	u32 i, end;

	for (i = 0; i < ARRAY_SIZE(due); i++) {
		change = etw_encode_change(&bench->items, 19, due[i].new_interval,
					   due[i].old_interval, bench->payload);
		KUNIT_EXPECT_EQ(test, change.hook_id, due[i].hook_id);
		KUNIT_EXPECT_EQ(test, change.version, due[i].version);
		end = sizeof(fixed);
		if (due[i].named)
			end = expect_text(test, bench, end, "TotalCycles");
		expect_end(test, bench, end, change.size);
		memcpy(&fixed, bench->payload, sizeof(fixed));
		KUNIT_EXPECT_EQ(test, fixed.source, 19);
		KUNIT_EXPECT_EQ(test, fixed.new_interval, due[i].logged[0]);
		KUNIT_EXPECT_EQ(test, fixed.old_interval, due[i].logged[1]);
		memset(bench->payload, 0xA5, sizeof(bench->payload));
	}
}

static void interval_names(struct kunit *test)
{
	static const struct {
		u32 source;
		const char *made, *given;
	} due[] = {
		{ 19, "TotalCycles", "cycles" },
		{ 0x1001, "Source4097", "" },
		{ 0x1002, "Source4098", "only sampled" },
		{ 10, "CacheMisses", "CacheMisses" },	/* no counter */
	};
	struct bench *bench = bench_make(test);
	struct perfinfo_profile_interval fixed;
	u32 i, end, size;

	for (i = 0; i < 3; i++)
		add_counter(bench, due[i].source, i == 2 ? ETW_COUNTER_SAMPLE_ONLY : 0);
	for (i = 0; i < ARRAY_SIZE(due); i++) {
		size = etw_encode_interval(&bench->items, due[i].source, 1, bench->payload);
		end = expect_text(test, bench, sizeof(fixed), due[i].made);
		expect_end(test, bench, end, size);
		memset(bench->payload, 0xA5, sizeof(bench->payload));
	}
	for (i = 0; i < 3; i++)
		add_name(bench, due[i].given);
	for (i = 0; i < ARRAY_SIZE(due); i++) {
		size = etw_encode_interval(&bench->items, due[i].source, 7, bench->payload);
		end = expect_text(test, bench, sizeof(fixed), due[i].given);
		expect_end(test, bench, end, size);
		memcpy(&fixed, bench->payload, sizeof(fixed));
		KUNIT_EXPECT_EQ(test, fixed.source, due[i].source);
		KUNIT_EXPECT_EQ(test, fixed.new_interval, 7);
		KUNIT_EXPECT_EQ(test, fixed.old_interval, 7);
		memset(bench->payload, 0xA5, sizeof(bench->payload));
	}
}

/* Only what records carry, in their order */
static void counted_names(struct kunit *test)
{
	struct bench *bench = bench_make(test);
	u32 at, size, count;

	KUNIT_EXPECT_EQ(test, etw_encode_counter_names(&bench->items, bench->payload), 0);
	add_counter(bench, 19, 0);
	add_counter(bench, 0x1000, ETW_COUNTER_SAMPLE_ONLY);
	add_counter(bench, 0xFFFF, ETW_COUNTER_EXCLUDE_USER);
	KUNIT_EXPECT_EQ(test, etw_encode_counter_names(&bench->items, bench->payload), 0);
	bench->items.nr_counter_hooks = 1;
	memset(bench->payload, 0xA5, sizeof(bench->payload));
	size = etw_encode_counter_names(&bench->items, bench->payload);
	memcpy(&count, bench->payload, sizeof(count));
	KUNIT_EXPECT_EQ(test, count, 2);
	at = expect_text(test, bench, sizeof(count), "TotalCycles");
	expect_end(test, bench, expect_text(test, bench, at, "Source65535"), size);

	add_name(bench, "a");
	add_name(bench, "not this");
	add_name(bench, "b");
	memset(bench->payload, 0xA5, sizeof(bench->payload));
	size = etw_encode_counter_names(&bench->items, bench->payload);
	at = expect_text(test, bench, sizeof(count), "a");
	expect_end(test, bench, expect_text(test, bench, at, "b"), size);
}

static void all_are_sampled_only(struct kunit *test)
{
	struct bench *bench = bench_make(test);

	add_counter(bench, 19, ETW_COUNTER_SAMPLE_ONLY);
	bench->items.nr_counter_hooks = 1;
	KUNIT_EXPECT_EQ(test, etw_encode_counter_names(&bench->items, bench->payload), 0);
}

/* The longest names there can be, with NULs alone between them */
static void longest_names(struct kunit *test)
{
	struct bench *bench = bench_make(test);
	u32 i, size;

	for (i = 0; i < ETW_MAX_PMC_COUNTERS; i++)
		add_counter(bench, 0x1000 + i, 0);
	bench->items.nr_counter_hooks = 1;
	bench->items.present |= BIT(ETW_ITEM_COUNTER_NAMES);
	bench->items.counter_name_units = ETW_MAX_COUNTER_NAMES;
	for (i = 0; i < ETW_MAX_COUNTER_NAMES - ETW_MAX_PMC_COUNTERS; i++)
		bench->items.counter_names[i] = 'x';
	size = etw_encode_counter_names(&bench->items, bench->payload);
	KUNIT_EXPECT_EQ(test, size, 4 + 2 * ETW_MAX_COUNTER_NAMES);
	KUNIT_EXPECT_EQ(test, bench->payload[size], 0xA5);
	size = etw_encode_interval(&bench->items, 0x1000, 1, bench->payload);
	KUNIT_EXPECT_EQ(test, size, 12 + 2 * (ETW_MAX_COUNTER_NAMES - ETW_MAX_PMC_COUNTERS + 1));
	size = etw_encode_interval(&bench->items, 0x1006, 1, bench->payload);
	KUNIT_EXPECT_EQ(test, size, 14);
}

static void flags(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, etw_sample_flags(0, 0, 0), 0);
	KUNIT_EXPECT_EQ(test, etw_sample_flags(0x100, 0, 8), 0x41);
	KUNIT_EXPECT_EQ(test, etw_sample_flags(0, 1, 31), 0xFA);
	KUNIT_EXPECT_EQ(test, etw_sample_flags(1, 1, 1), 0x0B);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(nothing_samples),
	KUNIT_CASE(intervals_by_source),
	KUNIT_CASE(periods),
	KUNIT_CASE(timer_as_in_windows),
	KUNIT_CASE(changes),
	KUNIT_CASE(interval_names),
	KUNIT_CASE(counted_names),
	KUNIT_CASE(all_are_sampled_only),
	KUNIT_CASE(longest_names),
	KUNIT_CASE(flags),
	{}
};

static struct kunit_suite suite = {
	.name = "etw_profile_records",
	.test_cases = cases,
};

kunit_test_suite(suite);
