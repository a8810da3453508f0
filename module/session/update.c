// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* UPDATE: events, filters, flush timer, buffer limit; declared in session.h. */
#include <linux/cred.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "compat.h"
#include "config/config.h"
#include "context/event_context.h"
#include "context/unwind_tables.h"
#include "filter/filter.h"
#include "source/linux_event/linux_events.h"
#include "source/profile/samplers.h"
#include "source/source.h"
#include "access.h"
#include "budget.h"
#include "capability.h"
#include "pool.h"
#include "refusal.h"
#include "rundown.h"
#include "rundown_limits.h"
#include "session.h"
#include "start.h"

/* If the filter stays the same, no new one is created and published. */
static bool same_filter(const struct etw_items *a, const struct etw_items *b)
{
	return a->filter_options == b->filter_options && a->nr_pids == b->nr_pids &&
	       a->nr_hooks == b->nr_hooks && a->nr_pool_tags == b->nr_pool_tags &&
	       !memcmp(a->pool_tags, b->pool_tags, a->nr_pool_tags * sizeof(a->pool_tags[0])) &&
	       !memcmp(a->pids, b->pids, a->nr_pids * sizeof(a->pids[0])) &&
	       !memcmp(a->hooks, b->hooks, a->nr_hooks * sizeof(a->hooks[0]));
}

/*
 * The parser, shared with START, replaces a missing maximum by the minimum; UPDATE keeps
 * the current maximum. A flush timer in an item does not change the mode. Linux events stay if
 * their item is missing.
 */
static void settle(const struct etw_settings *now, const struct wmi_logger_information *info,
		   struct etw_settings *next)
{
	if (!info->maximum_buffers && !next->items.buffers.maximum_buffers)
		next->maximum_buffers = 0;
	if (next->items.buffers.flush_timer)
		next->mode = (info->log_file_mode & ~EVENT_TRACE_USE_MS_FLUSH_TIMER) |
			     (now->mode & EVENT_TRACE_USE_MS_FLUSH_TIMER);
	if (!next->items.linux_events)
		etw_items_copy(&next->items, &now->items, ETW_ITEM_LINUX_EVENTS);
}

/* 0 keeps the maximum. Slots never change, nor do the buffers of a session that overwrites. */
static int check_maximum(struct etw_session *session, struct etw_config_error *error,
			 const struct etw_settings *next, u32 *maximum)
{
	u32 cpus = session->cpus;

	*maximum = session->maximum_buffers;
	if (!next->maximum_buffers || next->maximum_buffers == *maximum)
		return 0;
	if (session->overwrite)
		return etw_refuse_maximum(error, &next->items, ETW_REASON_FIXED, -EINVAL);
	*maximum = etw_config_buffers_per_cpu(next->maximum_buffers, cpus) * cpus;
	if (*maximum < session->settings.minimum_buffers || *maximum > session->nr_slots * cpus)
		return etw_refuse_maximum(error, &next->items, ETW_REASON_RANGE, -EINVAL);
	return 0;
}

/* What the session needs besides buffers and stacks; its unwind tables stay as they are. */
static u64 tables_bytes(const struct etw_session *session, const struct etw_items *items)
{
	return etw_budget_tables(session, items) + etw_unwind_totals(session->sink.id).bytes;
}

static u64 more_of_events(const struct etw_items *now, const struct etw_items *items)
{
	u64 before = etw_linux_events_bytes(now), bytes = etw_linux_events_bytes(items);

	return max(bytes, before) - before;
}

/*
 * Memory is reserved before anything changes, and released after everything has changed.
 * An old stack cache exists beside the new one until its keys are written.
 */
static int promise_more(struct etw_session *session, struct etw_config_error *error,
			const struct etw_items *items, u32 maximum)
{
	const struct etw_items *now = &session->settings.items;
	u64 stacks = etw_budget_stacks(session, now), more = etw_budget_stacks(session, items);
	u64 tables = tables_bytes(session, now);

	if (more && stacks && !memcmp(&now->caching, &items->caching, sizeof(now->caching)))
		more = 0;
	more += max(tables_bytes(session, items), tables) - tables;
	stacks += tables;
	if (more && (!etw_budget_promise(session, session->maximum_buffers, stacks + more) ||
		     !etw_budget_is_left(more)))
		return etw_refuse_besides(error, items, more, more_of_events(now, items));
	if (maximum <= session->maximum_buffers ||
	    etw_budget_promise(session, maximum, stacks + more))
		return 0;
	return etw_refuse_maximum(error, items, ETW_REASON_NO_MEMORY, -ENOMEM);
}

