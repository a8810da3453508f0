// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* /dev/etw/provider: programs' events, and which sessions listen to them. */
#include <linux/compat.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/poll.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include "session/access.h"
#include "accounts.h"
#include "provider.h"
#include "writable.h"

static noinline int set_rules(struct etw_provider_file *file, void __user *arg)
{
	struct etw_provider_rules rules;

	if (copy_from_user(&rules, arg, sizeof(rules)))
		return -EFAULT;
	if (rules.size != sizeof(rules) ||
	    (rules.version != ETW_RULES_5_0 && rules.version != ETW_RULES_5_1))
		return -EINVAL;
	WRITE_ONCE(file->version, rules.version);
	return 0;
}

static long provider_ioctl(struct file *node, unsigned int cmd, unsigned long arg)
{
	struct etw_provider_file *file = node->private_data;
	void __user *user = (void __user *)arg;

	/* as for write(): a file that is open for reading only can't write events */
	if (likely(cmd == ETW_PROVIDER_WRITE_EVENT))
		return node->f_mode & FMODE_WRITE ? etw_provider_write_event(file, user) : -EBADF;
	if (likely(cmd == ETW_PROVIDER_TRACE_EVENT))
		return node->f_mode & FMODE_WRITE ? etw_provider_event(file, user) : -EBADF;
	switch (cmd) {
	case ETW_PROVIDER_TRACE_MESSAGE:
		return node->f_mode & FMODE_WRITE ? etw_provider_message(file, user) : -EBADF;
	case ETW_PROVIDER_SET_RULES:
		return set_rules(file, user);
	case ETW_PROVIDER_REGISTER:
		return etw_provider_register(file, user);
	case ETW_PROVIDER_UNREGISTER:
		return etw_provider_unregister(file, user);
	case ETW_PROVIDER_ACK:
		return etw_provider_ack(file, arg);
	}
	return -ENOTTY;
}

/* The argument of ACK is a number, not an address. */
static long provider_compat_ioctl(struct file *node, unsigned int cmd, unsigned long arg)
{
	if (cmd != ETW_PROVIDER_ACK)
		arg = (unsigned long)compat_ptr(arg);
	return provider_ioctl(node, cmd, arg);
}

static ssize_t provider_write(struct file *node, const char __user *from, size_t size,
			      loff_t *at)
{
	return etw_provider_write(node->private_data, from, size);
}

static __poll_t provider_poll(struct file *node, struct poll_table_struct *table)
{
	return etw_provider_poll(node->private_data, node, table);
}

static int provider_mmap(struct file *node, struct vm_area_struct *vma)
{
	return etw_provider_mmap(node->private_data, vma);
}

static int provider_open(struct inode *inode, struct file *node)
{
	struct etw_provider_file *file = kzalloc(sizeof(*file), GFP_KERNEL_ACCOUNT);

	if (!file)
		return -ENOMEM;
	file->version = ETW_RULES_5_1;
	/* the open file holds the reference */
	file->caller.cred = node->f_cred;
	file->caller.control = etw_has_control();
	file->caller.user = etw_user_get(node->f_cred);
	if (!file->caller.user) {
		kfree(file);
		return -ENOMEM;
	}
	node->private_data = file;
	/* no file position, so that threads do not wait for its lock */
	return stream_open(inode, node);
}

static int provider_release(struct inode *inode, struct file *node)
{
	struct etw_provider_file *file = node->private_data;

	etw_registrations_release(file);
	etw_user_put(file->caller.user);
	kfree(file);
	return 0;
}

static const struct file_operations provider_fops = {
	.owner = THIS_MODULE,
	.open = provider_open,
	.release = provider_release,
	.write = provider_write,
	.unlocked_ioctl = provider_ioctl,
	.compat_ioctl = provider_compat_ioctl,
	.mmap = provider_mmap,
	.poll = provider_poll,
	.llseek = noop_llseek,
};

/* Open to all users, because each session limits which users may write to it. */
static struct miscdevice provider_device = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "etw_provider",
	.nodename = "etw/provider",
	.mode = 0666,
	.fops = &provider_fops,
};

/**
 * etw_provider_init() - create /dev/etw/provider
 */
int etw_provider_init(void)
{
	return misc_register(&provider_device);
}

/**
 * etw_provider_exit() - remove it
 */
void etw_provider_exit(void)
{
	misc_deregister(&provider_device);
	etw_users_exit();
}
