// SPDX-License-Identifier: GPL-2.0
/* How a rundown's records find room: who waits for the reader, and how long. */
#include <linux/delay.h>
#include <linux/jiffies.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include "decoration.h"
#include "etw.h"
#include "records.h"
#include "rundown.h"

/* Give up waiting once the reader freed no buffer for this long */
#define PATIENCE	(2 * HZ)

static int put_record(const struct etw_rundown *rundown, u16 hook_id, u8 version,
		      enum etw_rundown_header header, const struct etw_payload *payload,
		      enum etw_reserve_mode mode)
{
	struct etw_system_ids ids;
	struct etw_ring *ring;
	int err;

	preempt_disable();
	ring = rundown->ring ? rundown->ring : this_cpu_ptr(rundown->session->rings);
	if (mode == ETW_RESERVE_TRY && !etw_ring_has_room(ring)) {
		err = -ENOBUFS;
	} else if (header == ETW_RUNDOWN_PERFINFO) {
		err = etw_record_bare(ring, rundown->session->decoration, hook_id, version,
				      payload, mode);
	} else {
		etw_system_ids_current(&ids);
		err = etw_record_system(ring, hook_id, version, &ids, payload, mode);
	}
	preempt_enable();
	return err;
}

/* Whether who waits for this rundown has waited long enough, or was killed */
static bool is_too_long(struct etw_rundown *rundown)
{
	struct etw_session *session = rundown->session;
	/* pairs with the release in stop.c; STOP waits for us, so it is there */
	struct task_struct *stopper = smp_load_acquire(&session->stopper);

	if (stopper && (fatal_signal_pending(stopper) || time_after(jiffies, session->stop_limit)))
		return true;
	if (rundown->unhurried)
		return false;
	if (!rundown->limited) {
		rundown->limited = true;
		rundown->limit = jiffies + ETW_RUNDOWN_DEADLINE;
	}
	return fatal_signal_pending(current) || time_after(jiffies, rundown->limit);
}

/* Return: whether there may be room now */
static bool make_room(struct etw_rundown *rundown, unsigned long limit)
{
	if (rundown->ring)
		return etw_pool_add(rundown->session, rundown->ring);
	if (time_after(jiffies, limit) || is_too_long(rundown))
		return false;
	etw_pool_kick(rundown->session);
	usleep_range(500, 2000);
	return true;
}

/**
 * etw_rundown_write() - write a record, waiting for room if need be
 * @rundown: knows for whom, and whether waiting is of any use
 * @hook_id: hook id
 * @version: of the payload
 * @header: trace header
 * @payload: payload
 * @size: bytes of it
 *
 * A rundown is a burst of its own making, so it leaves the CPU's next buffer
 * to events and waits for the reader. It waits 2 s for the first record that
 * finds no room at all, not again; and a reader that frees a buffer now and then
 * has ETW_RUNDOWN_DEADLINE in all where somebody waits for the end of it: one for
 * all that a STOP waits for. Then what doesn't fit is lost, and counted. Likewise
 * when who waits is killed.
 *
 * Context: process; sleeps.
 * Return: 0; -ENOBUFS, -EMSGSIZE: lost.
 */
int etw_rundown_write(struct etw_rundown *rundown, u16 hook_id, u8 version,
		      enum etw_rundown_header header, const void *payload, u32 size)
{
	const struct etw_payload pieces = { .data = payload, .size = size };
	unsigned long limit = jiffies + PATIENCE;
	int err;

	while (!rundown->hopeless) {
		err = put_record(rundown, hook_id, version, header, &pieces, ETW_RESERVE_TRY);
		if (!err) {
			cond_resched();
			return 0;
		}
		if (err == -EMSGSIZE)	/* no waiting helps: count it */
			break;
		rundown->hopeless = !make_room(rundown, limit);
	}
	cond_resched();
	return put_record(rundown, hook_id, version, header, &pieces, ETW_RESERVE_COUNT);
}
