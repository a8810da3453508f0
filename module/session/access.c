// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The right to control sessions: checked when a node is opened; lockdown also later. */
#include <linux/capability.h>
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/perf_event.h>
#include <linux/security.h>
#include <linux/string.h>
#include <linux/user_namespace.h>
#include "access.h"

/**
 * etw_may_record() - whether the machine allows recording now
 *
 * Rights belong to the open file, but the machine may be locked down after it was opened.
 *
 * Return: 0; -EPERM if perf is locked down.
 */
int etw_may_record(void)
{
	return security_locked_down(LOCKDOWN_PERF);
}

/**
 * etw_may_control() - whether the current task may start and stop sessions
 *
 * As for perf: CAP_PERFMON (or CAP_SYS_ADMIN) in the initial user namespace,
 * and no lockdown of perf.
 *
 * Return: 0; -EACCES; -EPERM under lockdown.
 */
int etw_may_control(void)
{
	if (!perfmon_capable())
		return -EACCES;
	return etw_may_record();
}

/**
 * etw_has_control() - as etw_may_control(), for tasks that do not need the right
 *
 * A missing capability is not audited, because it is only one of several ways to get access.
 *
 * Return: true: the current task may start and stop sessions.
 */
bool etw_has_control(void)
{
	return (ns_capable_noaudit(&init_user_ns, CAP_PERFMON) ||
		ns_capable_noaudit(&init_user_ns, CAP_SYS_ADMIN)) && !etw_may_control();
}

/**
 * etw_may_see_addresses() - whether the current task may see kernel addresses
 *
 * The task needs CAP_SYSLOG, and kptr_restrict must allow it. Modules can't read
 * kptr_restrict, so this prints an error pointer: error pointers are never hashed, so
 * the text is all zeros only if kptr_restrict hides pointers.
 *
 * Context: process.
 */
bool etw_may_see_addresses(void)
{
	char text[2 * sizeof(void *) + 1];

	if (!capable(CAP_SYSLOG))
		return false;
	snprintf(text, sizeof(text), "%pK", ERR_PTR(-EPERM));
	return strspn(text, "0") != strlen(text);
}
