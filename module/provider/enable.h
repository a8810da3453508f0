/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Registrations of providers, and which sessions enabled them: shared by enable.c and its users. */
#ifndef ETW_ENABLE_H
#define ETW_ENABLE_H

#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/rbtree.h>
#include <linux/rcupdate.h>
#include "etw_abi.h"
#include "event_filters.h"

struct etw_provider;
struct etw_registration;
struct etw_session;

/*
 * Protects everything below, and the pages of programs. Taken within session->lock; no other
 * lock is taken under it. WRITE_EVENT reads without it: from an index to the registration, its
 * GUID, and that GUID's @listening. All of these are freed after a grace period.
 */
extern struct mutex etw_providers_lock;

/**
 * struct etw_enabled - a session has enabled a control GUID
 * @node: in the GUID's list, the newest first
 * @of_all: in the list of all
 * @guid: the GUID
 * @session: a running session
 * @logger_id: of the session
 * @level: from ENABLE
 * @flags: from ENABLE
 * @match_any: from ENABLE
 * @match_all: from ENABLE
 * @properties: from ENABLE
 * @handle: of etw_writable_handle()
 * @mask: events of WRITE_EVENT that the session wants
 * @filters: or NULL
 * @slot: index in the GUID's @listening
 * @rcu: to free it
 *
 * Fixed after it was published: another ENABLE makes another one.
 */
struct etw_enabled {
	struct list_head node;
	struct list_head of_all;
	struct etw_control_guid *guid;
	struct etw_session *session;
	u32 logger_id;
	u8 level;
	u32 flags;
	u64 match_any;
	u64 match_all;
	u32 properties;
	u64 handle;
	struct etw_event_mask mask;
	struct etw_event_filters *filters;
	u32 slot;
	struct rcu_head rcu;
};

/**
 * struct etw_control_guid - a GUID that is registered or enabled
 * @node: in the tree
 * @guid: the GUID
 * @registrations: number of entries in @programs and @modules
 * @programs: list of struct etw_registration
 * @modules: list of struct etw_provider
 * @enabled: list of struct etw_enabled; providers of TRACE_EVENT see the first
 * @listening: the same for WRITE_EVENT, in no order
 * @listening_end: entries of @listening that may be in use: all behind the last one are NULL
 * @events: combines all in @enabled; @sequence is 0
 * @rcu: to free it
 */
struct etw_control_guid {
	struct rb_node node;
	struct etw_guid guid;
	u32 registrations;
	struct list_head programs;
	struct list_head modules;
	struct list_head enabled;
	struct etw_enabled __rcu *listening[ETW_MAX_LISTENERS];
	u32 listening_end;
	struct etw_event_state events;
	struct rcu_head rcu;
};

/* What providers of a GUID see: the newest session that enabled it, or NULL */
static inline const struct etw_enabled *etw_listener_of(struct etw_control_guid *guid)
{
	return list_first_entry_or_null(&guid->enabled, struct etw_enabled, node);
}

/* Both under etw_providers_lock */
struct etw_control_guid *etw_control_guid_new(void);
struct etw_control_guid *etw_control_guid_get(const struct etw_guid *guid,
					      struct etw_control_guid **new);
void etw_control_guid_put(struct etw_control_guid *guid);

/* registrations.c, kernel_provider.c: publish the new state; NULL if no session listens */
void etw_registration_publish(struct etw_registration *registration,
			      const struct etw_enabled *enabled);
void etw_registration_publish_events(struct etw_registration *registration);
void etw_registration_wake(struct etw_registration *registration);
void etw_kernel_provider_publish(struct etw_provider *provider, const struct etw_enabled *enabled);
void etw_kernel_provider_publish_events(struct etw_provider *provider,
					const struct etw_event_state *events);
void etw_kernel_provider_wake(struct etw_provider *provider);

/**
 * struct etw_registration - a GUID that a program registered
 * @node: in the GUID's list
 * @guid: the GUID
 * @owner: the open file's registrations, with the page
 * @index: entry of that page
 * @reserved: only callers with control may write events of this GUID
 * @rcu: to free it
 */
struct etw_registration {
	struct list_head node;
	struct etw_control_guid *guid;
	struct etw_registrations *owner;
	u32 index;
	bool reserved;
	struct rcu_head rcu;
};

#endif /* ETW_ENABLE_H */
