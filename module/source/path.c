// SPDX-License-Identifier: GPL-2.0
/* Paths as texts. Nothing else in the module asks the kernel for one (tests/style). */
#include <linux/dcache.h>
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/path.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/string.h>
#include "path.h"

/*
 * The kernel's functions take a spinlock while somebody renames or mounts. On PREEMPT_RT
 * that sleeps, and probes run with preemption off.
 */
static bool may_lock(void)
{
	return !IS_ENABLED(CONFIG_PREEMPT_RT) || preemptible();
}

/* The last four parts at most, without any lock; fewer are the path in its file system. */
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
 * etw_path() - a path as the current process sees it, as /proc/PID/maps has it
 * @path: held by the caller
 * @room: where it may be made
 * @size: of it; more than a few bytes
 *
 * What is left of a path that is too long, of any in a thread that has left its root
 * directory, and on PREEMPT_RT with preemption off is its end.
 *
 * Context: task; takes no lock but, where it may, the kernel's of renames.
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
 * @dentry: held by the caller; no mount is known of it
 * @room: as etw_path()
 * @size: likewise
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
