// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Keys of files: which files have one in common. */
#include <kunit/test.h>
#include <linux/string.h>
/* file_payload_test.c has one of its own, of that name */
#define etw_file_key	real_file_key
#include "source/storage/file_key.c"

/* No name is asked for here. */
const char *etw_path(const struct path *path, char *room, u32 size)
{
	return "";
}

void etw_file_name_record(u16 hook_id, struct etw_file_claim *room, u32 length)
{
}

static u32 asked;

/* As btrfs makes it: its words are what stands on disks, and won't change */
static int encode_fh(struct inode *inode, __u32 *fh, int *max_len, struct inode *parent)
{
	u64 *handle = (u64 *)fh;

	asked++;
	if (parent || *max_len < 5)
		return FILEID_INVALID;
	*max_len = 5;
	handle[0] = inode->i_ino;
	handle[1] = *(const u64 *)inode->i_private;
	fh[4] = inode->i_generation;
	return FILEID_BTRFS_WITHOUT_PARENT;
}

static const struct export_operations operations = { .encode_fh = encode_fh };

/* A file and a copy of it in a snapshot: all the same but for the subvolume */
struct world {
	struct super_block sb;
	u64 subvolume[2];
	struct inode inode[2];
	struct etw_sink sink;
};

static struct world *new_world(struct kunit *test, unsigned long magic)
{
	struct world *world = kunit_kzalloc(test, sizeof(*world), GFP_KERNEL);
	u32 i;

	KUNIT_ASSERT_NOT_NULL(test, world);
	world->sb.s_magic = magic;
	world->sb.s_dev = 42;
	world->sb.s_export_op = &operations;
	for (i = 0; i < 2; i++) {
		world->subvolume[i] = 256 + i;
		world->inode[i].i_sb = &world->sb;
		world->inode[i].i_ino = 257;
		world->inode[i].i_generation = 7;
		world->inode[i].i_private = &world->subvolume[i];
		inode_fake_hash(&world->inode[i]);
	}
	asked = 0;
	return world;
}

static bool have_one_key(const struct world *world)
{
	return etw_file_key(&world->sink, &world->inode[0]) ==
	       etw_file_key(&world->sink, &world->inode[1]);
}

static void copies_in_snapshots_are_other_files(struct kunit *test)
{
	struct world *world = new_world(test, BTRFS_SUPER_MAGIC);
	struct etw_file_id id;

	KUNIT_EXPECT_FALSE(test, have_one_key(world));
	id = etw_file_id_of(&world->inode[1]);
	KUNIT_EXPECT_EQ(test, etw_file_id_key(&world->sink, &id),
			etw_file_key(&world->sink, &world->inode[1]));
	world->subvolume[1] = world->subvolume[0];
	KUNIT_EXPECT_TRUE(test, have_one_key(world));
	world->inode[1].i_generation++;
	KUNIT_EXPECT_FALSE(test, have_one_key(world));
}

/* One that is just being made has no subvolume to be looked up: btrfs would crash. */
static void new_inodes_are_not_asked(struct kunit *test)
{
	struct world *world = new_world(test, BTRFS_SUPER_MAGIC);

	INIT_HLIST_NODE(&world->inode[0].i_hash);
	etw_file_key(&world->sink, &world->inode[0]);
	KUNIT_EXPECT_EQ(test, asked, 0U);
	etw_file_key(&world->sink, &world->inode[1]);
	KUNIT_EXPECT_EQ(test, asked, 1U);
}

static void other_file_systems_are_not_asked(struct kunit *test)
{
	struct world *world = new_world(test, EXT4_SUPER_MAGIC);

	KUNIT_EXPECT_TRUE(test, have_one_key(world));
	KUNIT_EXPECT_EQ(test, asked, 0U);
	world->inode[1].i_ino++;
	KUNIT_EXPECT_FALSE(test, have_one_key(world));
	KUNIT_EXPECT_EQ(test, etw_file_key(&world->sink, NULL), 0ULL);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(copies_in_snapshots_are_other_files),
	KUNIT_CASE(new_inodes_are_not_asked),
	KUNIT_CASE(other_file_systems_are_not_asked),
	{}
};

static struct kunit_suite suite = {
	.name = "etw_file_key",
	.test_cases = cases,
};

kunit_test_suite(suite);