/* The block may omit items that UPDATE can't change. */
static void keep_fixed(const struct etw_settings *now, struct etw_settings *next)
{
	static const enum etw_item_kind kept[] = {
		ETW_ITEM_PMC_COUNTERS, ETW_ITEM_PMC_HOOKS, ETW_ITEM_PEBS_EVENT,
		ETW_ITEM_SAMPLE_INTERVAL, ETW_ITEM_SAMPLE_SOURCES, ETW_ITEM_COUNTER_NAMES,
		ETW_ITEM_COUNTER_ATTRS, ETW_ITEM_CONSUMER, ETW_ITEM_PROVIDER_UIDS,
		ETW_ITEM_PROVIDER_GIDS, ETW_ITEM_PROVIDER_OPTIONS,
	};
	u32 i;

	for (i = 0; i < ARRAY_SIZE(kept); i++)
		if (!etw_items_have(&next->items, kept[i]))
			etw_items_copy(&next->items, &now->items, kept[i]);
	next->minimum_buffers = now->minimum_buffers;
}

static int set_events(struct etw_session *session, struct etw_config_error *error,
		      const struct etw_settings *next)
{
	bool same = same_filter(&session->settings.items, &next->items);
	struct etw_filter *filter = session->filter;
	int err = 0;

	if (!same)
		err = etw_filter_create(&next->items, session->creator, session->filter, &filter);
	if (err)
		return err;
	err = etw_sources_set(&session->sink, &next->masks, filter);
	if (err) {
		if (!same)
			etw_filter_free(filter);
		return etw_refuse_events(error, &next->items, err);
	}
	if (!same) {
		etw_linux_events_filter(session->linux_events, filter);
		etw_filter_free(session->filter);
		session->filter = filter;
	}
	return 0;
}

/* Prepare the stacks before the events that need them are enabled. */
static int choose_stacks(struct etw_session *session, struct etw_config_error *error,
			 const struct etw_settings *next)
{
	int err;

	if (!session->sink.context)
		return 0;
	err = etw_stacks_choose(&session->sink.context->stacks, &next->items, session->sink.key);
	return err ? etw_refuse_stacks(error, &next->items, err) : 0;
}

static int set_events_and_stacks(struct etw_session *session, struct etw_config_error *error,
				 const struct etw_settings *next)
{
	struct etw_session_rundown rundown;
	int err = choose_stacks(session, error, next);

	if (err)
		return err;
	err = set_events(session, error, next);
	if (!session->sink.context)
		return err;
	if (err) {
		etw_stacks_undo(&session->sink.context->stacks);
		return err;
	}
	etw_rundown_init(&rundown, session);
	/* a rundown may be writing all keys, and keep them locked while its reader is slow */
	etw_rundown_update_waits(session, true);
	etw_stacks_take(&session->sink.context->stacks, &rundown.rundown);
	etw_rundown_update_waits(session, false);
	return 0;
}

/* Everything that UPDATE may change: all other settings are read without a lock. */
static void change_settings(struct etw_session *session, const struct etw_settings *next,
			    u32 maximum)
{
	struct etw_settings *now = &session->settings;

	mutex_lock(&session->settings_lock);
	now->maximum_buffers = maximum;
	now->enable_flags = next->enable_flags;
	now->masks = next->masks;
	memcpy(now->log_file_name, next->log_file_name, sizeof(now->log_file_name));
	now->items = next->items;
	etw_items_forget_linux_events(&now->items);
	if (next->flush_ms % 1000)
		WRITE_ONCE(now->mode, now->mode | EVENT_TRACE_USE_MS_FLUSH_TIMER);
	WRITE_ONCE(now->flush_ms, next->flush_ms);
	mutex_unlock(&session->settings_lock);
}

static void set_flush_timer(struct etw_session *session, u32 flush_ms)
{
	if (flush_ms)
		mod_delayed_work(etw_unbound_wq, &session->flush_work,
				 msecs_to_jiffies(flush_ms));
	else
		cancel_delayed_work_sync(&session->flush_work);
}

/* Nothing from here on can fail. New masks and new names are written to the stream. */
static void take_over(struct etw_session *session, const struct etw_settings *next, u32 maximum)
{
	const struct etw_settings *now = &session->settings;
	bool same_masks = !memcmp(&now->masks, &next->masks, sizeof(now->masks));
	bool same_timer = now->flush_ms == next->flush_ms;
	bool names = etw_sources_have_names(&now->masks, &next->masks);

	change_settings(session, next, maximum);
	if (maximum != session->maximum_buffers)
		etw_pool_set_maximum(session, maximum);
	if (!same_timer)
		set_flush_timer(session, next->flush_ms);
	etw_profile_commit(session->profile);
	etw_linux_events_commit(session->linux_events);
	if (!same_masks)
		etw_rundown_masks(session);
	if (!same_masks && names && session->rundown)
		etw_rundown_request(session, ETW_RUNDOWN_NAMES);
}

