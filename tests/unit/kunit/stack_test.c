// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Stacks: the tracer's frames, the cache of frames. */
#include <kunit/test.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include "context/stack_skip.c"
#include "context/stack_cache.c"

/* Addresses of the tests: 1xx are ours, 2xx machinery */
static bool own(unsigned long address, void *data)
{
	return address / 100 == 1;
}

static bool calls_probes(unsigned long address, void *data)
{
	return address / 100 == 2;
}

static const struct etw_stack_rules rules = { .is_own = own, .is_machinery = calls_probes };

static void tracers_frames(struct kunit *test)
{
	static const struct {
		unsigned long frames[8];
		u32 nr, skipped;
	} due[] = {
		{ { 101, 102, 201, 301, 302 }, 5, 3 },
		{ { 101, 301, 102, 302 }, 4, 1 },	/* deeper ones are the event's */
		{ { 301, 101, 201, 202, 302 }, 5, 4 },	/* the walk itself, before ours */
		{ { 301, 302, 303 }, 3, 0 },
		{ { 101, 102 }, 2, 2 },
		{ { 201, 301 }, 2, 1 },
		{ { 301, 302, 303, 304, 101, 305 }, 6, 0 },	/* too far to be the walk's */
		{ { 0 }, 0, 0 },
	};
	u32 i;

	for (i = 0; i < ARRAY_SIZE(due); i++)
		KUNIT_EXPECT_EQ_MSG(test, etw_stack_skip_tracer(due[i].frames, due[i].nr, &rules),
				    due[i].skipped, "case %u", i);
}

static void to_the_sample(struct kunit *test)
{
	static const unsigned long frames[] = { 5, 6, 7, 6 };

	KUNIT_EXPECT_EQ(test, etw_stack_skip_to(frames, 4, 6), 1U);
	KUNIT_EXPECT_EQ(test, etw_stack_skip_to(frames, 4, 5), 0U);
	KUNIT_EXPECT_EQ(test, etw_stack_skip_to(frames, 4, 8), 4U);
	KUNIT_EXPECT_EQ(test, etw_stack_skip_to(frames, 0, 5), 0U);
}

static void names_of_machinery(struct kunit *test)
{
	static const char * const yes[] = {
		"__traceiter_sched_switch", "kprobe_ftrace_handler", "arch_rethook_trampoline",
		"__kretprobe_trampoline", "trampoline_probe_handler", "ftrace_regs_call",
		"0xffffffffc0a05083", "trace_kmalloc", "trace_cpu_idle.constprop.0",
		"__do_trace_sched_waking", "trace_call__sched_waking", "perf_trace_sched_switch",
		"perf_tp_event", "perf_swevent_event", "__perf_event_overflow",
	};
	static const char * const no[] = {
		"__schedule", "try_to_wake_up", "do_user_addr_fault", "trace_clock", "",
		"trace_kfree_skb", "trace_", "trace_kmallo", "trace_sched_switch_tp",
		"el0_svc", "do_sys_openat2", "k", "perf_event_mmap", "perf_read",
	};
	u32 i;

	for (i = 0; i < ARRAY_SIZE(yes); i++)
		KUNIT_EXPECT_TRUE_MSG(test, etw_stack_names_machinery(yes[i]), "%s", yes[i]);
	for (i = 0; i < ARRAY_SIZE(no); i++)
		KUNIT_EXPECT_FALSE_MSG(test, etw_stack_names_machinery(no[i]), "%s", no[i]);
}

static const u64 secret[] = { 1, 2 };

/* A cache of one bucket with so many entries */
static struct etw_stack_cache *make(struct kunit *test, u32 entries)
{
	const struct etw_stack_caching_config config = {
		.cache_size = entries * sizeof(struct etw_cached_stack) + 7, .bucket_count = 1,
	};
	struct etw_stack_cache *cache = etw_stack_cache_create(&config, secret);

	KUNIT_ASSERT_NOT_NULL(test, cache);
	KUNIT_EXPECT_EQ(test, etw_stack_cache_entries(cache), entries);
	return cache;
}

