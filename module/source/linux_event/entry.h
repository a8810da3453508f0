/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* One Linux event of a session and its perf events; only for files of this folder. */
#ifndef ETW_LINUX_EVENT_ENTRY_H
#define ETW_LINUX_EVENT_ENTRY_H

#include <linux/cpumask.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/perf_event.h>
#include <linux/rcupdate.h>
#include <linux/workqueue.h>
#include "record/event_record.h"
#include "etw_linux_events.h"
#include "linux_events.h"

/**
 * struct etw_linux_entry - an event that a session records, or is about to record
 * @node: in @events->entries
 * @events: the session's
 * @from: first generation of @events in which it is recorded
 * @until: first generation in which it is not recorded any more
 * @head: entry of the item: owned copy, with all that follows
 * @tests: in @head
 * @fields: in @head
 * @record: header of each record; @record.body and @record.size are only the extended items
 * @perf: by CPU: perf event, or NULL; under @events->lock
 *
 * Once a perf event exists, only @until and @perf change.
 */
struct etw_linux_entry {
	struct list_head node;
	struct etw_linux_events *events;
	u32 from;
	u32 until;
	const struct etw_ext_linux_event *head;
	const struct etw_linux_event_test *tests;
	const struct etw_linux_event_field *fields;
	struct etw_event_record record;
	struct perf_event **perf;
};

/* @until of an entry that stays */
#define ETW_LINUX_ENTRY_STAYS	U32_MAX

/**
 * struct etw_linux_events - the Linux events of a session
 * @sink: the session
 * @filter: its filter, or NULL; read with preemption off
 * @generation: number of the change that was committed last; 0: nothing is recorded
 * @changing: a change was prepared: @generation plus 1
 * @entries: list of struct etw_linux_entry; under @lock
 * @lock: creation and release of perf events
 * @up: online CPUs
 * @node: this session's instance of the hotplug state
 * @work: creates and releases perf events of CPUs that came or went
 *
 * One store to @generation adds all new entries and removes all old ones.
 */
struct etw_linux_events {
	const struct etw_sink *sink;
	const struct etw_filter __rcu *filter;
	u32 generation;
	u32 changing;
	struct list_head entries;
	struct mutex lock;		/* perf events */
	cpumask_var_t up;
	struct hlist_node node;
	struct work_struct work;
};

/* arm.c; under events->lock */
int etw_linux_entry_arm(struct etw_linux_entry *entry, int cpu);
void etw_linux_entry_disarm(struct etw_linux_entry *entry, int cpu);
void etw_linux_entry_reconcile(struct etw_linux_entry *entry);

/* write.c */
void etw_linux_event_overflow(struct perf_event *perf, struct perf_sample_data *data,
			      struct pt_regs *regs);

#endif /* ETW_LINUX_EVENT_ENTRY_H */
