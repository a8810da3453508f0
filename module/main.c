// SPDX-License-Identifier: GPL-2.0
/* Load and unload. */
#include <linux/module.h>
#include "control.h"
#include "decorate/perf_set.h"
#include "etw.h"
#include "provider/provider.h"
#include "session/session.h"

static int __init etw_init(void)
{
	int err = etw_clock_init();

	if (err)
		return err;
	err = etw_hotplug_init();
	if (err)
		goto exit_clock;
	err = etw_perf_sets_init();
	if (err)
		goto exit_hotplug;
	err = etw_sources_init();
	if (err)
		goto exit_sources;
	err = etw_devices_init();
	if (err)
		goto exit_sources;
	err = etw_provider_init();
	if (err)
		goto exit_devices;
	err = etw_control_init();	/* last: from here on there are callers */
	if (err)
		goto exit_provider;
	return 0;

exit_provider:
	etw_provider_exit();
exit_devices:
	etw_devices_exit();
exit_sources:
	etw_sources_exit();
	etw_perf_sets_exit();
exit_hotplug:
	etw_hotplug_exit();
exit_clock:
	etw_clock_exit();
	return err;
}

/* Sessions hold the module: none is left. */
static void __exit etw_exit(void)
{
	etw_control_exit();
	etw_provider_exit();
	etw_devices_exit();
	etw_sources_exit();
	etw_perf_sets_exit();
	etw_hotplug_exit();
	etw_clock_exit();
	rcu_barrier();	/* kfree_rcu() of listeners */
}

module_init(etw_init);
module_exit(etw_exit);
MODULE_DESCRIPTION("Event Tracing for Windows, recorded by Linux");
MODULE_LICENSE("GPL");
MODULE_VERSION("0.1");
