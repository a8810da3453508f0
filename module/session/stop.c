// SPDX-License-Identifier: GPL-2.0
/* STOP: the order in which a session falls silent, losing nothing; declared in session.h. */
#include <linux/jiffies.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include "context/event_context.h"
#include "context/stack_keys.h"
#include "source/profile/samplers.h"
#include "source/source.h"
#include "cpus.h"
#include "pool.h"
#include "report.h"
#include "rundown.h"
#include "rundown_room.h"
#include "session.h"
#include "stop_ring.h"
#include "wake.h"

/*
 * 1. the start rundown and the timer end; the stop rundown is written while
 *    events still come, as Windows does. All rundowns have one deadline, which a
 *    signal that kills us makes now. One that overwrites gives up no event for it:
 *    it has its rundown after 2, elsewhere
 * 2. no program and no source knows the session; none that knew it writes any more
 * 3. nothing samples for it, and nobody needs the counters any more; what the keys of
 *    stacks stand for is told, for there will be no more of them
 * 4. no wakeup is under way, and no work that one queued
 * 5. nobody writes: every CPU's buffer is sealed, under cpus_read_lock
 * 6. the last buffer says what was lost
 * 7. readers may see the end
 */

/* Its last buffer tells losses, too. */
static void leave_sources_overwriting(struct etw_session *session)
{
	etw_sources_mute(&session->sink);
	etw_stop_ring_fill(session);
	etw_sources_unmute();
}

static void quiesce_session(struct etw_session *session)
{
	struct etw_reading now;

	session->stop_limit = jiffies + ETW_RUNDOWN_DEADLINE;
	/* pairs with the acquire in rundown_room.c: who sees us knows how long we wait */
	smp_store_release(&session->stopper, current);
	/* the start rundown is finished: without it the stream has no names */
	flush_work(&session->rundown_work);
	WRITE_ONCE(session->stopping, true);
	cancel_delayed_work_sync(&session->flush_work);
	flush_work(&session->rundown_work);	/* the timer may have asked for intervals */
	if (!session->overwrite) {
		etw_rundown_stop(session);
		etw_losses_write(session);
	}

	etw_session_ops->withdraw(session);
	if (session->overwrite)
		leave_sources_overwriting(session);
	else
		etw_sources_detach(&session->sink);
	etw_profile_stop(session->profile);
	if (!session->overwrite)
		etw_rundown_keys(session);
	/* a rundown's work looked at it while we waited for its end, not later */
	WRITE_ONCE(session->stopper, NULL);
	etw_event_context_stop(session->sink.context);
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

static void discard_ring(struct etw_session *session, struct etw_ring *ring)
{
	struct etw_reader_buffer held;

	while (etw_ring_take(ring, &held))
		etw_pool_release(session, ring, &held, false);
}

/* What nobody will read counts as discarded. */
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
	etw_session_retire(session);
}

static int stop(struct etw_session *session, bool give_up)
{
	int err = 0;

	lockdep_assert_held(&session->lock);
	if (session->state == ETW_SESSION_RUNNING)
		quiesce_session(session);
	else if (!give_up || session->unlisted)
		err = -EALREADY;
	if (!err && give_up)
		discard(session);
	return err;
}

/**
 * etw_session_stop() - STOP, whatever happens to the caller
 * @session: a session; the caller has a reference
 * @give_up: throw away what was not read; also of a session that is stopped
 *
 * Context: process; sleeps, for as long as the stop rundown has to wait for
 * the reader (bounded).
 * Return: 0, or -EALREADY when it was stopped before and isn't given up.
 */
int etw_session_stop(struct etw_session *session, bool give_up)
{
	int err;

	mutex_lock(&session->lock);
	err = stop(session, give_up);
	mutex_unlock(&session->lock);
	return err;
}

/**
 * etw_session_stop_killable() - STOP
 * @session: as etw_session_stop()
 * @give_up: likewise
 *
 * Return: as etw_session_stop(), or -EINTR, and nothing was done, when the caller
 * was killed while somebody else changed the session.
 */
int etw_session_stop_killable(struct etw_session *session, bool give_up)
{
	int err;

	if (mutex_lock_killable(&session->lock))
		return -EINTR;
	err = stop(session, give_up);
	mutex_unlock(&session->lock);
	return err;
}

/**
 * etw_session_stop_owned() - a control file is closed: stop what is tied to it
 * @owner: the file
 *
 * A reader that is there may finish; without one nothing stays.
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
