// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Images in the table: one file in many places, full windows, and growth up to the bound. */
#include <kunit/test.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include "source/image/image_table.c"

/* More places than a window has slots */
#define PLACES	100U

/* The table compares addresses only, and reads the inode's address from the file. */
static struct inode inode;
static struct file file = { .f_inode = &inode };

static const struct mm_struct *address_space(void)
{
	return (const struct mm_struct *)&inode;
}

static struct etw_user_image image_at(unsigned long text)
{
	return (struct etw_user_image){
		.image = { .base = text, .size = PAGE_SIZE },
		.text = text,
		.file = &file,
	};
}

static bool take(unsigned long text, struct etw_image *image)
{
	bool more;

	return etw_image_table_take(address_space(), &inode, text, text + PAGE_SIZE, image, &more);
}

static void images_of_one_mapping_end_one_by_one(struct kunit *test)
{
	const unsigned long end = 3 * PAGE_SIZE;
	struct etw_image first, second;
	struct etw_user_image found;
	unsigned long text;
	bool more = false;

	KUNIT_ASSERT_EQ(test, etw_image_table_prepare(), 0);
	for (text = PAGE_SIZE; text < end; text += PAGE_SIZE) {
		found = image_at(text);
		KUNIT_EXPECT_TRUE(test, etw_image_table_add_new(address_space(), &found));
		/* a second rundown enters the same image */
		KUNIT_EXPECT_TRUE(test, etw_image_table_add_new(address_space(), &found));
	}
	KUNIT_EXPECT_TRUE(test, etw_image_table_take(address_space(), &inode, PAGE_SIZE, end,
						     &first, &more));
	KUNIT_EXPECT_TRUE(test, more);
	KUNIT_EXPECT_TRUE(test, etw_image_table_take(address_space(), &inode, PAGE_SIZE, end,
						     &second, &more));
	KUNIT_EXPECT_FALSE(test, more);
	KUNIT_EXPECT_EQ(test, first.base + second.base, 3 * PAGE_SIZE);
	KUNIT_EXPECT_FALSE(test, etw_image_table_take(address_space(), &inode, PAGE_SIZE, end,
						      &first, &more));
	etw_image_table_unprepare();
}

static void a_file_in_many_places_ends_at_each(struct kunit *test)
{
	struct etw_user_image found;
	u64 missed = etw_image_table_missed();
	struct etw_image image;
	unsigned long i;

	KUNIT_ASSERT_EQ(test, etw_image_table_prepare(), 0);
	for (i = 1; i <= PLACES; i++) {
		found = image_at(i * 2 * PAGE_SIZE);
		etw_image_table_add(address_space(), &found);
	}
	for (i = 1; i <= PLACES; i++) {
		found = image_at(i * 2 * PAGE_SIZE);
		KUNIT_EXPECT_TRUE(test, etw_image_table_has(address_space(), &found));
		KUNIT_EXPECT_TRUE(test, take(found.text, &image));
		KUNIT_EXPECT_EQ(test, image.base, found.image.base);
		KUNIT_EXPECT_FALSE(test, take(found.text, &image));
	}
	KUNIT_EXPECT_EQ(test, etw_image_table_missed(), missed);
	etw_image_table_unprepare();
}

static const struct image_table *newest_table(void)
{
	return rcu_dereference_protected(tables, true);
}

/* An address with the hash of the file without an address */
static unsigned long text_in_full_window(void)
{
	u32 full = window_of(newest_table(), address_space(), &inode).first;
	unsigned long text = (PLACES + 1) * PAGE_SIZE;

	while (window_by_code(newest_table(), address_space(), &inode, text).first != full)
		text += PAGE_SIZE;
	return text;
}

static void an_image_finds_a_slot_behind_a_full_window(struct kunit *test)
{
	struct etw_user_image found;
	u64 missed = etw_image_table_missed();
	struct etw_image image;
	unsigned long i;

	KUNIT_ASSERT_EQ(test, etw_image_table_prepare(), 0);
	for (i = 1; i <= WINDOW; i++) {
		found = image_at(i * PAGE_SIZE);
		etw_image_table_add(address_space(), &found);
	}
	found = image_at(text_in_full_window());
	etw_image_table_add(address_space(), &found);
	KUNIT_EXPECT_TRUE(test, etw_image_table_has(address_space(), &found));
	KUNIT_EXPECT_TRUE(test, take(found.text, &image));
	KUNIT_EXPECT_EQ(test, image.base, found.image.base);
	KUNIT_EXPECT_FALSE(test, etw_image_table_has(address_space(), &found));
	KUNIT_EXPECT_EQ(test, etw_image_table_missed(), missed);
	etw_image_table_unprepare();
}

