// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The table and the lifetime of sessions; declared in session.h. */
#include <linux/bitops.h>
#include <linux/build_bug.h>
#include <linux/cred.h>
#include <linux/export.h>
#include <linux/module.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include "context/event_context.h"
#include "filter/filter.h"
#include "source/linux_event/linux_events.h"
#include "source/profile/samplers.h"
#include "budget.h"
#include "nodes.h"
#include "session.h"
#include "stop_ring.h"
#include "wake.h"

/* See session.h. Nothing waits or allocates under it, so waits for it need not be killable. */
static DEFINE_MUTEX(etw_sessions_lock);

const struct etw_session_ops *etw_session_ops __ro_after_init;

/* Both under etw_sessions_lock; an id stays taken until its node is removed */
static struct etw_session *table[ETW_MAX_LOGGERS];
static u64 taken_ids;

static void session_free(struct kref *ref)
{
	struct etw_session *session = container_of(ref, struct etw_session, ref);
	int cpu;

	etw_wake_free(session);
	cancel_work_sync(&session->pool_work);
	for_each_possible_cpu(cpu)
		etw_ring_destroy(per_cpu_ptr(session->sink.rings, cpu));
	free_percpu(session->sink.rings);
	etw_stop_ring_free(session);
	etw_budget_forget(session);
	kvfree(session->trailer);
	if (session->cred)
		put_cred(session->cred);
	put_pid(session->creator);
	kfree(session->writable);	/* of a START that failed */
	etw_linux_events_stop(session->linux_events);	/* of a START that failed */
	etw_linux_events_free(session->linux_events);
	etw_filter_free(session->filter);
	etw_profile_stop(session->profile);	/* of a START that failed */
	etw_profile_free(session->profile);
	etw_event_context_stop(session->sink.context);	/* of a START that failed */
	etw_event_context_free(session->sink.context);
	mutex_destroy(&session->settings_lock);
	mutex_destroy(&session->pool_lock);
	mutex_destroy(&session->report_lock);
	mutex_destroy(&session->read_lock);
	mutex_destroy(&session->lock);
	kvfree(session);
	module_put(THIS_MODULE);
}

/**
 * etw_session_put() - drop a reference
 * @session: a session; may be freed
 *
 * Context: process.
 */
void etw_session_put(struct etw_session *session)
{
	kref_put(&session->ref, session_free);
}

/**
 * etw_session_get() - find a session
 * @id: logger id, any number
 *
 * Context: process; takes etw_sessions_lock.
 * Return: the session with a reference for the caller, or NULL.
 */
struct etw_session *etw_session_get(u32 id)
{
	struct etw_session *session = NULL;

	mutex_lock(&etw_sessions_lock);
	if (id >= 1 && id <= ETW_MAX_LOGGERS)
		session = table[id - 1];
	if (session)
		kref_get(&session->ref);
	mutex_unlock(&etw_sessions_lock);
	return session;
}

/* By device number; @minor: any number */
static struct etw_session *find_minor(u32 minor)
{
	u32 i;

	for (i = 0; i < ETW_MAX_LOGGERS; i++)
		if (table[i] && table[i]->minor == minor)
			return table[i];
	return NULL;
}

/**
 * etw_session_of_node() - find the session that a node was made for
 * @minor: minor number of the node, or of a copy of it
 *
 * Context: process; takes etw_sessions_lock.
 * Return: the session with a reference for the caller, or NULL.
 */
struct etw_session *etw_session_of_node(u32 minor)
{
	struct etw_session *session;

	mutex_lock(&etw_sessions_lock);
	session = find_minor(minor);
	if (session)
		kref_get(&session->ref);
	mutex_unlock(&etw_sessions_lock);
	return session;
}

static u16 lower_case(u16 unit)
{
	return unit >= 'A' && unit <= 'Z' ? unit + ('a' - 'A') : unit;
}

/*
 * As on Windows, names are compared without regard to case. Windows does so for all letters;
 * we do so for ASCII letters only.
 */
static bool same_name(const u16 *a, const u16 *b)
{
	while (*a && lower_case(*a) == lower_case(*b)) {
		a++;
		b++;
	}
	return *a == *b;
}

