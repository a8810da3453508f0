/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Sessions as writers of programs' events see them: found by handle, checked once. */
#ifndef ETW_WRITABLE_H
#define ETW_WRITABLE_H

#include <linux/compiler.h>
#include <linux/cred.h>
#include <linux/errno.h>
#include <linux/math64.h>
#include <linux/nospec.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/types.h>
#include <linux/uidgid.h>
#include "etw_extension.h"
#include "record/event.h"
#include "record/thread_ids.h"
#include "ring/reserve.h"

struct etw_session;
struct etw_session_ops;
struct etw_user;

/**
 * struct etw_writable - a running session that accepts programs' events
 * @rings: the session's
 * @id: its logger id
 * @generation: number of the session among those with this id; in a kernel module's handle
 * @session: the session; writers must not access it
 * @key: the session's secret
 * @options: ETW_PROVIDER_*
 * @kernel: the session has kernel events
 * @rate: ns that one unit costs its user, see rate.h; 0: no limit
 * @burst: of etw_rate_burst()
 * @takes_owner: an event of @owner that fits and needs no options is accepted
 * @owner: user that started it; may write, unless kernel events forbid it
 * @nr_uids: entries of @uids
 * @uids: users that may write
 * @nr_gids: entries of @gids
 * @gids: groups that may write
 * @sequence: counter for the sequence numbers of messages, or NULL
 * @local_sequence: the session's own counter
 */
struct etw_writable {
	struct etw_ring __percpu *rings;
	struct etw_session *session;
	u64 key[2];
	u32 id;
	u32 generation;
	u32 options;
	bool kernel;
	u64 rate;
	u64 burst;
	bool takes_owner;
	kuid_t owner;
	u32 nr_uids;
	kuid_t uids[ETW_MAX_PROVIDERS];
	u32 nr_gids;
	kgid_t gids[ETW_MAX_PROVIDERS];
	atomic_t *sequence;
	atomic_t local_sequence;
};

/**
 * struct etw_caller - a writer's rights, fixed when the provider node was opened
 * @cred: credentials at that time
 * @control: it had the right to control sessions at that time
 * @user: its account for rate limits
 */
struct etw_caller {
	const struct cred *cred;
	bool control;
	struct etw_user *user;
};

/* Called when a session starts and stops */
extern const struct etw_session_ops etw_provider_session_ops;

u64 etw_writable_handle(const struct etw_session *session);

/* writable.c's; here, because every event reads it */
extern struct etw_writable __rcu *etw_writables[ETW_MAX_LOGGERS];

/* Fill in the current thread as records contain it; native pointer size */
static __always_inline void etw_writer_current(struct etw_writer *writer)
{
	const struct task_struct *task = current;
	const u32 ns = ETW_TIMER_RESOLUTION * 100;

	writer->thread_id = task->pid;
	writer->process_id = etw_process_id(task);
	writer->kernel_time = div_u64(READ_ONCE(task->stime), ns);
	writer->user_time = div_u64(READ_ONCE(task->utime), ns);
	writer->bits = BITS_PER_LONG;
}

/* A handle without a generation is a logger id alone. */
static inline bool etw_writable_is_stale(const struct etw_writable *writable, u64 handle)
{
	return handle >> 32 && handle >> 32 != writable->generation;
}

/*
 * The common case of etw_writable_take(), without a call, so few registers are saved.
 * @writable: not NULL
 */
static __always_inline bool etw_writable_takes(const struct etw_writable *writable, u64 handle,
					       const struct etw_caller *caller, u32 size,
					       u32 needs)
{
	const struct etw_ring *ring = this_cpu_ptr(writable->rings);

	return writable->takes_owner && !needs && !(handle & ETW_HANDLE_PRIVATE) &&
	       !etw_writable_is_stale(writable, handle) &&
	       (!caller || uid_eq(caller->cred->euid, writable->owner)) &&
	       size <= ETW_MAX_RECORD && etw_units(size) <= ring->capacity;
}

/*
 * All cases; @writable may be NULL. Preemption is off. Return: 0 or an error of
 * etw_writable_enter()
 */
int etw_writable_take(const struct etw_writable *writable, u64 handle,
		      const struct etw_caller *caller, u32 size, u32 needs);

/**
 * etw_writable_enter() - find a session, and check whether it accepts an event
 * @handle: session handle; the upper 32 bits are 0 or the session's generation
 * @caller: the writer, or NULL for the kernel
 * @size: bytes of the record
 * @needs: options that the event needs: ETW_PROVIDER_TIMESTAMPS, ETW_PROVIDER_WNODES
 * @err: out: -EBADF, -EACCES, or, counted as lost, -EDQUOT or -EMSGSIZE
 *
 * Context: any. After a success preemption is off until etw_writable_leave():
 * reserve, fill, commit.
 */
static __always_inline const struct etw_writable *
etw_writable_enter(u64 handle, const struct etw_caller *caller, u32 size, u32 needs, int *err)
{
	const u32 i = ETW_HANDLE_LOGGER_ID(handle) - 1;
	const struct etw_writable *writable;

	if (unlikely(i >= ETW_MAX_LOGGERS)) {
		*err = -EBADF;
		return NULL;
	}
	preempt_disable_notrace();
	writable = rcu_dereference_sched(etw_writables[array_index_nospec(i, ETW_MAX_LOGGERS)]);
	*err = 0;
	if (likely(writable && etw_writable_takes(writable, handle, caller, size, needs)))
		return writable;
	*err = etw_writable_take(writable, handle, caller, size, needs);
	if (!*err)
		return writable;
	preempt_enable_notrace();
	return NULL;
}

static inline void etw_writable_leave(void)
{
	preempt_enable_notrace();
}

/* The next sequence number, or 0 if the session has no counter */
static inline u32 etw_writable_sequence(const struct etw_writable *writable)
{
	return writable->sequence ? atomic_inc_return(writable->sequence) : 0;
}

#endif /* ETW_WRITABLE_H */
