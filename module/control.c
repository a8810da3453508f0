// SPDX-License-Identifier: GPL-2.0
/* /dev/etw/control: one function per ioctl; what user space gave is copied once. */
#include <linux/compat.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include "access.h"
#include "control.h"
#include "etw.h"
#include "system_config.h"

/* First versions of the structures: the least that is accepted */
#define ETW_CONTROL_SIZE_VER0		40
#define ETW_LIST_SIZE_VER0		16
#define ETW_STATISTICS_SIZE_VER0	152
#define ETW_LOG_RECORD_SIZE_VER0	32
#define ETW_MAX_LOG_PAYLOAD		4096

/*
 * The size is read first, then the whole: should it change between the two,
 * what was checked wins.
 */
static int get_versioned(void *to, u32 known, u32 least, void __user *from)
{
	u32 size;
	int err;

	if (get_user(size, (u32 __user *)from))
		return -EFAULT;
	if (size < least || size > PAGE_SIZE)
		return -EINVAL;
	err = copy_struct_from_user(to, known, from, size);
	if (err)
		return err;
	*(u32 *)to = size;
	return 0;
}

static int put_versioned(void __user *to, const void *from, u32 known)
{
	u32 size = *(const u32 *)from;

	return copy_to_user(to, from, min(size, known)) ? -EFAULT : 0;
}

static int get_control(struct etw_control *control, void __user *arg, u32 flags)
{
	int err = get_versioned(control, sizeof(*control), ETW_CONTROL_SIZE_VER0, arg);

	if (err)
		return err;
	if ((control->flags & ~flags) || control->reserved || control->error_offset ||
	    control->error_reason || control->error_item)
		return -EINVAL;
	return 0;
}

static int ioctl_start(struct file *file, void __user *arg)
{
	struct etw_control control;
	void *block;
	int err;

	err = get_control(&control, arg, ETW_START_TIED | ETW_START_NO_RUNDOWN);
	if (err)
		return err;
	if (control.logger_id || control.information_size < sizeof(struct wmi_logger_information) ||
	    control.information_size > ETW_MAX_INFORMATION)
		return -EINVAL;
	block = vmemdup_user(u64_to_user_ptr(control.information), control.information_size);
	if (IS_ERR(block))
		return PTR_ERR(block);
	err = etw_session_start(&control, block, file);
	if (!err && copy_to_user(u64_to_user_ptr(control.information), block,
				 sizeof(struct wmi_logger_information)))
		err = -EFAULT;
	kvfree(block);
	if (err == -EFAULT)	/* nobody learned its id: it must not stay */
		goto undo;
	if (put_versioned(arg, &control, sizeof(control))) {
		err = -EFAULT;
		goto undo;
	}
	return err;
undo:
	if (control.logger_id) {
		struct etw_session *session = etw_session_get(control.logger_id);

		if (session) {
			etw_session_stop(session, true);
			etw_session_put(session);
		}
	}
	return err;
}

static int ioctl_stop(void __user *arg)
{
	struct etw_control control;
	struct etw_session *session;
	int err;

	err = get_control(&control, arg, ETW_STOP_DISCARD);
	if (err)
		return err;
	session = etw_session_get(control.logger_id);
	if (!session)
		return -ENOENT;
	err = etw_session_stop(session, control.flags & ETW_STOP_DISCARD);
	etw_session_put(session);
	return err;
}

/* Fixed part, then both names, as one block with offsets. */
static int put_information(struct etw_session *session, const struct etw_control *control)
{
	u32 name = 2 * etw_utf16_length(session->logger_name);
	u32 file = 2 * etw_utf16_length(session->log_file_name);
	u32 size = sizeof(struct wmi_logger_information) + name + 2 + file + 2;
	struct wmi_logger_information *info;
	int err = 0;

	if (control->information_size < sizeof(*info))
		return -EINVAL;
	info = kzalloc(size, GFP_KERNEL);
	if (!info)
		return -ENOMEM;
	etw_session_query(session, info);
	info->wnode.buffer_size = size;
	info->logger_name.length = name;
	info->logger_name.maximum_length = name + 2;
	info->logger_name.buffer = sizeof(*info);
	info->log_file_name.length = file;
	info->log_file_name.maximum_length = file + 2;
	info->log_file_name.buffer = sizeof(*info) + name + 2;
	memcpy(info + 1, session->logger_name, name);
	memcpy((u8 *)(info + 1) + name + 2, session->log_file_name, file);
	if (size > control->information_size)
		err = -ENOSPC;
	if (copy_to_user(u64_to_user_ptr(control->information), info,
			 min(size, control->information_size)))
		err = -EFAULT;
	kfree(info);
	return err;
}

