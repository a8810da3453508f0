// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Which events of a session have stacks, and memory for them; declared in stack.h. */
#include <linux/bitmap.h>
#include "rundown.h"
#include "stack.h"
#include "stack_cache.h"
#include "stack_capture.h"
#include "stack_keys.h"
#include "stack_swap.h"

/**
 * etw_stacks_init() - initialize, without stacks yet
 * @stacks: a session's, all zero
 * @addresses: kernel frames are shown
 */
void etw_stacks_init(struct etw_stacks *stacks, bool addresses)
{
	mutex_init(&stacks->lock);
	stacks->addresses = addresses;
}

static struct etw_stack_cache *cache_of(struct etw_stacks *stacks)
{
	/* only START and UPDATE change it, one at a time */
	return rcu_dereference_protected(stacks->cache, 1);
}

static bool wants_stacks(const struct etw_items *items)
{
	return items->nr_stackwalk || items->nr_linux_stacks;
}

static bool wants_cache(const struct etw_items *items)
{
	return etw_items_have(items, ETW_ITEM_STACK_CACHING) && wants_stacks(items);
}

/**
 * etw_stacks_bytes() - memory size of the stack cache with a configuration
 * @items: requested items
 */
u64 etw_stacks_bytes(const struct etw_items *items)
{
	return wants_cache(items) ? etw_stack_cache_bytes(&items->caching) : 0;
}

/* If its configuration doesn't change, the cache stays, with its keys. */
static int choose_cache(struct etw_stacks *stacks, const struct etw_items *items,
			const u64 *secret)
{
	struct etw_stack_cache *cache = cache_of(stacks);

	stacks->next_cache = NULL;
	if (!wants_cache(items))
		return 0;
	if (cache && !memcmp(&cache->config, &items->caching, sizeof(cache->config)))
		stacks->next_cache = cache;
	else
		stacks->next_cache = etw_stack_cache_create(&items->caching, secret);
	return stacks->next_cache ? 0 : -ENOMEM;
}

static bool wants_swaps(const struct etw_items *items)
{
	u32 i;

	for (i = 0; i < items->nr_stackwalk; i++)
		if (items->stackwalk[i] == PERFINFO_LOG_TYPE_CONTEXTSWAP)
			return true;
	return false;
}

/**
 * etw_stacks_swap_bytes() - memory size of the table of switched-out threads' stacks
 * @items: requested items
 * @stacks: a session's, whose table stays; or NULL
 *
 * Context: process.
 */
u64 etw_stacks_swap_bytes(const struct etw_items *items, const struct etw_stacks *stacks)
{
	const struct etw_swap_table *table = stacks ? stacks->swaps : NULL;

	return table || wants_swaps(items) ? etw_swap_table_bytes(table) : 0;
}

static int choose_memory(struct etw_stacks *stacks, const struct etw_items *items)
{
	int err;

	if (wants_stacks(items) && !stacks->buffers) {
		err = etw_stack_buffers_get();
		if (err)
			return err;
		stacks->buffers = true;
	}
	if (wants_swaps(items) && !stacks->swaps) {
		struct etw_swap_table *table = etw_swap_table_create();

		if (!table)
			return -ENOMEM;
		smp_store_release(&stacks->swaps, table);	/* probes see it initialized */
	}
	return 0;
}

/**
 * etw_stacks_choose() - prepare new stack settings of a session
 * @stacks: a session's
 * @items: requested items
 * @secret: secret of its keys, two words
 *
 * Context: process, under session->lock; sleeps.
 * Return: 0; -ENOMEM: the settings are unchanged.
 */
int etw_stacks_choose(struct etw_stacks *stacks, const struct etw_items *items,
		      const u64 *secret)
{
	int err = choose_memory(stacks, items);
	u32 i;

	if (!err)
		err = choose_cache(stacks, items, secret);
	if (err)
		return err;
	bitmap_zero(stacks->chosen, ETW_STACK_HOOK_IDS);
	for (i = 0; i < items->nr_stackwalk; i++)
		__set_bit(items->stackwalk[i], stacks->chosen);
	return 0;
}

/* Records contain its keys, so write what they stand for before the cache is freed. */
static void retire(struct etw_rundown *rundown, struct etw_stack_cache *cache)
{
	synchronize_rcu();	/* probes run with preemption off */
	etw_stack_keys_write(rundown, cache);
	etw_stack_cache_free(cache);
}

/**
 * etw_stacks_take() - apply the prepared stack settings
 * @stacks: a session's
 * @rundown: rundown of that session, for the keys of a replaced cache
 *
 * An event sees the old or the new setting of its hook id.
 *
 * Context: process, under session->lock; sleeps.
 */
void etw_stacks_take(struct etw_stacks *stacks, struct etw_rundown *rundown)
{
	struct etw_stack_cache *cache = cache_of(stacks);
	u32 i;

	if (cache != stacks->next_cache) {
		mutex_lock(&stacks->lock);
		rcu_assign_pointer(stacks->cache, stacks->next_cache);
		if (cache)
			retire(rundown, cache);
		mutex_unlock(&stacks->lock);
	}
	stacks->next_cache = NULL;
	/* pairs with the read barriers in stack_capture.c and stack.c: memory before hook ids */
	smp_wmb();
	for (i = 0; i < ARRAY_SIZE(stacks->hooks); i++)
		WRITE_ONCE(stacks->hooks[i], stacks->chosen[i]);
}

/**
 * etw_stacks_undo() - discard the prepared stack settings
 * @stacks: a session's
 */
void etw_stacks_undo(struct etw_stacks *stacks)
{
	if (stacks->next_cache != cache_of(stacks))
		etw_stack_cache_free(stacks->next_cache);
	stacks->next_cache = NULL;
	bitmap_copy(stacks->chosen, stacks->hooks, ETW_STACK_HOOK_IDS);
}

/**
 * etw_stacks_free() - free a session's stack settings
 * @stacks: a session's; no longer written with
 *
 * Context: process; sleeps.
 */
void etw_stacks_free(struct etw_stacks *stacks)
{
	etw_stack_cache_free(cache_of(stacks));
	etw_swap_table_free(stacks->swaps);
	if (stacks->buffers)
		etw_stack_buffers_put();
	mutex_destroy(&stacks->lock);
}
