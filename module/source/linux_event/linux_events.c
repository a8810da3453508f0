// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* START, UPDATE and STOP of Linux events, and CPU hotplug; declared in linux_events.h. */
#include <linux/cpuhotplug.h>
#include <linux/err.h>
#include <linux/mm.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include "compat.h"
#include "config/linux_events.h"
#include "entry.h"

/* Channel of events that describe themselves */
#define TRACELOGGING_CHANNEL	11

static enum cpuhp_state events_state;

static void free_entry(struct etw_linux_entry *entry)
{
	kvfree(entry->perf);
	kvfree(entry->record.body);
	kvfree(entry->head);
	kfree(entry);
}

/* The extended items, as each record contains them */
static int make_items(struct etw_linux_entry *entry)
{
	const struct etw_ext_linux_event *head = entry->head;
	const u8 *bytes = (const u8 *)head;
	struct etw_event_body body = { };
	u8 *to;
	int err;

	body.size[ETW_DATA_TRAITS] = head->traits_size;
	body.size[ETW_DATA_SCHEMA] = head->schema_size;
	err = etw_event_body_layout(&body);
	if (err)
		return err;
	to = kvzalloc(body.bytes, GFP_KERNEL);
	if (!to)
		return -ENOMEM;
	memcpy(to + body.at[ETW_DATA_TRAITS], bytes + etw_linux_event_traits_at(head),
	       head->traits_size);
	memcpy(to + body.at[ETW_DATA_SCHEMA], bytes + etw_linux_event_schema_at(head),
	       head->schema_size);
	etw_event_body_put_items(to, &body);
	entry->record.body = to;
	entry->record.size = body.bytes;
	return 0;
}

static int fill_entry(struct etw_linux_entry *entry, const void *from, u32 size)
{
	struct etw_ext_linux_event *head = kvmalloc(size, GFP_KERNEL);

	entry->head = head;
	entry->perf = kvcalloc(nr_cpu_ids, sizeof(*entry->perf), GFP_KERNEL);
	if (!entry->perf || !head)
		return -ENOMEM;
	memcpy(head, from, size);
	entry->tests = (const void *)(head + 1);
	entry->fields = (const void *)head + etw_linux_event_fields_at(head);
	entry->record.provider = head->provider;
	entry->record.descriptor = (struct etw_event_descriptor){
		.channel = TRACELOGGING_CHANNEL,
		.level = head->level,
		.keyword = head->keyword_low | (u64)head->keyword_high << 32,
	};
	entry->record.flags = ETW_EVENT_HEADER_EXTENDED_INFO;
	return make_items(entry);
}

/* @from: a checked entry of the item, of @size bytes, any alignment */
static struct etw_linux_entry *make_entry(struct etw_linux_events *events, const void *from,
					  u32 size)
{
	struct etw_linux_entry *entry = kzalloc(sizeof(*entry), GFP_KERNEL);
	int err;

	if (!entry)
		return ERR_PTR(-ENOMEM);
	entry->events = events;
	entry->from = events->changing;
	entry->until = ETW_LINUX_ENTRY_STAYS;
	err = fill_entry(entry, from, size);
	if (!err)
		return entry;
	free_entry(entry);
	return ERR_PTR(err);
}

static void disarm(struct etw_linux_entry *entry)
{
	int cpu;

	for_each_possible_cpu(cpu)
		etw_linux_entry_disarm(entry, cpu);
}

/* The list of entries that no record needs any more; under events->lock */
static void release(struct list_head *entries)
{
	struct etw_linux_entry *entry, *next;

	if (list_empty(entries))
		return;
	list_for_each_entry(entry, entries, node)
		disarm(entry);
	synchronize_rcu();	/* handlers run with preemption off */
	list_for_each_entry_safe(entry, next, entries, node)
		free_entry(entry);
}

static struct etw_linux_entry *find_same(struct etw_linux_events *events, const void *from,
					 u32 size)
{
	struct etw_linux_entry *entry;

	list_for_each_entry(entry, &events->entries, node)
		if (entry->from != events->changing && entry->head->size == size &&
		    !memcmp(entry->head, from, size))
			return entry;
	return NULL;
}

static int refuse(struct etw_linux_events_error *error, u32 reason, int cpu, int err)
{
	error->reason = reason;
	error->processor = cpu;
	return err;
}

static int arm(struct etw_linux_entry *entry, struct etw_linux_events_error *error)
{
	int cpu, err;

	for_each_cpu(cpu, entry->events->up) {
		err = etw_linux_entry_arm(entry, cpu);
		switch (err) {
		case 0:
			break;
		case -ENOMEM:
			return refuse(error, ETW_REASON_NO_MEMORY, cpu, err);
		case -EPERM:
		case -EACCES:
			return refuse(error, ETW_REASON_NONE, cpu, err);
		default:
			return refuse(error, ETW_REASON_SOURCE, cpu, -ENOENT);
		}
	}
	return 0;
}

