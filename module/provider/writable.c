// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The sessions that accept programs' events, and the right to write to them. */
#include <linux/cred.h>
#include <linux/export.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uidgid.h>
#include "config/config.h"
#include "record/event_input.h"
#include "ring/reserve.h"
#include "session/session.h"
#include "accounts.h"
#include "provider.h"
#include "rate.h"
#include "writable.h"

/*
 * Indexed by logger id minus 1. Written under the session's lock. A writer keeps preemption
 * off from reading the entry until it has committed, so after a grace period no writer is
 * left.
 */
struct etw_writable __rcu *etw_writables[ETW_MAX_LOGGERS];

/* Sessions with kernel events, or with users or groups that may write, have a default limit. */
static u64 rate_of(const struct etw_writable *writable, u32 limit)
{
	if (limit == ETW_NO_RATE_LIMIT)
		return 0;
	if (!limit && !writable->kernel && !writable->nr_uids && !writable->nr_gids)
		return 0;
	return DIV_ROUND_UP(NSEC_PER_SEC, limit ?: ETW_DEFAULT_RATE_LIMIT);
}

static void set_sequence(struct etw_writable *writable, u32 mode)
{
	static atomic_t global_sequence;

	if (mode & EVENT_TRACE_USE_GLOBAL_SEQUENCE)
		writable->sequence = &global_sequence;
	else if (mode & EVENT_TRACE_USE_LOCAL_SEQUENCE)
		writable->sequence = &writable->local_sequence;
}

/*
 * Allocate what programs need to write to a session, which is being started by the current
 * task; its ids are of that task's namespace. Freed with the session.
 */
static int prepare(struct etw_session *session)
{
	const struct etw_items *items = &session->settings.items;
	struct etw_writable *writable = kzalloc(sizeof(*writable), GFP_KERNEL);
	struct user_namespace *ns = current_user_ns();
	u64 kept;
	u32 i;

	if (!writable)
		return -ENOMEM;
	writable->rings = session->sink.rings;
	writable->session = session;
	memcpy(writable->key, session->sink.key, sizeof(writable->key));
	writable->options = items->provider.flags;
	writable->kernel = session->settings.kernel;
	writable->owner = session->cred->euid;
	writable->nr_uids = items->nr_provider_uids;
	for (i = 0; i < writable->nr_uids; i++)
		writable->uids[i] = make_kuid(ns, items->provider_uids[i]);
	writable->nr_gids = items->nr_provider_gids;
	for (i = 0; i < writable->nr_gids; i++)
		writable->gids[i] = make_kgid(ns, items->provider_gids[i]);
	writable->rate = rate_of(writable, items->provider.rate_limit);
	kept = session->overwrite ? (u64)session->first_buffers * session->sink.buffer_size : 0;
	writable->burst = etw_rate_burst(writable->rate, kept);
	writable->takes_owner = !writable->rate &&
		(!writable->kernel || (writable->options & ETW_PROVIDER_KERNEL_SESSION));
	set_sequence(writable, session->settings.mode);
	session->writable = writable;
	return 0;
}

/* Only one session has an id at a time. Never 0, which stands for any session of an id */
static u32 next_generation(u32 i)
{
	static u32 generations[ETW_MAX_LOGGERS];

	if (!++generations[i])
		generations[i]++;
	return generations[i];
}

/**
 * etw_writable_handle() - a session's handle for kernel modules and for WRITE_EVENT
 * @session: published
 *
 * Its user may have a handle after its session has stopped, and another session may have the
 * id by then. The generation in the upper 32 bits distinguishes the two.
 */
u64 etw_writable_handle(const struct etw_session *session)
{
	return session->sink.id | (u64)session->writable->generation << 32;
}

/* Programs may write from now on. The session is prepared; it has an id and buffers. */
static void publish(struct etw_session *session)
{
	session->writable->id = session->sink.id;
	session->writable->generation = next_generation(session->sink.id - 1);
	etw_users_forget(session->sink.id);
	rcu_assign_pointer(etw_writables[session->sink.id - 1], session->writable);
}

/* Refuse programs' events, and wait for writers. */
static void refuse_events(struct etw_session *session)
{
	RCU_INIT_POINTER(etw_writables[session->sink.id - 1], NULL);
	synchronize_rcu();
	kfree(session->writable);
	session->writable = NULL;
}

/* As groups_search(), which is not exported to modules: groups are sorted. */
static bool has_group(const struct cred *cred, kgid_t gid)
{
	const struct group_info *groups = cred->group_info;
	int from = 0, to = groups->ngroups;

	if (gid_eq(cred->egid, gid))
		return true;
	while (from < to) {
		int i = from + (to - from) / 2;

		if (gid_eq(groups->gid[i], gid))
			return true;
		if (gid_lt(gid, groups->gid[i]))
			to = i;
		else
			from = i + 1;
	}
	return false;
}

static noinline bool is_named(const struct etw_writable *writable, const struct cred *cred)
{
	u32 i;

	for (i = 0; i < writable->nr_uids; i++)
		if (uid_eq(cred->euid, writable->uids[i]))
			return true;
	for (i = 0; i < writable->nr_gids; i++)
		if (has_group(cred, writable->gids[i]))
			return true;
	return false;
}

/*
 * Kernel callers (@caller is NULL) skip the uid checks. Session options still decide
 * whether time stamps and WNODE_HEADERs are accepted.
 */
static bool may_write(const struct etw_writable *writable, const struct etw_caller *caller,
		      u32 needs)
{
	if (writable->kernel && caller)
		needs |= ETW_PROVIDER_KERNEL_SESSION;
	if (unlikely(needs & ~writable->options))
		return false;
	return !caller || uid_eq(caller->cred->euid, writable->owner) || caller->control ||
	       is_named(writable, caller->cred);
}

/* From here on the event counts as attempted, so a failure is counted as a loss. */
static int take(const struct etw_writable *writable, const struct etw_caller *caller, u32 size)
{
	struct etw_ring *ring = this_cpu_ptr(writable->rings);

	if (caller && writable->rate &&
	    !etw_user_take(caller->user, writable->id, writable->rate, writable->burst, size)) {
		etw_ring_count_loss(ring, ETW_LOSS_RATE);
		return -EDQUOT;
	}
	/* a CPU without buffers fails with -ENOBUFS later, not with -EMSGSIZE */
	if (unlikely(size > ETW_MAX_RECORD ||
		     (etw_units(size) > ring->capacity && ring->nr_slots))) {
		etw_ring_count_loss(ring, ETW_LOSS_TOO_LARGE);
		return -EMSGSIZE;
	}
	return 0;
}

/* see writable.h */
int etw_writable_take(const struct etw_writable *writable, u64 handle,
		      const struct etw_caller *caller, u32 size, u32 needs)
{
	if (!writable || (handle & ETW_HANDLE_PRIVATE) || etw_writable_is_stale(writable, handle))
		return -EBADF;
	if (!may_write(writable, caller, needs))
		return -EACCES;
	return take(writable, caller, size);
}

static void withdraw(struct etw_session *session)
{
	etw_enabled_drop(session);
	refuse_events(session);
}

const struct etw_session_ops etw_provider_session_ops = {
	.prepare = prepare,
	.publish = publish,
	.withdraw = withdraw,
};
