// SPDX-License-Identifier: GPL-2.0
/* Who may control: checked once, when a node is opened. */
#include <linux/capability.h>
#include <linux/errno.h>
#include <linux/perf_event.h>
#include <linux/security.h>
#include <linux/user_namespace.h>
#include "access.h"

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
	return security_locked_down(LOCKDOWN_PERF);
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
