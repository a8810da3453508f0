// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* etw status as JSON. */
#include <stdlib.h>
#include "etw_unwind.h"
#include "libetl/event_names.h"
#include "control/group_masks.h"
#include "status.h"

static void put(json_t *to, const char *name, uint64_t number)
{
	json_object_set_new(to, name, json_integer(number));
}

static void put_text(json_t *to, const char *name, const char *text)
{
	json_object_set_new(to, name, json_string(text));
}

static void put_unwinding(json_t *to, const struct etw_statistics *n)
{
	put(to, "unwind_tables", n->unwind_tables);
	put(to, "unwind_bytes", n->unwind_bytes);
	put(to, "unwind_given_back", n->unwind_given_back);
	put(to, "unwind_frames", n->unwind_frames);
	put(to, "unwind_complete", n->unwind_ends[ETW_UNWIND_END_COMPLETE]);
	put(to, "unwind_no_table", n->unwind_ends[ETW_UNWIND_END_NO_TABLE]);
	put(to, "unwind_not_present", n->unwind_ends[ETW_UNWIND_END_NOT_PRESENT]);
	put(to, "unwind_no_rule", n->unwind_ends[ETW_UNWIND_END_RULE]);
	put(to, "unwind_limit", n->unwind_ends[ETW_UNWIND_END_LIMIT]);
}

static json_t *json_statistics(const struct etw_statistics *n)
{
	json_t *to = json_object(), *lost = json_object();
	char cause[48];
	unsigned int i;

	put(to, "read", n->read);
	put(to, "buffered", n->buffered);
	put(to, "overwritten", n->overwritten);
	put(to, "discarded", n->discarded);
	put(to, "internal", n->internal);
	put(to, "lost", statistics_lost(n));
	for (i = 0; i < STATUS_CAUSES; i++) {
		if (i >= ETW_LOSS_CAUSES && !n->lost[i])
			continue;
		status_cause(i, cause, sizeof(cause));
		put(lost, cause, n->lost[i]);
	}
	json_object_set_new(to, "lost_by_cause", lost);
	put(to, "uncounted", n->uncounted);
	put(to, "reach_ms", n->reach / 10000);
	put(to, "stacks_walked", n->stacks_walked);
	put(to, "stacks_unwound", n->stacks_unwound);
	put(to, "stacks_compared", n->stacks_compared);
	put(to, "stacks_different", n->stacks_different);
	put_unwinding(to, n);
	put(to, "buffers_read", n->buffers_read);
	put(to, "buffers_overwritten", n->buffers_overwritten);
	put(to, "buffers_waiting", n->buffers_waiting);
	return to;
}

static void put_properties(json_t *to, const struct status *status)
{
	const struct wmi_logger_information *info = &status->session.info;

	put(to, "buffers", info->number_of_buffers);
	put(to, "buffers_free", info->free_buffers);
	put(to, "minimum_buffers", info->minimum_buffers);
	put(to, "maximum_buffers", info->maximum_buffers);
	put(to, "most_buffers", status->statistics.buffers_most);
	put(to, "maximum_file_mb", info->maximum_file_size);
	put(to, "log_file_mode", info->log_file_mode);
	put(to, "flush_timer_ms", status_flush_ms(status));
	put(to, "enable_flags", info->enable_flags);
	put(to, "events_lost", info->events_lost);
	put(to, "buffers_written", info->buffers_written);
	put(to, "log_buffers_lost", info->log_buffers_lost);
	put(to, "real_time_buffers_lost", info->real_time_buffers_lost);
	put(to, "logger_thread_id", info->logger_thread_id);
	put(to, "sequence_number", info->sequence_number);
	put(to, "start_time", info->wnode.time_stamp);
	json_object_set_new(to, "being_read", json_boolean(info->real_time_consumer_count));
	json_object_set_new(to, "rundown",
			    json_boolean(status->statistics.flags & ETW_STATISTICS_RUNDOWN));
	json_object_set_new(to, "addresses",
			    json_boolean(status->statistics.flags & ETW_STATISTICS_ADDRESSES));
}

/* Of hook ids, which have 16 bits, or of dwords */
static json_t *json_list(const void *numbers, size_t width, uint32_t count)
{
	const __u32 *dwords = numbers;
	const __u16 *hooks = numbers;
	json_t *to = json_array();
	uint32_t i;

	for (i = 0; i < count; i++)
		json_array_append_new(to, json_integer(width == 2 ? hooks[i] : dwords[i]));
	return to;
}

/* Every item in words, filters as numbers too */
static void put_items(json_t *to, const struct status *status)
{
	const struct etw_items *items = &status->session.items;
	json_t *words = json_object();
	enum etw_item_kind kind;
	char *text;

	json_object_set_new(to, "masks", json_list(status->session.masks.masks, 4, ETW_MASKS));
	if (etw_items_have(items, ETW_ITEM_PIDS))
		json_object_set_new(to, "pids", json_list(items->pids, 4, items->nr_pids));
	if (etw_items_have(items, ETW_ITEM_HOOK_FILTER))
		json_object_set_new(to, "hooks", json_list(items->hooks, 2, items->nr_hooks));
	if (etw_items_have(items, ETW_ITEM_STACKWALK_FILTER))
		json_object_set_new(to, "stackwalk",
				    json_list(items->stackwalk, 2, items->nr_stackwalk));
	for (kind = 0; kind < ETW_ITEM_KINDS; kind++) {
		if (!etw_items_have(items, kind))
			continue;
		text = item_text(items, kind);
		put_text(words, item_title(kind), text ? text : "");
		free(text);
	}
	json_object_set_new(to, "items", words);
}

static json_t *json_cpus(const struct status *status)
{
	json_t *cpus = json_array(), *entry;
	struct etw_statistics one;
	uint32_t cpu;

	for (cpu = 0; cpu < status->statistics.processors; cpu++) {
		if (control_try_statistics(status->fd, status->id, cpu, &one))
			continue;
		entry = json_statistics(&one);
		put(entry, "cpu", cpu);
		json_array_append_new(cpus, entry);
	}
	return cpus;
}

json_t *status_json(const struct status *status)
{
	json_t *to = json_statistics(&status->statistics);
	char events[1024];

	events_text(&status->session.masks, events, sizeof(events));
	put(to, "id", status->id);
	put_text(to, "name", status->session.name);
	put_text(to, "file", status->session.file);
	put_text(to, "state", status_state(status));
	put_text(to, "mode", status_mode(status));
	put_text(to, "events", events);
	put_text(to, "clock", clock_name(status->session.info.wnode.client_context));
	put(to, "buffer_size", status->statistics.buffer_size);
	put(to, "processors", status->statistics.processors);
	put(to, "hour_bytes", status_hour_bytes(status));
	put_properties(to, status);
	put_items(to, status);
	status_providers_json(to, status);
	counting_json(to, status);
	if (status->cpus)
		json_object_set_new(to, "cpus", json_cpus(status));
	return to;
}
