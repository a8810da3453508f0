// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* File operations 0440..0451, operation end 044C, by VFS functions. */
#include <linux/fs.h>
#include <linux/minmax.h>
#include <linux/preempt.h>
#include <linux/ptrace.h>
#include <linux/uio.h>
#include "compat.h"
#include "file_calls.h"
#include "file_key.h"
#include "source/function_probe.h"
#include "source/source.h"

/*
 * Probes are on VFS functions, not system calls. VFS functions have files instead of
 * numbers, and names that were copied in. They also see calls of 32-bit programs, exec,
 * exit, sendfile and the kernel itself. (limits.rst lists what they miss)
 *
 * Handlers run in the calling task with preemption off. Neither interrupts nor handlers call
 * VFS functions. So no handler of this file interrupts another.
 */

/* Calls of one function that are followed at once; further ones are counted as missed */
#define MANY_CALLS	256
#define SOME_CALLS	64

/**
 * struct open_call - an open() under way
 * @irp: number of the operation
 * @name: requested name; valid until the call returns
 * @root: directory that the name is relative to, or NULL; valid as long as @name
 * @flags: O_*
 */
struct open_call {
	u64 irp;
	const char *name;
	const struct path *root;
	int flags;
};

static void end_call(struct kretprobe_instance *instance, long result)
{
	const struct etw_file_call *call = (struct etw_file_call *)instance->data;

	etw_file_end(call->irp, max(result, 0L), etw_file_status(result));
}

static int return_long(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	end_call(instance, regs_return_value(regs));
	return 0;
}

static int return_int(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	end_call(instance, (int)regs_return_value(regs));
	return 0;
}

static int return_void(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	end_call(instance, 0);
	return 0;
}

static int open_flags(struct pt_regs *regs)
{
	return etw_open_flag((const struct open_flags *)regs_get_kernel_argument(regs, 2));
}

/* do_filp_open(int, struct filename *, const struct open_flags *) */
static int enter_open(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	struct open_call *call = (struct open_call *)instance->data;
	const struct filename *name = (const struct filename *)regs_get_kernel_argument(regs, 1);

	*call = (struct open_call){
		.irp = etw_file_next_irp(),
		.name = IS_ERR_OR_NULL(name) ? NULL : name->name,
		.flags = open_flags(regs),
	};
	return !call->name;
}

/*
 * do_file_open_root(const struct path *, const char *, const struct open_flags *): opens by
 * handle, with an empty name; or a call of the kernel with a root of its own
 */
static int enter_open_root(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	struct open_call *call = (struct open_call *)instance->data;

	*call = (struct open_call){
		.irp = etw_file_next_irp(),
		.name = (const char *)regs_get_kernel_argument(regs, 1),
		.root = (const struct path *)regs_get_kernel_argument(regs, 0),
		.flags = open_flags(regs),
	};
	return 0;
}

static u64 open_information(const struct file *file, int flags)
{
	if (file->f_mode & FMODE_CREATED)
		return ETW_FILE_CREATED;
	return flags & O_TRUNC ? ETW_FILE_OVERWRITTEN : ETW_FILE_OPENED;
}

/*
 * Create is written when the call returns, because only then its result is known. So its
 * OperationEnd follows at once. The record of an open file contains the full path; that of
 * a failed call, the requested name. An open by handle needs no name.
 */
static void record_open(const struct open_call *call, struct file *file)
{
	struct etw_file_event event = {
		.hook_id = PERFINFO_LOG_TYPE_FILE_IO_CREATE,
		.irp = call->irp,
		.flags = etw_file_create_options(call->flags),
	};

	if (IS_ERR(file) && call->root && !*call->name) {
		etw_file_add_path(&event, call->root);
	} else if (IS_ERR(file)) {
		etw_file_add_text(&event, call->name);
	} else {
		etw_file_seen(file);
		event.file = file;
		event.attributes = S_ISDIR(file_inode(file)->i_mode) ? 0x10 : 0x80;
		etw_file_add_path(&event, etw_file_path(file));
	}
	etw_file_record(ETW_FILE_WANTS_INIT, &event);
}

