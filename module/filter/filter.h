/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Filters of a session: processes, hook ids, pool tags, the recorder itself. */
#ifndef ETW_FILTER_H
#define ETW_FILTER_H

#include <linux/bitops.h>
#include <linux/bits.h>
#include <linux/rcupdate.h>
#include <linux/refcount.h>
#include <linux/threads.h>
#include <linux/types.h>
#include "config/items.h"

/* Hook ids that a filter can name: groups up to ETW_MAX_HOOK_GROUP */
#define ETW_FILTER_HOOK_IDS	((ETW_MAX_HOOK_GROUP + 1) << 8)

/* Bits of etw_filter.tests */
#define ETW_FILTER_TESTS_PIDS	BIT(0)
#define ETW_FILTER_TESTS_FAMILY	BIT(1)
#define ETW_FILTER_TESTS_HOOKS	BIT(2)
#define ETW_FILTER_TESTS_SELF	BIT(3)
#define ETW_FILTER_TESTS_TAGS	BIT(4)

/* Neither a process id nor the id of events that belong to no process */
#define ETW_FILTER_NO_SELF	(~1U)

/**
 * struct etw_family - the processes in a filter and all their descendants
 * @rcu: freed after every probe that could see it
 * @users: number of filters that use it
 * @complete: descendants that existed before the filter are in @members; under
 *	etw_listeners_lock
 * @members: bit of each member, by process id
 *
 * If an UPDATE replaces a filter by one with the same processes, the family is kept. A new
 * scan would miss descendants with an ended parent. It would also add processes that reuse
 * a member's id, and those that a member has adopted.
 */
struct etw_family {
	struct rcu_head rcu;
	refcount_t users;
	bool complete;
	DECLARE_BITMAP(members, PID_MAX_LIMIT);
};

/**
 * struct etw_filter - a session's filters; NULL if the session has no filter
 * @rcu: freed after every probe that could see it
 * @tests: ETW_FILTER_TESTS_*
 * @self: excluded process; ETW_FILTER_NO_SELF once it has ended
 * @self_pid: the same process; reference of the session
 * @nr_pids: entries of @pids
 * @pids: included processes, tgids of the initial namespace; 4: kernel threads
 * @nr_tags: entries of @tags
 * @tags: with ETW_FILTER_TESTS_TAGS: included pool tags
 * @hooks: with ETW_FILTER_TESTS_HOOKS: included hook ids
 * @family: with ETW_FILTER_TESTS_FAMILY: @pids and their descendants
 *
 * Once sessions can see it, only two things change: members of @family, by atomic bit
 * operations, and @self, once.
 */
struct etw_filter {
	struct rcu_head rcu;
	u32 tests;
	u32 self;
	struct pid *self_pid;
	u32 nr_pids;
	u32 pids[ETW_MAX_PIDS];
	u32 nr_tags;
	u32 tags[ETW_MAX_POOLTAG_FILTER];
	unsigned long hooks[BITS_TO_LONGS(ETW_FILTER_HOOK_IDS)];
	struct etw_family *family;
};

/**
 * etw_filter_takes_process() - whether a process's events are wanted
 * @filter: a filter
 * @process_id: as consumers see it: tgid, or 4; PID_MAX_LIMIT or more: no process
 *
 * Context: any.
 */
static inline bool etw_filter_takes_process(const struct etw_filter *filter, u32 process_id)
{
	u32 i;

	if ((filter->tests & ETW_FILTER_TESTS_SELF) && process_id == READ_ONCE(filter->self))
		return false;
	if (filter->tests & ETW_FILTER_TESTS_FAMILY)
		return process_id < PID_MAX_LIMIT && test_bit(process_id, filter->family->members);
	if (!(filter->tests & ETW_FILTER_TESTS_PIDS))
		return true;
	for (i = 0; i < filter->nr_pids; i++)
		if (filter->pids[i] == process_id)
			return true;
	return false;
}

/**
 * etw_filter_takes_hook() - whether events with a hook id are wanted
 * @filter: a filter, or NULL
 * @hook_id: hook id
 */
static inline bool etw_filter_takes_hook(const struct etw_filter *filter, u16 hook_id)
{
	if (!filter || !(filter->tests & ETW_FILTER_TESTS_HOOKS))
		return true;
	return hook_id < ETW_FILTER_HOOK_IDS && test_bit(hook_id, filter->hooks);
}

/**
 * etw_filter_takes_tag() - whether events of a pool are wanted
 * @filter: a filter
 * @tag: its tag
 */
static inline bool etw_filter_takes_tag(const struct etw_filter *filter, u32 tag)
{
	u32 i;

	if (!(filter->tests & ETW_FILTER_TESTS_TAGS))
		return true;
	for (i = 0; i < filter->nr_tags; i++)
		if (filter->tags[i] == tag)
			return true;
	return false;
}

int etw_filter_create(const struct etw_items *items, struct pid *self,
		      const struct etw_filter *old, struct etw_filter **filter);
void etw_filter_free(struct etw_filter *filter);

#endif /* ETW_FILTER_H */
