// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* SNAPSHOT: copies an overwriting session into a separate stream; declared in session.h. */
#include <linux/anon_inodes.h>
#include <linux/compiler.h>
#include <linux/cpu.h>
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/oom.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/string.h>
#include "config/config.h"
#include "context/event_context.h"
#include "ring/clock.h"
#include "ring/slot.h"
#include "access.h"
#include "budget.h"
#include "flush.h"
#include "report.h"
#include "rundown.h"
#include "session.h"
#include "start.h"
#include "stop_ring.h"
#include "stream.h"

/*
 * A copy is a session that is never in the table, has no sources, and is stopped when
 * its stream is opened. Its rings get the copied buffers one after another. One ring then
 * gets a rundown, because the original has long overwritten the start rundown.
 * Writers of the original continue meanwhile, and it keeps all its buffers and free
 * space: the copying seals and takes none of them.
 */
static struct etw_session *copy_session(struct etw_session *session)
{
	struct etw_session *copy = etw_session_alloc(&session->settings, &session->sink.clocks);

	if (!copy)
		return NULL;
	copy->sink.id = session->sink.id;
	copy->unlisted = true;
	copy->pool_closed = true;	/* no CPU will be short of buffers */
	copy->overwrite = false;
	copy->rundown = session->rundown;
	copy->sink.addresses = session->sink.addresses;
	copy->start = session->start;
	copy->start_tick = session->start_tick;
	copy->creator_tid = session->creator_tid;
	copy->maximum_buffers = U32_MAX;
	memcpy(copy->sink.key, session->sink.key, sizeof(copy->sink.key));
	return copy;
}

/* The copy reports the losses and overwritten events of the original, too. */
static void copy_losses(struct etw_ring *to, struct etw_ring *from)
{
	u32 i;

	for (i = 0; i < ETW_LOSS_CAUSES; i++) {
		local_set(&to->lost[i], local_read(&from->lost[i]));
		to->lost_first[i] = READ_ONCE(from->lost_first[i]);
		to->lost_last[i] = READ_ONCE(from->lost_last[i]);
	}
	local_set(&to->overwritten, local_read(&from->overwritten) + READ_ONCE(from->given_up));
	local_set(&to->overwritten_buffers, local_read(&from->overwritten_buffers));
}

static void init_ring(struct etw_session *copy, struct etw_ring *ring)
{
	ring->overwrite = false;
	ring->clock.base = etw_clock_system_base(&copy->start);
}

struct look_request {
	const struct etw_ring *ring;
	struct etw_reader_buffer open;
	int err;
};

/* Runs on the ring's CPU in an interrupt, which may interrupt a writer. */
static void look_here(void *data)
{
	struct look_request *request = data;

	request->err = etw_ring_look(request->ring, &request->open);
}

/*
 * The interrupt orders its CPU's writes before our later reads. A CPU that is offline has
 * no writer. A writer that the interrupt has interrupted commits soon.
 *
 * Return: 0; -EINTR
 */
static int look_at(const struct etw_ring *ring, struct etw_reader_buffer *open)
{
	struct look_request request = { .ring = ring };

	for (;;) {
		cpus_read_lock();
		if (cpu_online(ring->cpu))
			smp_call_function_single(ring->cpu, look_here, &request, 1);
		else
			look_here(&request);
		cpus_read_unlock();
		*open = request.open;
		if (!request.err)
			return 0;
		if (fatal_signal_pending(current))
			return -EINTR;
		usleep_range(50, 200);
	}
}

/*
 * @ordinal: of a complete buffer; NULL: the open one, as far as it is committed. Copying does
 * not stop writers, so they may overwrite the buffer meanwhile.
 *
 * Return: 0; -ENOENT, -ESTALE: as etw_ring_view(); -ENOMEM, -EINTR
 */
static int copy_buffer(struct etw_session *copy, struct etw_ring *to, u32 *place,
		       const struct etw_ring *from, const u64 *ordinal,
		       struct etw_reader_buffer *seen)
{
	void *buffer = NULL;
	int err;

	if (fatal_signal_pending(current))
		return -EINTR;
	/* check for each buffer, because other snapshots may be in progress */
	if (etw_budget_is_left(copy->sink.buffer_size))
		buffer = etw_buffer_alloc(copy->sink.buffer_size, cpu_to_node(from->cpu));
	if (!buffer)
		return -ENOMEM;
	err = ordinal ? etw_ring_view(from, *ordinal, seen) : look_at(from, seen);
	if (!err && etw_w_used(seen->w)) {
		/* a writer may overwrite the buffer meanwhile, which etw_ring_is_same() finds */
		data_race(memcpy(buffer + sizeof(struct wmi_buffer_header), seen->slot->data,
				 etw_w_used(seen->w)));
		if (etw_ring_is_same(from, seen)) {
			etw_ring_adopt(to, (*place)--, buffer, seen->w | ETW_W_SEALED);
			return 0;
		}
		err = -ESTALE;
	}
	kvfree(buffer);
	return err;
}

/*
 * Copies the open buffer, then complete ones from the newest to the oldest. If a writer has
 * overwritten a buffer, all older ones are overwritten too, so the copy has no gap.
 * Return: as copy_buffer().
 */