static int add(struct etw_session *session)
{
	u32 i, kernel = 0;

	for (i = 0; i < ETW_MAX_LOGGERS; i++) {
		if (!table[i])
			continue;
		if (same_name(table[i]->settings.logger_name, session->settings.logger_name))
			return -EEXIST;
		kernel += table[i]->settings.kernel;
	}
	if (taken_ids == U64_MAX || (session->settings.kernel && kernel >= ETW_MAX_KERNEL_LOGGERS))
		return -ENOSPC;
	do
		session->minor = etw_node_number();
	while (find_minor(session->minor));
	i = __ffs64(~taken_ids);
	taken_ids |= 1ULL << i;
	table[i] = session;
	session->sink.id = i + 1;
	return 0;
}

/**
 * etw_table_add() - add a session to the table and give it an id
 * @session: being started; unchanged after an error
 *
 * Context: process; takes etw_sessions_lock.
 * Return: 0; -EEXIST if the name is in use, regardless of case; -ENOSPC if all loggers, or all
 * kernel loggers, are in use.
 */
int etw_table_add(struct etw_session *session)
{
	int err;

	BUILD_BUG_ON(ETW_MAX_LOGGERS != 64);
	mutex_lock(&etw_sessions_lock);
	err = add(session);
	mutex_unlock(&etw_sessions_lock);
	return err;
}

/**
 * etw_table_unlist() - take a session out of the table
 * @session: the caller has a reference
 *
 * On return its name is free, but not its id: the caller removes the node.
 *
 * Context: process; takes etw_sessions_lock.
 * Return: whether it was in the table; the table's reference is the caller's then.
 */
bool etw_table_unlist(struct etw_session *session)
{
	bool listed;

	mutex_lock(&etw_sessions_lock);
	listed = !session->unlisted;
	if (listed) {
		table[session->sink.id - 1] = NULL;
		session->unlisted = true;
	}
	mutex_unlock(&etw_sessions_lock);
	return listed;
}

/**
 * etw_table_remove() - take a session out of the table and remove its node
 * @session: the caller has a reference
 *
 * On return its name is free. Its id is free, too, unless the caller was killed: then it
 * becomes free when the node is gone.
 *
 * Context: process; sleeps; takes etw_sessions_lock.
 * Return: whether it was in the table; the table's reference is the caller's then.
 */
bool etw_table_remove(struct etw_session *session)
{
	bool listed = etw_table_unlist(session);

	/* not under the lock, because it may take forever, see nodes.c */
	if (listed)
		etw_node_remove(session);
	return listed;
}

/**
 * etw_table_free_id() - the next session may have an id
 * @id: of a session that is not in the table any more, and has no node
 *
 * The node goes first, because the next session with the id reuses its name.
 *
 * Context: process; takes etw_sessions_lock.
 */
void etw_table_free_id(u32 id)
{
	mutex_lock(&etw_sessions_lock);
	taken_ids &= ~(1ULL << (id - 1));
	mutex_unlock(&etw_sessions_lock);
}

/**
 * etw_sessions_list() - which loggers exist
 *
 * Return: bit n - 1 stands for logger n.
 */
u64 etw_sessions_list(void)
{
	u64 loggers = 0;
	u32 i;

	mutex_lock(&etw_sessions_lock);
	for (i = 0; i < ETW_MAX_LOGGERS; i++)
		if (table[i])
			loggers |= 1ULL << i;
	mutex_unlock(&etw_sessions_lock);
	return loggers;
}

/**
 * etw_session_owned_by() - next session that is tied to a control file
 * @owner: the file
 *
 * Return: a session with a reference for the caller and its tie undone, or
 * NULL.
 */
struct etw_session *etw_session_owned_by(struct file *owner)
{
	struct etw_session *session = NULL;
	u32 i;

	mutex_lock(&etw_sessions_lock);
	for (i = 0; i < ETW_MAX_LOGGERS; i++) {
		if (!table[i] || table[i]->owner != owner)
			continue;
		session = table[i];
		session->owner = NULL;
		kref_get(&session->ref);
		break;
	}
	mutex_unlock(&etw_sessions_lock);
	return session;
}

/**
 * etw_session_retire() - a stopped session was read or is discarded
 * @session: stopped; the caller has a reference
 *
 * On return its id and name are free, as of etw_table_remove(); its memory is freed with the
 * last reference.
 */
void etw_session_retire(struct etw_session *session)
{
	if (etw_table_remove(session))
		etw_session_put(session);
}
