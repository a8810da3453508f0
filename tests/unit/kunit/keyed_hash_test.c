// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Hashes that are kept, against those that are computed. */
#include <kunit/test.h>
#include "source/keyed_hash.c"

/* More than a CPU keeps */
#define WORDS	(4 << KEPT_BITS)

static const siphash_key_t keys[] = { { { 0, 0 } }, { { 1, 2 } }, { { ~0ULL, 3 } } };

static void check(struct kunit *test, const siphash_key_t *key, u64 word)
{
	KUNIT_EXPECT_EQ(test, etw_keyed_hash_1(key, word), siphash_1u64(word, key));
	KUNIT_EXPECT_EQ(test, etw_keyed_hash_3(key, word, 0, 0), siphash_3u64(word, 0, 0, key));
	KUNIT_EXPECT_EQ(test, etw_keyed_hash_3(key, 0, word, 0), siphash_3u64(0, word, 0, key));
	KUNIT_EXPECT_EQ(test, etw_keyed_hash_3(key, 0, 0, word), siphash_3u64(0, 0, word, key));
}

/* Each twice in a row, and again after others replaced it. 0 is the content of an empty entry. */
static void compare(struct kunit *test)
{
	u64 word;
	u32 i, k;

	for (i = 0; i < 2; i++) {
		for (word = 0; word < WORDS; word++) {
			for (k = 0; k < ARRAY_SIZE(keys); k++) {
				check(test, &keys[k], word);
				check(test, &keys[k], word);
			}
		}
	}
}

static void equal(struct kunit *test)
{
	etw_keyed_hash_init();
	KUNIT_EXPECT_TRUE(test, results);
	compare(test);
	etw_keyed_hash_exit();
}

static void without_memory(struct kunit *test)
{
	KUNIT_EXPECT_FALSE(test, results);
	compare(test);
}

/* As if code was interrupted in the midst of a change, or of a comparison */
static void interrupted(struct kunit *test)
{
	struct kept kept = { .changes = 1, .hash = 5 };
	u64 hash;

	KUNIT_EXPECT_FALSE(test, finds(&kept, &keys[0], 0, 0, 0, &hash));
	keep(&kept, &keys[0], 0, 0, 0, 6);
	KUNIT_EXPECT_EQ(test, kept.changes, 1);
	KUNIT_EXPECT_EQ(test, kept.hash, 5);
	kept.changes = 2;
	KUNIT_EXPECT_TRUE(test, finds(&kept, &keys[0], 0, 0, 0, &hash));
	KUNIT_EXPECT_EQ(test, hash, 5);
	keep(&kept, &keys[0], 0, 0, 0, 6);
	KUNIT_EXPECT_EQ(test, kept.changes, 4);
	kept.changes = 0;
	KUNIT_EXPECT_FALSE(test, finds(&kept, &keys[0], 0, 0, 0, &hash));
}

static struct kunit_case cases[] = {
	KUNIT_CASE(equal),
	KUNIT_CASE(without_memory),
	KUNIT_CASE(interrupted),
	{}
};

static struct kunit_suite suite = {
	.name = "etw_keyed_hash",
	.test_cases = cases,
};

kunit_test_suite(suite);