static int copy_window(struct etw_session *copy, struct etw_ring *to, struct etw_ring *from)
{
	u32 place = from->nr_slots - 1;
	struct etw_reader_buffer seen;
	u64 first, n;
	int err;

	err = copy_buffer(copy, to, &place, from, NULL, &seen);
	if (err)
		return err;
	n = seen.ordinal;
	err = etw_flush_wait(from, n - 1);
	if (err)
		return err;
	first = etw_ring_oldest(from);
	while (n-- > first) {
		err = copy_buffer(copy, to, &place, from, &n, &seen);
		if (err && err != -ENOENT)
			return err;
		cond_resched();
	}
	return 0;
}

static int copy_ring(struct etw_session *copy, struct etw_ring *to, struct etw_ring *from,
		     u32 extra)
{
	u32 slots = slots_of(from);	/* its CPU may be coming online just now */
	int err;

	init_ring(copy, to);
	if (!slots) {
		copy_losses(to, from);
		return 0;
	}
	if (!etw_budget_add(copy, (u64)extra * sizeof(struct etw_slot)))
		return -ENOMEM;
	err = etw_ring_init(to, slots + extra, 0, copy->sink.buffer_size,
			    cpu_to_node(from->cpu), true);
	if (err)
		return err;
	/* everything was overwritten before the first buffer was copied: try again */
	do {
		err = copy_window(copy, to, from);
	} while (err == -ESTALE && !to->buffers);
	/* after the records, so that the losses include all events missing between them */
	copy_losses(to, from);
	return err == -ESTALE ? 0 : err;
}

static int copy_rings(struct etw_session *session, struct etw_session *copy, int first)
{
	u32 extra = etw_rundown_buffers(session);
	int cpu, err = 0;

	if (mutex_lock_killable(&session->read_lock))
		return -EINTR;
	for_each_possible_cpu(cpu) {
		err = copy_ring(copy, per_cpu_ptr(copy->sink.rings, cpu),
				per_cpu_ptr(session->sink.rings, cpu), cpu == first ? extra : 2);
		if (err)
			break;
	}
	mutex_unlock(&session->read_lock);
	return err;
}

/* The same steps as STOP: a rundown, no open buffer, the last losses, the end. */
static void finish_copy(struct etw_session *copy, int first, struct etw_event_context *context)
{
	struct etw_reading now;
	u64 ordinal;

	etw_rundown_into(copy, per_cpu_ptr(copy->sink.rings, first), context);
	etw_ring_seal(per_cpu_ptr(copy->sink.rings, first), &ordinal);
	etw_trailer_build(copy);
	etw_clock_read_all(copy->sink.clocks.qpc, &now);
	copy->end_filetime = now.filetime;
	/* as in stop.c: a reader that sees STOPPED also sees the final rings and trailer */
	smp_store_release(&copy->state, ETW_SESSION_STOPPED);
}

/* The CPU for the rundown: one with slots, which a CPU without buffers does not have. */
static int first_cpu(struct etw_session *session)
{
	int cpu;

	for_each_online_cpu(cpu)
		if (slots_of(per_cpu_ptr(session->sink.rings, cpu)))
			return cpu;
	return cpumask_first(cpu_online_mask);
}

/* The lock is held for a long time: STOP waits for it, and so keeps the session's name in use. */
static int take(struct etw_session *session, struct etw_session **result)
{
	int err, first = first_cpu(session);
	struct etw_session *copy;

	lockdep_assert_held(&session->lock);
	if (session->state != ETW_SESSION_RUNNING)
		return -EALREADY;
	if (!session->overwrite)
		return -EINVAL;
	/* only its owner can read the node, but any controller can call SNAPSHOT */
	if (session->sink.addresses && !etw_may_see_addresses())
		return -EPERM;
	if (!etw_budget_is_left((u64)session->buffers * session->sink.buffer_size))
		return -ENOMEM;
	copy = copy_session(session);
	if (!copy)
		return -ENOMEM;
	err = etw_budget_promise(copy, session->buffers, 0) ? copy_rings(session, copy, first) :
	      -ENOMEM;
	if (err) {
		etw_session_put(copy);
		return err;
	}
	finish_copy(copy, first, session->sink.context);
	*result = copy;
	return 0;
}

/**
 * etw_session_snapshot() - SNAPSHOT
 * @session: a session; the caller has a reference
 *
 * The session continues and keeps its buffers.
 *
 * Context: process; sleeps.
 * Return: a descriptor of the current process, close-on-exec, with the stream of a
 * stopped session; or -EALREADY if the session was stopped; -EINVAL if it doesn't
 * overwrite; -EPERM if it contains kernel addresses that the caller may not see;
 * -ENOMEM; -EMFILE; -EINTR if the caller was killed.
 */
int etw_session_snapshot(struct etw_session *session)
{
	struct etw_session *copy = NULL;
	struct file *file;
	int err, fd;

	if (mutex_lock_killable(&session->lock))
		return -EINTR;
	/* as START: if memory runs out, the OOM killer must choose this task */
	set_current_oom_origin();
	err = take(session, &copy);
	clear_current_oom_origin();
	mutex_unlock(&session->lock);
	if (err)
		return err;
	fd = get_unused_fd_flags(O_CLOEXEC);
	if (fd < 0) {
		etw_session_put(copy);
		return fd;
	}
	file = etw_stream_file(copy, "[etw-snapshot]");
	if (IS_ERR(file)) {
		put_unused_fd(fd);
		return PTR_ERR(file);
	}
	fd_install(fd, file);
	return fd;
}
