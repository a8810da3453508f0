// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Writing of rundown records, which wait for free space; declared in rundown.h. */
#include <linux/irqflags.h>
#include <linux/jiffies.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <asm/barrier.h>
#include "compat.h"
#include "record/perfinfo.h"
#include "record/system.h"
#include "ring/reserve.h"
#include "event_context.h"
#include "rundown.h"
#include "sink.h"

static struct etw_ring *ring_of(const struct etw_rundown *rundown)
{
	return rundown->ring ? rundown->ring : this_cpu_ptr(rundown->sink->rings);
}

/* No counters in a ring of its own: readers would take them as those of another CPU. */
static const struct etw_event_context *context_of(const struct etw_rundown *rundown)
{
	return rundown->ring ? NULL : rundown->sink->context;
}

/**
 * struct look - check of a record at the time of its stamp
 * @record: the record
 * @items: items to be read for it, or NULL
 * @stale: out: the payload is no longer true
 */
struct look {
	const struct etw_rundown_record *record;
	struct etw_inline_items *items;
	bool stale;
};

/* Orders all later reads after the read of the counter. */
static void counter_is_read(void)
{
#ifdef CONFIG_ARM64
	isb();
#else
	rmb();	/* on x86 LFENCE, which waits for RDTSC, too */
#endif
}

static bool is_stale(const struct etw_rundown_record *record)
{
	return record->still && !record->still(record->what);
}

/*
 * Called after the stamp is taken and before space is reserved. If the payload is true here,
 * the event of a later exit, exec or rename has a later stamp. That holds even if a
 * hypervisor stops this CPU before or after the check.
 */
static bool take_look(void *arg)
{
	struct look *look = arg;

	counter_is_read();
	look->stale = is_stale(look->record);
	if (look->stale)
		return false;
	return !look->items || !look->items->nr || etw_read_items(look->items);
}

static int put_system(const struct etw_rundown_record *record, struct etw_ring *ring,
		      enum etw_reserve_mode mode, struct look *look)
{
	const struct etw_payload payload = { .data = record->payload, .size = record->size };
	struct etw_system_ids ids;
	struct etw_reservation at;
	u32 size;
	int err;

	etw_system_ids_current(&ids);
	err = etw_reserve_record_reading(ring, sizeof(struct system_trace_header), &payload, &at,
					 &size, mode, take_look, look, NULL);
	if (err)
		return err;
	etw_encode_system(at.data, record->hook_id, record->version, &ids, at.tick, &payload);
	etw_commit(ring, &at, size);
	return 0;
}

static int put_perfinfo(const struct etw_rundown_record *record, struct etw_ring *ring,
			enum etw_reserve_mode mode, struct look *look)
{
	const struct etw_payload payload = { .data = record->payload, .size = record->size };
	struct etw_reservation at;
	u32 size;
	int err = etw_reserve_record_reading(ring, sizeof(struct perfinfo_trace_header), &payload,
					     &at, &size, mode, take_look, look, NULL);

	if (err)
		return err;
	etw_encode_perfinfo(at.data, TRACE_HEADER_TYPE_PERFINFO64, record->hook_id,
			    record->version, at.tick, NULL, &payload);
	etw_commit(ring, &at, size);
	return 0;
}

/* No thread's action caused a rundown record, so it has counters but no stack. */
static int put_with_context(const struct etw_rundown_record *record, struct etw_ring *ring,
			    const struct etw_event_context *context, enum etw_reserve_mode mode,
			    struct look *look)
{
	const struct etw_payload payload = { .data = record->payload, .size = record->size };
	u32 bytes = sizeof(struct perfinfo_trace_header) + record->size;
	u64 item[ETW_CONTEXT_ITEMS] __uninitialized;
	struct etw_inline_items items = { .item = item };
	struct etw_reservation at;

	look->items = &items;
	if (!etw_reserve_with_context_reading(ring, context, record->hook_id, bytes, &at, &items,
					      mode, take_look, take_look, look, NULL))
		return -ENOBUFS;
	etw_encode_perfinfo(at.data, TRACE_HEADER_TYPE_PERFINFO64, record->hook_id,
			    record->version | (u16)etw_items_word(&items), at.tick, items.item,
			    &payload);
	etw_commit(ring, &at, bytes + items.nr * sizeof(u64));
	return 0;
}

