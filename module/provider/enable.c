// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* ENABLE, PROVIDERS: which session enabled which GUID; declared in provider.h, too. */
#include <linux/err.h>
#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include "etw_kernel.h"
#include "session/session.h"
#include "enable.h"
#include "provider.h"
#include "writable.h"

DEFINE_MUTEX(etw_providers_lock);	/* see enable.h */

/* A tree, because programs choose GUIDs and could make a hash table slow. */
static struct rb_root guids = RB_ROOT;
static LIST_HEAD(all_enabled);

static struct etw_control_guid *guid_of(struct rb_node *node)
{
	return rb_entry(node, struct etw_control_guid, node);
}

/* Returns the link to the GUID's node, or the link below @parent to insert it at. */
static struct rb_node **find_place(const struct etw_guid *guid, struct rb_node **parent)
{
	struct rb_node **at = &guids.rb_node;
	int order;

	*parent = NULL;
	while (*at) {
		order = memcmp(guid, &guid_of(*at)->guid, sizeof(*guid));
		if (!order)
			break;
		*parent = *at;
		at = order < 0 ? &(*at)->rb_left : &(*at)->rb_right;
	}
	return at;
}

/**
 * etw_control_guid_new() - allocate a GUID in case that it is not in the tree
 *
 * A program's memory group may be full and slow to reclaim memory. So this waits without
 * etw_providers_lock, which STOP needs.
 *
 * Context: process; sleeps; without etw_providers_lock.
 * Return: memory for etw_control_guid_get(), then kfree(); NULL if memory is short.
 */
struct etw_control_guid *etw_control_guid_new(void)
{
	return kzalloc(sizeof(struct etw_control_guid), GFP_KERNEL_ACCOUNT);
}

/**
 * etw_control_guid_get() - find a GUID, or add it to the tree
 * @guid: the GUID
 * @new: of etw_control_guid_new(), or NULL; out: NULL if it was added
 *
 * Context: under etw_providers_lock. Call etw_control_guid_put() if the GUID was not
 * registered or enabled after all, or isn't any more.
 * Return: NULL if it is not in the tree and @new is NULL.
 */
struct etw_control_guid *etw_control_guid_get(const struct etw_guid *guid,
					      struct etw_control_guid **new)
{
	struct rb_node *parent, **at = find_place(guid, &parent);
	struct etw_control_guid *made = *new;

	lockdep_assert_held(&etw_providers_lock);
	if (*at)
		return guid_of(*at);
	if (!made)
		return NULL;
	*new = NULL;
	made->guid = *guid;
	INIT_LIST_HEAD(&made->programs);
	INIT_LIST_HEAD(&made->modules);
	INIT_LIST_HEAD(&made->enabled);
	rb_link_node(&made->node, parent, at);
	rb_insert_color(&made->node, &guids);
	return made;
}

/**
 * etw_control_guid_put() - free a GUID that is neither registered nor enabled
 * @guid: the GUID
 *
 * Context: under etw_providers_lock.
 */
void etw_control_guid_put(struct etw_control_guid *guid)
{
	lockdep_assert_held(&etw_providers_lock);
	if (guid->registrations || !list_empty(&guid->enabled))
		return;
	rb_erase(&guid->node, &guids);
	kfree_rcu(guid, rcu);
}

/*
 * After all changes: a program may have many registrations, and a module's function is called once
 * for each ENABLE.
 */
static void wake_all(struct etw_control_guid *guid)
{
	struct etw_registration *registration;
	struct etw_provider *provider;

	list_for_each_entry(registration, &guid->programs, node) {
		etw_registration_wake(registration);
		cond_resched();
	}
	list_for_each_entry(provider, &guid->modules, node)
		etw_kernel_provider_wake(provider);
}

/* To providers of WRITE_EVENT, which see all sessions at once */
static void publish_events(struct etw_control_guid *guid)
{
	struct etw_event_state all = { .captures = guid->events.captures };
	struct etw_registration *registration;
	const struct etw_enabled *enabled;
	struct etw_provider *provider;

	list_for_each_entry(enabled, &guid->enabled, node)
		etw_event_state_add(&all, &enabled->mask);
	guid->events = all;
	list_for_each_entry(registration, &guid->programs, node) {
		etw_registration_publish_events(registration);
		cond_resched();
	}
	list_for_each_entry(provider, &guid->modules, node)
		etw_kernel_provider_publish_events(provider, &guid->events);
}

/* To providers of TRACE_EVENT, which see the newest session */
static void publish_newest(struct etw_control_guid *guid)
{
	const struct etw_enabled *enabled = etw_listener_of(guid);
	struct etw_registration *registration;
	struct etw_provider *provider;

	list_for_each_entry(registration, &guid->programs, node) {
		etw_registration_publish(registration, enabled);
		cond_resched();
	}
	list_for_each_entry(provider, &guid->modules, node)
		etw_kernel_provider_publish(provider, enabled);
}

