// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Records of Linux events, in perf's overflow handler; declared in entry.h. */
#include <linux/sched.h>
#include "context/event_context.h"
#include "context/sink.h"
#include "filter/filter.h"
#include "record/field_copy.h"
#include "record/thread_ids.h"
#include "ring/reserve.h"
#include "entry.h"

/*
 * perf takes its recursion context around each event: in each of task, softirq, interrupt and
 * NMI, an event that the handler itself causes does not reach it. perf does not count such
 * events. An interruption finds this CPU's ring as any other nested writer does.
 */

static bool is_wanted(const struct etw_linux_entry *entry)
{
	const struct etw_linux_events *events = entry->events;
	u32 generation = READ_ONCE(events->generation);
	const struct etw_filter *filter;

	if (generation < entry->from || generation >= READ_ONCE(entry->until))
		return false;
	filter = rcu_dereference_sched(events->filter);
	return !filter || etw_filter_takes_process(filter, etw_process_id(current));
}

static void fill(const struct etw_linux_entry *entry, const struct etw_event_record *record,
		 const struct etw_raw_record *raw, const struct etw_reservation *at)
{
	struct etw_system_ids ids;
	struct etw_writer writer;
	u8 *to;

	etw_system_ids_current(&ids);
	writer = (struct etw_writer){
		.thread_id = ids.thread_id,
		.process_id = ids.process_id,
		.kernel_time = ids.kernel_time,
		.user_time = ids.user_time,
		.bits = BITS_PER_LONG,
	};
	to = etw_encode_event_header(at->data, record, &writer, at->tick);
	memcpy(to, entry->record.body, entry->record.size);
	etw_fields_copy(to + entry->record.size, entry->fields, entry->head->nr_fields, raw,
			entry->events->sink->addresses);
}

static void write_record(const struct etw_linux_entry *entry, const struct etw_raw_record *raw)
{
	const struct etw_sink *sink = entry->events->sink;
	struct etw_ring *ring = this_cpu_ptr(sink->rings);
	struct etw_event_record record = entry->record;
	struct etw_reservation at;
	u32 size;

	record.size += etw_fields_size(entry->fields, entry->head->nr_fields, raw);
	size = sizeof(struct etw_event_header) + record.size;
	if (unlikely(size > ETW_MAX_RECORD)) {
		etw_ring_count_loss(ring, ETW_LOSS_TOO_LARGE);
		return;
	}
	if (unlikely(!etw_reserve(ring, size, &at, ETW_RESERVE_COUNT)))
		return;
	fill(entry, &record, raw, &at);
	etw_commit(ring, &at, size);
	if (entry->head->flags & ETW_LINUX_EVENT_STACK)
		etw_stack_write(ring, sink->context, at.tick, NULL);
}

/**
 * etw_linux_event_overflow() - write a Linux event that happened
 * @perf: perf event of this CPU; its context is the entry
 * @data: contains the kernel's record
 * @regs: unused
 *
 * A record that is shorter than its format is lost.
 *
 * Context: any, NMI included; preemption off.
 */
void etw_linux_event_overflow(struct perf_event *perf, struct perf_sample_data *data,
			      struct pt_regs *regs)
{
	const struct etw_linux_entry *entry = perf->overflow_handler_context;
	struct etw_raw_record raw = { };

	if (!is_wanted(entry))
		return;
	if (likely(data->raw))
		raw = (struct etw_raw_record){
			.data = data->raw->frag.data, .size = data->raw->frag.size,
		};
	if (unlikely(raw.size < entry->head->record_size || !raw.data)) {
		etw_ring_count_loss(this_cpu_ptr(entry->events->sink->rings), ETW_LOSS_TOO_LARGE);
		return;
	}
	if (etw_tests_pass(entry->tests, entry->head->nr_tests, &raw))
		write_record(entry, &raw);
}