static int change_profile(struct etw_session *session, struct etw_config_error *error,
			  struct etw_settings *next)
{
	u32 given = next->items.present;
	struct etw_profile_error profile;
	const struct cred *caller;
	int err;

	keep_fixed(&session->settings, next);
	/* as START */
	caller = override_creds(session->cred);
	err = etw_profile_change(&session->profile, &session->sink, &session->settings.items, next,
				 &profile);
	revert_creds(caller);
	return err ? etw_refuse_sampler(error, &next->items, given, &profile, err) : 0;
}

static int change_linux_events(struct etw_session *session, struct etw_config_error *error,
			       const struct etw_settings *next)
{
	struct etw_linux_events_error event;
	const struct cred *caller = override_creds(session->cred);	/* as START */
	int err = etw_linux_events_prepare(&session->linux_events, &session->sink, &next->items,
					   session->filter, &event);

	revert_creds(caller);
	return err ? etw_refuse_linux_event(error, &next->items, &event, err) : 0;
}

static int set_events_prepared(struct etw_session *session, struct etw_config_error *error,
			       const struct etw_settings *next)
{
	int err = change_linux_events(session, error, next);

	if (!err)
		err = set_events_and_stacks(session, error, next);
	if (!err)
		return 0;
	etw_linux_events_undo(session->linux_events);
	etw_profile_undo(session->profile, &session->settings.items);
	return err;
}

/*
 * Request the intervals again if they found no free space in the stream, or if a rundown
 * may have written the old ones meanwhile. They are written when there is free space:
 * soon, or by the flush timer.
 */
static void request_intervals(struct etw_session *session, u32 descriptions)
{
	bool crossed = descriptions & 1 || READ_ONCE(session->descriptions) != descriptions;
	enum etw_profile_change_state change;

	if (!session->profile)
		return;
	change = etw_profile_take_change(session->profile);
	if (change == ETW_PROFILE_LOST || (change == ETW_PROFILE_WRITTEN && crossed))
		WRITE_ONCE(session->interval_pending, true);
	if (READ_ONCE(session->interval_pending))
		etw_rundown_request(session, ETW_RUNDOWN_PROFILE);
}

static int change(struct etw_session *session, struct etw_config_error *error,
		  const struct wmi_logger_information *info, struct etw_settings *next)
{
	u32 maximum, descriptions = READ_ONCE(session->descriptions);
	int err;

	if (session->state != ETW_SESSION_RUNNING)
		return -EALREADY;
	settle(&session->settings, info, next);
	err = etw_config_check_update(&session->settings, next, error);
	if (err)
		return err;
	/* after a lockdown, UPDATE may still take away events, as STOP may end the session */
	err = etw_config_takes_away(&session->settings, next) ? 0 : etw_may_record();
	if (err)
		return err;
	err = check_maximum(session, error, next, &maximum);
	if (err)
		return err;
	err = promise_more(session, error, &next->items, maximum);
	if (!err)
		err = etw_session_check_events(error, info, next);
	if (!err)
		err = change_profile(session, error, next);
	if (!err)
		err = set_events_prepared(session, error, next);
	if (!err)
		take_over(session, next, maximum);
	request_intervals(session, descriptions);
	/* to the old amount, or to the new one, although surplus buffers may still be unread */
	etw_budget_promise(session, session->maximum_buffers,
			   etw_budget_stacks(session, &session->settings.items) +
			   tables_bytes(session, &session->settings.items));
	return err;
}

/**
 * etw_session_update() - UPDATE
 * @session: a session; the caller has a reference
 * @block: kernel copy of the block with the new settings; settings that can't
 *	change are as QUERY returns them
 * @size: bytes of @block
 * @error: in: zero; out, with an error: position and reason of a refused setting
 *
 * Writers continue meanwhile: each event is handled once, by the old settings or by
 * the new ones.
 *
 * Context: process; sleeps.
 * Return: 0 or an errno (Documentation/reference/ioctl.rst), after which nothing has changed.
 */
int etw_session_update(struct etw_session *session, const void *block, u32 size,
		       struct etw_config_error *error)
{
	struct etw_settings *next;
	int err;

	next = etw_session_parse(block, size, error, &err);
	if (!next)
		return err;
	err = -EINTR;
	if (!mutex_lock_killable(&session->lock)) {
		err = change(session, error, block, next);
		mutex_unlock(&session->lock);
	}
	kvfree(next);
	return err;
}