static struct etw_enabled *find_enabled(struct etw_control_guid *guid,
					const struct etw_session *session)
{
	struct etw_enabled *enabled;

	list_for_each_entry(enabled, &guid->enabled, node)
		if (enabled->session == session)
			return enabled;
	return NULL;
}

static u32 count_enabled(const struct etw_session *session)
{
	struct etw_enabled *enabled;
	u32 n = 0;

	list_for_each_entry(enabled, &all_enabled, of_all)
		n += enabled->session == session;
	return n;
}

/* Return: index in @listening; ETW_MAX_LISTENERS if all are used */
static u32 find_slot(const struct etw_control_guid *guid)
{
	u32 slot = 0;

	while (slot < ETW_MAX_LISTENERS && rcu_access_pointer(guid->listening[slot]))
		slot++;
	return slot;
}

/* A writer that reads the old value misses a session that is just being added, or reads NULL. */
static void set_end(struct etw_control_guid *guid)
{
	u32 end = ETW_MAX_LISTENERS;

	while (end && !rcu_access_pointer(guid->listening[end - 1]))
		end--;
	WRITE_ONCE(guid->listening_end, end);
}

/* The first in the list: providers of TRACE_EVENT see it. */
static int add_enabled(struct etw_control_guid *guid, struct etw_session *session,
		       const struct etw_enable *wanted, struct etw_event_filters *filters,
		       u32 slot)
{
	struct etw_enabled *enabled = kzalloc(sizeof(*enabled), GFP_KERNEL);

	if (!enabled)
		return -ENOMEM;
	enabled->filters = filters;
	enabled->guid = guid;
	enabled->session = session;
	enabled->logger_id = session->sink.id;
	enabled->level = wanted->level;
	enabled->flags = wanted->enable_flags;
	enabled->match_any = wanted->match_any;
	enabled->match_all = wanted->match_all;
	enabled->properties = wanted->properties;
	enabled->handle = etw_writable_handle(session);
	enabled->mask = etw_event_mask_of(wanted);
	enabled->slot = slot;
	list_add(&enabled->node, &guid->enabled);
	list_add_tail(&enabled->of_all, &all_enabled);
	/* pairs with rcu_dereference_sched() of WRITE_EVENT */
	rcu_assign_pointer(guid->listening[slot], enabled);
	set_end(guid);
	return 0;
}

static void free_enabled(struct etw_enabled *enabled)
{
	list_del(&enabled->node);
	list_del(&enabled->of_all);
	if (enabled->filters)
		kfree_rcu(enabled->filters, rcu);
	kfree_rcu(enabled, rcu);
}

/* Providers of TRACE_EVENT are notified only if this was the session that they see. */
static void remove_enabled(struct etw_enabled *enabled)
{
	struct etw_control_guid *guid = enabled->guid;
	bool known = etw_listener_of(guid) == enabled;

	RCU_INIT_POINTER(guid->listening[enabled->slot], NULL);
	set_end(guid);
	free_enabled(enabled);
	publish_events(guid);
	if (known)
		publish_newest(guid);
	wake_all(guid);
	etw_control_guid_put(guid);
}

/* Repeating ENABLE changes the settings and makes the session the newest. */
static int enable(struct etw_session *session, const struct etw_enable *wanted,
		  struct etw_event_filters *filters, struct etw_control_guid *guid)
{
	struct etw_enabled *before = find_enabled(guid, session);
	u32 slot = before ? before->slot : find_slot(guid);
	int err;

	if (!before && count_enabled(session) >= ETW_MAX_ENABLED)
		return -ENOSPC;
	if (slot == ETW_MAX_LISTENERS)
		return -ENOSPC;
	err = add_enabled(guid, session, wanted, filters, slot);
	if (err)
		return err;
	if (before)
		free_enabled(before);
	publish_events(guid);
	publish_newest(guid);
	wake_all(guid);
	return 0;
}

static int capture_state(struct etw_session *session, struct etw_control_guid *guid)
{
	if (!find_enabled(guid, session))
		return -ENOENT;
	guid->events.captures++;
	publish_events(guid);
	wake_all(guid);
	return 0;
}

static int disable(struct etw_session *session, struct etw_control_guid *guid)
{
	struct etw_enabled *enabled = find_enabled(guid, session);

	if (!enabled)
		return -ENOENT;
	remove_enabled(enabled);
	return 0;
}

/* Of a GUID that the session should have enabled already */
static int change(struct etw_session *session, const struct etw_enable *wanted)
{
	struct rb_node *parent, **at = find_place(&wanted->guid, &parent);

	if (!*at)
		return -ENOENT;
	if (wanted->enabled == ETW_ENABLE_CAPTURE_STATE)
		return capture_state(session, guid_of(*at));
	return disable(session, guid_of(*at));
}

