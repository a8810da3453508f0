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

/* Without a name, the filters by name exclude nothing. */
static bool meets_filters(const struct etw_enabled *enabled, const char *executable,
			  const struct etw_event_descriptor *event,
			  const struct etw_event_name *name)
{
	return etw_event_filters_has(enabled->filters, etw_process_id(current), executable,
				     event->id) &&
	       (!name || etw_event_filters_named(enabled->filters, event, name));
}

/* The filters for stacks decide alone if there are any. */
static u32 items_of(const struct etw_enabled *enabled, const struct etw_event_descriptor *event,
		    const struct etw_event_name *name)
{
	static const struct etw_event_name none;
	const u32 items = enabled->properties & ETW_ENABLE_ITEMS;

	if (likely(!enabled->filters) || !(enabled->filters->types & ETW_FILTERS_OF_STACKS))
		return items;
	return etw_event_filters_stack(enabled->filters, event, name ?: &none) ?
	       items | ETW_ENABLE_STACK : items & ~ETW_ENABLE_STACK;
}

/**
 * etw_guid_listeners() - sessions that want an event of a provider
 * @guid: the provider
 * @executable: of the program that registered it; "": a module
 * @event: the event
 * @name: the event's, if the caller has it; NULL: filters by name exclude nothing
 * @listeners: out: of ETW_MAX_LISTENERS entries
 *
 * Context: any, with preemption off.
 * Return: number of @listeners, and ETW_LISTENERS_BY_NAME if one of them has a filter that needs
 * the event's name.
 */
int etw_guid_listeners(const struct etw_control_guid *guid, const char *executable,
		       const struct etw_event_descriptor *event, const struct etw_event_name *name,
		       struct etw_event_listener *listeners)
{
	const struct etw_enabled *enabled;
	int n = 0, by_name = 0;
	u32 i;

	for (i = 0; i < ETW_MAX_LISTENERS; i++) {
		enabled = rcu_dereference_sched(guid->listening[i]);
		if (!enabled || !etw_event_mask_has(&enabled->mask, event->level, event->keyword))
			continue;
		if (unlikely(enabled->filters)) {
			if (!meets_filters(enabled, executable, event, name))
				continue;
			if (enabled->filters->types & ETW_FILTERS_BY_NAME)
				by_name = ETW_LISTENERS_BY_NAME;
		}
		listeners[n].handle = enabled->handle;
		listeners[n++].items = items_of(enabled, event, name);
	}
	return n | by_name;
}

/**
 * etw_registration_listeners() - sessions that want an event
 * @file: of the caller
 * @event: WRITE_EVENT's argument
 * @name: as in etw_guid_listeners()
 * @listeners: out: of ETW_MAX_LISTENERS entries
 *
 * Context: process.
 * Return: as etw_guid_listeners(); -ENOENT: the index is not registered with that GUID; -EACCES:
 * the GUID is reserved.
 */
int etw_registration_listeners(const struct etw_provider_file *file,
			       const struct etw_write_event *event,
			       const struct etw_event_name *name,
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
		n = etw_guid_listeners(registration->guid, registration->owner->executable,
				       &event->descriptor, name, listeners);
	preempt_enable_notrace();
	return n;
}
