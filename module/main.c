// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Load and unload. */
#include <linux/module.h>
#include "control/control_ioctl.h"
#include "context/perf_set.h"
#include "provider/provider.h"
#include "session/cpus.h"
#include "session/nodes.h"
#include "session/session.h"
#include "session/pool.h"
#include "source/linux_event/linux_events.h"
#include "source/source.h"

static int __init etw_init(void)
{
	int err;

	etw_session_ops = &etw_provider_session_ops;
	err = etw_clock_init();
	if (err)
		return err;
	err = etw_pool_workers_init();
	if (err)
		goto exit_clock;
	err = etw_cpus_init();
	if (err)
		goto exit_workers;
	err = etw_perf_sets_init();
	if (err)
		goto exit_hotplug;
	err = etw_linux_events_init();
	if (err)
		goto exit_perf;
	err = etw_sources_init();
	if (err)
		goto exit_sources;
	err = etw_nodes_init();
	if (err)
		goto exit_sources;
	err = etw_control_init();
	if (err)
		goto exit_devices;
	/*
	 * Last: once unprivileged programs can open our files nothing may fail, because
	 * the kernel would free the module under an open file. Only root opens control's.
	 */
	err = etw_provider_init();
	if (err)
		goto exit_control;
	return 0;

exit_control:
	etw_control_exit();
exit_devices:
	etw_nodes_exit();
exit_sources:
	etw_sources_exit();
	etw_linux_events_exit();
exit_perf:
	etw_perf_sets_exit();
exit_hotplug:
	etw_cpus_exit();
exit_workers:
	etw_pool_workers_exit();
exit_clock:
	etw_clock_exit();
	return err;
}

/* Sessions hold a reference to the module, so none is left. */
static void __exit etw_exit(void)
{
	etw_control_exit();
	etw_provider_exit();
	etw_nodes_exit();
	etw_sources_exit();
	etw_linux_events_exit();
	etw_perf_sets_exit();
	etw_cpus_exit();
	etw_pool_workers_exit();
	etw_clock_exit();
	rcu_barrier();	/* kfree_rcu() of listeners */
}

module_init(etw_init);
module_exit(etw_exit);
MODULE_DESCRIPTION("Event Tracing for Windows, recorded by Linux");
MODULE_AUTHOR("The etw authors");
MODULE_LICENSE("GPL");
MODULE_VERSION("0.2");