/**
 * etw_provider_enable() - ENABLE: enable or disable a provider, or ask for its state
 * @session: running; its lock is held
 * @wanted: checked, except against the state of this file
 * @filters: of etw_event_filters_copy(), to enable; the session keeps them if 0 is returned
 *
 * Return: 0; -ENOENT: the session has not enabled it; -ENOSPC; -ENOMEM; -EINTR: the caller
 * was killed.
 */
int etw_provider_enable(struct etw_session *session, const struct etw_enable *wanted,
			struct etw_event_filters *filters)
{
	struct etw_control_guid *guid, *new = NULL;
	int err;

	lockdep_assert_held(&session->lock);
	if (wanted->enabled == 1)
		new = etw_control_guid_new();
	if (mutex_lock_killable(&etw_providers_lock)) {
		kfree(new);
		return -EINTR;
	}
	if (wanted->enabled == 1) {
		guid = etw_control_guid_get(&wanted->guid, &new);
		err = guid ? enable(session, wanted, filters, guid) : -ENOMEM;
		if (guid && err)
			etw_control_guid_put(guid);
	} else {
		err = change(session, wanted);
	}
	mutex_unlock(&etw_providers_lock);
	kfree(new);
	return err;
}

/**
 * etw_enabled_drop() - a session stops: disable its providers, which then see the next session
 * @session: its lock is held
 */
void etw_enabled_drop(struct etw_session *session)
{
	struct etw_enabled *enabled, *next;

	lockdep_assert_held(&session->lock);
	mutex_lock(&etw_providers_lock);
	list_for_each_entry_safe(enabled, next, &all_enabled, of_all)
		if (enabled->session == session)
			remove_enabled(enabled);
	mutex_unlock(&etw_providers_lock);
}

static void put_info(struct etw_provider_info *info, const struct etw_control_guid *guid,
		     const struct etw_enabled *enabled)
{
	*info = (struct etw_provider_info){
		.guid = guid->guid,
		.registrations = guid->registrations,
	};
	if (!enabled)
		return;
	info->logger_id = enabled->logger_id;
	info->level = enabled->level;
	info->enable_flags = enabled->flags;
	info->match_any = enabled->match_any;
	info->match_all = enabled->match_all;
	info->properties = enabled->properties;
	if (enabled->filters)
		info->filters = enabled->filters->types | ETW_FILTER_TYPE_BIT;
}

/* Writes at most @limit entries; returns how many there are. */
static u32 fill(struct etw_provider_info *info, u32 limit)
{
	const struct etw_control_guid *guid;
	const struct etw_enabled *enabled;
	struct rb_node *node;
	u32 n = 0;

	for (node = rb_first(&guids); node; node = rb_next(node)) {
		guid = guid_of(node);
		if (list_empty(&guid->enabled) && n++ < limit)
			put_info(&info[n - 1], guid, NULL);
		list_for_each_entry(enabled, &guid->enabled, node)
			if (n++ < limit)
				put_info(&info[n - 1], guid, enabled);
	}
	return n;
}

/* Entries that programs may add between two countings without another try */
#define LIST_SLACK	64U

/*
 * @limit: in: entries that the caller takes; out: entries in the list
 * @count: out: entries that exist
 *
 * The memory for the list is allocated without the lock, and there may be more entries
 * afterwards. Then it tries again, with more memory.
 *
 * Return: the list, for kvfree(); NULL if it is empty; or an ERR_PTR()
 */
static struct etw_provider_info *make_list(u32 *limit, u32 *count)
{
	struct etw_provider_info *info = NULL;
	u32 most = *limit, entries = 0;

	for (;;) {
		if (mutex_lock_killable(&etw_providers_lock)) {
			kvfree(info);
			return ERR_PTR(-EINTR);
		}
		*count = fill(info, entries);
		mutex_unlock(&etw_providers_lock);
		*limit = min(*count, most);
		if (*limit <= entries)
			return info;
		kvfree(info);
		entries = min(*limit + LIST_SLACK, most);
		info = kvcalloc(entries, sizeof(*info), GFP_KERNEL);
		if (!info)
			return ERR_PTR(-ENOMEM);
	}
}

/* The caller's version of an entry may be shorter. */
static int put_list(const struct etw_providers *to, const struct etw_provider_info *info, u32 n)
{
	u8 __user *at = u64_to_user_ptr(to->providers);
	u32 i;

	for (i = 0; i < n; i++, at += to->entry_size)
		if (copy_to_user(at, &info[i], to->entry_size))
			return -EFAULT;
	return 0;
}

/**
 * etw_providers_list() - PROVIDERS: list registered and enabled GUIDs
 * @providers: in: address, entries and size of an entry, which was checked; out: number of entries
 *
 * Context: process; sleeps.
 * Return: 0; -ENOMEM; -EFAULT; -EINTR: the caller was killed.
 */
int etw_providers_list(struct etw_providers *providers)
{
	u32 limit = providers->count;
	struct etw_provider_info *info = make_list(&limit, &providers->count);
	int err;

	if (IS_ERR(info))
		return PTR_ERR(info);
	err = put_list(providers, info, limit);
	kvfree(info);
	return err;
}
