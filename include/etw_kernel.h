/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* What etw.ko exports: events of other GPL modules. */
#ifndef ETW_KERNEL_H
#define ETW_KERNEL_H

#include <linux/compiler.h>
#include <linux/list.h>
#include <linux/stdarg.h>
#include <linux/types.h>
#include <linux/workqueue.h>
#include "../uapi/etw_provider.h"

struct etw_control_guid;

/**
 * struct etw_provider - a provider in a kernel module
 * @guid: control GUID; set before etw_provider_add()
 * @changed: optional: called, from a worker, when the fields below changed, and when a session
 *	asks for the provider's state, which @events.captures counts
 * @enabled: a session has the provider enabled
 * @level: as the session's ENABLE gave it
 * @logger_id: the session: the handle for etw_trace_event() and the like; more than 32 bits
 * @enable_flags: as the session's ENABLE gave it
 * @events: what all sessions want of the events of etw_event_write(); @sequence is not used
 * @control: private to etw.ko
 * @node: private to etw.ko
 * @work: private to etw.ko
 */
struct etw_provider {
	struct etw_guid guid;
	void (*changed)(struct etw_provider *provider);
	u8 enabled;
	u8 level;
	u32 enable_flags;
	u64 logger_id;
	struct etw_event_state events;
	struct etw_control_guid __rcu *control;
	struct list_head node;
	struct work_struct work;
};

/* To check before an event is made: one load while no session has it enabled */
static __always_inline bool etw_provider_enabled(const struct etw_provider *provider)
{
	return unlikely(READ_ONCE(provider->enabled));
}

/* To check before an event is made: one load while no session has the provider enabled */
static __always_inline bool etw_event_enabled(const struct etw_provider *provider, u8 level,
					      u64 keyword)
{
	const struct etw_event_state *events = &provider->events;

	if (likely(!READ_ONCE(events->sessions)) || level > READ_ONCE(events->level))
		return false;
	if (!keyword)
		return READ_ONCE(events->keyword_0);
	return (keyword & READ_ONCE(events->match_any)) &&
	       !(READ_ONCE(events->match_all) & ~keyword);
}

int etw_provider_add(struct etw_provider *provider);
void etw_provider_remove(struct etw_provider *provider);

int etw_event_write(const struct etw_provider *provider, const struct etw_event_descriptor *event,
		    const struct etw_guid *activity, const struct etw_guid *related, u32 nr_data,
		    const struct etw_event_data *data);

int etw_trace_event(const void *wnode_or_event);
/* Pairs of an address and a size_t, and NULL */
__attribute__((sentinel))
int etw_trace_message(u64 session_handle, u32 message_flags, const struct etw_guid *message_guid,
		      u16 message_number, ...);
int etw_trace_message_va(u64 session_handle, u32 message_flags,
			 const struct etw_guid *message_guid, u16 message_number,
			 va_list arguments);

#endif /* ETW_KERNEL_H */
