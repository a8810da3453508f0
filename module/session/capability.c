// SPDX-License-Identifier: GPL-2.0
/* Checks whether machine and module support a request of START or UPDATE. */
#include <linux/bits.h>
#include <linux/cpumask.h>
#include <linux/cred.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include <linux/uidgid.h>
#include <linux/user_namespace.h>
#include "config/config.h"
#include "context/event_context.h"
#include "source/profile/samplers.h"
#include "source/source.h"
#include "access.h"
#include "budget.h"
#include "capability.h"

#define FIELD(member)	offsetof(struct wmi_logger_information, member)

/* @index: dword of an item that is present; 0 is its header */
static int refuse_dword(struct etw_control *control, const struct etw_items *items,
			enum etw_item_kind kind, u32 index, u32 reason, int err)
{
	control->error_offset = etw_item_dword(items, kind, index);
	control->error_reason = reason;
	control->error_item = items->index[kind];
	return err;
}

/*
 * Report an entry of a set. Settings keep no duplicates, so report the first dword of the
 * item that has this value. The loop ends, because only entries of the block are refused:
 * what UPDATE keeps has passed START, and sources and ids do not disappear.
 */
static int refuse_entry(struct etw_control *control, const void *block,
			const struct etw_items *items, enum etw_item_kind kind, u32 entry,
			u32 reason, int err)
{
	u32 index = 0, value;

	do
		memcpy(&value, block + etw_item_dword(items, kind, ++index), sizeof(value));
	while (value != entry);
	return refuse_dword(control, items, kind, index, reason, err);
}

/* Report a dword of an item, or, if the item is absent, the field with the same setting. */
static int refuse_item(struct etw_control *control, const struct etw_items *items,
		       enum etw_item_kind kind, u32 index, u32 field, u32 reason, int err)
{
	if (!etw_items_have(items, kind))
		return etw_refuse(control, field, reason, err);
	return refuse_dword(control, items, kind, index, reason, err);
}

/**
 * etw_refuse_maximum() - report that the number of buffers is refused
 * @control: out: the error
 * @items: contain the number, unless a field does
 * @reason: ETW_REASON_*
 * @err: an errno
 *
 * Return: @err.
 */
int etw_refuse_maximum(struct etw_control *control, const struct etw_items *items, u32 reason,
		       int err)
{
	if (!items->buffers.maximum_buffers)
		return etw_refuse(control, FIELD(maximum_buffers), reason, err);
	return refuse_dword(control, items, ETW_ITEM_BUFFER_SETTINGS, 3, reason, err);
}

/**
 * etw_refuse_events() - report that the requested events can't be recorded
 * @control: out: the error
 * @items: contain the request, unless EnableFlags does
 * @err: of etw_sources_set()
 *
 * Return: @err.
 */
int etw_refuse_events(struct etw_control *control, const struct etw_items *items, int err)
{
	u32 reason = err == -ENOMEM ? ETW_REASON_NO_MEMORY : ETW_REASON_SOURCE;

	return refuse_item(control, items, ETW_ITEM_ENABLE_FLAGS, 1, FIELD(enable_flags), reason,
			   err);
}

/**
 * etw_refuse_memory() - report that memory was short, if no other reason was reported
 * @control: out: the error, if it has none
 * @err: result of a START or UPDATE
 */
void etw_refuse_memory(struct etw_control *control, int err)
{
	if (err == -ENOMEM && !control->error_reason)
		etw_refuse(control, FIELD(enable_flags), ETW_REASON_NO_MEMORY, err);
}

/* Checks what is needed at once; what the session may grow to is promised later. */
static int check_memory(struct etw_control *control, const struct etw_settings *settings)
{
	struct etw_share share;

	etw_budget_share(settings, &share);
	if (etw_budget_has_share(settings, &share))
		return 0;
	return etw_refuse_maximum(control, &settings->items, ETW_REASON_NO_MEMORY, -ENOMEM);
}

static int refuse_clock(struct etw_control *control, const struct etw_items *items, int err)
{
	if (!items->clock)
		return etw_refuse(control, FIELD(wnode.client_context), ETW_REASON_UNSUPPORTED,
				  err);
	return refuse_dword(control, items, ETW_ITEM_CLOCK, 1, ETW_REASON_UNSUPPORTED, err);
}

