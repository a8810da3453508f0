// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The block that QUERY returns: settings and numbers, names, extension. */
#include <linux/align.h>
#include <linux/build_bug.h>
#include <linux/string.h>
#include "config/config.h"
#include "context/counters.h"
#include "context/event_context.h"
#include "record/utf16.h"
#include "source/profile/samplers.h"
#include "information.h"
#include "session.h"
#include "statistics.h"

static_assert(sizeof(struct wmi_logger_information) +
	      2 * (ETW_MAX_LOGGER_NAME + 1 + ETW_MAX_LOG_FILE_NAME + 1) + 4 +
	      2 * sizeof(struct etw_items) <= ETW_INFORMATION_ROOM);

static void put_name(u8 *block, struct etw_unicode_string *string, u32 *used, const u16 *name)
{
	string->length = 2 * etw_utf16_length(name);
	string->maximum_length = string->length + 2;
	string->buffer = *used;
	memcpy(block + *used, name, string->maximum_length);
	*used += string->maximum_length;
}

/* Returns EnableFlags, or, if there are items, the reference to the extension with them. */
static u32 put_extension(u8 *block, const struct etw_settings *settings, u32 *used)
{
	const struct trace_enable_flag_extension extension = {
		.offset = ALIGN(*used, 4),
		.length = ETW_EXT_ITEMS,
		.flag = ETW_EXT_FLAG,
	};
	u32 enable_flags;

	if (!settings->items.present)
		return settings->enable_flags;
	*used = extension.offset + etw_items_encode(&settings->items, block + extension.offset,
						    ETW_INFORMATION_ROOM - extension.offset);
	memcpy(&enable_flags, &extension, sizeof(enable_flags));
	return enable_flags;
}

/**
 * etw_information_fill() - write fixed part, both names, and the extension as one block
 * @session: a session
 * @block: out: zeroed, ETW_INFORMATION_ROOM bytes
 *
 * Context: process; takes settings_lock for a moment. Return: bytes of the block.
 */
u32 etw_information_fill(struct etw_session *session, u8 *block)
{
	struct wmi_logger_information *info = (void *)block;
	u32 used = sizeof(*info);

	etw_session_query(session, info);
	mutex_lock(&session->settings_lock);
	put_name(block, &info->logger_name, &used, session->settings.logger_name);
	put_name(block, &info->log_file_name, &used, session->settings.log_file_name);
	info->enable_flags = put_extension(block, &session->settings, &used);
	mutex_unlock(&session->settings_lock);
	info->wnode.buffer_size = used;
	return used;
}

/* The method stays NONE if records contain no value of the counter. */
static void fill_counters(struct etw_session *session, struct etw_counting *counting)
{
	const struct etw_event_context *context = session->sink.context;
	const struct etw_items *items = &session->settings.items;
	const struct etw_profile *profile = session->profile;
	u32 i, counted = 0;

	lockdep_assert_held(&session->lock);
	counting->nr_counters = items->nr_counters;
	for (i = 0; i < items->nr_counters; i++) {
		counting->counter[i].profile_source = items->counters[i].profile_source;
		if (context && context->counters && etw_counter_is_counted(items, i))
			counting->counter[i].method =
				etw_perf_set_method(context->counters, counted++,
						    counting->processor);
	}
	if (profile) {
		counting->profile_clock = profile->clock;
		counting->profile_interval = profile->sampler[ETW_SAMPLER_TIMER].set ?
			profile->sampler[ETW_SAMPLER_TIMER].interval : 0;
		counting->throttled = atomic_read(&profile->throttled);
	}
	if (context && context->pebs)
		counting->pebs_format = etw_pebs_format() + 1;
}

/**
 * etw_session_counting() - how a session counts and samples
 * @session: a session
 * @counting: in: @processor; out: the rest
 *
 * Context: process; sleeps. Return: 0; -EINVAL for a processor that doesn't exist;
 * -EINTR if the caller was killed.
 */
int etw_session_counting(struct etw_session *session, struct etw_counting *counting)
{
	u32 processor = counting->processor;

	if (processor != ETW_ALL_PROCESSORS &&
	    (processor >= nr_cpu_ids || !cpu_possible(processor)))
		return -EINVAL;
	*counting = (struct etw_counting){
		.size = counting->size,
		.logger_id = session->sink.id,
		.processor = processor,
	};
	if (mutex_lock_killable(&session->lock))
		return -EINTR;
	fill_counters(session, counting);
	mutex_unlock(&session->lock);
	return 0;
}
