// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Copy the arguments of ioctls, and find the session that they name. */
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/uaccess.h>
#include "control_argument.h"
#include "session/session.h"

/**
 * etw_argument_get() - copy a structure that is versioned by its size
 * @to: out; members that the caller's version lacks are 0
 * @known: bytes of the module's version
 * @least: bytes of the first version
 * @from: the caller's structure
 *
 * The size is read first, then the whole structure. If the size changes between the two
 * reads, the checked size is used.
 *
 * Return: 0; -EFAULT; -EINVAL: too short or too long; -E2BIG: longer than @known, and
 * the rest is not 0.
 */
int etw_argument_get(void *to, u32 known, u32 least, void __user *from)
{
	u32 size;
	int err;

	if (get_user(size, (u32 __user *)from))
		return -EFAULT;
	if (size < least || size > PAGE_SIZE)
		return -EINVAL;
	err = copy_struct_from_user(to, known, from, size);
	if (err)
		return err;
	*(u32 *)to = size;
	return 0;
}

/**
 * etw_argument_put() - copy a structure back, as much as the caller's version has
 * @to: the caller's structure
 * @from: out of etw_argument_get()
 * @known: bytes of the module's version
 *
 * Return: 0; -EFAULT.
 */
int etw_argument_put(void __user *to, const void *from, u32 known)
{
	u32 size = *(const u32 *)from;

	return copy_to_user(to, from, min(size, known)) ? -EFAULT : 0;
}

/**
 * etw_on_session() - call a function with a session
 * @logger_id: of the session
 * @action: function; the session is not freed until it returns
 * @given: argument of @action
 *
 * Return: -ENOENT if there is no such session, or the action's result.
 */
int etw_on_session(u32 logger_id, etw_session_action *action, void *given)
{
	struct etw_session *session = etw_session_get(logger_id);
	int err;

	if (!session)
		return -ENOENT;
	err = action(session, given);
	etw_session_put(session);
	return err;
}

/*
 * STOP and UPDATE hold the lock while they wait for a reader, so the wait for the lock
 * is killable. Return: 0 with the lock; -EALREADY or -EINTR without the lock.
 */
static int lock_running(struct etw_session *session)
{
	if (mutex_lock_killable(&session->lock))
		return -EINTR;
	if (session->state == ETW_SESSION_RUNNING)
		return 0;
	mutex_unlock(&session->lock);
	return -EALREADY;
}

/**
 * etw_on_running() - call a function with a session that keeps running meanwhile
 * @logger_id: of the session
 * @action: function, called under session->lock
 * @given: argument of @action
 *
 * Return: -ENOENT, -EALREADY: the session was stopped, -EINTR, or the action's result.
 */
int etw_on_running(u32 logger_id, etw_session_action *action, void *given)
{
	struct etw_session *session = etw_session_get(logger_id);
	int err;

	if (!session)
		return -ENOENT;
	err = lock_running(session);
	if (!err) {
		err = action(session, given);
		mutex_unlock(&session->lock);
	}
	etw_session_put(session);
	return err;
}
