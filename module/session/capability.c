// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Checks whether machine and module support a request of START or UPDATE. */
#include <linux/cpumask.h>
#include <linux/cred.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include <linux/uidgid.h>
#include <linux/user_namespace.h>
#include "config/refuse.h"
#include "ring/clock.h"
#include "source/source.h"
#include "access.h"
#include "budget.h"
#include "capability.h"
#include "refusal.h"

/*
 * Report an entry of a set. Settings keep no duplicates, so report the first dword of the
 * item that has this value. The loop ends, because only entries of the block are refused:
 * what UPDATE keeps has passed START, and sources and ids do not disappear.
 */
static int refuse_entry(struct etw_config_error *error, const void *block,
			const struct etw_items *items, enum etw_item_kind kind, u32 entry,
			u32 reason, int err)
{
	u32 index = 0, value;

	do
		memcpy(&value, block + etw_item_dword(items, kind, ++index), sizeof(value));
	while (value != entry);
	return etw_refuse_dword(error, items, kind, index, reason, err);
}

/* Checks what is needed at once; what the session may grow to is promised later. */
static int check_memory(struct etw_config_error *error, const struct etw_settings *settings)
{
	struct etw_share share;

	etw_budget_share(settings, &share);
	if (etw_budget_has_share(settings, &share))
		return 0;
	return etw_refuse_maximum(error, &settings->items, ETW_REASON_NO_MEMORY, -ENOMEM);
}

static int refuse_clock(struct etw_config_error *error, const struct etw_items *items, int err)
{
	if (!items->clock)
		return etw_refuse(error, ETW_FIELD(wnode.client_context), ETW_REASON_UNSUPPORTED,
				  err);
	return etw_refuse_dword(error, items, ETW_ITEM_CLOCK, 1, ETW_REASON_UNSUPPORTED, err);
}

/* Marks have stacks but no source: the session's controller writes them. */
static bool knows_hook(enum etw_item_kind kind, u16 hook_id)
{
	return etw_sources_know_hook(hook_id) ||
	       (kind == ETW_ITEM_STACKWALK_FILTER && hook_id == PERFINFO_LOG_TYPE_MARK);
}

static int check_hooks(struct etw_config_error *error, const void *block,
		       const struct etw_items *items, enum etw_item_kind kind, const u16 *hooks,
		       u32 nr_hooks)
{
	u32 i;

	for (i = 0; i < nr_hooks; i++)
		if (!knows_hook(kind, hooks[i]))
			return refuse_entry(error, block, items, kind, hooks[i],
					    ETW_REASON_UNSUPPORTED, -EOPNOTSUPP);
	return 0;
}

/**
 * etw_session_check_events() - whether there are sources for the requested events
 * @error: out: position and reason
 * @block: the request
 * @settings: valid; from @block, and for UPDATE also from the session
 *
 * Context: process; takes etw_listeners_lock.
 * Return: 0; -EOPNOTSUPP.
 */
int etw_session_check_events(struct etw_config_error *error, const void *block,
			     const struct etw_settings *settings)
{
	const struct etw_items *items = &settings->items;
	struct perfinfo_groupmask left;
	int err;

	if (!etw_sources_know(&settings->masks, &left))
		return etw_refuse_groups(error, items, &left);
	err = check_hooks(error, block, items, ETW_ITEM_STACKWALK_FILTER, items->stackwalk,
			  items->nr_stackwalk);
	if (!err)
		err = check_hooks(error, block, items, ETW_ITEM_HOOK_FILTER, items->hooks,
				  items->nr_hooks);
	if (!err)
		err = check_hooks(error, block, items, ETW_ITEM_PMC_HOOKS, items->counter_hooks,
				  items->nr_counter_hooks);
	return err;
}

/* Ids are relative to the caller's user namespace. */
static int check_ids(struct etw_config_error *error, const void *block,
		     const struct etw_items *items)
{
	struct user_namespace *ns = current_user_ns();
	u32 i;

	for (i = 0; i < items->nr_provider_uids; i++)
		if (!uid_valid(make_kuid(ns, items->provider_uids[i])))
			return refuse_entry(error, block, items, ETW_ITEM_PROVIDER_UIDS,
					    items->provider_uids[i], ETW_REASON_RANGE, -EINVAL);
	for (i = 0; i < items->nr_provider_gids; i++)
		if (!gid_valid(make_kgid(ns, items->provider_gids[i])))
			return refuse_entry(error, block, items, ETW_ITEM_PROVIDER_GIDS,
					    items->provider_gids[i], ETW_REASON_RANGE, -EINVAL);
	if (!etw_items_have(items, ETW_ITEM_CONSUMER))
		return 0;
	if (!uid_valid(make_kuid(ns, items->consumer.uid)))
		return etw_refuse_dword(error, items, ETW_ITEM_CONSUMER, 1, ETW_REASON_RANGE,
					-EINVAL);
	if (!gid_valid(make_kgid(ns, items->consumer.gid)))
		return etw_refuse_dword(error, items, ETW_ITEM_CONSUMER, 2, ETW_REASON_RANGE,
					-EINVAL);
	return 0;
}

/**
 * etw_session_check_supported() - whether the machine supports and allows a START
 * @error: out: position and reason
 * @block: the request
 * @settings: from @block, valid
 * @clocks: out: the session's clocks
 *
 * Context: process; takes etw_listeners_lock.
 * Return: 0; -EPERM; -EOPNOTSUPP; -EINVAL for an id; -ENOMEM.
 */
int etw_session_check_supported(struct etw_config_error *error, const void *block,
				const struct etw_settings *settings, struct etw_clocks *clocks)
{
	int err = etw_may_record();

	if (err)
		return err;
	err = etw_config_check_processors(nr_cpu_ids);
	if (err)
		return etw_refuse(error, 0, ETW_REASON_PROCESSORS, err);
	err = etw_clock_choose(settings->clock_type, clocks);
	if (err)
		return refuse_clock(error, &settings->items, err);
	err = etw_session_check_events(error, block, settings);
	if (!err)
		err = check_ids(error, block, &settings->items);
	return err ? err : check_memory(error, settings);
}
