// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Writes the names of counters and the sampling intervals of a session to its stream. */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt
#include <linux/mutex.h>
#include <linux/printk.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "config/config.h"
#include "source/profile/profile_records.h"
#include "describe.h"
#include "rundown_limits.h"
#include "session.h"

/* Settings may change between calls, but not the number of sources, or names. */
static u32 encode(struct etw_session *session, u32 i, u8 *payload)
{
	const struct etw_settings *settings = &session->settings;
	struct etw_profile_plan plan;
	u32 size = 0;

	mutex_lock(&session->settings_lock);
	etw_profile_plan(&settings->masks, &settings->items, &plan);
	if (i == ETW_SAMPLERS)
		size = etw_encode_counter_names(&settings->items, payload);
	else if (plan.interval[i])
		size = etw_encode_interval(&settings->items, plan.source[i], plan.interval[i],
					   payload);
	mutex_unlock(&session->settings_lock);
	return size;
}

/* If a session neither counts nor samples, no memory is needed. */
static bool has_descriptions(struct etw_session *session)
{
	const struct etw_settings *settings = &session->settings;
	struct etw_profile_plan plan;
	bool counts;

	mutex_lock(&session->settings_lock);
	counts = settings->items.nr_counters;
	etw_profile_plan(&settings->masks, &settings->items, &plan);
	mutex_unlock(&session->settings_lock);
	return counts || memchr_inv(plan.interval, 0, sizeof(plan.interval));
}

/**
 * etw_rundown_describe() - write the names of counters and the sampling intervals
 * @rundown: of the session
 * @hook_id: PERFINFO_LOG_TYPE_COLLECTION_START or _END
 *
 * Written at both ends of a stream, because a flight recorder has lost its start.
 *
 * Context: process; sleeps; takes settings_lock.
 */
void etw_rundown_describe(struct etw_session_rundown *rundown, u16 hook_id)
{
	struct etw_session *session = rundown->session;
	u8 *payload;
	u32 i, size;

	if (!has_descriptions(session))
		return;
	payload = kmalloc(ETW_PROFILE_PAYLOAD, GFP_KERNEL);
	if (!payload) {
		pr_warn("session %u: no memory to name counters\n", session->sink.id);
		return;
	}
	size = encode(session, ETW_SAMPLERS, payload);
	if (size)
		etw_rundown_write(&rundown->rundown, PERFINFO_LOG_TYPE_PMC_CONFIG,
				  PERFINFO_PMC_CONFIG_VERSION, ETW_RUNDOWN_SYSTEM, payload, size);
	for (i = 0; i < ETW_SAMPLERS; i++) {
		size = encode(session, i, payload);
		if (size)
			etw_rundown_write(&rundown->rundown, hook_id,
					  PERFINFO_PROFILE_INTERVAL_VERSION, ETW_RUNDOWN_SYSTEM,
					  payload, size);
	}
	kfree(payload);
}
