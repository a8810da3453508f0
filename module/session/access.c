// SPDX-License-Identifier: GPL-2.0
/* Who may control: checked when a node is opened; lockdown also later. */
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
 * etw_may_record() - whether anybody may record now
 *
 * Rights go with the open file; lockdown is of the machine and may come later.
 *
 * Return: 0; -EPERM under lockdown of perf.
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
 * etw_has_control() - as etw_may_control(), of tasks that need not have it
 *
 * Nobody is told that a right was missing: that is no offence where it is only
 * one of several ways to be let in.
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
 * CAP_SYSLOG, as ever; and kptr_restrict, which modules can't read but which printing
 * a pointer obeys: an error is never hashed, so that it is nothing but zeros where
 * kptr_restrict forbids it.
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