static int return_open(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	const struct open_call *call = (struct open_call *)instance->data;
	struct file *file = (struct file *)regs_return_value(regs);

	if (!IS_ERR(file) && !etw_file_taken(file))
		return 0;
	preempt_disable_notrace();
	record_open(call, file);
	preempt_enable_notrace();
	if (IS_ERR(file))
		etw_file_end(call->irp, 0, etw_file_status(PTR_ERR(file)));
	else
		etw_file_end(call->irp, open_information(file, call->flags), 0);
	return 0;
}

static int begin_simple(struct kretprobe_instance *instance, const struct file *file, u16 hook_id)
{
	struct etw_file_event event = {
		.hook_id = hook_id,
		.file = file,
		.inode = etw_file_taken(file),
	};

	return event.inode ? etw_file_begin(instance, &event) : 1;
}

static int enter_cleanup(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	return begin_simple(instance, (const struct file *)regs_get_kernel_argument(regs, 0),
			    PERFINFO_LOG_TYPE_FILE_IO_CLEANUP);
}

static int enter_close(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	return begin_simple(instance, (const struct file *)regs_get_kernel_argument(regs, 0),
			    PERFINFO_LOG_TYPE_FILE_IO_CLOSE);
}

static int begin_transfer(struct kretprobe_instance *instance, const struct file *file, bool writes,
			  const loff_t *offset, size_t size)
{
	struct etw_file_event event = {
		.hook_id = writes ? PERFINFO_LOG_TYPE_FILE_IO_WRITE :
				    PERFINFO_LOG_TYPE_FILE_IO_READ,
		.file = file,
		.inode = etw_file_taken(file),
		.offset = offset ? *offset : 0,
		.size = min_t(size_t, size, U32_MAX),
		.flags = ETW_IRP_SYNCHRONOUS_API |
			 (writes ? ETW_IRP_WRITE_OPERATION : ETW_IRP_READ_OPERATION),
	};

	if (!event.inode)
		return 1;
	if (file->f_flags & O_DIRECT)
		event.flags |= ETW_IRP_NOCACHE;
	etw_file_seen(file);
	return etw_file_begin(instance, &event);
}

/* vfs_read(), __kernel_read()(struct file *, buffer, size_t, loff_t *) */
static int enter_read(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	return begin_transfer(instance, (const struct file *)regs_get_kernel_argument(regs, 0),
			      false, (const loff_t *)regs_get_kernel_argument(regs, 3),
			      regs_get_kernel_argument(regs, 2));
}

static int enter_write(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	return begin_transfer(instance, (const struct file *)regs_get_kernel_argument(regs, 0),
			      true, (const loff_t *)regs_get_kernel_argument(regs, 3),
			      regs_get_kernel_argument(regs, 2));
}

/* do_iter_readv_writev(struct file *, struct iov_iter *, loff_t *, int type, rwf_t) */
static int enter_vector(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	const struct iov_iter *iter = (const struct iov_iter *)regs_get_kernel_argument(regs, 1);

	return begin_transfer(instance, (const struct file *)regs_get_kernel_argument(regs, 0),
			      (int)regs_get_kernel_argument(regs, 3) == WRITE,
			      (const loff_t *)regs_get_kernel_argument(regs, 2),
			      iov_iter_count(iter));
}

/* __kernel_write_iter(struct file *, struct iov_iter *, loff_t *) */
static int enter_kernel_write(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	const struct iov_iter *iter = (const struct iov_iter *)regs_get_kernel_argument(regs, 1);

	return begin_transfer(instance, (const struct file *)regs_get_kernel_argument(regs, 0),
			      true, (const loff_t *)regs_get_kernel_argument(regs, 2),
			      iov_iter_count(iter));
}

