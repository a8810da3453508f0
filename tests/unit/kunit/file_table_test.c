// SPDX-License-Identifier: GPL-2.0
/* Names of files: places that outlive the last user of names, and what is found in them. */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt	/* as file_table.c has it */
#include <kunit/test.h>
#include <linux/mutex.h>
#include <linux/string.h>
#include "source/storage/file_table.c"

DEFINE_MUTEX(etw_sources_lock);	/* source.c has the module's */

static const struct etw_file_id file = { .inode = 4711, .device = 8, .generation = 1 };

static void begin_names(struct kunit *test)
{
	int err;

	mutex_lock(&etw_sources_lock);
	err = etw_file_names_get();
	mutex_unlock(&etw_sources_lock);
	KUNIT_ASSERT_EQ(test, err, 0);
}

static void end_names(void)
{
	mutex_lock(&etw_sources_lock);
	etw_file_names_put();
	mutex_unlock(&etw_sources_lock);
}

static void enter(const struct etw_file_claim *room, const char *name)
{
	memcpy(room->name, name, strlen(name));
	etw_file_table_publish(room, strlen(name));
}

static bool has_one(const struct etw_file_table *table, const char *name)
{
	struct etw_file_entry entry;
	u32 at = 0;

	return etw_file_table_next(table, &at, &entry) && entry.id.inode == file.inode &&
	       entry.length == strlen(name) && !memcmp(entry.name, name, entry.length) &&
	       !etw_file_table_next(table, &at, &entry);
}

static void names_are_kept_and_removed(struct kunit *test)
{
	struct etw_file_table *table;
	struct etw_file_claim room;
	u32 length;

	KUNIT_EXPECT_FALSE(test, etw_file_table_claim(&file, &room));
	begin_names(test);
	table = etw_file_table_get();
	KUNIT_ASSERT_NOT_NULL(test, table);
	KUNIT_ASSERT_TRUE(test, etw_file_table_claim(&file, &room));
	enter(&room, "/a/name");
	KUNIT_EXPECT_TRUE(test, has_one(table, "/a/name"));
	KUNIT_EXPECT_FALSE(test, etw_file_table_claim(&file, &room));
	KUNIT_ASSERT_TRUE(test, etw_file_table_remove(&file, &room, &length));
	KUNIT_EXPECT_EQ(test, length, (u32)strlen("/a/name"));
	etw_file_table_abandon(&room);
	KUNIT_EXPECT_FALSE(test, etw_file_table_remove(&file, &room, &length));
	etw_file_table_put(table);
	end_names();
}

/*
 * A rundown that its session no longer waits for, and a disk's event, have a place in
 * hand when the last user of names goes.
 */
static void users_go_while_a_name_is_copied(struct kunit *test)
{
	struct etw_file_table *table;
	struct etw_file_claim room;

	begin_names(test);
	table = etw_file_table_get();	/* for RCU, which would not let the memory go */
	KUNIT_ASSERT_NOT_NULL(test, table);
	KUNIT_ASSERT_TRUE(test, etw_file_table_claim(&file, &room));
	end_names();
	KUNIT_EXPECT_NULL(test, etw_file_table_get());
	enter(&room, "/late");
	KUNIT_EXPECT_TRUE(test, has_one(table, "/late"));
	etw_file_table_put(table);
}

/* The next user has a table of its own: what belongs to the old one does not go there. */
static void next_users_have_a_table_of_their_own(struct kunit *test)
{
	struct etw_file_table *table, *next;
	struct etw_file_claim room;

	begin_names(test);
	table = etw_file_table_get();
	KUNIT_ASSERT_NOT_NULL(test, table);
	KUNIT_ASSERT_TRUE(test, etw_file_table_claim(&file, &room));
	end_names();
	begin_names(test);
	enter(&room, "/late");
	KUNIT_EXPECT_TRUE(test, has_one(table, "/late"));
	next = etw_file_table_get();
	KUNIT_EXPECT_PTR_NE(test, table, next);
	KUNIT_EXPECT_FALSE(test, etw_file_table_remove(&file, &room, &(u32){ 0 }));
	etw_file_table_put(table);
	etw_file_table_put(next);
	end_names();
}

static struct kunit_case cases[] = {
	KUNIT_CASE(names_are_kept_and_removed),
	KUNIT_CASE(users_go_while_a_name_is_copied),
	KUNIT_CASE(next_users_have_a_table_of_their_own),
	{}
};

static struct kunit_suite suite = {
	.name = "etw_file_table",
	.test_cases = cases,
};

kunit_test_suite(suite);