/* Too large for items, as no record is so far: without them, and counted as such */
static int put_bare(const struct etw_rundown_record *record, struct etw_ring *ring,
		    const struct etw_event_context *context, enum etw_reserve_mode mode,
		    struct look *look)
{
	int err = put_perfinfo(record, ring, mode, look);

	if (!err)
		this_cpu_inc(*context->uncounted);
	return err;
}

static int put_record(const struct etw_rundown *rundown, const struct etw_rundown_record *record,
		      struct etw_ring *ring, enum etw_reserve_mode mode)
{
	u32 most = sizeof(struct perfinfo_trace_header) + record->size +
		   ETW_CONTEXT_ITEMS * sizeof(u64);
	const struct etw_event_context *context = context_of(rundown);
	struct look look = { .record = record };
	int err;

	if (record->header != ETW_RUNDOWN_PERFINFO)
		err = put_system(record, ring, mode, &look);
	else if (!etw_has_context(context, record->hook_id))
		err = put_perfinfo(record, ring, mode, &look);
	else if (most > ETW_MAX_RECORD)
		err = put_bare(record, ring, context, mode, &look);
	else
		err = put_with_context(record, ring, context, mode, &look);
	return look.stale ? -ESTALE : err;
}

/*
 * Interrupts are off, so that the record is in the trace some hundred instructions after
 * its check. If a failure would count as a loss, check before as well: a stale record is
 * no loss.
 */
static int put_if_still(const struct etw_rundown *rundown, const struct etw_rundown_record *record,
			enum etw_reserve_mode mode)
{
	struct etw_ring *ring;
	unsigned long flags;
	int err;

	local_irq_save(flags);
	ring = ring_of(rundown);
	if (mode == ETW_RESERVE_TRY && !etw_ring_has_space(ring))
		err = -ENOBUFS;
	else if (mode == ETW_RESERVE_COUNT && is_stale(record))
		err = -ESTALE;
	else
		err = put_record(rundown, record, ring, mode);
	local_irq_restore(flags);
	return err;
}

/**
 * etw_rundown_goes_on() - whether a walk of a rundown may continue
 * @rundown: the rundown
 *
 * A walk asks before each process, and each time it has visited a bounded number of other
 * objects. So other users' processes can't prolong a STOP. If the walk must end, it passes
 * what it left out to etw_rundown_cut().
 *
 * Context: process; sleeps.
 */
bool etw_rundown_goes_on(struct etw_rundown *rundown)
{
	cond_resched();
	if (!rundown->over && rundown->is_over && rundown->is_over(rundown))
		rundown->over = true;
	if (rundown->over)
		rundown->incomplete = true;
	return !rundown->over;
}

/**
 * etw_rundown_may_nap() - whether a walk may sleep for a moment for a process
 * @rundown: the rundown
 *
 * All processes together get ETW_RUNDOWN_NAPS sleeps of a rundown. Otherwise many processes
 * could prolong it, each by a bounded time.
 *
 * Context: process; sleeps.
 */
bool etw_rundown_may_nap(struct etw_rundown *rundown)
{
	if (!rundown->naps || !etw_rundown_goes_on(rundown))
		return false;
	rundown->naps--;
	return true;
}

/**
 * etw_rundown_cut() - count what a rundown leaves out
 * @rundown: the rundown
 * @records: number of records, at least
 *
 * Context: process.
 */
void etw_rundown_cut(struct etw_rundown *rundown, u32 records)
{
	struct etw_ring *ring;

	if (!records)
		return;
	preempt_disable();
	ring = rundown->losses ?: ring_of(rundown);
	etw_ring_count_losses(ring, ETW_LOSS_RUNDOWN, records);
	preempt_enable();
}

static bool has_space(const struct etw_rundown *rundown)
{
	bool space;

	preempt_disable();
	space = etw_ring_has_space(ring_of(rundown));
	preempt_enable();
	return space;
}

