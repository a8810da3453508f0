// SPDX-License-Identifier: GPL-2.0
/* What was there before the first event and is there after the last one. */
#include <linux/string.h>
#include <linux/workqueue.h>
#include "compat.h"
#include "context/stack_keys.h"
#include "source/source.h"
#include "source/system/system_config.h"
#include "describe.h"
#include "rundown.h"
#include "rundown_room.h"
#include "session.h"

#define VERSION_HEADER	2

static int write_masks(struct etw_rundown *rundown, u16 hook_id,
		       const struct perfinfo_groupmask *masks)
{
	struct etw_kernel_header_extension extension = {
		.kernel_event_version = ETW_KERNEL_EVENT_VERSION,
	};

	if (masks)
		memcpy(extension.masks, masks->masks, sizeof(extension.masks));
	return etw_rundown_write(rundown, hook_id, VERSION_HEADER, ETW_RUNDOWN_PERFINFO,
				 &extension, sizeof(extension));
}

static int write_complete(struct etw_rundown *rundown)
{
	return etw_rundown_write(rundown, WMI_LOG_TYPE_RUNDOWN_COMPLETE, VERSION_HEADER,
				 ETW_RUNDOWN_PERFINFO, "", 0);
}

/**
 * etw_rundown_request() - a rundown, soon
 * @session: not stopped; may be asked again before it is done
 * @what: ETW_RUNDOWN_*
 *
 * Context: any but NMI.
 */
void etw_rundown_request(struct etw_session *session, u32 what)
{
	atomic_or(what, &session->rundown_due);
	queue_work(etw_unbound_wq, &session->rundown_work);
}

/**
 * etw_rundown_masks() - the groups of a session: those that the stream knows, and the new ones
 * @session: runs, or is about to
 *
 * At once, or lost and counted: each change is told, and when it was, whoever is slow to
 * read a rundown that is under way.
 *
 * Context: process; sleeps; takes settings_lock.
 */
void etw_rundown_masks(struct etw_session *session)
{
	struct etw_session_rundown rundown;

	if (!session->settings.kernel)
		return;
	etw_rundown_init(&rundown, session);
	rundown.rundown.hopeless = true;
	mutex_lock(&session->settings_lock);
	write_masks(&rundown.rundown, WMI_LOG_TYPE_GROUP_MASKS_END, &session->masks_in_stream);
	write_masks(&rundown.rundown, WMI_LOG_TYPE_HEADER_EXTENSION, &session->settings.masks);
	session->masks_in_stream = session->settings.masks;
	mutex_unlock(&session->settings_lock);
}

static void write_names(struct etw_session *session, struct etw_rundown *rundown)
{
	int err = etw_sources_rundown(rundown, ETW_RUNDOWN_START);

	etw_rundown_stack_keys(rundown, session->sink.context);
	if (!err)
		write_complete(rundown);
}

/* It waits anew for a reader: who came late to names is there in time for it. */
static void write_config(struct etw_session *session, const struct perfinfo_groupmask *masks)
{
	struct etw_session_rundown config;

	etw_rundown_init(&config, session);
	config.rundown.masks = *masks;
	etw_system_config_machine(&config.rundown);
	etw_system_config_topology(&config.rundown);
}

/*
 * An UPDATE that changes meanwhile what this tells sees the number, and asks again. What
 * is only told late waits for room, and for more of it, rather than be lost once more;
 * what is lost is told late.
 */
static void describe_again(struct etw_session_rundown *rundown)
{
	struct etw_session *session = rundown->session;

	WRITE_ONCE(session->descriptions, session->descriptions + 1);
	etw_rundown_wait(&rundown->rundown);
	if (!rundown->rundown.hopeless)
		WRITE_ONCE(session->interval_pending, false);
	if (!READ_ONCE(session->interval_pending)) {
		etw_rundown_describe(rundown, PERFINFO_LOG_TYPE_COLLECTION_START);
		if (rundown->rundown.hopeless)
			WRITE_ONCE(session->interval_pending, true);
	}
	WRITE_ONCE(session->descriptions, session->descriptions + 1);
}

/**
 * etw_rundown_work() - what is there when a session starts, or is asked
 * @work: session->rundown_work
 *
 * Its sources are attached already, so nothing that begins meanwhile is
 * missed; it may be told twice. The system configuration follows; the stop
 * rundown repeats it, as a trace in overwrite mode has lost it by then.
 * (kernel-events.rst 10.1, 10.2)
 *
 * Context: workqueue; sleeps; STOP waits for its end.
 */