/* Address spaces have addresses of some distance, as objects of the kernel have. */
static const struct mm_struct *nth_space(unsigned long n)
{
	return (const struct mm_struct *)(PAGE_OFFSET + (n + 1) * 1024);
}

static void set_most_bits(u32 bits)
{
	mutex_lock(&tables_lock);
	most_bits = bits;
	mutex_unlock(&tables_lock);
}

/* More images than the first table has slots, in as many address spaces */
#define MANY	(4UL << LEAST_BITS)

static void the_table_grows_with_its_images(struct kunit *test)
{
	struct etw_user_image found = image_at(PAGE_SIZE);
	u64 missed = etw_image_table_missed();
	unsigned long i, without = 0, taken = 0;
	struct etw_image image;
	bool more;

	KUNIT_ASSERT_EQ(test, etw_image_table_prepare(), 0);
	set_most_bits(LEAST_BITS + 2 * GROWTH_BITS);
	for (i = 0; i < MANY; i++) {
		without += !etw_image_table_add(nth_space(i), &found);
		if (i % 256 == 0)
			flush_work(&grow_work);
	}
	KUNIT_EXPECT_EQ(test, without, 0);
	KUNIT_EXPECT_EQ(test, etw_image_table_missed(), missed);
	for (i = 0; i < MANY; i++)
		taken += etw_image_table_has(nth_space(i), &found) &&
			 etw_image_table_take(nth_space(i), &inode, PAGE_SIZE, 2 * PAGE_SIZE,
					      &image, &more) &&
			 !etw_image_table_has(nth_space(i), &found);
	KUNIT_EXPECT_EQ(test, taken, MANY);
	KUNIT_EXPECT_EQ(test, atomic_read(&newest_table()->used), 0);
	etw_image_table_unprepare();
}

static void an_image_without_a_slot_counts_as_lost(struct kunit *test)
{
	struct etw_user_image found = image_at(PAGE_SIZE);
	u64 missed = etw_image_table_missed();
	unsigned long i, without = 0;

	KUNIT_ASSERT_EQ(test, etw_image_table_prepare(), 0);
	set_most_bits(LEAST_BITS);
	for (i = 0; i < MANY; i++)
		without += !etw_image_table_add(nth_space(i), &found);
	KUNIT_EXPECT_GE(test, without, MANY - BIT(LEAST_BITS));
	KUNIT_EXPECT_EQ(test, etw_image_table_missed(), missed + without);
	KUNIT_EXPECT_EQ(test, atomic_read(&newest_table()->used), (int)(MANY - without));
	etw_image_table_unprepare();
}

/* Objects of a slab, whose pages are anywhere */
static const struct mm_struct *space_of_slab(unsigned long n)
{
	return (const struct mm_struct *)(PAGE_OFFSET + ((unsigned long)hash_32(n / 25, 16) << 15) +
					  n % 25 * 1280);
}

/* A program with many mappings of one file forks: their slots come in runs of WINDOW. */
static void many_places_in_many_spaces_find_slots(struct kunit *test)
{
	const unsigned long spaces = 300, places = 250;
	struct etw_user_image found;
	unsigned long i, without = 0;

	KUNIT_ASSERT_EQ(test, etw_image_table_prepare(), 0);
	set_most_bits(LEAST_BITS + 3);
	for (i = 0; i < spaces * places; i++) {
		found = image_at((i % places + 1) * 2 * PAGE_SIZE);
		without += !etw_image_table_add(space_of_slab(i / places), &found);
		/* the worker is late */
		if (i % 8192 == 0)
			flush_work(&grow_work);
	}
	KUNIT_EXPECT_EQ(test, without, 0);
	etw_image_table_unprepare();
}

static struct kunit_case cases[] = {
	KUNIT_CASE(images_of_one_mapping_end_one_by_one),
	KUNIT_CASE(a_file_in_many_places_ends_at_each),
	KUNIT_CASE(an_image_finds_a_slot_behind_a_full_window),
	KUNIT_CASE(the_table_grows_with_its_images),
	KUNIT_CASE(an_image_without_a_slot_counts_as_lost),
	KUNIT_CASE(many_places_in_many_spaces_find_slots),
	{}
};

static struct kunit_suite image_table = {
	.name = "etw_image_table",
	.test_cases = cases,
};

kunit_test_suite(image_table);
