// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Rundowns: describe what exists when a session starts and stops. */
#include <linux/string.h>
#include <linux/workqueue.h>
#include "compat.h"
#include "context/stack_keys.h"
#include "source/source.h"
#include "source/system/system_config.h"
#include "describe.h"
#include "rundown.h"
#include "rundown_limits.h"
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
 * etw_rundown_request() - queue a rundown
 * @session: not stopped; a rundown may be requested again before it is done
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
 * etw_rundown_masks() - write a session's group masks: the last written and the new ones
 * @session: running, or being started
 *
 * The records are written at once, or are lost and counted. They never wait for a slow reader,
 * because their time stamps are the times of the changes.
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
	if (!err && !rundown->incomplete)
		write_complete(rundown);
}

/* A new rundown, which waits for the reader again even if the names gave up waiting. */
static void write_config(struct etw_session *session, const struct perfinfo_groupmask *masks)
{
	struct etw_session_rundown config;

	etw_rundown_init(&config, session);
	config.rundown.masks = *masks;
	etw_system_config_machine(&config.rundown);
	etw_system_config_topology(&config.rundown);
}

/*
 * If an UPDATE changes intervals meanwhile, it sees it from the counter and requests this
 * again. Wait for free space before and while writing, so that the records are not lost
 * again. If they are lost, interval_pending makes the flush timer repeat them.
 */
static void describe_again(struct etw_session_rundown *rundown)
{
	struct etw_session *session = rundown->session;

	WRITE_ONCE(session->descriptions, session->descriptions + 1);
	etw_rundown_wait(&rundown->rundown);
	if (etw_rundown_may_wait(&rundown->rundown))
		WRITE_ONCE(session->interval_pending, false);
	if (!READ_ONCE(session->interval_pending)) {
		etw_rundown_describe(rundown, PERFINFO_LOG_TYPE_COLLECTION_START);
		if (!etw_rundown_may_wait(&rundown->rundown))
			WRITE_ONCE(session->interval_pending, true);
	}
	WRITE_ONCE(session->descriptions, session->descriptions + 1);
}

/**
 * etw_rundown_work() - write the start rundown, or parts of it on request
 * @work: session->rundown_work
 *
 * The sources are attached already, so an object that is created meanwhile is not
 * missed, but it may appear twice. The system configuration follows; the stop
 * rundown repeats it, because a trace in overwrite mode has lost it by then.
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
 * The topology is written before the closing mark, the machine's description after it,
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
	if (!err && !rundown->incomplete)
		write_complete(rundown);
	etw_system_config_machine(rundown);
}

/* Settings are written even if the session writes no rundown. */
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
 * etw_rundown_start() - describe counters and samplers at once
 * @session: being started; its rings are empty
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
 * etw_rundown_stop() - write the stop rundown
 * @session: its sources are still attached
 *
 * Context: process, under session->lock; sleeps: at most about 2 s for a reader that does
 * not read, and until the deadline of STOP.
 */
void etw_rundown_stop(struct etw_session *session)
{
	struct etw_session_rundown rundown;

	lockdep_assert_held(&session->lock);
	etw_rundown_init(&rundown, session);
	write_last(&rundown);
}

/**
 * etw_rundown_keys() - write the stacks of all stack keys, at the very end
 * @session: has no other writer; its buffers are still delivered
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
 * etw_rundown_into() - write a rundown at the end into a given ring
 * @session: the ring's: a copy, or a session that stops
 * @ring: destination; grows, and has no other writer
 * @context: event context of the session, or of a copy's original; or NULL
 *
 * Context: process; sleeps. The sources of the session, or of the original, are attached.
 */
void etw_rundown_into(struct etw_session *session, struct etw_ring *ring,
		      struct etw_event_context *context)
{
	struct etw_session_rundown rundown;

	etw_rundown_init(&rundown, session);
	rundown.rundown.ring = ring;
	/* readers see the ring as that CPU's, so its losses are counted there */
	if (ring == session->stop_ring)
		rundown.rundown.losses = per_cpu_ptr(session->sink.rings, ring->cpu);
	write_last(&rundown);
	etw_rundown_stack_keys(&rundown.rundown, context);
}

/**
 * etw_rundown_log() - write a system configuration record that user space prepared
 * @session: running; the caller holds session->lock
 * @hook_id: see etw_system_config_log()
 * @version: see etw_system_config_log()
 * @payload: kernel copy of the payload
 * @size: bytes of @payload
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
