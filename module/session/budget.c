// SPDX-License-Identifier: GPL-2.0
/* How much of the machine's memory sessions may take, and how it is shared out. */
#include <linux/cpumask.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/spinlock.h>
#include "config/config.h"
#include "context/stack.h"
#include "ring/ring.h"
#include "budget.h"
#include "session.h"

/*
 * What all sessions, and copies of sessions, may come to take: their maxima, not
 * what they have. So one that may grow finds what it was promised, and 64 that
 * each ask for a little less than what one may have are refused.
 */
static DEFINE_SPINLOCK(lock);
static u64 promised;	/* bytes, under lock */

/* A session whose settings name no number of buffers may grow to this share of the memory... */
#define GROWN_SHARE	20
/* ...and to this number of buffers, because slots for all of them are allocated at START */
#define GROWN_BUFFERS	8192U

static u64 total_bytes(void)
{
	return (u64)totalram_pages() << PAGE_SHIFT;
}

/* Buffers of one CPU, of @least or more */
static u32 grown_share(const struct etw_settings *settings, u32 cpus, u32 least)
{
	u64 buffers = div_u64(total_bytes() / GROWN_SHARE, settings->buffer_size);

	return max((u32)min_t(u64, buffers, GROWN_BUFFERS) / cpus, least);
}

/**
 * etw_budget_share() - how a configuration's buffers are shared out among CPUs
 * @settings: valid
 * @share: out
 *
 * Among those that are in the machine, online or not: one that comes online while
 * the session runs takes its share of the maximum, not more than that. Not among
 * all that could ever be put in: virtual machines say that of a hundred and have
 * two, which would be left with a fiftieth of what was asked for.
 *
 * A ring that overwrites has a buffer in each slot for good. For others slots
 * cost little, and let one CPU use what others don't.
 *
 * If the settings name no number of buffers, a session that does not overwrite starts with
 * the default number, and etw_budget_grow() may raise its maximum to @grown for each CPU.
 */
void etw_budget_share(const struct etw_settings *settings, struct etw_share *share)
{
	bool overwrite = settings->mode & EVENT_TRACE_BUFFERING_MODE;
	u32 cpus = num_present_cpus();

	share->cpus = cpus;
	share->most = etw_config_buffers_per_cpu(settings->maximum_buffers, cpus);
	share->first = share->most;
	if (settings->minimum_buffers && !overwrite)
		share->first = min(share->most,
				   etw_config_buffers_per_cpu(settings->minimum_buffers, cpus));
	share->grown = share->most;
	if (!settings->maximum_buffers && !overwrite)
		share->grown = grown_share(settings, cpus, share->most);
	/* one CPU may use what others do not: up to eight times its share, or all there is */
	share->slots = overwrite ? share->most :
		       clamp(max(8 * share->most, min(cpus, 8U) * share->grown), 64U,
			     ETW_MAX_BUFFERS);
}

/**
 * etw_budget_is_left() - whether the machine has so much memory to give now
 * @bytes: how much
 *
 * All that is left would have others killed: a sixteenth of the machine's stays.
 */
bool etw_budget_is_left(u64 bytes)
{
	return bytes + total_bytes() / 16 <= (u64)si_mem_available() << PAGE_SHIFT;
}

/**
 * etw_budget_has_share() - whether it has what a session begins with
 * @settings: valid
 * @share: of them
 */
bool etw_budget_has_share(const struct etw_settings *settings, const struct etw_share *share)
{
	u64 each = (u64)share->first * settings->buffer_size +
		   share->slots * sizeof(struct etw_slot);

	return etw_budget_is_left(each * num_online_cpus());
}

/**
 * etw_budget_stacks() - what a session's stacks may take
 * @session: whose; without kernel events there are none
 * @items: what is asked for
 *
 * Return: bytes.
 */
u64 etw_budget_stacks(const struct etw_session *session, const struct etw_items *items)
{
	return session->settings.kernel ? etw_stacks_bytes(items) : 0;
}

static bool promise(struct etw_session *session, u64 buffers, u64 stacks, u64 limit)
{
	u64 bytes = buffers * session->sink.buffer_size + stacks +
		    (u64)session->nr_slots * sizeof(struct etw_slot) * session->cpus;
	bool fits;

	spin_lock(&lock);
	/* less is granted even when the machine has lost memory meanwhile */
	fits = bytes <= session->promised || promised - session->promised + bytes <= limit;
	if (fits) {
		promised += bytes - session->promised;
		session->promised = bytes;
	}
	spin_unlock(&lock);
	return fits;
}

/**
 * etw_budget_promise() - what a session may come to take
 * @session: whose; with a success it counts instead of what was promised before
 * @buffers: of all its CPUs
 * @stacks: bytes of etw_budget_stacks()
 *
 * A request for most of the machine's memory is a mistake: all sessions together
 * get half of it.
 *
 * Context: any. Return: false when that would be more; nothing has changed then.
 */
bool etw_budget_promise(struct etw_session *session, u64 buffers, u64 stacks)
{
	return promise(session, buffers, stacks, total_bytes() / 2);
}

/**
 * etw_budget_grow() - raise the maximum of a session whose settings name none
 * @session: being made; its maximum and @stacks have been promised
 * @stacks: bytes of etw_budget_stacks()
 *
 * Sessions with a maximum by default may come to take a quarter of the memory, so that the
 * other quarter remains for sessions that name their maximum. Beyond that, the maximum of
 * @session stays what it is.
 *
 * Context: any; no other thread uses the session yet.
 */
void etw_budget_grow(struct etw_session *session, u64 stacks)
{
	u32 grown = session->grown_buffers;

	if (grown <= session->maximum_buffers ||
	    !promise(session, grown, stacks, total_bytes() / 4))
		return;
	session->maximum_buffers = grown;
	session->settings.maximum_buffers = grown;
}

/**
 * etw_budget_forget() - it takes nothing any more
 * @session: its buffers are free
 *
 * Context: any.
 */
void etw_budget_forget(struct etw_session *session)
{
	spin_lock(&lock);
	promised -= session->promised;
	session->promised = 0;
	spin_unlock(&lock);
}
