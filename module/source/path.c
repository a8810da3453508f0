// SPDX-License-Identifier: GPL-2.0
/* Paths as texts. No other file of the module gets them from the kernel (tests/infra/style). */
#include <linux/dcache.h>
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/path.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/string.h>
#include "path.h"

/*
 * The kernel's functions take a spinlock during a rename or mount. On PREEMPT_RT
 * that lock sleeps, and probes run with preemption off.
 */
static bool may_lock(void)
{
	return !IS_ENABLED(CONFIG_PREEMPT_RT) || preemptible();
}

/* At most the last four components, without any lock; "/..." if these are the whole path */
static const char *end_of_path(const struct dentry *dentry, char *room, u32 size)
{
	static const char before[] = ".../";
	const u32 gap = sizeof(before) - 1;

	snprintf(room + gap, size - gap, "%pd4", dentry);
	if (room[gap] == '/')
		return room + gap;
	memcpy(room, before, gap);
	return room;
}

/**
 * etw_path() - a path as the current process sees it, as in /proc/PID/maps
 * @path: held by the caller
 * @room: buffer
 * @size: bytes of @room; more than a few
 *
 * Only the end of the path is returned if the path is too long or the thread has already
 * dropped its root directory. The same holds on PREEMPT_RT with preemption off.
 *
 * Context: task; takes no lock except the kernel's rename lock where that is allowed.
 * Return: the text, somewhere in @room.
 */
const char *etw_path(const struct path *path, char *room, u32 size)
{
	char *text = ERR_PTR(-EAGAIN);

	if (current->fs && may_lock())
		text = d_path(path, room, size);
	return IS_ERR(text) ? end_of_path(path->dentry, room, size) : text;
}

/**
 * etw_dentry_path() - a path within its file system
 * @dentry: held by the caller; its mount is unknown
 * @room: buffer
 * @size: bytes of @room
 *
 * Context and return: as etw_path().
 */
const char *etw_dentry_path(const struct dentry *dentry, char *room, u32 size)
{
	char *text = ERR_PTR(-EAGAIN);

	if (may_lock())
		text = dentry_path_raw(dentry, room, size);
	return IS_ERR(text) ? end_of_path(dentry, room, size) : text;
}