/* Keep the session's entry, if it has the same; else create it. */
static int prepare_entry(struct etw_linux_events *events, const void *from, u32 size,
			 struct etw_linux_events_error *error)
{
	struct etw_linux_entry *entry = find_same(events, from, size);

	if (entry) {
		WRITE_ONCE(entry->until, ETW_LINUX_ENTRY_STAYS);
		return 0;
	}
	if (fatal_signal_pending(current))
		return refuse(error, ETW_REASON_NONE, 0, -EINTR);
	entry = make_entry(events, from, size);
	if (IS_ERR(entry))
		return refuse(error, ETW_REASON_NO_MEMORY, 0, PTR_ERR(entry));
	list_add_tail(&entry->node, &events->entries);
	return arm(entry, error);
}

static int prepare_all(struct etw_linux_events *events, const struct etw_items *next,
		       struct etw_linux_events_error *error)
{
	struct etw_ext_linux_event head;
	struct etw_linux_entry *entry;
	u32 at;
	int err = 0;

	events->changing = events->generation + 1;
	list_for_each_entry(entry, &events->entries, node)
		WRITE_ONCE(entry->until, events->changing);
	for (at = 0; at < next->linux_events_size && !err; at += head.size) {
		memcpy(&head, next->linux_events + at, sizeof(head));
		error->offset = at;
		err = prepare_entry(events, next->linux_events + at, head.size, error);
	}
	return err;
}

/* Move the entries with this @from or @until to another list. */
static void take_out(struct etw_linux_events *events, u32 from, u32 until, struct list_head *to)
{
	struct etw_linux_entry *entry, *next;

	list_for_each_entry_safe(entry, next, &events->entries, node)
		if (entry->from == from || entry->until == until)
			list_move_tail(&entry->node, to);
}

static void reconcile(struct work_struct *work)
{
	struct etw_linux_events *events = container_of(work, struct etw_linux_events, work);
	struct etw_linux_entry *entry;

	mutex_lock(&events->lock);
	list_for_each_entry(entry, &events->entries, node)
		etw_linux_entry_reconcile(entry);
	mutex_unlock(&events->lock);
}

/* A hotplug callback must not create or release perf events, see context/perf_set.c. */
static int cpu_came(unsigned int cpu, struct hlist_node *node)
{
	struct etw_linux_events *events = hlist_entry(node, struct etw_linux_events, node);

	cpumask_set_cpu(cpu, events->up);
	queue_work(etw_unbound_wq, &events->work);
	return 0;
}

static int cpu_goes(unsigned int cpu, struct hlist_node *node)
{
	struct etw_linux_events *events = hlist_entry(node, struct etw_linux_events, node);

	cpumask_clear_cpu(cpu, events->up);
	queue_work(etw_unbound_wq, &events->work);
	return 0;
}

static struct etw_linux_events *alloc_events(const struct etw_sink *sink,
					     const struct etw_filter *filter)
{
	struct etw_linux_events *events = kzalloc(sizeof(*events), GFP_KERNEL);

	if (!events)
		return NULL;
	if (!zalloc_cpumask_var(&events->up, GFP_KERNEL)) {
		kfree(events);
		return NULL;
	}
	events->sink = sink;
	RCU_INIT_POINTER(events->filter, filter);
	INIT_LIST_HEAD(&events->entries);
	mutex_init(&events->lock);
	INIT_WORK(&events->work, reconcile);
	if (!cpuhp_state_add_instance(events_state, &events->node))
		return events;
	cancel_work_sync(&events->work);	/* of the CPUs before the one that failed */
	INIT_HLIST_NODE(&events->node);
	etw_linux_events_free(events);
	return NULL;
}

/**
 * etw_linux_events_prepare() - START and UPDATE: create what a new item needs
 * @events: a session's, or NULL so far; in that case out: one, if any is needed
 * @sink: its session, with kernel events
 * @next: items with the new entries, or without the item: nothing changes
 * @filter: the session's current filter, or NULL
 * @error: out, with an error
 *
 * Nothing is recorded yet by the new entries.
 *
 * Context: process, one call at a time for each session; sleeps; takes cpus_read_lock. perf
 * checks the rights of the current credentials.
 * Return: 0: etw_linux_events_commit() or etw_linux_events_undo() must follow; -ENOENT: no such
 * event; -EPERM, -EACCES, -ENOMEM, -EINTR: the old entries are recorded as before.
 */
