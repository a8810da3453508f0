// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Names of files: places that outlive the last user of names, and what is found in them. */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt	/* as file_table.c has it */
#include <kunit/test.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/string.h>

/* Memory of the machine, which bounds the table */
static unsigned long machine_pages;
#define totalram_pages()	machine_pages

#include "source/storage/file_levels.c"
#include "source/storage/file_table.c"

DEFINE_MUTEX(etw_sources_lock);	/* source.c has the module's */

/* file_name.c has the module's */
static bool all_have_names;

bool etw_file_name_is_recorded(u32 change)
{
	return all_have_names;
}

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

static bool has_seen(void)
{
	bool seen;

	preempt_disable();
	seen = etw_file_table_has_seen(&file);
	preempt_enable();
	return seen;
}

/* A task looks for a name that is there. */
static void look_up(struct kunit *test)
{
	struct etw_file_claim room;
	bool claimed;

	preempt_disable();
	claimed = etw_file_table_claim(&file, &room);
	preempt_enable();
	KUNIT_EXPECT_FALSE(test, claimed);
}

/* Tasks of this CPU find it without a search, until its slot has another tag. */
static void a_name_is_at_hand_while_it_is_there(struct kunit *test)
{
	struct etw_file_claim room;
	u32 length;

	KUNIT_EXPECT_FALSE(test, has_seen());
	begin_names(test);
	migrate_disable();
	KUNIT_ASSERT_TRUE(test, etw_file_table_claim(&file, &room));
	enter(&room, "/a/name");
	KUNIT_EXPECT_FALSE(test, has_seen());
	look_up(test);
	KUNIT_EXPECT_TRUE(test, has_seen());
	/* a name that was not used since the last replacement is looked up, which marks it */
	*room.tag &= ~ETW_TAG_USED;
	KUNIT_EXPECT_FALSE(test, has_seen());
	look_up(test);
	KUNIT_EXPECT_TRUE(test, has_seen());
	KUNIT_ASSERT_TRUE(test, etw_file_table_remove(&file, &room, &length));
	KUNIT_EXPECT_FALSE(test, has_seen());
	etw_file_table_abandon(&room);
	KUNIT_EXPECT_FALSE(test, has_seen());
	migrate_enable();
	end_names();
	KUNIT_EXPECT_FALSE(test, has_seen());
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

static struct etw_file_id nth_file(u64 n)
{
	return (struct etw_file_id){ .inode = n + 1, .device = 9 };
}

/* Whether a file got a slot; its name is recorded then */
static bool enter_nth(u64 n, u32 change)
{
	struct etw_file_id id = nth_file(n);
	struct etw_file_claim room;

	if (!etw_file_table_claim(&id, &room))
		return false;
	room.recorded = true;
	room.change = change;
	enter(&room, "/n");
	return true;
}

static u32 count_names(const struct etw_file_table *table)
{
	struct etw_file_entry entry;
	u32 at = 0, count = 0;

	while (etw_file_table_next(table, &at, &entry))
		count++;
	return count;
}

#define FIRST_LEVEL	BIT(ETW_FILE_LEAST_BITS)

/* A machine with memory for a level of twice the first one's size */
static void the_table_grows_with_its_names(struct kunit *test)
{
	u32 i, entered = 0, count = FIRST_LEVEL + FIRST_LEVEL / 2;
	struct etw_file_table *table;

	all_have_names = false;
	machine_pages = (2 * FIRST_LEVEL * 512 * MEMORY_PART) >> PAGE_SHIFT;
	begin_names(test);
	machine_pages = 0;
	table = etw_file_table_get();
	KUNIT_ASSERT_NOT_NULL(test, table);
	/* by one of many random keys, all places of one name are taken */
	table->key = (siphash_key_t){ { 20261129, 1 } };
	for (i = 0; i < count; i++) {
		entered += enter_nth(i, 1);
		if (READ_ONCE(table->crowded))
			flush_work(&grow_work);
	}
	KUNIT_EXPECT_EQ(test, entered, count);
	KUNIT_EXPECT_EQ(test, count_names(table), count);
	KUNIT_EXPECT_EQ(test, atomic64_read(&table->replaced), 0);
	/* requested by a CPU that saw the level before the newest */
	grow(&grow_work);
	KUNIT_EXPECT_EQ(test, table->levels.count, 2U);
	etw_file_table_put(table);
	end_names();
}

static void a_used_name_does_not_give_way(struct kunit *test)
{
	struct etw_file_table *table;
	u32 i, again = 0;

	all_have_names = false;
	begin_names(test);
	table = etw_file_table_get();
	KUNIT_ASSERT_NOT_NULL(test, table);
	KUNIT_EXPECT_TRUE(test, enter_nth(0, 1));
	for (i = 1; i < 3 * FIRST_LEVEL; i++) {
		enter_nth(i, 1);
		again += enter_nth(0, 1);
	}
	KUNIT_EXPECT_GT(test, atomic64_read(&table->replaced), (s64)FIRST_LEVEL);
	KUNIT_EXPECT_EQ(test, again, 0);
	etw_file_table_put(table);
	end_names();
}

/* All files in turn, more than the table has slots, twice; then for a session that began since */
static void a_name_that_gave_way_is_recorded_once_per_session(struct kunit *test)
{
	u32 i, count = 2 * FIRST_LEVEL, entered = 0, again = 0;
	struct etw_file_claim room;
	struct etw_file_id id;

	begin_names(test);
	all_have_names = true;
	for (i = 0; i < count; i++)
		entered += enter_nth(i, 7);
	for (i = 0; i < count; i++)
		again += enter_nth(i, 8);
	KUNIT_EXPECT_EQ(test, entered, count);
	/* few: the ghosts of these gave way to others */
	KUNIT_EXPECT_LT(test, again, count / 100);
	all_have_names = false;
	for (i = 0, again = 0; i < count; i++) {
		id = nth_file(i);
		if (!etw_file_table_claim(&id, &room))
			continue;
		again += room.recorded && (room.change == 7 || room.change == 8);
		enter(&room, "/n");
	}
	KUNIT_EXPECT_GT(test, again, FIRST_LEVEL / 2);
	end_names();
}

static void a_later_file_with_the_same_id_is_a_new_one(struct kunit *test)
{
	struct etw_file_claim room;
	u32 i, length;
	struct etw_file_id id = nth_file(0);

	begin_names(test);
	all_have_names = true;
	for (i = 0; i < 4 * FIRST_LEVEL; i++)
		enter_nth(i, 1);
	KUNIT_EXPECT_FALSE(test, enter_nth(0, 1));
	if (etw_file_table_remove(&id, &room, &length))
		etw_file_table_abandon(&room);
	KUNIT_EXPECT_TRUE(test, enter_nth(0, 1));
	end_names();
}

static struct kunit_case cases[] = {
	KUNIT_CASE(names_are_kept_and_removed),
	KUNIT_CASE(a_name_is_at_hand_while_it_is_there),
	KUNIT_CASE(users_go_while_a_name_is_copied),
	KUNIT_CASE(next_users_have_a_table_of_their_own),
	KUNIT_CASE(the_table_grows_with_its_names),
	KUNIT_CASE(a_used_name_does_not_give_way),
	KUNIT_CASE(a_name_that_gave_way_is_recorded_once_per_session),
	KUNIT_CASE(a_later_file_with_the_same_id_is_a_new_one),
	{}
};

static struct kunit_suite suite = {
	.name = "etw_file_table",
	.test_cases = cases,
};

kunit_test_suite(suite);