/* do_splice_to(), do_splice_read()(struct file *, loff_t *, pipe, size_t, flags) */
static int enter_splice_read(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	return begin_transfer(instance, (const struct file *)regs_get_kernel_argument(regs, 0),
			      false, (const loff_t *)regs_get_kernel_argument(regs, 1),
			      regs_get_kernel_argument(regs, 3));
}

/* iter_file_splice_write(pipe, struct file *, loff_t *, size_t, flags) */
static int enter_splice_write(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	if (!ETW_SPLICE_WRITES)
		return 1;
	return begin_transfer(instance, (const struct file *)regs_get_kernel_argument(regs, 1),
			      true, (const loff_t *)regs_get_kernel_argument(regs, 2),
			      regs_get_kernel_argument(regs, 3));
}

#define SIZED(symbol_, wants_, enter_, return_, size_, calls_, ...) { \
	.symbol = (symbol_), \
	.returns = true, \
	.wants = (wants_), \
	.kretprobe = { .entry_handler = (enter_), .handler = (return_), \
		       .data_size = (size_), .maxactive = (calls_) }, \
	__VA_ARGS__ \
}

#define CALL(symbol_, enter_, return_, calls_, ...) \
	SIZED(symbol_, etw_file_wants_call, enter_, return_, sizeof(struct etw_file_call), \
	      calls_, __VA_ARGS__)

/* A function with the file as its first argument */
#define FUNCTION(symbol_, enter_, return_, calls_, ...) \
	SIZED(symbol_, etw_file_wants_first, enter_, return_, sizeof(struct etw_file_call), \
	      calls_, __VA_ARGS__)

#define OPTIONAL	.optional = true
#define ELSEWHERE	.elsewhere = true

/*
 * At most ETW_FILE_ASKED_FLUSHES such calls are followed: no architecture has more than five
 * of these functions, each with MANY_CALLS
 */
#define ASKED(symbol_, enter_, ...) \
	SIZED(symbol_, etw_file_wants_call, enter_, etw_file_return_asked, ETW_FILE_FLUSH_DATA, \
	      MANY_CALLS, __VA_ARGS__)
static_assert(ETW_FILE_ASKED_FLUSHES == 5 * MANY_CALLS);

