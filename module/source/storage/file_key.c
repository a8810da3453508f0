// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* File keys, the same in every event of a session, and noting the names of files. */
#include <linux/blkdev.h>
#include <linux/dcache.h>
#include <linux/exportfs.h>
#include <linux/fs.h>
#include <linux/list.h>
#include <linux/magic.h>
#include <linux/mount.h>
#include <linux/path.h>
#include <linux/siphash.h>
#include "etw_hooks.h"
#include "compat.h"
#include "context/sink.h"
#include "file_key.h"
#include "file_name.h"
#include "file_table.h"
#include "source/keyed_hash.h"
#include "source/path.h"

/**
 * etw_file_id_key() - etw_file_key() of a file by its id
 * @sink: session of the key
 * @id: which file
 *
 * Context: any.
 */
u64 etw_file_id_key(const struct etw_sink *sink, const struct etw_file_id *id)
{
	const siphash_key_t key = { { sink->key[0], sink->key[1] } };

	return etw_keyed_hash_3(&key, id->subvolume, id->inode,
				(u64)id->device << 32 | id->generation) | 1;
}

/*
 * btrfs: a file and its copies in snapshots share number, generation and device. The file
 * handle, made without a lock, contains the subvolume. An inode without a subvolume so far
 * is not hashed yet, so it gets no handle here.
 */
static noinline u64 subvolume_on_btrfs(const struct inode *inode)
{
	const struct export_operations *ops = inode->i_sb->s_export_op;
	struct {
		u64 inode;
		u64 subvolume;
		u32 generation;
	} handle;
	int words = sizeof(handle) / sizeof(u32);

	if (!ops || !ops->encode_fh || hlist_unhashed_lockless(&inode->i_hash))
		return 0;
	if (ops->encode_fh((struct inode *)inode, (u32 *)&handle, &words, NULL) !=
	    FILEID_BTRFS_WITHOUT_PARENT)
		return 0;
	return handle.subvolume;
}

/* Apart from the above, so that files of other file systems pay for no handle on the stack. */
static __always_inline u64 subvolume_of(const struct inode *inode)
{
	return likely(inode->i_sb->s_magic != BTRFS_SUPER_MAGIC) ? 0 : subvolume_on_btrfs(inode);
}

/**
 * etw_file_id_of() - unique id of a file
 * @inode: of the file
 *
 * Context: any but NMI; takes no lock.
 */
struct etw_file_id etw_file_id_of(const struct inode *inode)
{
	return (struct etw_file_id){
		.inode = inode->i_ino,
		.subvolume = subvolume_of(inode),
		.device = inode->i_sb->s_dev,
		.generation = inode->i_generation,
	};
}

/**
 * etw_file_key() - key of a file in a session's records
 * @sink: session of the key
 * @inode: of the file; ETW_FILE_SWAP; or NULL
 *
 * Made of device, subvolume, number and generation, so that it stays the same when the
 * inode leaves memory and comes back. (kernel-events.rst 4.3)
 *
 * Context: any but NMI. Return: the key, never 0; 0 for NULL.
 */
u64 etw_file_key(const struct etw_sink *sink, const struct inode *inode)
{
	const siphash_key_t key = { { sink->key[0], sink->key[1] } };
	struct etw_file_id id;

	if (!inode)
		return 0;
	if (inode == ETW_FILE_SWAP)
		return siphash_1u64(0, &key) | 1;
	id = etw_file_id_of(inode);
	return etw_file_id_key(sink, &id);
}

/*
 * A file without a name on a file system has d_dname(), which takes locks. /proc makes a
 * new inode for every lookup, and has nothing on a disk.
 */
static bool has_path(const struct inode *inode, const struct path *path)
{
	const struct dentry *dentry = path->dentry;

	if (!inode || !dentry || !path->mnt || inode->i_sb->s_magic == PROC_SUPER_MAGIC)
		return false;
	return !dentry->d_op || !dentry->d_op->d_dname ||
	       (IS_ROOT(dentry) && dentry == path->mnt->mnt_root);
}

