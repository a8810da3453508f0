/* SPDX-License-Identifier: GPL-2.0 */
/* What differs between kernel versions: the only file that knows. */
#ifndef ETW_COMPAT_H
#define ETW_COMPAT_H

#include <linux/device.h>
#include <linux/fs.h>
#include <linux/module.h>
#include <linux/splice.h>
#include <linux/version.h>

/* 6.4 dropped the owner of a class */
#if KERNEL_VERSION(6, 4, 0) <= LINUX_VERSION_CODE
#define etw_class_create(name)	class_create(name)
#else
#define etw_class_create(name)	class_create(THIS_MODULE, name)
#endif

/* 6.2 made the device of devnode() const */
#if KERNEL_VERSION(6, 2, 0) <= LINUX_VERSION_CODE
#define ETW_DEVNODE_CONST	const
#else
#define ETW_DEVNODE_CONST
#endif

/* 6.5 replaced generic_file_splice_read() */
#if KERNEL_VERSION(6, 5, 0) <= LINUX_VERSION_CODE
#define etw_splice_read		copy_splice_read
#else
#define etw_splice_read		generic_file_splice_read
#endif

/* 6.12 dropped no_llseek, which had become the default */
#if KERNEL_VERSION(6, 12, 0) <= LINUX_VERSION_CODE
#define etw_no_llseek		NULL
#else
#define etw_no_llseek		no_llseek
#endif

/* 6.19, and stable kernels since: Kbuild looks */
#ifdef ETW_SYSCORE_HAS_DATA
#define ETW_SYSCORE_ARGS	void *data
#define ETW_SYSCORE(name, ops_)	static struct syscore name = { .ops = &(ops_) }
#define etw_register_syscore(name, ops_)	register_syscore(&(name))
#define etw_unregister_syscore(name, ops_)	unregister_syscore(&(name))
#else
#define ETW_SYSCORE_ARGS	void
#define ETW_SYSCORE(name, ops_)	static_assert(1)
#define etw_register_syscore(name, ops_)	register_syscore_ops(&(ops_))
#define etw_unregister_syscore(name, ops_)	unregister_syscore_ops(&(ops_))
#endif

/*
 * A task that goes with a state other than running, but was kept on the queue
 * because of a signal, is ready. From 6.12 on the scheduler says state 0 then,
 * and being queued no longer means ready (delayed dequeue).
 */
#if KERNEL_VERSION(6, 12, 0) <= LINUX_VERSION_CODE
#define etw_still_queued(task)	false
#else
#define etw_still_queued(task)	((task)->on_rq == 1)
#endif

/* 6.15 tells sched_process_exit whether it is the last thread */
#if KERNEL_VERSION(6, 15, 0) <= LINUX_VERSION_CODE
#define ETW_PROCESS_EXIT_ARGS	struct task_struct *task, bool group_dead
#else
#define ETW_PROCESS_EXIT_ARGS	struct task_struct *task
#endif

#endif /* ETW_COMPAT_H */
