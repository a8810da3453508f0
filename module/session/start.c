// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* START: from a checked configuration to a session that records; declared in session.h, too. */
#include <linux/cpumask.h>
#include <linux/cred.h>
#include <linux/fs.h>
#include <linux/kconfig.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/random.h>
#include <linux/slab.h>
#include <linux/workqueue.h>
#include "compat.h"
#include "config/refuse.h"
#include "context/event_context.h"
#include "filter/filter.h"
#include "source/linux_event/linux_events.h"
#include "source/profile/samplers.h"
#include "source/source.h"
#include "access.h"
#include "budget.h"
#include "capability.h"
#include "cpus.h"
#include "flush.h"
#include "nodes.h"
#include "pool.h"
#include "refusal.h"
#include "report.h"
#include "rundown.h"
#include "rundown_limits.h"
#include "session.h"
#include "start.h"
#include "statistics.h"
#include "stop_ring.h"
#include "wake.h"

/* One wakeup for each ring; the session has its rings. Return: 0 or -ENOMEM. */
static int init_wakes(struct etw_session *session)
{
	int cpu;

	session->wakes = alloc_percpu(struct etw_wake);
	if (!session->wakes)
		return -ENOMEM;
	INIT_WORK(&session->wake_work, etw_wake_in_worker);
	for_each_possible_cpu(cpu) {
		struct etw_wake *wake = per_cpu_ptr(session->wakes, cpu);

		wake->work = IS_ENABLED(CONFIG_PREEMPT_RT) ?
			     IRQ_WORK_INIT_HARD(etw_wake_in_interrupt) :
			     IRQ_WORK_INIT(etw_wake_in_interrupt);
		wake->session = session;
		wake->ring = per_cpu_ptr(session->sink.rings, cpu);
		wake->ring->wake = &wake->work;
	}
	return 0;
}

static void init_rings(struct etw_session *session)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		struct etw_ring *ring = per_cpu_ptr(session->sink.rings, cpu);

		ring->cpu = cpu;
		ring->ticks = session->sink.clocks.ticks;
		ring->clock.base = etw_clock_system_base(&session->start);
		ring->overwrite = session->overwrite;
		etw_ring_idle(ring);
	}
}

/* StartTime and the first stamp are one reading (format.rst 2.6). */
static void set_start_time(struct etw_session *session)
{
	etw_clock_read_all(session->sink.clocks.qpc, &session->start);
	if (session->settings.clock_type == ETW_CLOCK_SYSTEM)
		session->start_tick = session->start.filetime;
	else
		session->start_tick = session->start.qpc;
}

/* QUERY must return the actual numbers of buffers, not the requested ones. */
static void share_out(struct etw_session *session)
{
	struct etw_settings *settings = &session->settings;
	struct etw_share share;

	etw_budget_share(settings, &share);
	session->cpus = share.cpus;
	session->first_buffers = share.first;
	session->nr_slots = share.slots;
	session->maximum_buffers = share.most * share.cpus;
	session->grown_buffers = share.grown * share.cpus;
	settings->minimum_buffers = share.first * share.cpus;
	settings->maximum_buffers = session->maximum_buffers;
}

/**
 * etw_session_alloc() - allocate a session without buffers, not in the table
 * @settings: valid; copied
 * @clocks: its clocks
 *
 * Context: process; sleeps. Return: the session, or NULL if memory is short.
 */
struct etw_session *etw_session_alloc(const struct etw_settings *settings,
				      const struct etw_clocks *clocks)
{
	struct etw_session *session = kvzalloc(sizeof(*session), ETW_GFP_BUFFER);

	if (!session)
		return NULL;
	session->sink.rings = alloc_percpu(struct etw_ring);
	session->trailer = kvmalloc(settings->buffer_size, ETW_GFP_BUFFER);
	if (!session->sink.rings || !session->trailer || init_wakes(session)) {
		free_percpu(session->sink.rings);
		kvfree(session->trailer);
		kvfree(session);
		return NULL;
	}
	session->settings = *settings;
	session->overwrite = settings->mode & EVENT_TRACE_BUFFERING_MODE;
	session->sink.buffer_size = settings->buffer_size;
	share_out(session);
	session->sink.clocks = *clocks;
	session->sink.addresses = etw_may_see_addresses();
	session->creator_tid = current->pid;
	session->creator = get_pid(task_tgid(current));
	kref_init(&session->ref);
	mutex_init(&session->lock);
	mutex_init(&session->read_lock);
	seqcount_mutex_init(&session->moves, &session->read_lock);
	mutex_init(&session->report_lock);
	mutex_init(&session->settings_lock);
	mutex_init(&session->pool_lock);
	init_waitqueue_head(&session->wait);
	INIT_WORK(&session->pool_work, etw_pool_work);
	INIT_WORK(&session->rundown_work, etw_rundown_work);
	INIT_DELAYED_WORK(&session->flush_work, etw_flush_work);
	get_random_bytes(session->sink.key, sizeof(session->sink.key));
	set_start_time(session);
	init_rings(session);
	__module_get(THIS_MODULE);	/* a caller's open file holds it already */
	return session;
}

