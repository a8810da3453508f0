// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Creation of filters from configuration items. */
#include <linux/errno.h>
#include <linux/mm.h>
#include <linux/pid.h>
#include <linux/slab.h>
#include <linux/threads.h>
#include "ring/ring.h"
#include "filter.h"

static void set_hooks(struct etw_filter *filter, const struct etw_items *items)
{
	u32 i;

	filter->tests |= ETW_FILTER_TESTS_HOOKS;
	for (i = 0; i < items->nr_hooks; i++)
		__set_bit(items->hooks[i], filter->hooks);
}

static bool same_pids(const struct etw_filter *filter, const struct etw_items *items)
{
	return filter->nr_pids == items->nr_pids &&
	       !memcmp(filter->pids, items->pids, items->nr_pids * sizeof(items->pids[0]));
}

/* Reuses the old filter's family if the processes are the same. Return: NULL without memory */
static struct etw_family *family_of(const struct etw_items *items, const struct etw_filter *old)
{
	struct etw_family *family;
	u32 i;

	if (old && (old->tests & ETW_FILTER_TESTS_FAMILY) && same_pids(old, items)) {
		refcount_inc(&old->family->users);
		return old->family;
	}
	family = kvzalloc(sizeof(*family), ETW_GFP_BUFFER);
	if (!family)
		return NULL;
	refcount_set(&family->users, 1);
	for (i = 0; i < items->nr_pids; i++)
		if (items->pids[i] < PID_MAX_LIMIT)
			__set_bit(items->pids[i], family->members);
	return family;
}

static void set_pids(struct etw_filter *filter, const struct etw_items *items)
{
	filter->tests |= filter->family ? ETW_FILTER_TESTS_FAMILY : ETW_FILTER_TESTS_PIDS;
	filter->nr_pids = items->nr_pids;
	memcpy(filter->pids, items->pids, items->nr_pids * sizeof(items->pids[0]));
}

static void set_self(struct etw_filter *filter, struct pid *self)
{
	filter->tests |= ETW_FILTER_TESTS_SELF;
	filter->self = pid_nr(self);
	filter->self_pid = self;
}

static void set_tags(struct etw_filter *filter, const struct etw_items *items)
{
	filter->tests |= ETW_FILTER_TESTS_TAGS;
	filter->nr_tags = items->nr_pool_tags;
	memcpy(filter->tags, items->pool_tags, items->nr_pool_tags * sizeof(u32));
}

/**
 * etw_filter_create() - make a filter
 * @items: requested filters
 * @self: the process that started the session; the session keeps the reference
 * @old: the filter to be replaced, or NULL; the caller keeps it
 * @result: out: the filter, or NULL if nothing is filtered
 *
 * Context: process; sleeps. Return: 0 or -ENOMEM.
 */
int etw_filter_create(const struct etw_items *items, struct pid *self,
		      const struct etw_filter *old, struct etw_filter **result)
{
	struct etw_filter *filter;

	*result = NULL;
	if (!items->nr_pids && !items->nr_hooks && !items->nr_pool_tags &&
	    !items->filter_options)
		return 0;
	filter = kzalloc(sizeof(*filter), GFP_KERNEL);
	if (!filter)
		return -ENOMEM;
	if (items->nr_pids && (items->filter_options & ETW_FILTER_CHILDREN)) {
		filter->family = family_of(items, old);
		if (!filter->family) {
			kfree(filter);
			return -ENOMEM;
		}
	}
	if (items->nr_hooks)
		set_hooks(filter, items);
	if (items->nr_pids)
		set_pids(filter, items);
	if (items->nr_pool_tags)
		set_tags(filter, items);
	if (items->filter_options & ETW_FILTER_EXCLUDE_SELF)
		set_self(filter, self);
	*result = filter;
	return 0;
}

/**
 * etw_filter_free() - free a filter after a grace period
 * @filter: a filter that no new probe will find, or NULL; probes that
 *	found it may still run
 */
void etw_filter_free(struct etw_filter *filter)
{
	if (!filter)
		return;
	if (filter->family && refcount_dec_and_test(&filter->family->users))
		kvfree_rcu(filter->family, rcu);
	kfree_rcu(filter, rcu);
}
