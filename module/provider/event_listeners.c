// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Which sessions want an event of WRITE_EVENT; declared in provider.h. */
#include <linux/build_bug.h>
#include <linux/nospec.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/stddef.h>
#include "record/thread_ids.h"
#include "registrations.h"

static_assert(!(offsetof(struct etw_control_guid, guid) % sizeof(u64)));
static_assert(!(offsetof(struct etw_write_event, provider) % sizeof(u64)));

/* By words, because memcmp() would be a call */
static bool is_same(const struct etw_guid *a, const struct etw_guid *b)
{
	const u64 *word = (const void *)a, *other = (const void *)b;

	return word[0] == other[0] && word[1] == other[1];
}

/* Context: preemption off. Return: NULL: the index is not registered with that GUID */
static const struct etw_registration *find_registration(const struct etw_registrations *owner,
							const struct etw_write_event *event)
{
	const u32 index = array_index_nospec(event->index, ETW_MAX_REGISTRATIONS);
	const struct etw_registration *registration =
		rcu_dereference_sched(owner->registration[index]);

	if (!registration || !is_same(&registration->guid->guid, &event->provider))
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

	if (!(enabled->filters->types & ETW_FILTERS_OF_STACKS))
		return items;
	return etw_event_filters_stack(enabled->filters, event, name ?: &none) ?
	       items | ETW_ENABLE_STACK : items & ~ETW_ENABLE_STACK;
}

/* Return: 0 or ETW_LISTENERS_BY_NAME; -1: the session does not want the event */
static noinline int apply_filters(const struct etw_enabled *enabled, const char *executable,
				  const struct etw_event_descriptor *event,
				  const struct etw_event_name *name,
				  struct etw_event_listener *listener)
{
	if (!meets_filters(enabled, executable, event, name))
		return -1;
	listener->items = items_of(enabled, event, name);
	return enabled->filters->types & ETW_FILTERS_BY_NAME ? ETW_LISTENERS_BY_NAME : 0;
}

/* See etw_guid_listeners() */
static __always_inline int find_listeners(const struct etw_control_guid *guid,
					  const char *executable,
					  const struct etw_event_descriptor *event,
					  const struct etw_event_name *name,
					  struct etw_event_listener *listeners)
{
	const u32 end = READ_ONCE(guid->listening_end);
	const struct etw_enabled *enabled;
	int n = 0, by_name = 0, filtered;
	u32 i;

	for (i = 0; i < end; i++) {
		enabled = rcu_dereference_sched(guid->listening[i]);
		if (!enabled || !etw_event_mask_has(&enabled->mask, event->level, event->keyword))
			continue;
		listeners[n].handle = enabled->handle;
		listeners[n].items = enabled->properties & ETW_ENABLE_ITEMS;
		if (unlikely(enabled->filters)) {
			filtered = apply_filters(enabled, executable, event, name, &listeners[n]);
			if (filtered < 0)
				continue;
			by_name |= filtered;
		}
		n++;
	}
	return n | by_name;
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
	return find_listeners(guid, executable, event, name, listeners);
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
		n = find_listeners(registration->guid, registration->owner->executable,
				   &event->descriptor, name, listeners);
	preempt_enable_notrace();
	return n;
}
