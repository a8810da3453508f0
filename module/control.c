// SPDX-License-Identifier: GPL-2.0
/* /dev/etw/control: one function per ioctl; what user space gave is copied once. */
#include <linux/compat.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include "control.h"
#include "mark.h"
#include "provider/provider.h"
#include "session/access.h"
#include "session/flush.h"
#include "session/information.h"
#include "session/report.h"
#include "session/rundown.h"
#include "session/session.h"
#include "session/statistics.h"
#include "source/source.h"
#include "source/system_config.h"

/* First versions of the structures: the least that is accepted */
#define ETW_CONTROL_SIZE_VER0		40
#define ETW_LIST_SIZE_VER0		16
#define ETW_STATISTICS_SIZE_VER0	152
#define ETW_LOG_RECORD_SIZE_VER0	32
#define ETW_COUNTING_SIZE_VER0		88
#define ETW_ENABLE_SIZE_VER0		40
#define ETW_PROVIDERS_SIZE_VER0		16
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
	if ((control->flags & ~flags) || control->error_processor || control->error_offset ||
	    control->error_reason || control->error_item)
		return -EINVAL;
	return 0;
}

/* With a success the caller has a reference to the session that is named. */
static int get_session(struct etw_control *control, void __user *arg, u32 flags,
		       struct etw_session **session)
{
	int err = get_control(control, arg, flags);

	if (err)
		return err;
	*session = etw_session_get(control->logger_id);
	return *session ? 0 : -ENOENT;
}

/*
 * STOP and UPDATE hold the lock while they wait for a reader: who waits for them can
 * be killed. Return: 0 with the lock, -EALREADY or -EINTR without.
 */
static int lock_running(struct etw_session *session)
{
	if (mutex_lock_killable(&session->lock))
		return -EINTR;
	if (session->state == ETW_SESSION_RUNNING)
		return 0;
	mutex_unlock(&session->lock);
	return -EALREADY;
}

/* A copy of a block; ERR_PTR without one */
static void *get_block(const struct etw_control *control)
{
	if (control->information_size < sizeof(struct wmi_logger_information) ||
	    control->information_size > ETW_MAX_INFORMATION)
		return ERR_PTR(-EINVAL);
	return vmemdup_user(u64_to_user_ptr(control->information), control->information_size);
}

static int ioctl_start(struct file *file, void __user *arg)
{
	struct etw_session *session = NULL;
	struct etw_control control;
	void *block;
	int err;

	err = get_control(&control, arg, ETW_START_TIED | ETW_START_NO_RUNDOWN |
			  ETW_START_NO_ADDRESSES);
	if (err)
		return err;
	if (control.logger_id)
		return -EINVAL;
	block = get_block(&control);
	if (IS_ERR(block))
		return PTR_ERR(block);
	err = etw_session_start(&control, block, file, &session);
	if (!err && copy_to_user(u64_to_user_ptr(control.information), block,
				 sizeof(struct wmi_logger_information)))
		err = -EFAULT;
	kvfree(block);
	if (err != -EFAULT && put_versioned(arg, &control, sizeof(control)))
		err = -EFAULT;
	if (!session)
		return err;
	/* nobody learned its id: it must not stay; another one may have it by now */
	if (err)
		etw_session_stop(session, true);
	etw_session_put(session);
	return err;
}

static int ioctl_stop(void __user *arg)
{
	struct etw_control control;
	struct etw_session *session;
	int err;

	err = get_session(&control, arg, ETW_STOP_DISCARD, &session);
	if (err)
		return err;
	err = etw_session_stop_killable(session, control.flags & ETW_STOP_DISCARD);
	etw_session_put(session);
	return err;
}

static int put_information(struct etw_session *session, const struct etw_control *control)
{
	u32 size;
	void *block;
	int err = 0;

	if (control->information_size < sizeof(struct wmi_logger_information))
		return -EINVAL;
	block = kvzalloc(ETW_INFORMATION_ROOM, GFP_KERNEL);
	if (!block)
		return -ENOMEM;
	etw_sources_count_missed();
	size = etw_information_fill(session, block);
	if (size > control->information_size)
		err = -ENOSPC;
	if (copy_to_user(u64_to_user_ptr(control->information), block,
			 min(size, control->information_size)))
		err = -EFAULT;
	kvfree(block);
	return err;
}

static int ioctl_query(void __user *arg)
{
	struct etw_control control;
	struct etw_session *session;
	int err;

	err = get_session(&control, arg, 0, &session);
	if (err)
		return err;
	err = put_information(session, &control);
	etw_session_put(session);
	return err;
}

static int ioctl_flush(void __user *arg)
{
	struct etw_control control;
	struct etw_session *session;
	int err;

	err = get_session(&control, arg, 0, &session);
	if (err)
		return err;
	err = lock_running(session);
	if (!err) {
		etw_losses_write(session);
		err = etw_session_flush(session);
		mutex_unlock(&session->lock);
	}
	etw_session_put(session);
	return err;
}