static u64 add(struct kunit *test, struct etw_stack_cache *cache, const unsigned long *frames,
	       u32 nr)
{
	u64 hash = etw_stack_cache_hash(cache, frames, nr);
	struct etw_cached_stack *entry = etw_stack_cache_take(cache, hash);

	KUNIT_ASSERT_NOT_NULL(test, entry);
	etw_stack_cache_fill(entry, hash, etw_stack_cache_key(cache, frames, nr), frames, nr);
	etw_stack_cache_drop(entry);
	return hash;
}

static void sizes(struct kunit *test)
{
	static const struct {
		u32 entries, bucket_count, buckets, ways;
	} due[] = { { 8, 2, 2, 4 }, { 8, 100, 8, 1 }, { 9, 2, 2, 4 }, { 0, 5, 1, 1 } };
	u32 i;

	for (i = 0; i < ARRAY_SIZE(due); i++) {
		const struct etw_stack_caching_config config = {
			due[i].entries * sizeof(struct etw_cached_stack) + 1, due[i].bucket_count,
		};
		struct etw_stack_cache *cache = etw_stack_cache_create(&config, secret);

		KUNIT_ASSERT_NOT_NULL(test, cache);
		KUNIT_EXPECT_EQ(test, cache->buckets, due[i].buckets);
		KUNIT_EXPECT_EQ(test, cache->ways, due[i].ways);
		etw_stack_cache_free(cache);
	}
}

static void keys_stand_for_frames(struct kunit *test)
{
	struct etw_stack_cache *cache = make(test, 4);
	unsigned long a[] = { 1, 2, 3, 4, 5 }, b[] = { 1, 2, 3, 4, 6 };
	struct etw_cached_stack *entry;
	u64 key = etw_stack_cache_key(cache, a, 5), hash = add(test, cache, a, 5);

	KUNIT_EXPECT_NE(test, key, etw_stack_cache_key(cache, b, 5));
	KUNIT_EXPECT_NE(test, key, etw_stack_cache_key(cache, a, 4));
	KUNIT_EXPECT_NE(test, hash, etw_stack_cache_hash(cache, b, 5));
	KUNIT_EXPECT_NE(test, hash, etw_stack_cache_hash(cache, a, 4));
	entry = etw_stack_cache_find(cache, hash, a, 5);
	KUNIT_ASSERT_NOT_NULL(test, entry);
	etw_stack_cache_drop(entry);
	/* a stack that has the hash by chance has not the frames */
	KUNIT_EXPECT_NULL(test, etw_stack_cache_find(cache, hash, b, 5));
	KUNIT_EXPECT_NULL(test, etw_stack_cache_find(cache, hash, a, 4));
	KUNIT_EXPECT_EQ(test, atomic64_read(&entry->word), (s64)ETW_CACHED_READY);
	KUNIT_EXPECT_EQ(test, etw_stack_cache_copy(cache, 0), 5U);
	KUNIT_EXPECT_EQ(test, cache->copy.key, key);
	KUNIT_EXPECT_EQ(test, memcmp(cache->copy.frames, a, sizeof(a)), 0);
	KUNIT_EXPECT_EQ(test, etw_stack_cache_copy(cache, 1), 0U);
	etw_stack_cache_free(cache);
}

