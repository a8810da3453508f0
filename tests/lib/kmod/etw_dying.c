// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/*
 * Writes events on a CPU that goes offline, later than it can run irq_work: in a callback below
 * CPUHP_AP_SMPCFD_DYING. Its state is one that x86 has no use for.
 */
#include <linux/cpuhotplug.h>
#include <linux/module.h>
#include "etw_kernel.h"
#include "etw_abi.h"

#ifdef CONFIG_X86
#define STATE	CPUHP_AP_IRQ_GIC_STARTING
#endif

static unsigned int logger;
module_param(logger, uint, 0444);
MODULE_PARM_DESC(logger, "the session");

static unsigned int events;
module_param(events, uint, 0444);
MODULE_PARM_DESC(events, "how many");

static unsigned int written;
module_param(written, uint, 0444);
MODULE_PARM_DESC(written, "of them, how many found a place");

#ifdef STATE
static int dies(unsigned int cpu)
{
	unsigned int i;

	for (i = 0; i < events; i++) {
		struct event_trace_header header = {
			.size = sizeof(header),
			.flags = WNODE_FLAG_TRACED_GUID,
			.thread_id = logger,
			.guid.data1 = 0xD1E5,
		};

		written += !etw_trace_event(&header);
	}
	return 0;
}

static int __init dying_init(void)
{
	return cpuhp_setup_state_nocalls(STATE, "etw:dying", NULL, dies);
}

static void __exit dying_exit(void)
{
	cpuhp_remove_state_nocalls(STATE);
}
#else
static int __init dying_init(void)
{
	return -EOPNOTSUPP;
}

static void __exit dying_exit(void)
{
}
#endif

module_init(dying_init);
module_exit(dying_exit);
MODULE_DESCRIPTION("Events of a CPU that dies, for tests of etw");
MODULE_LICENSE("GPL");
