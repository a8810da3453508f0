// SPDX-License-Identifier: GPL-2.0
/* /dev/etw/session<N>: nodes of sessions; the minor is the logger id less 1. */
#include <linux/cdev.h>
#include <linux/device.h>
#include <linux/kdev_t.h>
#include <linux/module.h>
#include <linux/slab.h>
#include "compat.h"
#include "etw.h"

static dev_t first_device;
static struct cdev session_cdev;
static struct class *session_class;

static char *session_devnode(ETW_DEVNODE_CONST struct device *dev, umode_t *mode)
{
	if (mode)
		*mode = 0400;
	return kasprintf(GFP_KERNEL, "etw/session%u", MINOR(dev->devt) + 1);
}

/**
 * etw_device_add() - create a session's node
 * @session: has an id
 */
int etw_device_add(struct etw_session *session)
{
	struct device *dev = device_create(session_class, NULL, first_device + session->id - 1,
					   NULL, "etw_session%u", session->id);

	if (IS_ERR(dev))
		return PTR_ERR(dev);
	session->dev = dev;
	return 0;
}

/**
 * etw_device_remove() - remove a session's node; open files go on
 * @session: a session
 */
void etw_device_remove(struct etw_session *session)
{
	device_destroy(session_class, first_device + session->id - 1);
}

/**
 * etw_devices_init() - prepare for nodes of sessions
 */
int etw_devices_init(void)
{
	int err = alloc_chrdev_region(&first_device, 0, ETW_MAX_LOGGERS, "etw");

	if (err)
		return err;
	session_class = etw_class_create("etw");
	if (IS_ERR(session_class)) {
		err = PTR_ERR(session_class);
		goto unregister;
	}
	session_class->devnode = session_devnode;
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
 * etw_devices_exit() - undo etw_devices_init()
 */
void etw_devices_exit(void)
{
	cdev_del(&session_cdev);
	class_destroy(session_class);
	unregister_chrdev_region(first_device, ETW_MAX_LOGGERS);
}