/* When the time of a part is over, the reader may still read: the next part may wait for it. */
static void wait_once(struct etw_rundown *rundown, unsigned long limit)
{
	if (!rundown->make_space(rundown, limit) && !rundown->over)
		rundown->hopeless = true;
}

/**
 * etw_rundown_wait() - wait until there is free space, or until waiting is hopeless
 * @rundown: see etw_rundown_write_record()
 *
 * Call it before reading the data of a record: data read before the wait would be old. If
 * free space vanished since the last wait, make_space() checks the time limit even if there
 * is free space now. Otherwise a busy CPU could take the free space again and again.
 * Context: process; sleeps.
 */
void etw_rundown_wait(struct etw_rundown *rundown)
{
	unsigned long limit = rundown->vanished ? rundown->limit : jiffies + ETW_RUNDOWN_PATIENCE;
	bool asks = rundown->vanished;

	while (etw_rundown_may_wait(rundown) && (asks || !has_space(rundown))) {
		asks = false;
		wait_once(rundown, limit);
	}
}

/* Last try, as waiting doesn't help: a failure is a loss */
static int put_or_lose(const struct etw_rundown *rundown, const struct etw_rundown_record *record)
{
	int err;

	if (!rundown->losses)
		return put_if_still(rundown, record, ETW_RESERVE_COUNT);
	err = put_if_still(rundown, record, ETW_RESERVE_TRY);
	if (!err || err == -ESTALE)
		return err;
	preempt_disable();
	etw_ring_count_loss(rundown->losses, err == -EMSGSIZE ? ETW_LOSS_TOO_LARGE :
								ETW_LOSS_NO_BUFFER);
	preempt_enable();
	return err;
}

/* The free space is gone although the caller waited. The limit is for all further waits. */
static int vanishes(struct etw_rundown *rundown, unsigned long limit)
{
	if (!rundown->vanished)
		rundown->limit = limit;
	rundown->vanished = true;
	return -EAGAIN;
}

/**
 * etw_rundown_write_record() - write a record, waiting for free space if necessary
 * @rundown: the rundown
 * @record: the record
 *
 * The etw module itself causes the burst of a rundown, so it leaves the CPU's next buffer
 * to events and waits for the reader. It waits 2 s for the first record without free
 * space, but not again, and never longer than @rundown->make_space() allows. After that,
 * records that don't fit are counted as lost.
 *
 * With @record->still it doesn't wait; the caller calls etw_rundown_wait() before it reads
 * the record's data. So the caller may hold references to them here.
 *
 * Context: process; sleeps, for long only without @record->still.
 * Return: 0; -ESTALE: @record->still failed; -EAGAIN: the free space has vanished, nothing
 * was written or lost; -ENOBUFS, -EMSGSIZE: lost.
 */
int etw_rundown_write_record(struct etw_rundown *rundown, const struct etw_rundown_record *record)
{
	unsigned long limit = jiffies + ETW_RUNDOWN_PATIENCE;
	int err;

	while (etw_rundown_may_wait(rundown)) {
		err = put_if_still(rundown, record, ETW_RESERVE_TRY);
		if (!err || err == -ESTALE) {
			rundown->vanished = false;
			cond_resched();
			return err;
		}
		if (err == -EMSGSIZE)	/* no waiting helps: count it */
			break;
		if (record->still)
			return vanishes(rundown, limit);
		wait_once(rundown, limit);
	}
	cond_resched();
	return put_or_lose(rundown, record);
}

/**
 * etw_rundown_write() - write a record with data that don't change
 * @rundown: see etw_rundown_write_record()
 * @hook_id: hook id
 * @version: of the payload
 * @header: trace header
 * @payload: payload
 * @size: bytes of @payload
 *
 * Context: process; sleeps. Return: 0; -ENOBUFS, -EMSGSIZE: lost.
 */
int etw_rundown_write(struct etw_rundown *rundown, u16 hook_id, u8 version,
		      enum etw_rundown_header header, const void *payload, u32 size)
{
	return etw_rundown_write_record(rundown, &(struct etw_rundown_record){
		.hook_id = hook_id, .version = version, .header = header,
		.payload = payload, .size = size,
	});
}