/*
 * From here on the session can be found by its id: it either runs or is removed again. No lock
 * of all sessions is held while probes are registered and the node is made.
 */
static int publish_session(struct etw_session *session, struct etw_config_error *error)
{
	int err = etw_table_add(session);

	if (err)
		return etw_refuse(error, ETW_FIELD(logger_name), ETW_REASON_IN_USE, err);
	err = etw_sources_set(&session->sink, &session->settings.masks, session->filter);
	if (err) {
		etw_refuse_events(error, &session->settings.items, err);
		goto remove;
	}
	/* last: a program that opens the node waits until the session runs (stream.c) */
	err = etw_node_add(session);
	if (!err) {
		etw_session_ops->publish(session);
		return 0;
	}
	etw_sources_detach(&session->sink);
remove:
	etw_table_remove(session);
	return err;
}

/* Reserve what the session may grow to, before anything is allocated. */
static int promise_memory(struct etw_session *session, struct etw_config_error *error)
{
	const struct etw_items *items = &session->settings.items;
	u64 stacks = etw_budget_stacks(session, items) + etw_budget_tables(session, items);

	if (!etw_budget_promise(session, session->maximum_buffers, 0))
		return etw_refuse_maximum(error, items, ETW_REASON_NO_MEMORY, -ENOMEM);
	if (stacks && (!etw_budget_promise(session, session->maximum_buffers, stacks) ||
		       !etw_budget_is_left(stacks)))
		return etw_refuse_besides(error, items, stacks, etw_linux_events_bytes(items));
	etw_budget_grow(session, stacks);
	return 0;
}

/* Create all counters on all CPUs before the first event that contains them. */
static int add_event_context(struct etw_session *session, struct etw_config_error *error)
{
	const struct etw_items *items = &session->settings.items;
	struct etw_session_rundown rundown;
	struct etw_perf_error perf;
	int err;

	if (!session->settings.kernel)
		return 0;
	err = etw_event_context_create(items, session->sink.addresses, &session->sink.context,
				       &perf);
	if (err)
		return etw_refuse_perf(error, items, &perf, err);
	err = etw_stacks_choose(&session->sink.context->stacks, items, session->sink.key);
	if (err)
		return etw_refuse_stacks(error, items, err);
	etw_rundown_init(&rundown, session);	/* writes nothing: there are no keys yet */
	etw_stacks_take(&session->sink.context->stacks, &rundown.rundown);
	return 0;
}

/* Start all samplers on all CPUs before the session is attached to its sources. */
static int add_profile(struct etw_session *session, struct etw_config_error *error)
{
	const struct etw_settings *settings = &session->settings;
	struct etw_profile_error profile;
	int err = etw_profile_prepare(&session->profile, &session->sink, settings, &profile);

	if (err)
		return etw_refuse_sampler(error, &settings->items, settings->items.present,
					  &profile, err);
	etw_profile_commit(session->profile);
	return 0;
}

/* Open all Linux events; they record nothing before etw_linux_events_commit(). */
static int add_linux_events(struct etw_session *session, struct etw_config_error *error)
{
	struct etw_items *items = &session->settings.items;
	struct etw_linux_events_error event;
	int err = etw_linux_events_prepare(&session->linux_events, &session->sink, items,
					   session->filter, &event);

	if (err)
		return etw_refuse_linux_event(error, items, &event, err);
	etw_items_forget_linux_events(items);
	return 0;
}

/* perf checks rights again: use those of the control file, checked when it was opened. */
static int add_perf_events(struct etw_session *session, struct etw_config_error *error)
{
	const struct cred *caller = override_creds(session->cred);
	int err = add_event_context(session, error);

	if (!err)
		err = add_profile(session, error);
	if (!err)
		err = add_linux_events(session, error);
	revert_creds(caller);
	return err;
}

/* Allocate the buffers that the session starts with. */
static int add_buffers(struct etw_session *session, struct etw_config_error *error)
{
	int err = etw_cpus_add(session);

	if (err == -ENOMEM)
		etw_refuse_maximum(error, &session->settings.items, ETW_REASON_NO_MEMORY, err);
	return err;
}

