// SPDX-License-Identifier: GPL-2.0
/* Filters from items. */
#include <linux/errno.h>
#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/pid.h>
#include <linux/slab.h>
#include <linux/threads.h>
#include "filter.h"

static void set_hooks(struct etw_filter *filter, const struct etw_items *items)
{
	u32 i;

	filter->tests |= ETW_FILTER_TESTS_HOOKS;
	for (i = 0; i < items->nr_hooks; i++)
		__set_bit(items->hooks[i], filter->hooks);
}

static void set_pids(struct etw_filter *filter, const struct etw_items *items, bool family)
{
	u32 i;

	filter->tests |= family ? ETW_FILTER_TESTS_FAMILY : ETW_FILTER_TESTS_PIDS;
	filter->nr_pids = items->nr_pids;
	for (i = 0; i < items->nr_pids; i++) {
		filter->pids[i] = items->pids[i];
		if (family && items->pids[i] < PID_MAX_LIMIT)
			__set_bit(items->pids[i], filter->family);
	}
}

/**
 * etw_filter_create() - make a filter
 * @items: what was asked for
 * @self: the process that started the session, which keeps it
 * @result: out: the filter, or NULL when nothing is filtered
 *
 * Context: process; sleeps. Return: 0 or -ENOMEM.
 */
int etw_filter_create(const struct etw_items *items, struct pid *self,
		      struct etw_filter **result)
{
	bool family = items->filter_options & ETW_FILTER_CHILDREN;
	struct etw_filter *filter;

	*result = NULL;
	if (!items->nr_pids && !items->nr_hooks && !items->nr_pool_tags &&
	    !items->filter_options)
		return 0;
	filter = kvzalloc(struct_size(filter, family,
				      family ? BITS_TO_LONGS(PID_MAX_LIMIT) : 0), GFP_KERNEL);
	if (!filter)
		return -ENOMEM;
	if (items->nr_hooks)
		set_hooks(filter, items);
	if (items->nr_pids)
		set_pids(filter, items, family);
	if (items->nr_pool_tags) {
		filter->tests |= ETW_FILTER_TESTS_TAGS;
		filter->nr_tags = items->nr_pool_tags;
		memcpy(filter->tags, items->pool_tags, items->nr_pool_tags * sizeof(u32));
	}
	if (items->filter_options & ETW_FILTER_EXCLUDE_SELF) {
		filter->tests |= ETW_FILTER_TESTS_SELF;
		filter->self = pid_nr(self);
		filter->self_pid = self;
	}
	*result = filter;
	return 0;
}

/**
 * etw_filter_free() - give a filter back
 * @filter: a filter that no probe will find any more, or NULL; probes that
 *	found it may still run
 */
void etw_filter_free(struct etw_filter *filter)
{
	if (filter)
		kvfree_rcu(filter, rcu);
}
