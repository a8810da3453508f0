// SPDX-License-Identifier: GPL-2.0
/* What ioctls are given, copied once, and the session that it names. */
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/uaccess.h>
#include "control_argument.h"
#include "session/session.h"

/**
 * etw_argument_get() - copy a structure that is versioned by its size
 * @to: out; what the caller doesn't know is 0
 * @known: bytes of it that we know
 * @least: bytes of its first version
 * @from: the caller's
 *
 * The size is read first, then the whole: should it change between the two,
 * what was checked wins.
 *
 * Return: 0; -EFAULT; -EINVAL: too short or too long; -E2BIG: more than we know, and
 * not 0.
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
 * etw_argument_put() - give it back, as much of it as the caller knows
 * @to: the caller's
 * @from: out of etw_argument_get()
 * @known: bytes of it that we know
 *
 * Return: 0; -EFAULT.
 */
int etw_argument_put(void __user *to, const void *from, u32 known)
{
	u32 size = *(const u32 *)from;

	return copy_to_user(to, from, min(size, known)) ? -EFAULT : 0;
}

/**
 * etw_on_session() - do something with a session
 * @logger_id: of the session
 * @action: what to do; the session stays until it returns
 * @given: for @action
 *
 * Return: -ENOENT without that session, or what the action returns.
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
 * STOP and UPDATE hold the lock while they wait for a reader: who waits for them can
 * be killed. Return: 0 with the lock, -EALREADY or -EINTR without.
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
 * etw_on_running() - likewise, with one that runs until the action is over
 * @logger_id: of the session
 * @action: what to do, under session->lock
 * @given: for @action
 *
 * Return: -ENOENT, -EALREADY: it was stopped, -EINTR, or what the action returns.
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
