/* SPDX-License-Identifier: GPL-2.0 */
/* Sessions as those see them who write programs' events: found by handle, asked once. */
#ifndef ETW_TARGET_H
#define ETW_TARGET_H

#include <linux/cred.h>
#include <linux/preempt.h>
#include <linux/types.h>
#include "etw_extension.h"
#include "record/event.h"
#include "ring/ring.h"

struct etw_session;
struct etw_user;

/**
 * struct etw_target - a running session that takes programs' events
 * @rings: the session's
 * @id: its logger id
 * @session: it; not to be touched by writers
 * @options: ETW_PROVIDER_*
 * @kernel: it has kernel events
 * @rate: ns that one event takes of its user's share; 0: no limit
 * @burst: ns of that which one may take at once
 * @owner: user that started it: may write where kernel events don't forbid it
 * @nr_uids: entries of @uids
 * @uids: users who may write
 * @nr_gids: entries of @gids
 * @gids: groups who may write
 * @sequence: the count that messages take their numbers from, or NULL
 * @local_sequence: the session's own
 */
struct etw_target {
	struct etw_ring __percpu *rings;
	struct etw_session *session;
	u32 id;
	u32 options;
	bool kernel;
	u64 rate;
	u64 burst;
	kuid_t owner;
	u32 nr_uids;
	kuid_t uids[ETW_MAX_PROVIDERS];
	u32 nr_gids;
	kgid_t gids[ETW_MAX_PROVIDERS];
	atomic_t *sequence;
	atomic_t local_sequence;
};

/**
 * struct etw_caller - who writes; fixed when the provider node was opened
 * @cred: its credentials then
 * @control: it had the rights of control then
 * @user: its share of rate limits
 */
struct etw_caller {
	const struct cred *cred;
	bool control;
	struct etw_user *user;
};

/* START: prepared first, so that nothing can fail when it is published */
int etw_target_prepare(struct etw_session *session);
void etw_target_publish(struct etw_session *session);
/* STOP: on return nobody writes through it */
void etw_target_withdraw(struct etw_session *session);

/* The current thread as a record tells it; native pointers */
void etw_writer_current(struct etw_writer *writer);

/**
 * etw_target_enter() - find a session, and ask whether it takes this
 * @handle: session handle
 * @caller: who, or NULL: the kernel itself, which may
 * @size: bytes of the record
 * @needs: ETW_PROVIDER_TIMESTAMPS, ETW_PROVIDER_WNODES: what must be allowed
 * @err: out: why not: -EBADF, -EACCES, -EDQUOT, -EMSGSIZE (both counted)
 *
 * Context: any; preemption is off after a success until etw_target_leave():
 * reserve, fill, commit.
 */
const struct etw_target *etw_target_enter(u64 handle, const struct etw_caller *caller, u32 size,
					  u32 needs, int *err);

static inline void etw_target_leave(void)
{
	preempt_enable_notrace();
}

/* The next sequence number, 0 where the session counts none */
static inline u32 etw_target_sequence(const struct etw_target *target)
{
	return target->sequence ? atomic_inc_return(target->sequence) : 0;
}

#endif /* ETW_TARGET_H */
