// SPDX-License-Identifier: GPL-2.0
/* Entry handlers of file flushes, each recorded once; declared in file_calls.h. */
#include <linux/atomic.h>
#include <linux/fdtable.h>
#include <linux/fs.h>
#include <linux/ptrace.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <asm/syscall.h>
#include "file_calls.h"

/*
 * fsync(), fdatasync() and vfs_fsync() either call vfs_fsync_range() or contain its inlined
 * code, as the compiler decides. So these outer calls are recorded, and the inner call for
 * the same file is not. io_uring and O_DSYNC call vfs_fsync_range() directly; AIO and other
 * parts of the kernel call vfs_fsync().
 *
 * One slot for each call that the probes can follow. Each call takes the first free slot, so
 * only the first asked_used slots have ever been in use. A slot with the current task in it
 * was written by this task, and no other task changes such a slot.
 */
static struct asked_flush {
	const struct task_struct *task;
	const struct file *file;
} asked_flushes[ETW_FILE_ASKED_FLUSHES];

static u32 asked_used;

/**
 * struct flush_call - a flush under way that is recorded at its outer call
 * @call: as for all operations
 * @asked: its slot in asked_flushes
 */
struct flush_call {
	struct etw_file_call call;
	struct asked_flush *asked;
};

/**
 * etw_file_flush_prepare() - empty the table of flushes
 *
 * A flush that was under way when its probe was removed has left its slot in use.
 * Context: process, before the first listener.
 */
void etw_file_flush_prepare(void)
{
	BUILD_BUG_ON(sizeof(struct flush_call) != ETW_FILE_FLUSH_DATA);
	memset(asked_flushes, 0, sizeof(asked_flushes));
	WRITE_ONCE(asked_used, 0);
}

static bool is_asked(const struct file *file)
{
	u32 used = READ_ONCE(asked_used), i;

	for (i = 0; i < used; i++)
		if (READ_ONCE(asked_flushes[i].task) == current && asked_flushes[i].file == file)
			return true;
	return false;
}

static void use_place(u32 place)
{
	u32 used = READ_ONCE(asked_used);

	while (used <= place && !try_cmpxchg(&asked_used, &used, place + 1))
		;
}

static struct asked_flush *note(const struct file *file)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(asked_flushes); i++)
		if (!cmpxchg(&asked_flushes[i].task, NULL, current)) {
			asked_flushes[i].file = file;
			use_place(i);
			return &asked_flushes[i];
		}
	return NULL;
}

static int begin(struct kretprobe_instance *instance, const struct file *file)
{
	struct etw_file_event event = {
		.hook_id = PERFINFO_LOG_TYPE_FILE_IO_FLUSH,
		.file = file,
		.inode = etw_file_taken(file),
	};

	return event.inode && !is_asked(file) ? etw_file_begin(instance, &event) : 1;
}

static int begin_asked(struct kretprobe_instance *instance, const struct file *file)
{
	struct flush_call *flush = (struct flush_call *)instance->data;
	int skip = begin(instance, file);

	if (!skip)
		flush->asked = note(file);
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
		WRITE_ONCE(flush->asked->task, NULL);
	etw_file_end(flush->call.irp, 0, etw_file_status(result));
	return 0;
}
