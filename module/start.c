// SPDX-License-Identifier: GPL-2.0
/* START: from a checked configuration to a session that records. */
#include <linux/capability.h>
#include <linux/cpumask.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/random.h>
#include <linux/slab.h>
#include "config.h"
#include "etw.h"
#include "session.h"

static int refuse(struct etw_control *control, u32 offset, u32 reason, int err)
{
	control->error_offset = offset;
	control->error_reason = reason;
	return err;
}

#define FIELD(member)	offsetof(struct wmi_logger_information, member)

/**
 * etw_session_wake() - readers have something to look at
 * @work: session->wake
 *
 * Context: irq_work: an interrupt, or a thread on PREEMPT_RT.
 */
void etw_session_wake(struct irq_work *work)
{
	wake_up_interruptible(&container_of(work, struct etw_session, wake)->wait);
}

static void init_rings(struct etw_session *session)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		struct etw_ring *ring = per_cpu_ptr(session->rings, cpu);

		ring->cpu = cpu;
		ring->ticks = session->ticks;
		ring->clock.base = etw_clock_system_base(&session->start);
		ring->overwrite = session->overwrite;
		ring->wake = &session->wake;
		etw_ring_idle(ring);
	}
}

/* StartTime and the first stamp are one reading (etl-format.md 2.6). */
static void set_start_time(struct etw_session *session)
{
	etw_clock_read_all(&session->start);
	if (session->clock_type == ETW_CLOCK_SYSTEM)
		session->start_tick = session->start.filetime;
	else
		session->start_tick = session->start.qpc;
}

static void copy_settings(struct etw_session *session, const struct etw_settings *settings)
{
	session->kernel = settings->kernel;
	session->overwrite = settings->mode & EVENT_TRACE_BUFFERING_MODE;
	session->clock_type = settings->clock_type;
	session->buffer_size = settings->buffer_size;
	session->nr_slots = etw_config_buffers_per_cpu(settings->maximum_buffers,
						       num_online_cpus());
	session->guid = settings->guid;
	session->mode = settings->mode;
	session->maximum_file_size = settings->maximum_file_size;
	session->flush_ms = settings->flush_ms;
	session->enable_flags = settings->enable_flags;
	session->masks = settings->masks;
	memcpy(session->logger_name, settings->logger_name, sizeof(session->logger_name));
	memcpy(session->log_file_name, settings->log_file_name, sizeof(session->log_file_name));
}

static struct etw_session *session_alloc(const struct etw_settings *settings,
					 enum etw_ticks ticks)
{
	struct etw_session *session = kzalloc(sizeof(*session), GFP_KERNEL);

	if (!session)
		return NULL;
	copy_settings(session, settings);
	session->rings = alloc_percpu(struct etw_ring);
	session->trailer = kvmalloc(session->buffer_size, GFP_KERNEL | __GFP_NOWARN);
	if (!session->rings || !session->trailer) {
		free_percpu(session->rings);
		kvfree(session->trailer);
		kfree(session);
		return NULL;
	}
	session->ticks = ticks;
	session->addresses = capable(CAP_SYSLOG);
	session->creator_tid = current->pid;
	kref_init(&session->ref);
	mutex_init(&session->lock);
	mutex_init(&session->read_lock);
	mutex_init(&session->report_lock);
	init_waitqueue_head(&session->wait);
	init_irq_work(&session->wake, etw_session_wake);
	INIT_WORK(&session->rundown_work, etw_rundown_work);
	etw_flush_init(session);
	get_random_bytes(session->key, sizeof(session->key));
	set_start_time(session);
	init_rings(session);
	__module_get(THIS_MODULE);	/* a caller's open file holds it already */
	return session;
}

/* A request for most of the machine's memory is a mistake. */
static bool is_absurd(const struct etw_settings *settings)
{
	u64 slots = etw_config_buffers_per_cpu(settings->maximum_buffers, num_online_cpus());
	u64 pages = slots * num_online_cpus() * (settings->buffer_size / 4096);

	return pages > totalram_pages() / 2 * (PAGE_SIZE / 4096);
}