static int bring_up(struct etw_session *session, struct etw_config_error *error)
{
	int err = promise_memory(session, error);

	if (!err)
		err = etw_filter_create(&session->settings.items, session->creator, NULL,
					&session->filter);
	if (!err && session->overwrite)
		err = etw_stop_ring_create(session);
	if (!err)
		err = etw_session_ops->prepare(session);
	if (!err)
		err = add_perf_events(session, error);
	if (!err)
		err = add_buffers(session, error);
	if (err)
		return err;
	err = publish_session(session, error);
	if (err)
		etw_cpus_remove(session);
	else
		etw_linux_events_commit(session->linux_events);
	return err;
}

static void begin_recording(struct etw_session *session, u32 flags)
{
	etw_anchor_write(session, ETW_ANCHOR_START);
	etw_rundown_start(session);
	session->rundown = session->settings.kernel && !(flags & ETW_START_NO_RUNDOWN);
	if (session->rundown) {
		etw_rundown_masks(session);
		etw_rundown_request(session, ETW_RUNDOWN_NAMES | ETW_RUNDOWN_CONFIG);
	} else {
		session->masks_in_stream = session->settings.masks;	/* no others were written */
	}
	if (session->settings.flush_ms)
		queue_delayed_work(etw_unbound_wq, &session->flush_work,
				   msecs_to_jiffies(session->settings.flush_ms));
	WRITE_ONCE(session->state, ETW_SESSION_RUNNING);
}

/* Settings of these items are now in fields: drop the items, so that QUERY returns them once. */
static void fold_items(struct etw_settings *settings)
{
	settings->items.present &= ~(1U << ETW_ITEM_BUFFER_SETTINGS | 1U << ETW_ITEM_CLOCK);
	if (settings->flush_ms % 1000)
		settings->mode |= EVENT_TRACE_USE_MS_FLUSH_TIMER;
}

/**
 * etw_session_parse() - parse a block of START or UPDATE
 * @block: kernel copy of it
 * @size: bytes of @block
 * @error: out, with an error: position and reason
 * @err: out: 0 or an errno
 *
 * Return: settings of kvmalloc(), or NULL with an error.
 */
struct etw_settings *etw_session_parse(const void *block, u32 size,
				       struct etw_config_error *error, int *err)
{
	struct etw_settings *settings = kvmalloc(sizeof(*settings), ETW_GFP_BUFFER);

	*err = -ENOMEM;
	if (!settings)
		return NULL;
	*err = etw_config_parse(block, size, settings, error);
	if (!*err) {
		fold_items(settings);
		return settings;
	}
	kvfree(settings);
	return NULL;
}

/**
 * etw_session_start() - START
 * @control: in: @flags, @information_size; out: @logger_id
 * @block: kernel copy of the configuration; its out fields are filled in
 * @owner: the control file
 * @started: out: on success the session, with a reference for the caller, because any
 *	controller may stop and discard the session from now on
 * @error: in: zero; out, with an error: position and reason of a refused setting
 *
 * The rundown continues after the return, so that the caller can already read.
 *
 * Context: process; sleeps.
 * Return: 0 or an errno (Documentation/reference/ioctl.rst), which leaves nothing behind.
 */
int etw_session_start(struct etw_control *control, void *block, struct file *owner,
		      struct etw_session **started, struct etw_config_error *error)
{
	struct wmi_logger_information *info = block;
	u32 enable_flags = info->enable_flags;
	struct etw_session *session = NULL;
	struct etw_settings *settings;
	struct etw_clocks clocks;
	int err;

	settings = etw_session_parse(block, control->information_size, error, &err);
	if (!settings)
		return err;
	/* UPDATE has this rule, too, but also takes the session's settings into account */
	err = etw_config_check_sources(settings, NULL, error);
	if (!err)
		err = etw_session_check_supported(error, block, settings, &clocks);
	if (!err) {
		session = etw_session_alloc(settings, &clocks);
		err = session ? 0 : -ENOMEM;
	}
	kvfree(settings);
	if (err)
		return err;

	/* STOP and other operations wait for this lock until the session runs */
	mutex_lock(&session->lock);
	session->owner = control->flags & ETW_START_TIED ? owner : NULL;
	session->cred = get_cred(owner->f_cred);
	if (control->flags & ETW_START_NO_ADDRESSES)
		session->sink.addresses = false;
	err = bring_up(session, error);
	if (!err) {
		begin_recording(session, control->flags);
		kref_get(&session->ref);
	}
	mutex_unlock(&session->lock);
	if (err) {
		etw_session_put(session);
		return err;
	}
	control->logger_id = session->sink.id;
	etw_session_query(session, info);
	/* they may point at an extension, which stays where the caller has put it */
	info->enable_flags = enable_flags;
	*started = session;
	return 0;
}
