/* SPDX-License-Identifier: GPL-2.0 */
/* What differs between kernel versions about processes. */
#ifndef ETW_COMPAT_PROCESS_H
#define ETW_COMPAT_PROCESS_H

#include <linux/types.h>
#include <linux/version.h>

/* 6.15 tells sched_process_exit whether it is the last thread */
#if KERNEL_VERSION(6, 15, 0) <= LINUX_VERSION_CODE
#define ETW_PROCESS_EXIT_ARGS	struct task_struct *task, bool group_dead
#else
#define ETW_PROCESS_EXIT_ARGS	struct task_struct *task
#endif

#endif /* ETW_COMPAT_PROCESS_H */
