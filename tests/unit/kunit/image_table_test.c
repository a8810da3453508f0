// SPDX-License-Identifier: GPL-2.0
/* Images of an address space in the table: one file in many places, and full windows. */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt	/* as image_table.c has it */
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
	return etw_image_table_take(address_space(), &inode, text, text + PAGE_SIZE, image);
}

static void a_file_in_many_places_ends_at_each(struct kunit *test)
{
	struct etw_user_image found;
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
	KUNIT_EXPECT_EQ(test, atomic64_read(&without_place), 0);
	etw_image_table_unprepare();
}

/* An address whose hash is that of the file without an address */
static unsigned long text_in_full_window(void)
{
	u32 full = window_of(address_space(), &inode).first;
	unsigned long text = (PLACES + 1) * PAGE_SIZE;

	while (window_by_code(address_space(), &inode, text).first != full)
		text += PAGE_SIZE;
	return text;
}

static void an_image_finds_a_slot_behind_a_full_window(struct kunit *test)
{
	struct etw_user_image found;
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
	KUNIT_EXPECT_EQ(test, atomic64_read(&without_place), 0);
	etw_image_table_unprepare();
}

static struct kunit_case cases[] = {
	KUNIT_CASE(a_file_in_many_places_ends_at_each),
	KUNIT_CASE(an_image_finds_a_slot_behind_a_full_window),
	{}
};

static struct kunit_suite image_table = {
	.name = "etw_image_table",
	.test_cases = cases,
};

kunit_test_suite(image_table);