static struct etw_function_probe functions[] = {
	ASKED("__x64_sys_fsync", etw_file_enter_sync, ELSEWHERE),
	ASKED("__x64_sys_fdatasync", etw_file_enter_sync, ELSEWHERE),
	ASKED("__ia32_sys_fsync", etw_file_enter_sync, ELSEWHERE),
	ASKED("__ia32_sys_fdatasync", etw_file_enter_sync, ELSEWHERE),
	ASKED("__arm64_sys_fsync", etw_file_enter_sync, ELSEWHERE),
	ASKED("__arm64_sys_fdatasync", etw_file_enter_sync, ELSEWHERE),
	ASKED("vfs_fsync", etw_file_enter_fsync, OPTIONAL),
	SIZED(ETW_DO_FILP_OPEN, etw_file_wants_call, enter_open, return_open,
	      sizeof(struct open_call), MANY_CALLS),
	SIZED("do_file_open_root", etw_file_wants_call, enter_open_root, return_open,
	      sizeof(struct open_call), SOME_CALLS, OPTIONAL),
	FUNCTION("vfs_read", enter_read, return_long, MANY_CALLS),
	FUNCTION("vfs_write", enter_write, return_long, MANY_CALLS),
	FUNCTION("__fput", enter_close, return_void, MANY_CALLS),
	FUNCTION(ETW_FILP_CLOSE, enter_cleanup, return_int, MANY_CALLS),
	FUNCTION("vfs_fsync_range", etw_file_enter_flush, return_int, MANY_CALLS, OPTIONAL),
	FUNCTION("do_iter_readv_writev", enter_vector, return_long, MANY_CALLS, OPTIONAL),
	FUNCTION("do_iter_readv_writev.isra.0", enter_vector, return_long, MANY_CALLS, OPTIONAL),
	FUNCTION("do_iter_readv_writev.constprop.0", enter_vector, return_long, MANY_CALLS,
		 OPTIONAL),
	FUNCTION("__kernel_read", enter_read, return_long, SOME_CALLS, OPTIONAL),
	FUNCTION("__kernel_write_iter", enter_kernel_write, return_long, SOME_CALLS, OPTIONAL),
	FUNCTION("do_splice_to", enter_splice_read, return_long, SOME_CALLS, ELSEWHERE),
	FUNCTION("do_splice_read", enter_splice_read, return_long, SOME_CALLS, ELSEWHERE),
	SIZED("iter_file_splice_write", etw_file_wants_second, enter_splice_write, return_long,
	      sizeof(struct etw_file_call), SOME_CALLS, OPTIONAL),
	FUNCTION("iterate_dir", etw_file_enter_directory, return_int, SOME_CALLS, OPTIONAL),
	CALL("vfs_getattr_nosec", etw_file_enter_query, return_int, SOME_CALLS, OPTIONAL),
	CALL("notify_change", etw_file_enter_set, return_int, SOME_CALLS, OPTIONAL),
	FUNCTION("vfs_fallocate", etw_file_enter_allocate, return_int, SOME_CALLS, OPTIONAL),
	CALL("vfs_unlink", etw_file_enter_delete, return_int, SOME_CALLS, OPTIONAL),
	CALL("vfs_rmdir", etw_file_enter_delete, return_int, SOME_CALLS, OPTIONAL),
	CALL("vfs_rename", etw_file_enter_rename, return_int, SOME_CALLS, OPTIONAL),
	CALL("vfs_link", etw_file_enter_link, return_int, SOME_CALLS, OPTIONAL),
};

static void file_unprepare(struct etw_source *source)
{
	etw_file_names_put();
	etw_file_calls_unprepare();
}

static int file_prepare(struct etw_source *source)
{
	int err = etw_file_calls_prepare();

	if (err)
		return err;
	etw_file_flush_prepare();
	err = etw_file_names_get();
	if (err)
		etw_file_calls_unprepare();
	return err;
}

ETW_SOURCE(ETW_ORDER_ANY, file) = {
	.name = "file",
	.groups = ETW_GROUPS(PERF_FILE_IO_INIT, PERF_FILE_IO),
	.hooks = ETW_HOOKS(PERFINFO_LOG_TYPE_FILE_IO_CREATE, PERFINFO_LOG_TYPE_FILE_IO_CLEANUP,
			   PERFINFO_LOG_TYPE_FILE_IO_CLOSE, PERFINFO_LOG_TYPE_FILE_IO_READ,
			   PERFINFO_LOG_TYPE_FILE_IO_WRITE,
			   PERFINFO_LOG_TYPE_FILE_IO_SET_INFORMATION,
			   PERFINFO_LOG_TYPE_FILE_IO_DELETE, PERFINFO_LOG_TYPE_FILE_IO_RENAME,
			   PERFINFO_LOG_TYPE_FILE_IO_DIRENUM, PERFINFO_LOG_TYPE_FILE_IO_FLUSH,
			   PERFINFO_LOG_TYPE_FILE_IO_QUERY_INFORMATION,
			   PERFINFO_LOG_TYPE_FILE_IO_FS_CONTROL,
			   PERFINFO_LOG_TYPE_FILE_IO_OPERATION_END,
			   PERFINFO_LOG_TYPE_FILE_IO_DELETE_PATH,
			   PERFINFO_LOG_TYPE_FILE_IO_RENAME_PATH,
			   PERFINFO_LOG_TYPE_FILE_IO_SETLINK_PATH),
	.functions = functions,
	.nr_functions = ARRAY_SIZE(functions),
	.prepare = file_prepare,
	.unprepare = file_unprepare,
};
