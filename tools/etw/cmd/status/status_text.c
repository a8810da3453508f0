// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* etw status as text. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include "etw_unwind.h"
#include "libetl/event_names.h"
#include "libetl/text.h"
#include "control/group_masks.h"
#include "common/memory_text.h"
#include "status.h"

/* Of a session that overwrites; an older module does not report it. */
static void print_reach(const struct etw_statistics *n)
{
	if (n->reach)
		printf("  reaches back: %.1f s\n", n->reach / 1e7);
}

static void print_hour(const struct status *status)
{
	uint64_t bytes = status_hour_bytes(status);

	if (bytes)
		printf("  at this rate an hour of events takes %.*f %s of memory\n",
		       bytes < 10000000000 ? 0 : 1, bytes / (bytes < 10000000000 ? 1e6 : 1e9),
		       bytes < 10000000000 ? "MB" : "GB");
}

/* Of all sessions with stacks together */
static void print_stacks(const struct etw_statistics *n)
{
	if (n->stacks_walked || n->stacks_unwound)
		printf("  kernel stacks of all sessions, without samples: %" PRIu64
		       " by the table, %" PRIu64 " by the unwinder; %" PRIu64
		       " compared, %" PRIu64 " different\n",
		       (uint64_t)n->stacks_walked, (uint64_t)n->stacks_unwound,
		       (uint64_t)n->stacks_compared, (uint64_t)n->stacks_different);
}

/* The session's tables, and walks of all sessions together */
static void print_unwinding(const struct etw_statistics *n)
{
	static const char *const ends[ETW_UNWIND_ENDS] = {
		[ETW_UNWIND_END_COMPLETE] = "complete", [ETW_UNWIND_END_NO_TABLE] = "without a table",
		[ETW_UNWIND_END_NOT_PRESENT] = "page not present",
		[ETW_UNWIND_END_RULE] = "without a rule", [ETW_UNWIND_END_LIMIT] = "too deep",
	};
	unsigned int i;

	if (!n->unwind_tables && !n->unwind_given_back)
		return;
	printf("  unwind tables: %u, %" PRIu64 " KB, %u given back; user stacks of all sessions:",
	       n->unwind_tables, (uint64_t)n->unwind_bytes / 1024, n->unwind_given_back);
	for (i = 1; i < ETW_UNWIND_ENDS; i++)
		printf("%s %" PRIu64 " %s", i > 1 ? "," : "", (uint64_t)n->unwind_ends[i], ends[i]);
	printf("; %" PRIu64 " frames\n", (uint64_t)n->unwind_frames);
}

static void print_numbers(const struct etw_statistics *n)
{
	char cause[48];
	unsigned int i;

	printf("  events: %" PRIu64 " read, %" PRIu64 " buffered, %" PRIu64 " overwritten, %"
	       PRIu64 " discarded, %" PRIu64 " lost\n", (uint64_t)n->read,
	       (uint64_t)n->buffered, (uint64_t)n->overwritten, (uint64_t)n->discarded,
	       statistics_lost(n));
	print_reach(n);
	printf("  buffers: %" PRIu64 " read, %" PRIu64 " waiting, %" PRIu64 " overwritten\n",
	       (uint64_t)n->buffers_read, (uint64_t)n->buffers_waiting,
	       (uint64_t)n->buffers_overwritten);
	print_stacks(n);
	print_unwinding(n);
	if (n->uncounted)
		printf("  uncounted: %" PRIu64 " records without counters, PEBS index or stack\n",
		       (uint64_t)n->uncounted);
	for (i = 0; i < STATUS_CAUSES; i++) {
		if (!n->lost[i])
			continue;
		status_cause(i, cause, sizeof(cause));
		printf("  lost: %" PRIu64 ": %s\n", (uint64_t)n->lost[i], cause);
	}
}

/* A session in BUFFERING mode has the file for its snapshots. */
static bool has_writer(const struct wmi_logger_information *info)
{
	return info->real_time_consumer_count ||
	       (info->log_file_mode & EVENT_TRACE_BUFFERING_MODE);
}

static void print_settings(const struct status *status)
{
	const struct wmi_logger_information *info = &status->session.info;
	char started[64];

	printf("  %u buffers of %u KB, %u free; at least %u, at most %u (%s)\n",
	       info->number_of_buffers, info->buffer_size, info->free_buffers,
	       info->minimum_buffers, info->maximum_buffers,
	       memory_text(info->maximum_buffers, info->buffer_size * 1024));
	printf("  clock %s; flush timer %" PRIu64 " ms; %s; kernel addresses %s\n",
	       clock_name(info->wnode.client_context), status_flush_ms(status),
	       info->real_time_consumer_count ? "being read" : "no reader",
	       status->statistics.flags & ETW_STATISTICS_ADDRESSES ? "shown" : "hidden");
	if (status->statistics.flags & ETW_STATISTICS_RUNDOWN)
		printf("  a rundown is being written\n");
	if (info->wnode.time_stamp) {
		text_from_filetime(info->wnode.time_stamp, started, sizeof(started));
		printf("  started %s UTC\n", started);
	}
	if (status->session.file[0])
		printf("  file %s%s\n", status->session.file,
		       has_writer(info) ? "" : " (its writer has ended: 'etw stop' ends the session)");
	if (info->maximum_file_size)
		printf("  maximum file size %u MB\n", info->maximum_file_size);
}

/* What has lines of its own, counter by counter */
static bool is_counting(enum etw_item_kind kind)
{
	return kind == ETW_ITEM_PMC_COUNTERS || kind == ETW_ITEM_COUNTER_NAMES ||
	       kind == ETW_ITEM_COUNTER_ATTRS;
}

static void print_items(const struct etw_items *items)
{
	enum etw_item_kind kind;
	char *text;

	/* the events are in the first line */
	for (kind = ETW_ITEM_ENABLE_FLAGS + 1; kind < ETW_ITEM_KINDS; kind++) {
		if (!etw_items_have(items, kind) || is_counting(kind))
			continue;
		text = item_text(items, kind);
		printf("  %s: %s\n", item_title(kind), text ? text : "?");
		free(text);
	}
}

void status_print(const struct status *status)
{
	const struct wmi_logger_information *info = &status->session.info;
	struct etw_statistics one;
	char events[1024];
	uint32_t cpu;

	events_text(&status->session.masks, events, sizeof(events));
	printf("%u %s: %s, %s, events %s\n", status->id, status->session.name,
	       status_state(status), status_mode(status), events);
	print_settings(status);
	print_items(&status->session.items);
	status_providers_print(status);
	counting_print(status);
	print_numbers(&status->statistics);
	print_hour(status);
	printf("  properties: EventsLost %u, BuffersWritten %u, LogBuffersLost %u, ",
	       info->events_lost, info->buffers_written, info->log_buffers_lost);
	printf("RealTimeBuffersLost %u\n", info->real_time_buffers_lost);
	for (cpu = 0; status->cpus && cpu < status->statistics.processors; cpu++) {
		if (control_try_statistics(status->fd, status->id, cpu, &one))
			continue;
		printf(" CPU %u\n", cpu);
		print_numbers(&one);
		counting_print_cpu(status, cpu);
	}
}
