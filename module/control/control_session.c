// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The session that an ioctl names: found by its id, kept while the ioctl works on it. */
#include <linux/mutex.h>
#include "control_session.h"
#include "session/session.h"

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
