// SPDX-License-Identifier: GPL-2.0
/* /dev/etw/session<N>: session nodes; the minor is the logger id minus 1. */
#include <linux/cdev.h>
#include <linux/cred.h>
#include <linux/device.h>
#include <linux/kdev_t.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/stat.h>
#include <linux/uidgid.h>
#include <linux/user_namespace.h>
#include "compat.h"
#include "config/config.h"
#include "nodes.h"
#include "session.h"
#include "stream.h"

static dev_t first_device;
static struct cdev session_cdev;
static struct class *session_class;

/**
 * struct session_device - a session node and its permissions
 * @dev: the device
 * @uid: owner
 * @gid: group
 * @mode: permissions
 */
struct session_device {
	struct device dev;
	kuid_t uid;
	kgid_t gid;
	umode_t mode;
};

static const struct session_device *session_device(const struct device *dev)
{
	return container_of(dev, struct session_device, dev);
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
		*mode = S_IFCHR | session_device(dev)->mode;
	if (uid)
		*uid = session_device(dev)->uid;
	if (gid)
		*gid = session_device(dev)->gid;
	return kasprintf(GFP_KERNEL | __GFP_NOFAIL, "etw/session%u", MINOR(dev->devt) + 1);
}

static const struct device_type session_type = {
	.name = "etw_session",
	.devnode = session_devnode,
};

static void session_device_release(struct device *dev)
{
	kfree(container_of(dev, struct session_device, dev));
}

/* Owned by root unless START names others; ids are relative to the caller's namespace. */
static void set_consumer(struct session_device *device, const struct etw_items *items)
{
	device->uid = GLOBAL_ROOT_UID;
	device->gid = GLOBAL_ROOT_GID;
	device->mode = 0400;
	if (!etw_items_have(items, ETW_ITEM_CONSUMER))
		return;
	device->uid = make_kuid(current_user_ns(), items->consumer.uid);
	device->gid = make_kgid(current_user_ns(), items->consumer.gid);
	device->mode = items->consumer.mode;
}

/**
 * etw_node_add() - create a session's node
 * @session: has an id; being started by the current task
 */
int etw_node_add(struct etw_session *session)
{
	struct session_device *device = kzalloc(sizeof(*device), GFP_KERNEL);
	int err;

	if (!device)
		return -ENOMEM;
	set_consumer(device, &session->settings.items);
	device_initialize(&device->dev);
	device->dev.devt = first_device + session->sink.id - 1;
	device->dev.class = session_class;
	device->dev.type = &session_type;
	device->dev.release = session_device_release;
	err = dev_set_name(&device->dev, "etw_session%u", session->sink.id);
	if (!err)
		err = device_add(&device->dev);
	if (err)
		put_device(&device->dev);
	return err;
}

/**
 * etw_node_remove() - remove a session's node; open files stay usable
 * @session: a session
 */
void etw_node_remove(struct etw_session *session)
{
	device_destroy(session_class, first_device + session->sink.id - 1);
}

/**
 * etw_nodes_init() - register device numbers and class of session nodes
 */
int etw_nodes_init(void)
{
	int err = alloc_chrdev_region(&first_device, 0, ETW_MAX_LOGGERS, "etw");

	if (err)
		return err;
	session_class = etw_class_create("etw");
	if (IS_ERR(session_class)) {
		err = PTR_ERR(session_class);
		goto unregister;
	}
	cdev_init(&session_cdev, &etw_stream_fops);
	session_cdev.owner = THIS_MODULE;
	err = cdev_add(&session_cdev, first_device, ETW_MAX_LOGGERS);
	if (err)
		goto destroy_class;
	return 0;

destroy_class:
	class_destroy(session_class);
unregister:
	unregister_chrdev_region(first_device, ETW_MAX_LOGGERS);
	return err;
}

/**
 * etw_nodes_exit() - undo etw_nodes_init()
 */
void etw_nodes_exit(void)
{
	cdev_del(&session_cdev);
	class_destroy(session_class);
	unregister_chrdev_region(first_device, ETW_MAX_LOGGERS);
}
