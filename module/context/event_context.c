// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Event context of a session: made at START, freed at STOP. */
#include <linux/err.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include "compat.h"
#include "record/perfinfo.h"
#include "record/system.h"
#include "counters.h"
#include "event_context.h"
#include "stack_capture.h"

/*
 * A record that is too large for items is written without them, and without a stack. No event
 * of this module is that large so far. A record that is too large at all is counted as lost
 * there.
 */
static noinline int record_bare(struct etw_ring *ring, u16 hook_id, u8 version,
				const struct etw_payload *payload,
				const struct etw_event_context *context, struct etw_moment *moment)
{
	int err = etw_record_perfinfo_at(ring, hook_id, version, payload, ETW_RESERVE_COUNT,
					 moment);

	if (!err && (etw_walks_stack(context, hook_id) || etw_has_context(context, hook_id)))
		this_cpu_inc(*context->uncounted);
	return err;
}

/* A lost record gets no stack. */
static int record_perfinfo(struct etw_ring *ring, const struct etw_event_context *context,
			   u16 hook_id, u8 version, const struct etw_payload *payload,
			   bool walks, struct pt_regs *regs, struct etw_moment *moment)
{
	u32 bytes = sizeof(struct perfinfo_trace_header) + payload->size + payload->more_size;
	u64 item[ETW_CONTEXT_ITEMS] __uninitialized;
	struct etw_inline_items items = { .item = item };
	struct etw_reservation at;

	if (bytes + ETW_CONTEXT_ITEMS * sizeof(u64) > ETW_MAX_RECORD)
		return record_bare(ring, hook_id, version, payload, context, moment);
	if (!etw_reserve_with_context(ring, context, hook_id, bytes, &at, &items, moment))
		return -ENOBUFS;
	etw_encode_perfinfo(at.data, TRACE_HEADER_TYPE_PERFINFO64, hook_id,
			    version | (u16)etw_items_word(&items), at.tick, items.item, payload);
	etw_commit(ring, &at, bytes + items.nr * sizeof(u64));
	if (unlikely(walks))
		etw_stack_write(ring, context, at.tick, regs);
	return 0;
}

/**
 * etw_record_with_context() - write a PERFINFO record with its event context
 * @ring: this CPU's ring
 * @context: event context, or NULL
 * @hook_id: hook id
 * @version: of the payload
 * @payload: payload
 * @regs: for a sample: registers where its stack begins; NULL: it begins here
 * @moment: the event's reading of the clocks
 *
 * See etw_record_perfinfo_at(); a failure is a loss.
 */
int etw_record_with_context(struct etw_ring *ring, const struct etw_event_context *context,
			    u16 hook_id, u8 version, const struct etw_payload *payload,
			    struct pt_regs *regs, struct etw_moment *moment)
{
	if (!context)
		return etw_record_perfinfo_at(ring, hook_id, version, payload, ETW_RESERVE_COUNT,
					      moment);
	return record_perfinfo(ring, context, hook_id, version, payload,
			       etw_walks_stack(context, hook_id), regs, moment);
}

/**
 * etw_record_system_with_context() - write a SYSTEM record with its event context
 * @ring: this CPU's ring
 * @context: event context, or NULL
 * @hook_id: hook id
 * @version: of the payload
 * @ids: thread, process and their times
 * @payload: payload
 * @moment: the event's reading of the clocks
 *
 * Only PERFINFO headers have space for counters (format.rst 3.3, 3.4). If @ids is not the
 * current thread, the record gets no stack, because readers would attribute the stack to
 * the thread in @ids. See etw_record_perfinfo_at(); a failure is a loss.
 */
int etw_record_system_with_context(struct etw_ring *ring, const struct etw_event_context *context,
				   u16 hook_id, u8 version, const struct etw_system_ids *ids,
				   const struct etw_payload *payload, struct etw_moment *moment)
{
	u32 size = sizeof(struct system_trace_header) + payload->size + payload->more_size;
	struct etw_reservation at;

	if (!context || !etw_walks_stack(context, hook_id) || size > ETW_MAX_RECORD ||
	    ids->thread_id != current->pid)
		return etw_record_system(ring, hook_id, version, ids, payload, ETW_RESERVE_COUNT,
					 moment);
	if (!etw_reserve_at(ring, size, &at, ETW_RESERVE_COUNT, moment))
		return -ENOBUFS;
	etw_encode_system(at.data, hook_id, version, ids, at.tick, payload);
	etw_commit(ring, &at, size);
	etw_stack_write(ring, context, at.tick, NULL);
	return 0;
}

