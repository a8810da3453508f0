// SPDX-License-Identifier: GPL-2.0
/* Who may control: checked once, when the control node is opened. */
#include <linux/capability.h>
#include <linux/errno.h>
#include <linux/perf_event.h>
#include <linux/security.h>
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