void etw_rundown_work(struct work_struct *work)
{
	struct etw_session *session = container_of(work, struct etw_session, rundown_work);
	u32 due = atomic_xchg(&session->rundown_due, 0);
	struct etw_session_rundown rundown;

	if (!session->settings.kernel)
		return;
	etw_rundown_init(&rundown, session);
	rundown.unhurried = true;
	mutex_lock(&session->settings_lock);
	rundown.rundown.masks = session->settings.masks;
	mutex_unlock(&session->settings_lock);
	if (due & ETW_RUNDOWN_PROFILE)
		describe_again(&rundown);
	if (due & ETW_RUNDOWN_MASKS) {
		etw_rundown_wait(&rundown.rundown);
		etw_rundown_masks(session);
	}
	if (due & ETW_RUNDOWN_NAMES)
		write_names(session, &rundown.rundown);
	if (due & ETW_RUNDOWN_CONFIG)
		write_config(session, &rundown.rundown.masks);
}

/*
 * Topology stands before, the machine's description after the closing mark,
 * as in Windows 10. (kernel-events.rst 10.1)
 */
static void write_end(struct etw_rundown *rundown)
{
	int err;

	write_masks(rundown, WMI_LOG_TYPE_GROUP_MASKS_END, &rundown->masks);
	err = etw_sources_rundown(rundown, ETW_RUNDOWN_END);
	etw_system_config_topology(rundown);
	etw_sources_rundown(rundown, ETW_RUNDOWN_END_NAMES);
	write_masks(rundown, WMI_LOG_TYPE_HEADER_EXTENSION, NULL);
	if (!err)
		write_complete(rundown);
	etw_system_config_machine(rundown);
}

/* Settings are told with or without a rundown of what there is. */
static void write_last(struct etw_session_rundown *rundown)
{
	struct etw_session *session = rundown->session;

	if (!session->settings.kernel)
		return;
	rundown->rundown.masks = session->settings.masks;
	etw_rundown_describe(rundown, PERFINFO_LOG_TYPE_COLLECTION_END);
	if (session->rundown)
		write_end(&rundown->rundown);
}

/**
 * etw_rundown_start() - what counts and samples, told at once
 * @session: starts; its rings are empty
 *
 * Context: process, under session->lock; sleeps.
 */
void etw_rundown_start(struct etw_session *session)
{
	struct etw_session_rundown rundown;

	lockdep_assert_held(&session->lock);
	etw_rundown_init(&rundown, session);
	if (session->settings.kernel)
		etw_rundown_describe(&rundown, PERFINFO_LOG_TYPE_COLLECTION_START);
}

/**
 * etw_rundown_stop() - what is there when a session stops
 * @session: its sources are still attached
 *
 * Context: process, under session->lock; sleeps; about 2 s at most when
 * nobody reads, until session->stop_limit when somebody reads slowly.
 */
void etw_rundown_stop(struct etw_session *session)
{
	struct etw_session_rundown rundown;

	lockdep_assert_held(&session->lock);
	etw_rundown_init(&rundown, session);
	write_last(&rundown);
}

/**
 * etw_rundown_keys() - what the keys of stacks stand for, at the very end
 * @session: nobody writes to it any more; its buffers are still delivered
 *
 * Context: as etw_rundown_stop().
 */
void etw_rundown_keys(struct etw_session *session)
{
	struct etw_session_rundown rundown;

	lockdep_assert_held(&session->lock);
	etw_rundown_init(&rundown, session);
	etw_rundown_stack_keys(&rundown.rundown, session->sink.context);
}

/**
 * etw_rundown_into() - what is there at the end, into a ring of its own
 * @session: the ring's: a copy, or one that stops
 * @ring: where to; grows, and has no other writer
 * @context: that of the session, of a copy the original's; or NULL
 *
 * Context: process; sleeps. The session's sources, or the original's, are there.
 */
void etw_rundown_into(struct etw_session *session, struct etw_ring *ring,
		      struct etw_event_context *context)
{
	struct etw_session_rundown rundown;

	etw_rundown_init(&rundown, session);
	rundown.rundown.ring = ring;
	/* the ring is that CPU's to readers, and so are its losses */
	if (ring == session->stop_ring)
		rundown.rundown.losses = per_cpu_ptr(session->sink.rings, ring->cpu);
	write_last(&rundown);
	etw_rundown_stack_keys(&rundown.rundown, context);
}

/**
 * etw_rundown_log() - a record of the system configuration that user space prepared
 * @session: running; the caller holds session->lock
 * @hook_id: see etw_system_config_log()
 * @version: likewise
 * @payload: kernel copy of it
 * @size: bytes of it
 *
 * Context: as etw_rundown_stop(). Return: as etw_system_config_log(); -EINVAL for a
 * session without kernel events.
 */
int etw_rundown_log(struct etw_session *session, u16 hook_id, u16 version, const void *payload,
		    u32 size)
{
	struct etw_session_rundown rundown;

	lockdep_assert_held(&session->lock);
	if (!session->settings.kernel)
		return -EINVAL;
	etw_rundown_init(&rundown, session);
	return etw_system_config_log(&rundown.rundown, hook_id, version, payload, size);
}
