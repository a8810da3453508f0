// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Workers in a program as vhost makes them: a reader of the device gets one, and its number. */
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include "compat.h"

#ifdef ETW_HAS_VHOST_TASK

#include <linux/completion.h>
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/sched.h>
#include <linux/sched/vhost_task.h>
#include <linux/uaccess.h>

static int sleeps = 40;
module_param(sleeps, int, 0444);
MODULE_PARM_DESC(sleeps, "how often a worker sleeps");

struct job {
	struct completion done;
	u32 tid;
};

static bool work(void *arg)
{
	struct job *job = arg;
	int i;

	for (i = 0; i < sleeps && !completion_done(&job->done); i++)
		usleep_range(1000, 2000);
	job->tid = task_pid_nr(current);
	complete_all(&job->done);
	return false;
}

static void killed(void *arg)
{
}

static ssize_t have_one(struct file *file, char __user *to, size_t size, loff_t *at)
{
	struct job job = { .done = COMPLETION_INITIALIZER_ONSTACK(job.done) };
	struct vhost_task *worker;

	if (size != sizeof(job.tid))
		return -EINVAL;
	worker = vhost_task_create(work, killed, &job, "etw-worker");
	if (IS_ERR_OR_NULL(worker))
		return -ENOMEM;
	vhost_task_start(worker);
	wait_for_completion(&job.done);
	vhost_task_stop(worker);
	return copy_to_user(to, &job.tid, size) ? -EFAULT : size;
}

static const struct file_operations operations = { .owner = THIS_MODULE, .read = have_one };

static struct miscdevice device = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "etw-worker",
	.fops = &operations,
};

module_misc_device(device);

#else

static int __init worker_init(void)
{
	return -EOPNOTSUPP;
}

module_init(worker_init);

#endif

MODULE_DESCRIPTION("Workers in programs, for tests");
MODULE_LICENSE("GPL");
