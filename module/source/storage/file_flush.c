// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Entry handlers of file flushes, each recorded once; declared in file_calls.h. */
#include <linux/fdtable.h>
#include <linux/fs.h>
#include <linux/ptrace.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <asm/syscall.h>
#include "file_calls.h"
#include "flush_notes.h"

/*
 * fsync(), fdatasync() and vfs_fsync() either call vfs_fsync_range() or contain its inlined
 * code, as the compiler decides. So these outer calls are recorded, and the inner call for
 * the same file is not. io_uring and O_DSYNC call vfs_fsync_range() directly; AIO and other
 * parts of the kernel call vfs_fsync().
 */

/**
 * struct flush_call - a flush under way that is recorded at its outer call
 * @call: as for all operations
 * @asked: its note
 */
struct flush_call {
	struct etw_file_call call;
	struct etw_flush_note *asked;
};

/**
 * etw_file_flush_prepare() - forget all flushes
 *
 * A flush that was under way when its probe was removed has left its note.
 * Context: process, before the first listener.
 */
void etw_file_flush_prepare(void)
{
	BUILD_BUG_ON(sizeof(struct flush_call) != ETW_FILE_FLUSH_DATA);
	etw_flush_notes_clear();
}

static int begin(struct kretprobe_instance *instance, const struct file *file)
{
	struct etw_file_event event = {
		.hook_id = PERFINFO_LOG_TYPE_FILE_IO_FLUSH,
		.file = file,
		.inode = etw_file_taken(file),
	};

	if (!event.inode || etw_flush_is_noted(current, file))
		return 1;
	return etw_file_begin(instance, &event);
}

static int begin_asked(struct kretprobe_instance *instance, const struct file *file)
{
	struct flush_call *flush = (struct flush_call *)instance->data;
	int skip = begin(instance, file);

	if (!skip)
		flush->asked = etw_flush_note(current, file);
	return skip;
}

/**
 * etw_file_enter_flush() - vfs_fsync_range(struct file *, loff_t start, loff_t end, int)
 * @instance: the call
 * @regs: its arguments
 *
 * Context: as kprobes. Return: 1 if the call is not recorded.
 */
int etw_file_enter_flush(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	return begin(instance, (const struct file *)regs_get_kernel_argument(regs, 0));
}

/**
 * etw_file_enter_fsync() - vfs_fsync(struct file *, int datasync)
 * @instance: the call
 * @regs: its arguments
 *
 * Context: as kprobes. Return: 1 if the call is not recorded.
 */
int etw_file_enter_fsync(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	return begin_asked(instance, (const struct file *)regs_get_kernel_argument(regs, 0));
}

/**
 * etw_file_enter_sync() - fsync(fd), fdatasync(fd): the system calls themselves
 * @instance: the call
 * @regs: its argument, the user's registers
 *
 * Context: as kprobes. Return: 1 if the call is not recorded.
 */
int etw_file_enter_sync(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	struct pt_regs *user = (struct pt_regs *)regs_get_kernel_argument(regs, 0);
	unsigned long arguments[6];
	const struct file *file;
	int skip = 1;

	syscall_get_arguments(current, user, arguments);
	rcu_read_lock();	/* nothing else keeps the file, see etw_file_taken() */
	file = files_lookup_fd_raw(current->files, arguments[0]);
	/* fsync() fails for files opened with O_PATH, and flushes nothing */
	if (file && !(READ_ONCE(file->f_mode) & FMODE_PATH))
		skip = begin_asked(instance, file);
	rcu_read_unlock();
	return skip;
}

/**
 * etw_file_return_asked() - the end of vfs_fsync(), fsync() or fdatasync()
 * @instance: the call
 * @regs: its result
 *
 * Context: as kprobes. Return: 0.
 */
int etw_file_return_asked(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	const struct flush_call *flush = (const struct flush_call *)instance->data;
	int result = regs_return_value(regs);

	if (flush->asked)
		etw_flush_forget(flush->asked);
	etw_file_end(flush->call.irp, 0, etw_file_status(result));
	return 0;
}
