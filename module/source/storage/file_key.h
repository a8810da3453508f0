/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* File keys, the same in every event about the file, and file names. */
#ifndef ETW_FILE_KEY_H
#define ETW_FILE_KEY_H

#include <linux/types.h>

struct etw_sink;
struct file;
struct inode;
struct path;

/* Represents the backing store of anonymous memory, whatever device it is on */
#define ETW_FILE_SWAP	((const struct inode *)-1L)

/* Size in bytes of the longest stored name, with its NUL */
#define ETW_FILE_NAME_BYTES	468

/**
 * struct etw_file_id - unique id of a file
 * @inode: number
 * @subvolume: file system tree, if the file system has several (btrfs); else 0
 * @device: of the file system
 * @generation: distinguishes files that had the same number one after another
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
 * Names of files that events have shown. A source with open files calls
 * etw_file_names_get() in prepare(), _put() in unprepare(), and etw_file_seen() for each
 * file. So a session that wants names later also gets the names of earlier files. Callers
 * that are not such users (disks, which have only their own path; rundowns, which outlive
 * their listener) enter no names while there are no users.
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
