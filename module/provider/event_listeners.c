// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Which sessions want an event of WRITE_EVENT; declared in provider.h. */
#include <linux/nospec.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/string.h>
#include "record/thread_ids.h"
#include "registrations.h"

/* Context: preemption off. Return: NULL: the index is not registered with that GUID */
static const struct etw_registration *find_registration(const struct etw_registrations *owner,
							const struct etw_write_event *event)
{
	const u32 index = array_index_nospec(event->index, ETW_MAX_REGISTRATIONS);
	const struct etw_registration *registration =
		rcu_dereference_sched(owner->registration[index]);

	if (!registration || memcmp(&registration->guid->guid, &event->provider,
				    sizeof(event->provider)))
		return NULL;
	return registration;
}

static bool meets_filters(const struct etw_registration *registration,
			  const struct etw_enabled *enabled,
			  const struct etw_event_descriptor *event)
{
	return etw_event_filters_has(enabled->filters, etw_process_id(current),
				     registration->owner->executable, event->id);
}

/* The filters for stacks decide alone if there are any. */
static u32 items_of(const struct etw_enabled *enabled, const struct etw_event_descriptor *event)
{
	const u32 items = enabled->properties & ETW_ENABLE_ITEMS;

	if (likely(!enabled->filtered) || !(enabled->filters->types & ETW_FILTERS_OF_STACKS))
		return items;
	return etw_event_filters_stack(enabled->filters, event) ? items | ETW_ENABLE_STACK :
								  items & ~ETW_ENABLE_STACK;
}

/* Context: preemption off. Return: number of @listeners */
static int find_listeners(const struct etw_registration *registration,
			  const struct etw_event_descriptor *event,
			  struct etw_event_listener *listeners)
{
	const struct etw_enabled *enabled;
	int n = 0;
	u32 i;

	for (i = 0; i < ETW_MAX_LISTENERS; i++) {
		enabled = rcu_dereference_sched(registration->guid->listening[i]);
		if (!enabled || !etw_event_mask_has(&enabled->mask, event->level, event->keyword))
			continue;
		if (unlikely(enabled->filtered) && !meets_filters(registration, enabled, event))
			continue;
		listeners[n].handle = enabled->handle;
		listeners[n++].items = items_of(enabled, event);
	}
	return n;
}

/**
 * etw_registration_listeners() - sessions that want an event
 * @file: of the caller
 * @event: WRITE_EVENT's argument
 * @listeners: out: of ETW_MAX_LISTENERS entries
 *
 * Context: process.
 * Return: number of @listeners; -ENOENT: the index is not registered with that GUID; -EACCES:
 * the GUID is reserved.
 */
int etw_registration_listeners(const struct etw_provider_file *file,
			       const struct etw_write_event *event,
			       struct etw_event_listener *listeners)
{
	/* pairs with registrations_of() */
	const struct etw_registrations *owner = smp_load_acquire(&file->registrations);
	const struct etw_registration *registration;
	int n;

	if (!owner || event->index >= ETW_MAX_REGISTRATIONS)
		return -ENOENT;
	preempt_disable_notrace();
	registration = find_registration(owner, event);
	if (!registration)
		n = -ENOENT;
	else if (unlikely(registration->reserved) && !file->caller.control)
		n = -EACCES;
	else
		n = find_listeners(registration, &event->descriptor, listeners);
	preempt_enable_notrace();
	return n;
}