int etw_linux_events_prepare(struct etw_linux_events **events, const struct etw_sink *sink,
			     const struct etw_items *next, const struct etw_filter *filter,
			     struct etw_linux_events_error *error)
{
	int err;

	*error = (struct etw_linux_events_error){ .reason = ETW_REASON_NO_MEMORY };
	if (!next->linux_events || (!*events && !next->linux_events_size))
		return 0;
	if (!*events)
		*events = alloc_events(sink, filter);
	if (!*events)
		return -ENOMEM;
	mutex_lock(&(*events)->lock);
	err = prepare_all(*events, next, error);
	mutex_unlock(&(*events)->lock);
	if (err)
		etw_linux_events_undo(*events);
	else	/* for CPUs that came up meanwhile */
		queue_work(etw_unbound_wq, &(*events)->work);
	return err;
}

/**
 * etw_linux_events_undo() - drop what etw_linux_events_prepare() has created
 * @events: a session's, or NULL
 *
 * Context: as etw_linux_events_prepare().
 */
void etw_linux_events_undo(struct etw_linux_events *events)
{
	struct etw_linux_entry *entry;
	LIST_HEAD(dead);

	if (!events || !events->changing)
		return;
	mutex_lock(&events->lock);
	take_out(events, events->changing, 0, &dead);
	list_for_each_entry(entry, &events->entries, node)
		WRITE_ONCE(entry->until, ETW_LINUX_ENTRY_STAYS);
	events->changing = 0;
	release(&dead);
	mutex_unlock(&events->lock);
}

/**
 * etw_linux_events_commit() - record by the prepared entries from now on
 * @events: a session's, or NULL
 *
 * Context: as etw_linux_events_prepare().
 */
void etw_linux_events_commit(struct etw_linux_events *events)
{
	LIST_HEAD(dead);

	if (!events || !events->changing)
		return;
	mutex_lock(&events->lock);
	WRITE_ONCE(events->generation, events->changing);
	take_out(events, 0, events->changing, &dead);
	events->changing = 0;
	release(&dead);
	mutex_unlock(&events->lock);
}

/**
 * etw_linux_events_filter() - change the filter
 * @events: a session's, or NULL
 * @filter: new filter, or NULL; the caller frees the old one afterwards, by RCU
 */
void etw_linux_events_filter(struct etw_linux_events *events, const struct etw_filter *filter)
{
	if (events)
		rcu_assign_pointer(events->filter, filter);
}

/**
 * etw_linux_events_mute() - stop recording
 * @events: a session's, or NULL
 *
 * After a grace period nothing writes to the session.
 */
void etw_linux_events_mute(struct etw_linux_events *events)
{
	if (events)
		WRITE_ONCE(events->generation, 0);
}

/**
 * etw_linux_events_stop() - stop recording, and release all perf events
 * @events: a session's, or NULL
 *
 * On return nothing writes, or will write, to the session.
 *
 * Context: process; sleeps; takes cpus_read_lock.
 */
void etw_linux_events_stop(struct etw_linux_events *events)
{
	LIST_HEAD(dead);

	if (!events || hlist_unhashed(&events->node))
		return;
	etw_linux_events_mute(events);
	cpuhp_state_remove_instance(events_state, &events->node);
	INIT_HLIST_NODE(&events->node);
	cancel_work_sync(&events->work);
	mutex_lock(&events->lock);
	list_splice_init(&events->entries, &dead);
	release(&dead);
	mutex_unlock(&events->lock);
}

/**
 * etw_linux_events_free() - free stopped events
 * @events: a session's, or NULL
 */
void etw_linux_events_free(struct etw_linux_events *events)
{
	if (!events)
		return;
	mutex_destroy(&events->lock);
	free_cpumask_var(events->up);
	kfree(events);
}

/**
 * etw_linux_events_bytes() - memory that entries and their perf events take
 * @items: with the entries' number and size
 */
u64 etw_linux_events_bytes(const struct etw_items *items)
{
	u64 each = sizeof(struct etw_linux_entry) + nr_cpu_ids * sizeof(struct perf_event *) +
		   num_online_cpus() * sizeof(struct perf_event);

	/* the items of a record are a second copy of traits and schema */
	return items->nr_linux_events * each + 2 * (u64)items->linux_events_size;
}

/**
 * etw_linux_events_init() - take a dynamic hotplug state
 */
int etw_linux_events_init(void)
{
	int state = cpuhp_setup_state_multi(CPUHP_AP_ONLINE_DYN, "etw:events", cpu_came, cpu_goes);

	if (state < 0)
		return state;
	events_state = state;
	return 0;
}

/**
 * etw_linux_events_exit() - release the hotplug state
 */
void etw_linux_events_exit(void)
{
	cpuhp_remove_multi_state(events_state);
}