static int ioctl_update(void __user *arg)
{
	struct etw_control control;
	struct etw_session *session;
	void *block;
	int err;

	err = get_control(&control, arg, 0);
	if (err)
		return err;
	block = get_block(&control);
	if (IS_ERR(block))
		return PTR_ERR(block);
	session = etw_session_get(control.logger_id);
	err = -ENOENT;
	if (session) {
		err = etw_session_update(session, &control, block);
		etw_session_put(session);
	}
	kvfree(block);
	/* a success has no answer: its writing can't fail after the change */
	if (err && put_versioned(arg, &control, sizeof(control)))
		err = -EFAULT;
	return err;
}

static int ioctl_snapshot(void __user *arg)
{
	struct etw_control control;
	struct etw_session *session;
	int ret;

	ret = get_session(&control, arg, 0, &session);
	if (ret)
		return ret;
	ret = etw_session_snapshot(session);
	etw_session_put(session);
	return ret;
}

/* Asked for, not waited for: who asks may be the reader that has to make room. */
static int ioctl_rundown(void __user *arg)
{
	struct etw_control control;
	struct etw_session *session;
	int err;

	err = get_session(&control, arg, 0, &session);
	if (err)
		return err;
	err = lock_running(session);
	if (!err) {
		if (session->settings.kernel)
			etw_rundown_request(session, ETW_RUNDOWN_NAMES | ETW_RUNDOWN_CONFIG |
						     ETW_RUNDOWN_PROFILE);
		else
			err = -EINVAL;
		mutex_unlock(&session->lock);
	}
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
	etw_sources_count_missed();
	err = etw_session_statistics(session, &statistics);
	etw_session_put(session);
	return err ? err : put_versioned(arg, &statistics, sizeof(statistics));
}

/* Under session->lock. Return: 0, or what LOG_RECORD returns for such a record */
static int log_record(struct etw_session *session, const struct etw_log_record *record,
		      const void *payload)
{
	if (record->hook_id == PERFINFO_LOG_TYPE_MARK)
		return etw_mark_log(session, payload, record->payload_size);
	return etw_rundown_log(session, record->hook_id, record->version, payload,
				     record->payload_size);
}

static int ioctl_log_record(void __user *arg)
{
	struct etw_log_record record;
	struct etw_session *session;
	bool is_mark;
	void *payload;
	int err;

	err = get_versioned(&record, sizeof(record), ETW_LOG_RECORD_SIZE_VER0, arg);
	if (err)
		return err;
	/* a mark's version is 0, all others' is not */
	is_mark = record.hook_id == PERFINFO_LOG_TYPE_MARK;
	if (record.reserved || record.version > 0xFF || is_mark == !!record.version ||
	    !record.payload_size)
		return -EINVAL;
	if (record.payload_size > ETW_MAX_LOG_PAYLOAD)
		return -E2BIG;
	payload = memdup_user(u64_to_user_ptr(record.payload), record.payload_size);
	if (IS_ERR(payload))
		return PTR_ERR(payload);
	err = -ENOENT;
	session = etw_session_get(record.logger_id);
	if (session) {
		err = lock_running(session);
		if (!err) {
			err = log_record(session, &record, payload);
			mutex_unlock(&session->lock);
		}
		etw_session_put(session);
	}
	kfree(payload);
	return err;
}

static int ioctl_counting(void __user *arg)
{
	struct etw_counting counting;
	struct etw_session *session;
	int err;

	err = get_versioned(&counting, sizeof(counting), ETW_COUNTING_SIZE_VER0, arg);
	if (err)
		return err;
	session = etw_session_get(counting.logger_id);
	if (!session)
		return -ENOENT;
	err = etw_session_counting(session, &counting);
	etw_session_put(session);
	return err ? err : put_versioned(arg, &counting, sizeof(counting));
}

static int ioctl_enable(void __user *arg)
{
	struct etw_session *session;
	struct etw_enable enable;
	int err;

	err = get_versioned(&enable, sizeof(enable), ETW_ENABLE_SIZE_VER0, arg);
	if (err)
		return err;
	if (enable.enabled > 1 || enable.level > 0xFF || enable.reserved)
		return -EINVAL;
	session = etw_session_get(enable.logger_id);
	if (!session)
		return -ENOENT;
	err = lock_running(session);
	if (!err) {
		err = etw_provider_enable(session, &enable);
		mutex_unlock(&session->lock);
	}
	etw_session_put(session);
	return err;
}

static int ioctl_providers(void __user *arg)
{
	struct etw_providers providers;
	int err;

	err = get_versioned(&providers, sizeof(providers), ETW_PROVIDERS_SIZE_VER0, arg);
	if (!err)
		err = etw_providers_list(&providers);
	return err ? err : put_versioned(arg, &providers, sizeof(providers));
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
	case ETW_IOC_UPDATE:
		return ioctl_update(user);
	case ETW_IOC_FLUSH:
		return ioctl_flush(user);
	case ETW_IOC_SNAPSHOT:
		return ioctl_snapshot(user);
	case ETW_IOC_RUNDOWN:
		return ioctl_rundown(user);
	case ETW_IOC_LIST:
		return ioctl_list(user);
	case ETW_IOC_STATISTICS:
		return ioctl_statistics(user);
	case ETW_IOC_LOG_RECORD:
		return ioctl_log_record(user);
	case ETW_IOC_COUNTING:
		return ioctl_counting(user);
	case ETW_IOC_ENABLE:
		return ioctl_enable(user);
	case ETW_IOC_PROVIDERS:
		return ioctl_providers(user);
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
