// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
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
static const char *end_of_path(const struct dentry *dentry, char *buffer, u32 size)
{
	static const char before[] = ".../";
	const u32 gap = sizeof(before) - 1;

	snprintf(buffer + gap, size - gap, "%pd4", dentry);
	if (buffer[gap] == '/')
		return buffer + gap;
	memcpy(buffer, before, gap);
	return buffer;
}

/**
 * etw_path() - a path as the current process sees it, as in /proc/PID/maps
 * @path: held by the caller
 * @buffer: for the text
 * @size: bytes of @buffer; more than a few
 *
 * Only the end of the path is returned if the path is too long or the thread has already
 * dropped its root directory. The same holds on PREEMPT_RT with preemption off.
 *
 * Context: task; takes no lock except the kernel's rename lock where that is allowed.
 * Return: the text, somewhere in @buffer.
 */
const char *etw_path(const struct path *path, char *buffer, u32 size)
{
	char *text = ERR_PTR(-EAGAIN);

	if (current->fs && may_lock())
		text = d_path(path, buffer, size);
	return IS_ERR(text) ? end_of_path(path->dentry, buffer, size) : text;
}

/**
 * etw_dentry_path() - a path within its file system
 * @dentry: held by the caller; its mount is unknown
 * @buffer: for the text
 * @size: bytes of @buffer
 *
 * Context and return: as etw_path().
 */
const char *etw_dentry_path(const struct dentry *dentry, char *buffer, u32 size)
{
	char *text = ERR_PTR(-EAGAIN);

	if (may_lock())
		text = dentry_path_raw(dentry, buffer, size);
	return IS_ERR(text) ? end_of_path(dentry, buffer, size) : text;
}