/* The dword of ENABLE_FLAGS with the first of these bits; 1 if an alias has set them */
static u32 mask_dword(const struct etw_items *items, const struct perfinfo_groupmask *bits)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(bits->masks); i++)
		if (bits->masks[i] & items->masks.masks[i])
			return 1 + i;
	return 1;
}

/* Marks have stacks but no source: the session's controller writes them. */
static bool knows_hook(enum etw_item_kind kind, u16 hook_id)
{
	return etw_sources_know_hook(hook_id) ||
	       (kind == ETW_ITEM_STACKWALK_FILTER && hook_id == PERFINFO_LOG_TYPE_MARK);
}

static int check_hooks(struct etw_control *control, const void *block,
		       const struct etw_items *items, enum etw_item_kind kind, const u16 *hooks,
		       u32 nr_hooks)
{
	u32 i;

	for (i = 0; i < nr_hooks; i++)
		if (!knows_hook(kind, hooks[i]))
			return refuse_entry(control, block, items, kind, hooks[i],
					    ETW_REASON_UNSUPPORTED, -EOPNOTSUPP);
	return 0;
}

/**
 * etw_session_check_events() - whether there are sources for the requested events
 * @control: out: the error
 * @block: the request
 * @settings: valid; from @block, and for UPDATE also from the session
 *
 * Context: process; takes etw_sources_lock.
 * Return: 0; -EOPNOTSUPP.
 */
int etw_session_check_events(struct etw_control *control, const void *block,
			     const struct etw_settings *settings)
{
	const struct etw_items *items = &settings->items;
	struct perfinfo_groupmask left;
	int err;

	if (!etw_sources_know(&settings->masks, &left))
		return refuse_item(control, items, ETW_ITEM_ENABLE_FLAGS, mask_dword(items, &left),
				   FIELD(enable_flags), ETW_REASON_UNSUPPORTED, -EOPNOTSUPP);
	err = check_hooks(control, block, items, ETW_ITEM_STACKWALK_FILTER, items->stackwalk,
			  items->nr_stackwalk);
	if (!err)
		err = check_hooks(control, block, items, ETW_ITEM_HOOK_FILTER, items->hooks,
				  items->nr_hooks);
	if (!err)
		err = check_hooks(control, block, items, ETW_ITEM_PMC_HOOKS, items->counter_hooks,
				  items->nr_counter_hooks);
	return err;
}

/**
 * etw_refuse_perf() - report which counter is unavailable, and why
 * @control: out: the error
 * @items: contain the request
 * @error: index in @items->counters, or ETW_ERROR_OF_*; processor and reason
 * @err: an errno
 *
 * Return: @err.
 */
int etw_refuse_perf(struct etw_control *control, const struct etw_items *items,
		    const struct etw_perf_error *error, int err)
{
	bool pebs = error->index == ETW_ERROR_OF_PEBS;
	enum etw_item_kind kind = pebs ? ETW_ITEM_PEBS_EVENT : ETW_ITEM_PMC_COUNTERS;
	u32 dword = pebs ? 1 : 1 + error->index * sizeof(struct etw_ext_counter) / 4;

	if (error->index == ETW_ERROR_OF_NONE)
		return etw_refuse(control, FIELD(enable_flags), error->reason, err);
	control->error_processor = error->processor;
	return refuse_dword(control, items, kind, dword, error->reason, err);
}

/**
 * etw_refuse_stacks() - report that there is no memory for stacks
 * @control: out: the error
 * @items: contain the request
 * @err: an errno
 *
 * Return: @err.
 */
int etw_refuse_stacks(struct etw_control *control, const struct etw_items *items, int err)
{
	return refuse_item(control, items, ETW_ITEM_STACKWALK_FILTER, 0, FIELD(enable_flags),
			   ETW_REASON_NO_MEMORY, err);
}

/* Dword of a source's interval, or 0 */
static u32 interval_dword(const struct etw_items *items, u32 source)
{
	u32 i;

	for (i = 0; i < items->nr_intervals; i++)
		if (items->intervals[i].profile_source == source)
			return 2 + 2 * i;
	return 0;
}

