/* SPDX-License-Identifier: GPL-2.0 */
/* Keys of files, the same in every event that means the file, and their names. */
#ifndef ETW_FILE_KEY_H
#define ETW_FILE_KEY_H

#include <linux/types.h>

struct etw_sink;
struct file;
struct inode;
struct path;

/* Stands for the backing store of anonymous memory, whatever device it is on */
#define ETW_FILE_SWAP	((const struct inode *)-1L)

/* The longest name that is kept, with its NUL: bytes */
#define ETW_FILE_NAME_BYTES	468

/**
 * struct etw_file_id - which file
 * @inode: number
 * @subvolume: in which of the file system's trees, where it has several (btrfs); else 0
 * @device: of the file system
 * @generation: tells one that had the same number before
 */
struct etw_file_id {
	u64 inode;
	u64 subvolume;
	u32 device;
	u32 generation;
};

struct etw_file_id etw_file_id_of(const struct inode *inode);
u64 etw_file_id_key(const struct etw_sink *sink, const struct etw_file_id *id);
u64 etw_file_key(const struct etw_sink *sink, const struct inode *inode);

/*
 * Names of files that events have shown. A source that has open files in hand calls
 * etw_file_names_get() in prepare(), _put() in unprepare(), and etw_file_seen() where it
 * has one: who wants names only later is told of those, too. Who shows names without
 * being such a user (disks, which have no path but their own; rundowns, which outlive
 * the listener that they were for) enters none while there are no users.
 */
int etw_file_names_get(void);
void etw_file_names_put(void);
const struct inode *etw_file_inode(const struct file *file);
const struct inode *etw_file_inode_of(const struct file *file, const struct inode *inode);
void etw_file_seen(const struct file *file);
void etw_file_known(const struct file *file);
void etw_file_seen_at(const struct inode *inode, const struct path *path);
void etw_file_seen_disk(const struct inode *inode);
void etw_file_deleted(const struct inode *inode);

#endif /* ETW_FILE_KEY_H */
