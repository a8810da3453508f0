// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* /dev/etw/session<N>: session nodes, which a worker makes and removes. */
#include <linux/cdev.h>
#include <linux/completion.h>
#include <linux/cred.h>
#include <linux/device.h>
#include <linux/jiffies.h>
#include <linux/kdev_t.h>
#include <linux/module.h>
#include <linux/random.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/stat.h>
#include <linux/uidgid.h>
#include <linux/user_namespace.h>
#include <linux/workqueue.h>
#include "compat.h"
#include "config/config.h"
#include "nodes.h"
#include "session.h"
#include "stream.h"

/*
 * Each session gets a device number of its own, so a copy of a node that was made elsewhere
 * (mknod, a hard link, a container's device) opens no later session. After all minor numbers
 * were used, the first ones are used again.
 */
#define NR_DEVICES	(MINORMASK + 1)

/* A task that was killed, or ends, and so can't be killed, waits so long for a node to go. */
#define PATIENCE	HZ

static dev_t first_device;
static struct cdev session_cdev;
static struct class *session_class;
static u32 last_minor;	/* under etw_sessions_lock */

/*
 * Nodes are made and removed by devtmpfs, which waits for the lock of their folder. A user
 * that reads the folder into memory that never comes holds this lock. So a worker waits,
 * and its callers wait for the worker without a lock of all sessions, and can be killed.
 * One node at a time, in the order of the requests.
 */
static struct workqueue_struct *nodes_wq;

/**
 * struct etw_node - a session node and its permissions
 * @dev: the device
 * @add: makes the node
 * @remove: removes the node, and frees the id
 * @added: @add has run
 * @removed: @remove has run
 * @err: result of @add
 * @id: logger id
 * @uid: owner
 * @gid: group
 * @mode: permissions
 */
struct etw_node {
	struct device dev;
	struct work_struct add;
	struct work_struct remove;
	struct completion added;
	struct completion removed;
	int err;
	u32 id;
	kuid_t uid;
	kgid_t gid;
	umode_t mode;
};

static const struct etw_node *node_of(const struct device *dev)
{
	return container_of(dev, struct etw_node, dev);
}

/*
 * If this returned NULL, the driver core would use the device name, and later not find
 * the node to remove. So the few bytes are allocated with __GFP_NOFAIL.
 */
static char *session_devnode(ETW_DEVNODE_CONST struct device *dev, umode_t *mode, kuid_t *uid,
			     kgid_t *gid)
{
	/* S_IFCHR, because devtmpfs would replace a mode of 0 (no access) by its default */
	if (mode)
		*mode = S_IFCHR | node_of(dev)->mode;
	if (uid)
		*uid = node_of(dev)->uid;
	if (gid)
		*gid = node_of(dev)->gid;
	return kasprintf(GFP_KERNEL | __GFP_NOFAIL, "etw/session%u", node_of(dev)->id);
}

static const struct device_type session_type = {
	.name = "etw_session",
	.devnode = session_devnode,
};

static void node_release(struct device *dev)
{
	kfree(container_of(dev, struct etw_node, dev));
}

/* Owned by root unless START names others; ids are relative to the caller's namespace. */
static void set_consumer(struct etw_node *node, const struct etw_items *items)
{
	node->uid = GLOBAL_ROOT_UID;
	node->gid = GLOBAL_ROOT_GID;
	node->mode = 0400;
	if (!etw_items_have(items, ETW_ITEM_CONSUMER))
		return;
	node->uid = make_kuid(current_user_ns(), items->consumer.uid);
	node->gid = make_kgid(current_user_ns(), items->consumer.gid);
	node->mode = items->consumer.mode;
}

/**
 * etw_node_number() - the next minor number
 *
 * Context: under etw_sessions_lock. Return: a number; a session may have had it long ago.
 */
u32 etw_node_number(void)
{
	last_minor = (last_minor + 1) & MINORMASK;
	return last_minor;
}

static void add_node(struct work_struct *work)
{
	struct etw_node *node = container_of(work, struct etw_node, add);

	node->err = device_add(&node->dev);
	complete(&node->added);
}

