// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* STOP: shut down a session in an order that loses no event; declared in session.h. */
#include <linux/jiffies.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include "context/event_context.h"
#include "context/stack_keys.h"
#include "context/unwind_tables.h"
#include "source/linux_event/linux_events.h"
#include "source/profile/samplers.h"
#include "source/source.h"
#include "cpus.h"
#include "nodes.h"
#include "pool.h"
#include "report.h"
#include "rundown.h"
#include "rundown_limits.h"
#include "session.h"
#include "stop_ring.h"
#include "wake.h"

/*
 * 1. Finish the start rundown and the timer. Write the stop rundown while sources are
 *    still attached, as Windows does. All rundowns share one deadline; a fatal signal to
 *    the caller ends it at once. If the session overwrites, its stop rundown is written
 *    after step 2 into a ring of its own, so that it overwrites no event.
 * 2. Detach programs and sources, and wait for their writers.
 * 3. Release the Linux events, stop the samplers, write the stacks of all stack keys (no more
 *    keys are made), and stop the counters.
 * 4. Wait for wakeups and for the work that they queued.
 * 5. Seal every CPU's buffer under cpus_read_lock: no writer is left.
 * 6. Build the last buffer with the final loss records.
 * 7. Publish the end to readers.
 */

/* Writes no loss records: the last buffer contains them. */
static void leave_sources_overwriting(struct etw_session *session)
{
	etw_sources_mute(&session->sink);
	etw_stop_ring_fill(session);
	etw_sources_unmute();
}

static void quiesce_session(struct etw_session *session, bool give_up)
{
	struct etw_reading now;

	/* a rundown that is discarded needs no time */
	etw_rundown_stop_waits(session, give_up ? 0 : ETW_RUNDOWN_DEADLINE);
	/* let the start rundown finish: without it the stream has no names */
	flush_work(&session->rundown_work);
	WRITE_ONCE(session->stopping, true);
	cancel_delayed_work_sync(&session->flush_work);
	flush_work(&session->rundown_work);	/* the timer may have queued it for intervals */
	if (!session->overwrite) {
		etw_rundown_stop(session);
		etw_losses_write(session);
	}

	etw_session_ops->withdraw(session);
	etw_linux_events_mute(session->linux_events);
	if (session->overwrite)
		leave_sources_overwriting(session);
	else
		etw_sources_detach(&session->sink);
	etw_linux_events_stop(session->linux_events);
	etw_profile_stop(session->profile);
	if (!session->overwrite)
		etw_rundown_keys(session);
	etw_rundown_stop_waited(session);
	etw_event_context_stop(session->sink.context);
	etw_unwind_forget(session->sink.id);
	etw_wake_sync(session);
	WRITE_ONCE(session->pool_closed, true);
	cancel_work_sync(&session->pool_work);
	etw_cpus_remove(session);
	etw_trailer_build(session);

	etw_clock_read_all(session->sink.clocks.qpc, &now);
	session->end_filetime = now.filetime;
	/* pairs with the acquire in stream_buffer.h: rings and trailer are final */
	smp_store_release(&session->state, ETW_SESSION_STOPPED);
	wake_up_interruptible(&session->wait);
}

static bool take_and_count(struct etw_session *session, struct etw_ring *ring,
			   struct etw_reader_buffer *held)
{
	bool taken;

	write_seqcount_begin(&session->moves);
	taken = etw_ring_take(ring, held);
	if (taken)
		etw_ring_count(ring, held, false);
	write_seqcount_end(&session->moves);
	return taken;
}

static void discard_ring(struct etw_session *session, struct etw_ring *ring)
{
	struct etw_reader_buffer held;

	while (take_and_count(session, ring, &held))
		etw_pool_release(session, ring, &held);
}

/* Unread events are counted as discarded. */
static void discard(struct etw_session *session)
{
	int cpu;

	mutex_lock(&session->read_lock);
	for_each_possible_cpu(cpu)
		discard_ring(session, per_cpu_ptr(session->sink.rings, cpu));
	if (session->stop_ring)
		discard_ring(session, session->stop_ring);
	if (!session->trailer_held)
		WRITE_ONCE(session->trailer_used, 0);
	mutex_unlock(&session->read_lock);
	wake_up_interruptible(&session->wait);
}

/*
 * @unlisted: out: the session was discarded. The caller removes its node without the lock,
 * because that may take forever.
 */
static int stop(struct etw_session *session, bool give_up, bool *unlisted)
{
	int err = 0;

	lockdep_assert_held(&session->lock);
	if (session->state == ETW_SESSION_RUNNING)
		quiesce_session(session, give_up);
	else if (!give_up || session->unlisted)
		err = -EALREADY;
	if (!err && give_up) {
		discard(session);
		*unlisted = etw_table_unlist(session);
	}
	return err;
}

static void remove_unlisted(struct etw_session *session)
{
	etw_node_remove(session);
	etw_session_put(session);
}

/**
 * etw_session_stop() - STOP, even if the caller is being killed
 * @session: a session; the caller has a reference
 * @give_up: discard unread events, also if the session is already stopped
 *
 * Context: process; sleeps while the stop rundown waits for the reader (bounded).
 * Return: 0, or -EALREADY if it was stopped before and @give_up is false or it is not in
 * the table any more.
 */
int etw_session_stop(struct etw_session *session, bool give_up)
{
	bool unlisted = false;
	int err;

	mutex_lock(&session->lock);
	err = stop(session, give_up, &unlisted);
	mutex_unlock(&session->lock);
	if (unlisted)
		remove_unlisted(session);
	return err;
}

/**
 * etw_session_stop_killable() - STOP
 * @session: as etw_session_stop()
 * @give_up: as etw_session_stop()
 *
 * Return: as etw_session_stop(), or -EINTR if the caller was killed while it waited for
 * session->lock; the session is unchanged then.
 */
int etw_session_stop_killable(struct etw_session *session, bool give_up)
{
	bool unlisted = false;
	int err;

	if (mutex_lock_killable(&session->lock))
		return -EINTR;
	err = stop(session, give_up, &unlisted);
	mutex_unlock(&session->lock);
	if (unlisted)
		remove_unlisted(session);
	return err;
}

/**
 * etw_session_stop_owned() - a control file is closed: stop the sessions tied to it
 * @owner: the file
 *
 * If a session has a reader, the reader may finish; otherwise it is discarded.
 */
void etw_session_stop_owned(struct file *owner)
{
	struct etw_session *session;
	bool read;

	while ((session = etw_session_owned_by(owner))) {
		mutex_lock(&session->read_lock);
		read = session->consumer;
		session->orphan = true;
		mutex_unlock(&session->read_lock);
		etw_session_stop(session, !read);
		etw_session_put(session);
	}
}
