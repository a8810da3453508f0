// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* /dev/etw/control: one function per ioctl. */
#include <linux/compat.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/minmax.h>
#include <linux/miscdevice.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include "control_ioctl.h"
#include "control_session.h"
#include "enable_provider.h"
#include "mark.h"
#include "unwind_table.h"
#include "config/config.h"
#include "provider/provider.h"
#include "session/access.h"
#include "session/flush.h"
#include "session/information.h"
#include "session/refusal.h"
#include "session/report.h"
#include "session/rundown.h"
#include "session/session.h"
#include "session/statistics.h"
#include "source/source.h"
#include "source/system/system_config.h"

/* First versions of the structures: the least that is accepted */
#define ETW_CONTROL_SIZE_VER0		40
#define ETW_LIST_SIZE_VER0		16
#define ETW_STATISTICS_SIZE_VER0	152
#define ETW_LOG_RECORD_SIZE_VER0	32
#define ETW_COUNTING_SIZE_VER0		88
#define ETW_ENABLE_SIZE_VER0		40
#define ETW_PROVIDERS_SIZE_VER0		16
#define ETW_PROVIDER_INFO_SIZE_VER0	32
#define ETW_UNWIND_TABLE_SIZE_VER0	32
#define ETW_MAX_LOG_PAYLOAD		4096

/**
 * get_argument() - copy a structure that is versioned by its size
 * @to: out; members that the caller's version lacks are 0
 * @known: bytes of the module's version
 * @least: bytes of the first version
 * @from: the caller's structure
 *
 * The size is read first, then the whole structure. If the size changes between the two
 * reads, the checked size is used.
 *
 * Return: 0; -EFAULT; -EINVAL: too short or too long; -E2BIG: longer than @known, and
 * the rest is not 0.
 */
static int get_argument(void *to, u32 known, u32 least, void __user *from)
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

/**
 * put_argument() - copy a structure back, as much as the caller's version has
 * @to: the caller's structure
 * @from: out of get_argument()
 * @known: bytes of the module's version
 *
 * Return: 0; -EFAULT.
 */
static int put_argument(void __user *to, const void *from, u32 known)
{
	u32 size = *(const u32 *)from;

	return copy_to_user(to, from, min(size, known)) ? -EFAULT : 0;
}

static int get_control(struct etw_control *control, void __user *arg, u32 flags)
{
	int err = get_argument(control, sizeof(*control), ETW_CONTROL_SIZE_VER0, arg);

	if (err)
		return err;
	if ((control->flags & ~flags) || control->error_processor || control->error_offset ||
	    control->error_reason || control->error_item)
		return -EINVAL;
	return 0;
}

/* @block: out: a copy of kvmalloc(), or NULL with an error */
static int get_block(const struct etw_control *control, void **block)
{
	void *copy;

	*block = NULL;
	if (control->information_size < sizeof(struct wmi_logger_information) ||
	    control->information_size > ETW_MAX_INFORMATION)
		return -EINVAL;
	copy = vmemdup_user(u64_to_user_ptr(control->information), control->information_size);
	if (IS_ERR(copy))
		return PTR_ERR(copy);
	*block = copy;
	return 0;
}

/* Reports to the caller which setting was refused. */
static void put_error(struct etw_control *control, struct etw_config_error *error, int err)
{
	etw_refuse_memory(error, err);
	control->error_offset = error->offset;
	control->error_reason = error->reason;
	control->error_item = error->item;
	control->error_processor = error->processor;
}

static int ioctl_start(struct file *file, void __user *arg)
{
	struct etw_config_error error = { };
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
	err = get_block(&control, &block);
	if (!err)
		err = etw_session_start(&control, block, file, &session, &error);
	if (err)
		put_error(&control, &error, err);
	if (!err && copy_to_user(u64_to_user_ptr(control.information), block,
				 sizeof(struct wmi_logger_information)))
		err = -EFAULT;
	kvfree(block);
	if (err != -EFAULT && put_argument(arg, &control, sizeof(control)))
		err = -EFAULT;
	if (!session)
		return err;
	/* no caller has its id, so stop it; by pointer, since the id may be reused by now */
	if (err)
		etw_session_stop(session, true);
	etw_session_put(session);
	return err;
}