static void remove_node(struct work_struct *work)
{
	struct etw_node *node = container_of(work, struct etw_node, remove);

	if (!node->err)
		device_del(&node->dev);
	etw_table_free_id(node->id);
	complete(&node->removed);
	put_device(&node->dev);
}

static struct etw_node *new_node(const struct etw_session *session)
{
	struct etw_node *node = kzalloc(sizeof(*node), GFP_KERNEL);

	if (!node)
		return NULL;
	node->id = session->sink.id;
	set_consumer(node, &session->settings.items);
	INIT_WORK(&node->add, add_node);
	INIT_WORK(&node->remove, remove_node);
	init_completion(&node->added);
	init_completion(&node->removed);
	device_initialize(&node->dev);
	node->dev.devt = first_device + session->minor;
	node->dev.class = session_class;
	node->dev.type = &session_type;
	node->dev.release = node_release;
	if (!dev_set_name(&node->dev, "etw_session%u", session->sink.id))
		return node;
	put_device(&node->dev);
	return NULL;
}

/**
 * etw_node_add() - create a session's node
 * @session: has an id; being started by the current task
 *
 * After an error etw_node_remove() must follow, too.
 *
 * Context: process; sleeps.
 * Return: 0; -ENOMEM; -EINTR: the caller was killed; other errors of device_add().
 */
int etw_node_add(struct etw_session *session)
{
	struct etw_node *node = new_node(session);

	if (!node)
		return -ENOMEM;
	session->node = node;
	queue_work(nodes_wq, &node->add);
	if (wait_for_completion_killable(&node->added))
		return -EINTR;
	return node->err;
}

static void wait_for_removal(struct etw_node *node)
{
	/* a worker that closes files for the kernel: all files behind this one would wait, too */
	if (current->flags & PF_KTHREAD)
		return;
	if (current->flags & PF_EXITING || wait_for_completion_killable(&node->removed))
		wait_for_completion_timeout(&node->removed, PATIENCE);
}

/**
 * etw_node_remove() - remove a session's node if it has one, then free the id
 * @session: not in the table any more; open files stay usable
 *
 * A task that is killed, or ends, waits a moment only, and a kernel thread does not wait; then
 * the worker does both later.
 *
 * Context: process; sleeps.
 */
void etw_node_remove(struct etw_session *session)
{
	struct etw_node *node = session->node;

	if (!node) {
		etw_table_free_id(session->sink.id);
		return;
	}
	session->node = NULL;
	get_device(&node->dev);
	queue_work(nodes_wq, &node->remove);
	wait_for_removal(node);
	put_device(&node->dev);
}

/**
 * etw_nodes_init() - register device numbers and class of session nodes
 */
int etw_nodes_init(void)
{
	int err = -ENOMEM;

	/* the numbers continue elsewhere than those of the module when it was loaded before */
	last_minor = get_random_u32() & MINORMASK;
	nodes_wq = alloc_ordered_workqueue("etw_nodes", 0);
	if (!nodes_wq)
		return err;
	err = alloc_chrdev_region(&first_device, 0, NR_DEVICES, "etw");
	if (err)
		goto destroy_workers;
	session_class = etw_class_create("etw");
	if (IS_ERR(session_class)) {
		err = PTR_ERR(session_class);
		goto unregister;
	}
	cdev_init(&session_cdev, &etw_stream_fops);
	session_cdev.owner = THIS_MODULE;
	err = cdev_add(&session_cdev, first_device, NR_DEVICES);
	if (err)
		goto destroy_class;
	return 0;

destroy_class:
	class_destroy(session_class);
unregister:
	unregister_chrdev_region(first_device, NR_DEVICES);
destroy_workers:
	destroy_workqueue(nodes_wq);
	return err;
}

/**
 * etw_nodes_exit() - undo etw_nodes_init()
 */
void etw_nodes_exit(void)
{
	destroy_workqueue(nodes_wq);	/* removes the last nodes */
	cdev_del(&session_cdev);
	class_destroy(session_class);
	unregister_chrdev_region(first_device, NR_DEVICES);
}