/**
 * etw_refuse_sampler() - report which sampler is unavailable, or can't change, and why
 * @control: out: the error
 * @items: contain the request
 * @given: bits of those @items that were in this block; UPDATE may leave some out
 * @error: sampler, processor and reason
 * @err: an errno
 *
 * Reports the first of these that is in the block: the sampler's interval (if that is
 * the reason), its counter, its source, the bit that enables its profile.
 *
 * Return: @err.
 */
int etw_refuse_sampler(struct etw_control *control, const struct etw_items *items, u32 given,
		       const struct etw_profile_error *error, int err)
{
	bool timer = error->sampler == ETW_SAMPLER_TIMER;
	u32 source = timer ? ETW_PROFILE_SOURCE_TIME : items->sample_sources[error->sampler - 1];
	u32 counter = etw_profile_find_counter(items, source);
	u32 group = timer ? PERF_PROFILE : PERF_PMC_PROFILE;
	enum etw_item_kind kind = ETW_ITEM_ENABLE_FLAGS;
	struct perfinfo_groupmask bits = { };
	u32 dword;

	bits.masks[PERF_MASK_INDEX(group)] = PERF_MASK_BITS(group);
	dword = mask_dword(items, &bits);

	if (error->interval && given & BIT(ETW_ITEM_SAMPLE_INTERVAL) &&
	    interval_dword(items, source)) {
		kind = ETW_ITEM_SAMPLE_INTERVAL;
		dword = interval_dword(items, source);
	} else if (!timer && counter < items->nr_counters && given & BIT(ETW_ITEM_PMC_COUNTERS)) {
		kind = ETW_ITEM_PMC_COUNTERS;
		dword = 1 + counter * sizeof(struct etw_ext_counter) / 4;
	} else if (!timer && given & BIT(ETW_ITEM_SAMPLE_SOURCES)) {
		kind = ETW_ITEM_SAMPLE_SOURCES;
		dword = error->sampler;
	}
	control->error_processor = error->perf.processor;
	return refuse_item(control, items, kind, dword, FIELD(enable_flags), error->perf.reason,
			   err);
}

/* Ids are relative to the caller's user namespace. */
static int check_ids(struct etw_control *control, const void *block,
		     const struct etw_items *items)
{
	struct user_namespace *ns = current_user_ns();
	u32 i;

	for (i = 0; i < items->nr_provider_uids; i++)
		if (!uid_valid(make_kuid(ns, items->provider_uids[i])))
			return refuse_entry(control, block, items, ETW_ITEM_PROVIDER_UIDS,
					    items->provider_uids[i], ETW_REASON_RANGE, -EINVAL);
	for (i = 0; i < items->nr_provider_gids; i++)
		if (!gid_valid(make_kgid(ns, items->provider_gids[i])))
			return refuse_entry(control, block, items, ETW_ITEM_PROVIDER_GIDS,
					    items->provider_gids[i], ETW_REASON_RANGE, -EINVAL);
	if (!etw_items_have(items, ETW_ITEM_CONSUMER))
		return 0;
	if (!uid_valid(make_kuid(ns, items->consumer.uid)))
		return refuse_dword(control, items, ETW_ITEM_CONSUMER, 1,
					    ETW_REASON_RANGE, -EINVAL);
	if (!gid_valid(make_kgid(ns, items->consumer.gid)))
		return refuse_dword(control, items, ETW_ITEM_CONSUMER, 2,
					    ETW_REASON_RANGE, -EINVAL);
	return 0;
}

/**
 * etw_session_check_supported() - whether the machine supports and allows a START
 * @control: out: the error
 * @block: the request
 * @settings: from @block, valid
 * @clocks: out: the session's clocks
 *
 * Context: process; takes etw_sources_lock.
 * Return: 0; -EPERM; -EOPNOTSUPP; -EINVAL for an id; -ENOMEM.
 */
int etw_session_check_supported(struct etw_control *control, const void *block,
				const struct etw_settings *settings, struct etw_clocks *clocks)
{
	int err = etw_may_record();

	if (err)
		return err;
	err = etw_config_check_processors(nr_cpu_ids);
	if (err)
		return etw_refuse(control, 0, ETW_REASON_PROCESSORS, err);
	err = etw_clock_choose(settings->clock_type, clocks);
	if (err)
		return refuse_clock(control, &settings->items, err);
	err = etw_session_check_events(control, block, settings);
	if (!err)
		err = check_ids(control, block, &settings->items);
	return err ? err : check_memory(control, settings);
}