static int add_counters(struct etw_event_context *context, const struct etw_items *items,
			struct etw_perf_error *error)
{
	struct perf_event_attr *attrs;
	struct etw_perf_set *set;
	u32 nr, i, index[ETW_MAX_PMC_COUNTERS];

	*error = (struct etw_perf_error){ .reason = ETW_REASON_NO_MEMORY };
	attrs = kcalloc(ETW_MAX_PMC_COUNTERS, sizeof(*attrs), GFP_KERNEL);
	if (!attrs)
		return -ENOMEM;
	nr = etw_counters_attrs(items, attrs, index);
	set = etw_perf_set_create(attrs, nr, NULL, NULL, error);
	kfree(attrs);
	if (IS_ERR(set)) {
		error->index = index[error->index];
		return PTR_ERR(set);
	}
	context->counters = set;
	context->nr_counters = nr;
	for (i = 0; i < items->nr_counter_hooks; i++)
		__set_bit(items->counter_hooks[i], context->hooks);
	return 0;
}

static int add_pebs(struct etw_event_context *context, struct etw_perf_error *error)
{
	int err = etw_pebs_get();

	context->pebs = !err;
	error->index = ETW_ERROR_OF_PEBS;
	error->reason = err == -ENOMEM ? ETW_REASON_NO_MEMORY : ETW_REASON_NO_PEBS;
	return err;
}

/**
 * etw_event_context_create() - make the event context of a session with kernel events
 * @items: items of the configuration extension
 * @addresses: kernel addresses are shown
 * @context: out: event context, no stacks yet
 * @error: out, on error: what is not available; its index is that of the counter in the
 *	extension, or ETW_ERROR_OF_*
 *
 * Context: process; sleeps; see etw_perf_set_create().
 * Return: 0; -ENOMEM, -EOPNOTSUPP, -EBUSY.
 */
int etw_event_context_create(const struct etw_items *items, bool addresses,
			     struct etw_event_context **context, struct etw_perf_error *error)
{
	bool counters = items->nr_counters && items->nr_counter_hooks;
	struct etw_event_context *new;
	int err = 0;

	*error = (struct etw_perf_error){ .index = ETW_ERROR_OF_NONE,
					  .reason = ETW_REASON_NO_MEMORY };
	*context = NULL;
	new = kzalloc(sizeof(*new), GFP_KERNEL);
	if (!new)
		return -ENOMEM;
	etw_stacks_init(&new->stacks, addresses);
	new->uncounted = alloc_percpu(u64);
	if (!new->uncounted)
		err = -ENOMEM;
	if (!err && items->pebs_hook)
		err = add_pebs(new, error);
	if (!err && counters)
		err = add_counters(new, items, error);
	if (err) {
		etw_event_context_stop(new);
		etw_event_context_free(new);
		return err;
	}
	*context = new;
	return 0;
}

/**
 * etw_event_context_stop() - release counters
 * @context: event context that is no longer written with, or NULL
 *
 * Context: process; sleeps; takes cpus_read_lock.
 */
void etw_event_context_stop(struct etw_event_context *context)
{
	if (!context)
		return;
	etw_perf_set_destroy(context->counters);
	context->counters = NULL;
	if (context->pebs)
		etw_pebs_put();
	context->pebs = false;
}

/**
 * etw_event_context_free() - free a stopped event context
 * @context: event context, or NULL
 */
void etw_event_context_free(struct etw_event_context *context)
{
	if (!context)
		return;
	etw_stacks_free(&context->stacks);
	free_percpu(context->uncounted);
	kfree(context);
}

/**
 * etw_event_context_walks() - how a CPU's kernel stacks were walked
 * @context: event context, or NULL
 * @cpu: a possible CPU
 *
 * Context: any. Return: the counts of all sessions; zeros if the context never had stacks.
 */
struct etw_stack_counts etw_event_context_walks(const struct etw_event_context *context, int cpu)
{
	if (!context || !READ_ONCE(context->stacks.buffers))
		return (struct etw_stack_counts){ 0 };
	return etw_stack_counts(cpu);
}

/**
 * etw_event_context_uncounted() - number of a CPU's records without their event context
 * @context: event context, or NULL
 * @cpu: a CPU
 */
u64 etw_event_context_uncounted(const struct etw_event_context *context, int cpu)
{
	return context ? READ_ONCE(*per_cpu_ptr(context->uncounted, cpu)) : 0;
}
