// SPDX-License-Identifier: GPL-2.0
/* The table of sessions, their life, and what can be asked of them. */
#include <linux/cred.h>
#include <linux/export.h>
#include <linux/module.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include "../decorate/decoration.h"
#include "../decorate/filter.h"
#include "../etw.h"
#include "../source/samplers.h"
#include "budget.h"
#include "session.h"

DEFINE_MUTEX(etw_sessions_lock);	/* see etw.h */

static struct etw_session *table[ETW_MAX_LOGGERS];	/* under etw_sessions_lock */

static void session_free(struct kref *ref)
{
	struct etw_session *session = container_of(ref, struct etw_session, ref);
	int cpu;

	irq_work_sync(&session->wake);
	cancel_work_sync(&session->pool_work);
	for_each_possible_cpu(cpu)
		etw_ring_destroy(per_cpu_ptr(session->rings, cpu));
	free_percpu(session->rings);
	etw_stop_ring_free(session);
	etw_memory_forget(session);
	kvfree(session->trailer);
	kvfree(session->settings);
	if (session->cred)
		put_cred(session->cred);
	kfree(session->target);	/* of a START that failed */
	etw_filter_free(session->filter);
	etw_profile_stop(session->profile);	/* of a START that failed */
	etw_profile_free(session->profile);
	etw_decoration_stop(session->decoration);	/* likewise */
	etw_decoration_free(session->decoration);
	mutex_destroy(&session->settings_lock);
	mutex_destroy(&session->pool_lock);
	mutex_destroy(&session->report_lock);
	mutex_destroy(&session->read_lock);
	mutex_destroy(&session->lock);
	kfree(session);
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

static bool same_name(const u16 *a, const u16 *b)
{
	while (*a && *a == *b) {
		a++;
		b++;
	}
	return *a == *b;
}

/**
 * etw_table_add() - give a session an id and a place in the table
 * @session: being made; with an error nothing has changed
 *
 * Context: process, under etw_sessions_lock.
 * Return: 0; -EEXIST when the name is taken; -ENOSPC when all loggers, or all
 * kernel loggers, are.
 */
int etw_table_add(struct etw_session *session)
{
	u32 i, free = ETW_MAX_LOGGERS, kernel = 0;

	lockdep_assert_held(&etw_sessions_lock);
	for (i = ETW_MAX_LOGGERS; i--;) {
		if (!table[i]) {
			free = i;
			continue;
		}
		if (same_name(table[i]->logger_name, session->logger_name))
			return -EEXIST;
		kernel += table[i]->kernel;
	}
	if (free == ETW_MAX_LOGGERS || (session->kernel && kernel >= ETW_MAX_KERNEL_LOGGERS))
		return -ENOSPC;
	session->id = free + 1;
	table[free] = session;
	return 0;
}

/**
 * etw_table_remove() - take a session out of the table
 * @session: in the table; the table's reference is the caller's now
 *
 * Context: process, under etw_sessions_lock.
 */
void etw_table_remove(struct etw_session *session)
{
	lockdep_assert_held(&etw_sessions_lock);
	table[session->id - 1] = NULL;
	session->unlisted = true;
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
 * etw_session_retire() - a stopped session was read, or is given up
 * @session: stopped; the caller has a reference
 *
 * Its id and name are free on return; memory goes with the last reference.
 */
void etw_session_retire(struct etw_session *session)
{
	bool listed;

	/* the node goes with the id: who gets the id next makes one of that name */
	mutex_lock(&etw_sessions_lock);
	listed = !session->unlisted;
	if (listed) {
		etw_device_remove(session);
		etw_table_remove(session);
	}
	mutex_unlock(&etw_sessions_lock);
	if (listed)
		etw_session_put(session);
}

/**
 * etw_session_lost() - events lost so far, all CPUs and causes
 * @session: a session
 */
u64 etw_session_lost(struct etw_session *session)
{
	u64 lost = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		lost += etw_ring_lost(per_cpu_ptr(session->rings, cpu));
	return lost;
}

static void add_ring(struct etw_ring *ring, struct etw_statistics *statistics)
{
	u32 i, full;

	statistics->read += READ_ONCE(ring->read);
	statistics->overwritten += local_read(&ring->overwritten) + READ_ONCE(ring->given_up);
	statistics->discarded += READ_ONCE(ring->discarded);
	statistics->buffered += etw_ring_buffered(ring, &full);
	for (i = 0; i < ETW_LOSS_CAUSES; i++)
		statistics->lost[i] += local_read(&ring->lost[i]);
	statistics->buffers_read += READ_ONCE(ring->buffers_read);
	statistics->buffers_overwritten += local_read(&ring->overwritten_buffers);
	statistics->buffers_waiting += full;
	statistics->buffers += READ_ONCE(ring->buffers);
	statistics->buffers_free += etw_ring_free(ring);
}

/**
 * etw_session_statistics() - where a session's events are
 * @session: a session
 * @statistics: in: @processor; out: the rest
 *
 * Context: process; takes no lock: the numbers move while writers run.
 * Return: 0, or -EINVAL for a processor that doesn't exist.
 */
int etw_session_statistics(struct etw_session *session, struct etw_statistics *statistics)
{
	u32 processor = statistics->processor;
	int cpu;

	if (processor != ETW_ALL_PROCESSORS &&
	    (processor >= nr_cpu_ids || !cpu_possible(processor)))
		return -EINVAL;
	*statistics = (struct etw_statistics){
		.size = statistics->size,
		.logger_id = session->id,
		.processor = processor,
		/* who sees STOPPED sees the trailer; one about to run is as good as running */
		.state = smp_load_acquire(&session->state) ?: ETW_SESSION_RUNNING,
		.buffer_size = session->buffer_size,
		.processors = nr_cpu_ids,
		.flags = session->addresses ? ETW_STATISTICS_ADDRESSES : 0,
	};
	/* who asked for it, or started the session, has queued it by now */
	if (work_busy(&session->rundown_work))
		statistics->flags |= ETW_STATISTICS_RUNDOWN;
	for_each_possible_cpu(cpu) {
		if (processor != ETW_ALL_PROCESSORS && processor != cpu)
			continue;
		add_ring(per_cpu_ptr(session->rings, cpu), statistics);
		statistics->uncounted += etw_decoration_uncounted(session->decoration, cpu);
		if (session->stop_ring && session->stop_ring->cpu == cpu)
			add_ring(session->stop_ring, statistics);
	}
	if (processor != ETW_ALL_PROCESSORS)
		return 0;
	statistics->buffered += READ_ONCE(session->held_events);
	statistics->read += READ_ONCE(session->trailer_read);
	statistics->internal = READ_ONCE(session->internal_events);
	if (statistics->state == ETW_SESSION_STOPPED && READ_ONCE(session->trailer_used)) {
		statistics->buffers_waiting++;
		if (!READ_ONCE(session->trailer_held))
			statistics->buffered += session->trailer_events;
	}
	return 0;
}

/**
 * etw_session_query() - fill in the out fields of WMI_LOGGER_INFORMATION
 * @session: a session
 * @info: in: zeros; out: all but the names and the extension
 */
void etw_session_query(struct etw_session *session, struct wmi_logger_information *info)
{
	struct etw_statistics statistics = { .processor = ETW_ALL_PROCESSORS };

	etw_session_statistics(session, &statistics);
	*info = (struct wmi_logger_information){
		.wnode.buffer_size = sizeof(*info),
		.wnode.historical_context = session->id,
		.wnode.time_stamp = session->start.filetime,
		.wnode.guid = session->guid,
		.wnode.client_context = session->clock_type,
		.wnode.flags = WNODE_FLAG_TRACED_GUID,
		.buffer_size = session->buffer_size / 1024,
		.minimum_buffers = session->minimum_buffers,
		.maximum_buffers = READ_ONCE(session->maximum_buffers),
		.maximum_file_size = session->maximum_file_size,
		.log_file_mode = session->mode,
		.flush_timer = READ_ONCE(session->flush_ms) /
			       (session->mode & EVENT_TRACE_USE_MS_FLUSH_TIMER ? 1 : 1000),
		.number_of_buffers = statistics.buffers,
		.free_buffers = statistics.buffers_free,
		.events_lost = min_t(u64, etw_session_lost(session), U32_MAX),
		.buffers_written = READ_ONCE(session->sequence),
		.log_buffers_lost = statistics.buffers_overwritten,
		.real_time_consumer_count = READ_ONCE(session->consumer),
		.sequence_number = READ_ONCE(session->sequence),
	};
}