static void hints(struct kunit *test)
{
	struct etw_stack_cache *cache = make(test, 2), *other = make(test, 2);
	unsigned long a[] = { 1, 2, 3, 4 }, b[] = { 5, 6, 7, 8 };
	u64 hash = add(test, cache, a, 4);
	struct etw_cached_stack *entry = etw_stack_cache_find(cache, hash, a, 4);
	struct etw_stack_hint hint = { .index = entry - cache->entries };

	etw_stack_cache_drop(entry);
	/* without the stamp the frames decide */
	KUNIT_EXPECT_PTR_EQ(test, etw_stack_cache_hinted(cache, &hint, a, 4, false), entry);
	KUNIT_EXPECT_NULL(test, etw_stack_cache_hinted(cache, &hint, b, 4, false));
	KUNIT_EXPECT_NULL(test, etw_stack_cache_hinted(cache, &hint, a, 3, false));
	etw_stack_cache_drop(entry);
	/* with it, they are not compared */
	hint.stamp = entry->stamp;
	KUNIT_EXPECT_PTR_EQ(test, etw_stack_cache_hinted(cache, &hint, b, 4, true), entry);
	etw_stack_cache_drop(entry);
	/* another cache, another key in the same entry, no entry */
	add(test, other, b, 4);
	KUNIT_EXPECT_NULL(test, etw_stack_cache_hinted(other, &hint, a, 4, true));
	hint.stamp--;
	KUNIT_EXPECT_NULL(test, etw_stack_cache_hinted(cache, &hint, a, 4, true));
	hint.index = 2;
	KUNIT_EXPECT_NULL(test, etw_stack_cache_hinted(cache, &hint, a, 4, true));
	KUNIT_EXPECT_EQ(test, atomic64_read(&entry->word), (s64)ETW_CACHED_READY);
	etw_stack_cache_free(other);
	etw_stack_cache_free(cache);
}

static void the_leaving_thread(struct kunit *test)
{
	struct etw_stack_cache *cache = make(test, 1);
	unsigned long a[] = { 1, 2, 3, 4 }, b[] = { 5, 6, 7, 8 };
	u64 hash_a = add(test, cache, a, 4), hash_b = etw_stack_cache_hash(cache, b, 4);
	struct etw_cached_stack *used = etw_stack_cache_find(cache, hash_a, a, 4), *taken;

	KUNIT_ASSERT_NOT_NULL(test, used);
	/* it was used: it stays this time; in use: it stays */
	KUNIT_EXPECT_NULL(test, etw_stack_cache_take(cache, hash_b));
	KUNIT_EXPECT_NULL(test, etw_stack_cache_take(cache, hash_b));
	etw_stack_cache_drop(used);
	taken = etw_stack_cache_take(cache, hash_b);
	KUNIT_ASSERT_PTR_EQ(test, taken, used);
	KUNIT_EXPECT_EQ(test, taken->hash, hash_a);
	KUNIT_EXPECT_EQ(test, taken->nr, 4U);
	/* busy: it is not found, taken or recorded */
	KUNIT_EXPECT_NULL(test, etw_stack_cache_find(cache, hash_a, a, 4));
	KUNIT_EXPECT_NULL(test, etw_stack_cache_take(cache, hash_b));
	KUNIT_EXPECT_EQ(test, etw_stack_cache_copy(cache, 0), 0U);
	/* the definition could not be written: as before */
	etw_stack_cache_keep(taken);
	used = etw_stack_cache_find(cache, hash_a, a, 4);
	KUNIT_ASSERT_NOT_NULL(test, used);
	etw_stack_cache_drop(used);
	KUNIT_EXPECT_NULL(test, etw_stack_cache_take(cache, hash_b));
	taken = etw_stack_cache_take(cache, hash_b);
	KUNIT_ASSERT_NOT_NULL(test, taken);
	etw_stack_cache_empty(taken);
	KUNIT_EXPECT_NULL(test, etw_stack_cache_find(cache, hash_a, a, 4));
	add(test, cache, b, 4);
	etw_stack_cache_free(cache);
}

static void second_time(struct kunit *test)
{
	struct etw_stack_cache *cache = make(test, 16);

	KUNIT_EXPECT_FALSE(test, etw_stack_cache_came(cache, 0x123456789ULL));
	KUNIT_EXPECT_TRUE(test, etw_stack_cache_came(cache, 0x123456789ULL));
	KUNIT_EXPECT_FALSE(test, etw_stack_cache_came(cache, 0x12345678AULL));
	etw_stack_cache_free(cache);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(tracers_frames),
	KUNIT_CASE(to_the_sample),
	KUNIT_CASE(names_of_machinery),
	KUNIT_CASE(sizes),
	KUNIT_CASE(keys_stand_for_frames),
	KUNIT_CASE(hints),
	KUNIT_CASE(the_leaving_thread),
	KUNIT_CASE(second_time),
	{}
};

static struct kunit_suite suite = {
	.name = "etw_stack",
	.test_cases = cases,
};

kunit_test_suite(suite);
