// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Entry handlers of changes to file names, attributes, sizes; declared in file_calls.h. */
#include <linux/dcache.h>
#include <linux/fs.h>
#include <linux/ptrace.h>
#include "compat.h"
#include "file_calls.h"

/**
 * etw_file_enter_directory() - iterate_dir(struct file *, struct dir_context *)
 * @instance: the call
 * @regs: its arguments
 *
 * Context: as kprobes. Return: 1 if the call is not recorded.
 */
int etw_file_enter_directory(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	const struct file *file = (const struct file *)regs_get_kernel_argument(regs, 0);
	struct etw_file_event event = {
		.hook_id = PERFINFO_LOG_TYPE_FILE_IO_DIRENUM,
		.file = file,
		.inode = etw_file_taken(file),
		.offset = file->f_pos,
	};

	if (!event.inode)
		return 1;
	etw_file_add_text(&event, "");
	return etw_file_begin(instance, &event);
}

/**
 * etw_file_enter_query() - vfs_getattr_nosec(const struct path *, ...)
 * @instance: the call
 * @regs: its arguments, which do not show whether a file is open
 *
 * Context: as kprobes. Return: 1 if the call is not recorded.
 */
int etw_file_enter_query(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	const struct path *path = (const struct path *)regs_get_kernel_argument(regs, 0);
	struct etw_file_event event = {
		.hook_id = PERFINFO_LOG_TYPE_FILE_IO_QUERY_INFORMATION,
		.inode = d_backing_inode(path->dentry),
		.flags = ETW_FILE_ALL_INFORMATION,
	};

	return etw_file_takes_inode(event.inode) ? etw_file_begin(instance, &event) : 1;
}

/**
 * etw_file_enter_set() - notify_change(idmap, struct dentry *, struct iattr *, ...)
 * @instance: the call
 * @regs: its arguments
 *
 * Context: as kprobes. Return: 1 if the call is not recorded.
 */
int etw_file_enter_set(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	const struct dentry *dentry = (const struct dentry *)regs_get_kernel_argument(regs, 1);
	const struct iattr *attr = (const struct iattr *)regs_get_kernel_argument(regs, 2);
	struct etw_file_event event = {
		.hook_id = PERFINFO_LOG_TYPE_FILE_IO_SET_INFORMATION,
		.file = attr->ia_valid & ATTR_FILE ? attr->ia_file : NULL,
		.inode = d_backing_inode(dentry),
		.flags = ETW_FILE_BASIC_INFORMATION,
	};

	if (attr->ia_valid & ATTR_SIZE) {
		event.flags = ETW_FILE_END_OF_FILE_INFORMATION;
		event.extra = attr->ia_size;
	}
	return etw_file_takes_inode(event.inode) ? etw_file_begin(instance, &event) : 1;
}

/* Modes of fallocate() after which a range reads as zeros */
#define ZEROES	(FALLOC_FL_PUNCH_HOLE | FALLOC_FL_ZERO_RANGE | FALLOC_FL_WRITE_ZEROES)

/**
 * etw_file_enter_allocate() - vfs_fallocate(struct file *, int mode, loff_t, loff_t length)
 * @instance: the call
 * @regs: its arguments
 *
 * Context: as kprobes. Return: 1 if the call is not recorded.
 */
int etw_file_enter_allocate(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	const struct file *file = (const struct file *)regs_get_kernel_argument(regs, 0);
	struct etw_file_event event = {
		.hook_id = PERFINFO_LOG_TYPE_FILE_IO_SET_INFORMATION,
		.file = file,
		.inode = etw_file_taken(file),
		.extra = regs_get_kernel_argument(regs, 2) + regs_get_kernel_argument(regs, 3),
		.flags = ETW_FILE_ALLOCATION_INFORMATION,
	};

	if (!event.inode)
		return 1;
	if (regs_get_kernel_argument(regs, 1) & ZEROES) {
		event.hook_id = PERFINFO_LOG_TYPE_FILE_IO_FS_CONTROL;
		event.flags = ETW_FSCTL_SET_ZERO_DATA;
	}
	return etw_file_begin(instance, &event);
}

/* A change of a name has two records, as on Windows: with the file, and with the path. */
static int begin_name(struct kretprobe_instance *instance, struct etw_file_event *event,
		      u16 path_hook_id, const struct dentry *dentry)
{
	if (!etw_file_takes_inode(event->inode))
		return 1;
	etw_file_begin(instance, event);
	event->hook_id = path_hook_id;
	etw_file_add_dentry(event, dentry);
	etw_file_record(ETW_FILE_WANTS_INIT, event);
	return 0;
}

/**
 * etw_file_enter_delete() - vfs_unlink(), vfs_rmdir()(idmap, struct inode *, struct dentry *)
 * @instance: the call
 * @regs: its arguments
 *
 * Context: as kprobes. Return: 1 if the call is not recorded.
 */
int etw_file_enter_delete(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	const struct dentry *dentry = (const struct dentry *)regs_get_kernel_argument(regs, 2);
	struct etw_file_event event = {
		.hook_id = PERFINFO_LOG_TYPE_FILE_IO_DELETE,
		.inode = d_backing_inode(dentry),
		.extra = 1,
		.flags = ETW_FILE_DISPOSITION_INFORMATION,
	};

	return begin_name(instance, &event, PERFINFO_LOG_TYPE_FILE_IO_DELETE_PATH, dentry);
}

/**
 * etw_file_enter_rename() - vfs_rename(struct renamedata *)
 * @instance: the call
 * @regs: its arguments
 *
 * Context: as kprobes. Return: 1 if the call is not recorded.
 */
int etw_file_enter_rename(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	const struct renamedata *names =
		(const struct renamedata *)regs_get_kernel_argument(regs, 0);
	struct etw_file_event event = {
		.hook_id = PERFINFO_LOG_TYPE_FILE_IO_RENAME,
		.inode = d_backing_inode(names->old_dentry),
		.flags = ETW_FILE_RENAME_INFORMATION,
	};

	return begin_name(instance, &event, PERFINFO_LOG_TYPE_FILE_IO_RENAME_PATH,
			  names->new_dentry);
}

/**
 * etw_file_enter_link() - vfs_link(struct dentry *, idmap, struct inode *, struct dentry *)
 * @instance: the call
 * @regs: its arguments
 *
 * Context: as kprobes. Return: 1 if the call is not recorded.
 */
int etw_file_enter_link(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	struct etw_file_event event = {
		.hook_id = PERFINFO_LOG_TYPE_FILE_IO_SETLINK_PATH,
		.inode = d_backing_inode((struct dentry *)regs_get_kernel_argument(regs, 0)),
		.flags = ETW_FILE_LINK_INFORMATION,
	};

	if (!etw_file_takes_inode(event.inode))
		return 1;
	etw_file_add_dentry(&event, (const struct dentry *)regs_get_kernel_argument(regs, 3));
	return etw_file_begin(instance, &event);
}
