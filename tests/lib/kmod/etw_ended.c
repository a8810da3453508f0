// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Asks for the priorities of a thread without its I/O context: no probe may read that. */
#include <linux/cred.h>
#include <linux/ioprio.h>
#include <linux/module.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/prio.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

/*
 * What a caller holds of a thread that ends on another CPU in that moment. Its context is
 * where no memory is, so any read faults at once, on every kernel.
 */
static struct task_struct *ended_thread(void *gone)
{
	struct task_struct *task = kzalloc(sizeof(*task), GFP_KERNEL);

	if (!task)
		return NULL;
	task->pid = 1;
	task->tgid = 1;
	task->static_prio = DEFAULT_PRIO;
	task->normal_prio = DEFAULT_PRIO;
	task->prio = DEFAULT_PRIO;
	task->io_context = gone;
	rcu_assign_pointer(task->real_cred, get_current_cred());
	return task;
}

/* A caller without the right is refused before the kernel itself looks at the thread. */
static int ask_without_rights(struct task_struct *task)
{
	struct cred *cred = prepare_creds();
	const struct cred *own;
	int err;

	if (!cred)
		return -ENOMEM;
	cred->uid = KUIDT_INIT(65534);
	cred->euid = cred->uid;
	cap_clear(cred->cap_effective);
	own = override_creds(cred);
	err = set_task_ioprio(task, IOPRIO_PRIO_VALUE(IOPRIO_CLASS_IDLE, 0));
	revert_creds(own);
	put_cred(cred);
	return err == -EPERM ? 0 : -EINVAL;
}

static int __init ended_init(void)
{
	void *room = vmalloc(PAGE_SIZE);	/* a page behind it stays empty */
	struct task_struct *task = room ? ended_thread(room + PAGE_SIZE) : NULL;
	int err = -ENOMEM;

	if (task) {
		set_user_nice(task, 0);		/* as it is: the kernel goes no further */
		err = ask_without_rights(task);
		put_cred(rcu_dereference_protected(task->real_cred, true));
	}
	kfree(task);
	vfree(room);
	return err;
}

static void __exit ended_exit(void)
{
}

module_init(ended_init);
module_exit(ended_exit);
MODULE_DESCRIPTION("Priorities of a thread that has ended, for tests of etw");
MODULE_LICENSE("GPL");