static int check_means(struct etw_control *control, const struct etw_settings *settings,
		       enum etw_ticks *ticks)
{
	int err = etw_clock_ticks(settings->clock_type, ticks);

	if (err)
		return refuse(control, FIELD(wnode.client_context), ETW_REASON_UNSUPPORTED, err);
	if (!etw_sources_know(&settings->masks))
		return refuse(control, FIELD(enable_flags), ETW_REASON_UNSUPPORTED, -EOPNOTSUPP);
	if (is_absurd(settings))
		return refuse(control, FIELD(maximum_buffers), ETW_REASON_RANGE, -ENOMEM);
	return 0;
}

/* Who is in the table can be found by id: it runs from then on, or fails. */
static int make_visible(struct etw_control *control, struct etw_session *session)
{
	int err;

	mutex_lock(&etw_sessions_lock);
	err = etw_table_add(session);
	if (err) {
		refuse(control, FIELD(logger_name), ETW_REASON_IN_USE, err);
		goto unlock;
	}
	err = etw_sources_attach(session);
	if (err) {
		refuse(control, FIELD(enable_flags), ETW_REASON_SOURCE, err);
		etw_table_remove(session);
	}
unlock:
	mutex_unlock(&etw_sessions_lock);
	return err;
}

static int bring_up(struct etw_control *control, struct etw_session *session)
{
	int err = etw_hotplug_add(session);

	if (err)
		return refuse(control, FIELD(maximum_buffers), ETW_REASON_RANGE, err);
	err = make_visible(control, session);
	if (err)
		goto remove_hotplug;
	err = etw_device_add(session);
	if (err)
		goto remove_session;
	return 0;

remove_session:
	mutex_lock(&etw_sessions_lock);
	etw_sources_detach(session);
	etw_table_remove(session);
	mutex_unlock(&etw_sessions_lock);
remove_hotplug:
	etw_hotplug_remove(session);
	return err;
}

static void go(struct etw_session *session, u32 flags)
{
	etw_anchor_write(session, ETW_ANCHOR_START);
	session->rundown = session->kernel && !(flags & ETW_START_NO_RUNDOWN);
	if (session->rundown)
		queue_work(system_unbound_wq, &session->rundown_work);
	if (session->flush_ms)
		queue_delayed_work(system_unbound_wq, &session->flush_work,
				   msecs_to_jiffies(session->flush_ms));
	WRITE_ONCE(session->state, ETW_SESSION_RUNNING);
}

/**
 * etw_session_start() - START
 * @control: in: @flags, @information_size; out: @logger_id, or the error
 * @block: kernel copy of the configuration; its out fields are filled in
 * @owner: the control file
 *
 * The rundown goes on after the return, so that the caller can read already.
 *
 * Context: process; sleeps.
 * Return: 0 or an errno (Documentation/ioctl.rst); nothing stays after one.
 */
int etw_session_start(struct etw_control *control, void *block, struct file *owner)
{
	struct etw_config_error error;
	struct etw_settings *settings;
	struct etw_session *session = NULL;
	enum etw_ticks ticks;
	int err;

	settings = kmalloc(sizeof(*settings), GFP_KERNEL);
	if (!settings)
		return -ENOMEM;
	err = etw_config_parse(block, control->information_size, settings, &error);
	if (err)
		refuse(control, error.offset, error.reason, err);
	else
		err = check_means(control, settings, &ticks);
	if (!err) {
		session = session_alloc(settings, ticks);
		err = session ? 0 : -ENOMEM;
	}
	kfree(settings);
	if (err)
		return err;

	/* until it runs, STOP and the like wait here */
	mutex_lock(&session->lock);
	session->owner = control->flags & ETW_START_TIED ? owner : NULL;
	err = bring_up(control, session);
	if (!err)
		go(session, control->flags);
	mutex_unlock(&session->lock);
	if (err) {
		etw_session_put(session);
		return err;
	}
	control->logger_id = session->id;
	etw_session_query(session, block);
	return 0;
}
