// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Kernel modules that are providers; declared in etw_kernel.h and enable.h. */
#include <linux/export.h>
#include <linux/string.h>
#include <linux/workqueue.h>
#include "etw_kernel.h"
#include "compat.h"
#include "enable.h"
#include "writable.h"

/*
 * The module's function runs in a worker, because ENABLE holds locks: the function must
 * not deadlock on them, and ENABLE must not wait for the function.
 */
static void call_changed(struct work_struct *work)
{
	struct etw_provider *provider = container_of(work, struct etw_provider, work);

	provider->changed(provider);
}

/**
 * etw_kernel_provider_publish() - publish to a module which session listens
 * @provider: the module's
 * @enabled: the session that listens, or NULL
 *
 * Context: under etw_providers_lock.
 */
void etw_kernel_provider_publish(struct etw_provider *provider, const struct etw_enabled *enabled)
{
	lockdep_assert_held(&etw_providers_lock);
	if (!enabled) {
		WRITE_ONCE(provider->enabled, 0);
		WRITE_ONCE(provider->logger_id, 0);
		WRITE_ONCE(provider->level, 0);
		WRITE_ONCE(provider->enable_flags, 0);
	} else {
		WRITE_ONCE(provider->level, enabled->level);
		WRITE_ONCE(provider->enable_flags, enabled->flags);
		WRITE_ONCE(provider->logger_id, etw_writable_handle(enabled->session));
		/* release: a writer that reads enabled as 1 also sees the session */
		smp_store_release(&provider->enabled, 1);
	}
}

/**
 * etw_kernel_provider_publish_events() - publish to a module what all sessions want
 * @provider: the module's
 * @events: combines the sessions
 *
 * An event that is checked meanwhile meets old and new fields. The sessions decide once more.
 *
 * Context: under etw_providers_lock.
 */
void etw_kernel_provider_publish_events(struct etw_provider *provider,
					const struct etw_event_state *events)
{
	struct etw_event_state *to = &provider->events;

	lockdep_assert_held(&etw_providers_lock);
	WRITE_ONCE(to->match_any, events->match_any);
	WRITE_ONCE(to->match_all, events->match_all);
	WRITE_ONCE(to->level, events->level);
	WRITE_ONCE(to->keyword_0, events->keyword_0);
	WRITE_ONCE(to->sessions, events->sessions);
	WRITE_ONCE(to->captures, events->captures);
}

/**
 * etw_kernel_provider_wake() - have a module's function called, once all is published
 * @provider: the module's
 *
 * Context: under etw_providers_lock.
 */
void etw_kernel_provider_wake(struct etw_provider *provider)
{
	lockdep_assert_held(&etw_providers_lock);
	if (provider->changed)
		queue_work(etw_unbound_wq, &provider->work);
}

/**
 * etw_provider_add() - register a module's provider
 * @provider: with @guid and @changed set; other modules and programs may have the
 *	same GUID. It must stay valid until etw_provider_remove()
 *
 * If a session has already enabled the GUID, @changed is called soon.
 *
 * Context: process; sleeps. Not from @changed.
 * Return: 0; -ENOMEM.
 */
int etw_provider_add(struct etw_provider *provider)
{
	struct etw_control_guid *guid, *new = etw_control_guid_new();

	INIT_WORK(&provider->work, call_changed);
	provider->enabled = 0;
	memset(&provider->events, 0, sizeof(provider->events));
	RCU_INIT_POINTER(provider->control, NULL);
	mutex_lock(&etw_providers_lock);
	guid = etw_control_guid_get(&provider->guid, &new);
	if (guid) {
		list_add_tail(&provider->node, &guid->modules);
		guid->registrations++;
		/* with @captures so far, which otherwise a later ENABLE would seem to ask for */
		provider->events = guid->events;
		rcu_assign_pointer(provider->control, guid);
		if (etw_listener_of(guid)) {
			etw_kernel_provider_publish(provider, etw_listener_of(guid));
			etw_kernel_provider_wake(provider);
		}
	}
	mutex_unlock(&etw_providers_lock);
	kfree(new);
	return guid ? 0 : -ENOMEM;
}
EXPORT_SYMBOL_GPL(etw_provider_add);

/**
 * etw_provider_remove() - unregister a module's provider
 * @provider: of etw_provider_add()
 *
 * On return @provider shows no listening session, and @changed does not run any more.
 *
 * Context: process; sleeps. Not from @changed.
 */
void etw_provider_remove(struct etw_provider *provider)
{
	struct etw_control_guid *guid, *none = NULL;

	mutex_lock(&etw_providers_lock);
	/* finds the GUID, which is in the tree */
	guid = etw_control_guid_get(&provider->guid, &none);
	list_del(&provider->node);
	RCU_INIT_POINTER(provider->control, NULL);
	WRITE_ONCE(provider->events.sessions, 0);
	guid->registrations--;
	etw_control_guid_put(guid);
	mutex_unlock(&etw_providers_lock);
	cancel_work_sync(&provider->work);
	WRITE_ONCE(provider->enabled, 0);
}
EXPORT_SYMBOL_GPL(etw_provider_remove);
