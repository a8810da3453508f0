// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Thread migrations to another processor: 0x053D. */
#include <linux/kernel.h>
#include <linux/mm_types.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <trace/events/sched.h>
#include "record/nt_thread.h"
#include "source/probe.h"
#include "source/source.h"
#include "source/write.h"

/*
 * Called before the move, on the CPU that decides, with interrupts off and the thread's
 * pi_lock or its runqueue's lock held. So nothing here may wake a task.
 */
ETW_PROBE(sched_migrate_task, TP_PROTO(struct task_struct *task, int target),
	  TP_ARGS(task, target))
{
	const struct wmi_thread_migration migration = {
		.thread_id = task->pid,
		.source_processor = task_cpu(task),
		.target_processor = target,
		.priority = etw_nt_priority(task->prio, task->policy, false),
	};
	struct etw_event event = {
		.hook_id = PERFINFO_LOG_TYPE_THREAD_MIGRATION,
		.version = WMI_THREAD_MIGRATION_VERSION,
		.wanted = ETW_WANTED_ANY,
		.process_id = etw_process_id(task),
		.payload = { .data = &migration, .size = sizeof(migration) },
	};

	etw_write_all(etw_listeners_of(source), &event);
}

ETW_SOURCE(ETW_ORDER_ANY, migration) = {
	.name = "migration",
	.groups = ETW_GROUPS(PERF_LOAD_BALANCER),
	.hooks = ETW_HOOKS(PERFINFO_LOG_TYPE_THREAD_MIGRATION),
	.points = ETW_POINTS({ .probe = &probe_sched_migrate_task }),
};