static int stop(struct etw_session *session, void *given)
{
	const struct etw_control *control = given;

	return etw_session_stop_killable(session, control->flags & ETW_STOP_DISCARD);
}

static int query(struct etw_session *session, void *given)
{
	const struct etw_control *control = given;
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

static int flush(struct etw_session *session, void *given)
{
	etw_losses_write(session);
	return etw_session_flush(session);
}

/* Discloses current data, so check the right to record; so do RUNDOWN and ENABLE below. */
static int snapshot(struct etw_session *session, void *given)
{
	int err = etw_may_record();

	return err ? err : etw_session_snapshot(session);
}

/* Does not wait for the rundown, because the caller may be the reader that frees buffers. */
static int rundown(struct etw_session *session, void *given)
{
	int err = etw_may_record();

	if (!session->settings.kernel)
		return -EINVAL;
	if (!err)
		etw_rundown_request(session, ETW_RUNDOWN_NAMES | ETW_RUNDOWN_CONFIG |
					     ETW_RUNDOWN_PROFILE | ETW_RUNDOWN_MASKS);
	return err;
}

/* STOP, QUERY, FLUSH, SNAPSHOT, RUNDOWN: only a session, and for QUERY a destination */
static int ioctl_session(void __user *arg, u32 flags,
			 int (*on)(u32 logger_id, etw_session_action *action, void *given),
			 etw_session_action *action)
{
	struct etw_control control;
	int err = get_control(&control, arg, flags);

	return err ? err : on(control.logger_id, action, &control);
}

/* Argument of update() */
struct update {
	void *block;
	u32 size;
	struct etw_config_error error;
};

static int update(struct etw_session *session, void *given)
{
	struct update *update = given;

	return etw_session_update(session, update->block, update->size, &update->error);
}

static int ioctl_update(void __user *arg)
{
	struct etw_control control;
	struct update given = { };
	int err;

	err = get_control(&control, arg, 0);
	if (err)
		return err;
	err = get_block(&control, &given.block);
	given.size = control.information_size;
	if (!err)
		err = etw_on_session(control.logger_id, update, &given);
	if (err)
		put_error(&control, &given.error, err);
	kvfree(given.block);
	/* a success writes nothing back, so no copy can fail after the change */
	if (err && put_argument(arg, &control, sizeof(control)))
		err = -EFAULT;
	return err;
}

static int ioctl_list(void __user *arg)
{
	struct etw_list list;
	int err;

	err = get_argument(&list, sizeof(list), ETW_LIST_SIZE_VER0, arg);
	if (err)
		return err;
	if (list.reserved)
		return -EINVAL;
	list.loggers = etw_sessions_list();
	return put_argument(arg, &list, sizeof(list));
}

static int statistics(struct etw_session *session, void *given)
{
	etw_sources_count_missed();
	return etw_session_statistics(session, given);
}

static int ioctl_statistics(void __user *arg)
{
	struct etw_statistics given;
	int err;

	err = get_argument(&given, sizeof(given), ETW_STATISTICS_SIZE_VER0, arg);
	if (!err)
		err = etw_on_session(given.logger_id, statistics, &given);
	return err ? err : put_argument(arg, &given, sizeof(given));
}

/* Argument of log_record() */
struct log_record {
	const struct etw_log_record *record;
	const void *payload;
};

static int log_record(struct etw_session *session, void *given)
{
	const struct log_record *log = given;
	const struct etw_log_record *record = log->record;

	if (record->hook_id == PERFINFO_LOG_TYPE_MARK)
		return etw_mark_log(session, log->payload, record->payload_size);
	return etw_rundown_log(session, record->hook_id, record->version, log->payload,
			       record->payload_size);
}

static int ioctl_log_record(void __user *arg)
{
	struct etw_log_record record;
	struct log_record given = { .record = &record };
	bool is_mark;
	void *payload;
	int err;

	err = get_argument(&record, sizeof(record), ETW_LOG_RECORD_SIZE_VER0, arg);
	if (err)
		return err;
	/* only a mark has version 0 */
	is_mark = record.hook_id == PERFINFO_LOG_TYPE_MARK;
	if (record.reserved || record.version > 0xFF || is_mark == !!record.version ||
	    !record.payload_size)
		return -EINVAL;
	if (record.payload_size > ETW_MAX_LOG_PAYLOAD)
		return -E2BIG;
	payload = memdup_user(u64_to_user_ptr(record.payload), record.payload_size);
	if (IS_ERR(payload))
		return PTR_ERR(payload);
	given.payload = payload;
	err = etw_on_running(record.logger_id, log_record, &given);
	kfree(payload);
	return err;
}

static int counting(struct etw_session *session, void *given)
{
	return etw_session_counting(session, given);
}

static int ioctl_counting(void __user *arg)
{
	struct etw_counting given;
	int err;

	err = get_argument(&given, sizeof(given), ETW_COUNTING_SIZE_VER0, arg);
	if (!err)
		err = etw_on_session(given.logger_id, counting, &given);
	return err ? err : put_argument(arg, &given, sizeof(given));
}

static int ioctl_enable(void __user *arg)
{
	struct etw_enable enable;
	int err = get_argument(&enable, sizeof(enable), ETW_ENABLE_SIZE_VER0, arg);

	return err ? err : etw_enable_provider(&enable);
}

static int ioctl_providers(void __user *arg)
{
	struct etw_providers providers;
	int err;

	err = get_argument(&providers, sizeof(providers), ETW_PROVIDERS_SIZE_VER0, arg);
	if (err)
		return err;
	if (providers.size == ETW_PROVIDERS_SIZE_VER0)
		providers.entry_size = ETW_PROVIDER_INFO_SIZE_VER0;
	if (providers.entry_size > sizeof(struct etw_provider_info))
		return -E2BIG;
	if ((providers.entry_size != ETW_PROVIDER_INFO_SIZE_VER0 &&
	     providers.entry_size != sizeof(struct etw_provider_info)) || providers.reserved)
		return -EINVAL;
	err = etw_providers_list(&providers);
	return err ? err : put_argument(arg, &providers, sizeof(providers));
}

static int ioctl_unwind_table(void __user *arg)
{
	struct etw_unwind_table argument;
	int err;

	err = get_argument(&argument, sizeof(argument), ETW_UNWIND_TABLE_SIZE_VER0, arg);
	if (err)
		return err;
	err = etw_unwind_hand_over(&argument);
	/* only a refused row is written back */
	if (err == -EINVAL && argument.error_row && put_argument(arg, &argument, sizeof(argument)))
		err = -EFAULT;
	return err;
}

static long control_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	void __user *user = (void __user *)arg;

	switch (cmd) {
	case ETW_IOC_START:
		return ioctl_start(file, user);
	case ETW_IOC_STOP:
		return ioctl_session(user, ETW_STOP_DISCARD, etw_on_session, stop);
	case ETW_IOC_QUERY:
		return ioctl_session(user, 0, etw_on_session, query);
	case ETW_IOC_UPDATE:
		return ioctl_update(user);
	case ETW_IOC_FLUSH:
		return ioctl_session(user, 0, etw_on_running, flush);
	case ETW_IOC_SNAPSHOT:
		return ioctl_session(user, 0, etw_on_session, snapshot);
	case ETW_IOC_RUNDOWN:
		return ioctl_session(user, 0, etw_on_running, rundown);
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
	case ETW_IOC_UNWIND_TABLE:
		return ioctl_unwind_table(user);
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
	.compat_ioctl = compat_ptr_ioctl,	/* same structures for 32 bits */
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
 * etw_control_exit() - remove /dev/etw/control
 */
void etw_control_exit(void)
{
	misc_deregister(&control_device);
}
