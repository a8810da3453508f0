// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* How much memory sessions may use, and how buffers are divided among CPUs. */
#include <linux/cpumask.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/spinlock.h>
#include "config/config.h"
#include "context/event_context.h"
#include "context/stack.h"
#include "filter/filter.h"
#include "ring/ring.h"
#include "source/linux_event/linux_events.h"
#include "budget.h"
#include "session.h"

/*
 * The memory limit of all sessions and copies counts their maxima, not what they use
 * now. So a session can always grow to its maximum, and 64 sessions that each ask for
 * slightly less than the limit are refused.
 */
static DEFINE_SPINLOCK(lock);
static u64 promised;	/* bytes, under lock */

/* If the settings name no number of buffers, a session may grow to 1/20 of the memory... */
#define GROWN_SHARE	20
/* ...and to this number of buffers, because slots for all of them are allocated at START */
#define GROWN_BUFFERS	8192U

/* A session's trailer, and the header buffer of its reader */
#define FURTHER_BUFFERS	2

static u64 total_bytes(void)
{
	return (u64)totalram_pages() << PAGE_SHIFT;
}

/* Buffers of one CPU, at least @least */
static u32 grown_share(const struct etw_settings *settings, u32 cpus, u32 least)
{
	u64 buffers = div_u64(total_bytes() / GROWN_SHARE, settings->buffer_size);

	return max((u32)min_t(u64, buffers, GROWN_BUFFERS) / cpus, least);
}

/**
 * etw_budget_share() - divide a configuration's buffers among CPUs
 * @settings: valid
 * @share: out
 *
 * Buffers are divided among the present CPUs, online or not, so that a CPU that comes
 * online later gets its share within the maximum. They are not divided among all possible
 * CPUs: a virtual machine may have two present CPUs and a hundred possible ones, and would
 * get a fiftieth of the buffers that were requested.
 *
 * A ring that overwrites always has a buffer in each slot. For other rings, slots
 * cost little, and let one CPU use buffers that other CPUs do not use.
 *
 * If the settings name no number of buffers, a session that does not overwrite starts with
 * the default number. etw_budget_grow() may then raise its maximum to @grown for each CPU.
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
 * etw_budget_is_left() - whether the machine has enough available memory now
 * @bytes: how much
 *
 * A sixteenth of the memory stays available; otherwise the OOM killer would end processes.
 */
bool etw_budget_is_left(u64 bytes)
{
	return bytes + total_bytes() / 16 <= (u64)si_mem_available() << PAGE_SHIFT;
}

/**
 * etw_budget_has_share() - whether there is memory for what a session starts with
 * @settings: valid
 * @share: of etw_budget_share() for @settings
 */
bool etw_budget_has_share(const struct etw_settings *settings, const struct etw_share *share)
{
	u64 each = (u64)share->first * settings->buffer_size +
		   share->slots * sizeof(struct etw_slot);

	return etw_budget_is_left(each * num_online_cpus() +
				  FURTHER_BUFFERS * (u64)settings->buffer_size);
}

/**
 * etw_budget_stacks() - memory that a session's stacks may use
 * @session: the session; one without kernel events has no stacks
 * @items: the requested items
 *
 * Return: bytes.
 */
u64 etw_budget_stacks(const struct etw_session *session, const struct etw_items *items)
{
	return session->settings.kernel ? etw_stacks_bytes(items) : 0;
}

/**
 * etw_budget_tables() - memory of tables that a session's settings need besides its buffers
 * @session: the session
 * @items: the requested items
 *
 * The table of switched-out threads' stacks stays until the session ends. Unwind tables do not
 * depend on the settings, and are not counted here.
 *
 * Return: bytes.
 */
u64 etw_budget_tables(const struct etw_session *session, const struct etw_items *items)
{
	const struct etw_event_context *context = session->sink.context;
	u64 bytes = 0;

	if (session->settings.kernel)
		bytes += etw_stacks_swap_bytes(items, context ? &context->stacks : NULL);
	if (items->nr_pids && items->filter_options & ETW_FILTER_CHILDREN)
		bytes += sizeof(struct etw_family);
	return bytes + etw_linux_events_bytes(items);
}

static bool promise(struct etw_session *session, u64 buffers, u64 stacks, u64 limit)
{
	u64 bytes = (buffers + FURTHER_BUFFERS) * session->sink.buffer_size + stacks +
		    (u64)session->nr_slots * sizeof(struct etw_slot) * session->cpus;
	bool fits;

	spin_lock(&lock);
	/* a smaller request is granted even if the machine has lost memory meanwhile */
	fits = bytes <= session->promised || promised - session->promised + bytes <= limit;
	if (fits) {
		promised += bytes - session->promised;
		session->promised = bytes;
	}
	spin_unlock(&lock);
	return fits;
}

/**
 * etw_budget_promise() - reserve what a session may come to use
 * @session: the session; a success replaces its earlier promise
 * @buffers: of all its CPUs
 * @stacks: bytes of etw_budget_stacks() and etw_budget_tables()
 *
 * A request for most of the machine's memory is a mistake: all sessions together
 * get half of it.
 *
 * Context: any. Return: false if this exceeds the limit; nothing has changed then.
 */
bool etw_budget_promise(struct etw_session *session, u64 buffers, u64 stacks)
{
	return promise(session, buffers, stacks, total_bytes() / 2);
}

/**
 * etw_budget_add() - reserve more for a session
 * @session: one that stops, or a copy, or any one under session->lock
 * @bytes: how much, besides its promise
 *
 * For the ring of its rundown, whose size nothing but the rundown determines, and for unwind
 * tables.
 *
 * Context: any. Return: false if this exceeds the limit, or the machine has too little.
 */
bool etw_budget_add(struct etw_session *session, u64 bytes)
{
	bool fits = etw_budget_is_left(bytes);

	spin_lock(&lock);
	fits = fits && promised + bytes <= total_bytes() / 2;
	if (fits) {
		promised += bytes;
		session->promised += bytes;
	}
	spin_unlock(&lock);
	return fits;
}

/**
 * etw_budget_take_back() - undo a successful etw_budget_add()
 * @session: the session
 * @bytes: as there
 *
 * Context: any.
 */
void etw_budget_take_back(struct etw_session *session, u64 bytes)
{
	spin_lock(&lock);
	promised -= bytes;
	session->promised -= bytes;
	spin_unlock(&lock);
}

/**
 * etw_budget_grow() - raise the maximum of a session if its settings name none
 * @session: being started; its maximum and @stacks have been promised
 * @stacks: as for etw_budget_promise()
 *
 * Sessions with a default maximum may together use a quarter of the memory, so that
 * another quarter remains for sessions that name their maximum. If that quarter is used up,
 * the maximum of @session does not change.
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
 * etw_budget_forget() - release a session's promise
 * @session: its buffers are freed
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