static int ioctl_query(void __user *arg)
{
	struct etw_control control;
	struct etw_session *session;
	int err;

	err = get_control(&control, arg, 0);
	if (err)
		return err;
	session = etw_session_get(control.logger_id);
	if (!session)
		return -ENOENT;
	err = put_information(session, &control);
	etw_session_put(session);
	return err;
}

static int ioctl_flush(void __user *arg)
{
	struct etw_control control;
	struct etw_session *session;
	int err;

	err = get_control(&control, arg, 0);
	if (err)
		return err;
	session = etw_session_get(control.logger_id);
	if (!session)
		return -ENOENT;
	mutex_lock(&session->lock);
	err = -EALREADY;
	if (session->state == ETW_SESSION_RUNNING) {
		etw_losses_write(session);
		err = etw_session_flush(session);
	}
	mutex_unlock(&session->lock);
	etw_session_put(session);
	return err;
}

static int ioctl_list(void __user *arg)
{
	struct etw_list list;
	int err;

	err = get_versioned(&list, sizeof(list), ETW_LIST_SIZE_VER0, arg);
	if (err)
		return err;
	if (list.reserved)
		return -EINVAL;
	list.loggers = etw_sessions_list();
	return put_versioned(arg, &list, sizeof(list));
}

static int ioctl_statistics(void __user *arg)
{
	struct etw_statistics statistics;
	struct etw_session *session;
	int err;

	err = get_versioned(&statistics, sizeof(statistics), ETW_STATISTICS_SIZE_VER0, arg);
	if (err)
		return err;
	session = etw_session_get(statistics.logger_id);
	if (!session)
		return -ENOENT;
	err = etw_session_statistics(session, &statistics);
	etw_session_put(session);
	return err ? err : put_versioned(arg, &statistics, sizeof(statistics));
}

static int ioctl_log_record(void __user *arg)
{
	struct etw_log_record record;
	struct etw_session *session;
	void *payload;
	int err;

	err = get_versioned(&record, sizeof(record), ETW_LOG_RECORD_SIZE_VER0, arg);
	if (err)
		return err;
	if (record.reserved || !record.version || record.version > 0xFF || !record.payload_size)
		return -EINVAL;
	if (record.payload_size > ETW_MAX_LOG_PAYLOAD)
		return -E2BIG;
	payload = memdup_user(u64_to_user_ptr(record.payload), record.payload_size);
	if (IS_ERR(payload))
		return PTR_ERR(payload);
	err = -ENOENT;
	session = etw_session_get(record.logger_id);
	if (session) {
		mutex_lock(&session->lock);
		err = -EALREADY;
		if (session->state == ETW_SESSION_RUNNING)
			err = etw_system_config_log(session, record.hook_id, record.version,
						    payload, record.payload_size);
		mutex_unlock(&session->lock);
		etw_session_put(session);
	}
	kfree(payload);
	return err;
}

static long control_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	void __user *user = (void __user *)arg;

	switch (cmd) {
	case ETW_IOC_START:
		return ioctl_start(file, user);
	case ETW_IOC_STOP:
		return ioctl_stop(user);
	case ETW_IOC_QUERY:
		return ioctl_query(user);
	case ETW_IOC_FLUSH:
		return ioctl_flush(user);
	case ETW_IOC_LIST:
		return ioctl_list(user);
	case ETW_IOC_STATISTICS:
		return ioctl_statistics(user);
	case ETW_IOC_LOG_RECORD:
		return ioctl_log_record(user);
	}
	return -ENOTTY;
}

static int control_open(struct inode *inode, struct file *file)
{
	return etw_may_control();
}

static int control_release(struct inode *inode, struct file *file)
{
	etw_session_stop_owned(file);
	return 0;
}

static const struct file_operations control_fops = {
	.owner = THIS_MODULE,
	.open = control_open,
	.release = control_release,
	.unlocked_ioctl = control_ioctl,
	.compat_ioctl = compat_ptr_ioctl,	/* all structures are the same */
	.llseek = noop_llseek,
};

static struct miscdevice control_device = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "etw_control",
	.nodename = "etw/control",
	.mode = 0600,
	.fops = &control_fops,
};

/**
 * etw_control_init() - create /dev/etw/control
 */
int etw_control_init(void)
{
	return misc_register(&control_device);
}

/**
 * etw_control_exit() - remove it
 */
void etw_control_exit(void)
{
	misc_deregister(&control_device);
}