static u32 copy_path(const struct path *path, char *name)
{
	const char *text = etw_path(path, name, ETW_FILE_NAME_BYTES);
	u32 length = strlen(text);

	memmove(name, text, length);
	return length;
}

/* A separate function, so that see() has no claim on its stack if the CPU has seen the file */
static noinline void see_first(const struct etw_file_id *id, const struct path *path, bool record)
{
	struct etw_file_claim claim __uninitialized;
	u32 length;

	rcu_read_lock();
	if (etw_file_table_claim(id, &claim)) {
		length = copy_path(path, claim.name);
		/* no other CPU changes the name until it is published */
		if (record)
			etw_file_name_record(PERFINFO_LOG_TYPE_FILENAME_CREATE, &claim, length);
		etw_file_table_publish(&claim, length);
	}
	rcu_read_unlock();
}

static void see(const struct inode *inode, const struct path *path, bool record)
{
	struct etw_file_id id __uninitialized;

	if (in_interrupt() || !has_path(inode, path))
		return;
	id = etw_file_id_of(inode);
	/* a rundown, which does not record, may be preempted */
	if (!record || !etw_file_table_has_seen(&id))
		see_first(&id, path, record);
}

/**
 * etw_file_inode_of() - the inode that an open file's key is made of
 * @file: open
 * @inode: the file's own
 *
 * For a special file of a disk, the disk's inode, which owns the pages.
 */
const struct inode *etw_file_inode_of(const struct file *file, const struct inode *inode)
{
	const struct address_space *mapping = READ_ONCE(file->f_mapping);

	return S_ISBLK(inode->i_mode) && mapping ? mapping->host : inode;
}

/**
 * etw_file_inode() - as etw_file_inode_of(), for a file that is held
 * @file: held by the caller
 */
const struct inode *etw_file_inode(const struct file *file)
{
	return etw_file_inode_of(file, file_inode(file));
}

/**
 * etw_file_seen() - note the name of an open file that an event has shown
 * @file: held by the caller
 *
 * At first sight the name is copied and written to sessions that want names. Cheap if the
 * file is known, or no session wants names.
 *
 * Context: task; preemption off; lock-free but for what etw_path() does. Does
 * nothing in interrupts.
 */
void etw_file_seen(const struct file *file)
{
	see(etw_file_inode(file), etw_file_path(file), true);
}

/**
 * etw_file_seen_at() - as etw_file_seen(), for a file that is not open yet
 * @inode: of the file
 * @path: path of the file; held by the caller
 */
void etw_file_seen_at(const struct inode *inode, const struct path *path)
{
	see(inode, path, true);
}

/**
 * etw_file_known() - note an open file's name without writing a record
 * @file: held by the caller
 *
 * For a rundown, which writes all names itself.
 * Context: task.
 */
void etw_file_known(const struct file *file)
{
	see(etw_file_inode(file), etw_file_path(file), false);
}

/**
 * etw_file_seen_disk() - note the name of a disk that a disk event has shown as the file
 * @inode: of a block device, for file system data outside of files
 *
 * Context: any but NMI; preemption off.
 */
void etw_file_seen_disk(const struct inode *inode)
{
	struct block_device *bdev = I_BDEV((struct inode *)inode);
	struct etw_file_id id = etw_file_id_of(inode);
	struct etw_file_claim claim;
	u32 length;

	if (!etw_file_table_claim(&id, &claim))
		return;
	length = snprintf(claim.name, ETW_FILE_NAME_BYTES, "/dev/%pg", bdev);
	etw_file_name_record(PERFINFO_LOG_TYPE_FILENAME_CREATE, &claim, length);
	etw_file_table_publish(&claim, length);
}

/**
 * etw_file_deleted() - write and forget the name of a deleted file
 * @inode: of the file, which has no users any more
 *
 * Context: any but NMI; preemption off.
 */
void etw_file_deleted(const struct inode *inode)
{
	struct etw_file_id id = etw_file_id_of(inode);
	struct etw_file_claim claim;
	u32 length;

	if (!etw_file_table_remove(&id, &claim, &length))
		return;
	etw_file_name_record(PERFINFO_LOG_TYPE_FILENAME_DELETE, &claim, length);
	etw_file_table_abandon(&claim);
}
