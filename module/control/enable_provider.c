// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* ENABLE: its argument is checked, and its filters are copied. */
#include <linux/err.h>
#include <linux/slab.h>
#include "provider/event_filters.h"
#include "provider/provider.h"
#include "session/access.h"
#include "control_session.h"
#include "enable_provider.h"

/**
 * struct wanted_events - ENABLE, copied
 * @enable: its argument
 * @filters: or NULL
 */
struct wanted_events {
	const struct etw_enable *enable;
	struct etw_event_filters *filters;
};

static int enable(struct etw_session *session, void *given)
{
	const struct wanted_events *wanted = given;
	int err = wanted->enable->enabled ? etw_may_record() : 0;

	return err ? err : etw_provider_enable(session, wanted->enable, wanted->filters);
}

/**
 * etw_enable_provider() - ENABLE
 * @given: a copy of its argument
 *
 * Context: process; sleeps. Return: 0 or an errno of ETW_IOC_ENABLE.
 */
int etw_enable_provider(const struct etw_enable *given)
{
	struct wanted_events wanted = { .enable = given };
	int err;

	if (given->enabled > ETW_ENABLE_CAPTURE_STATE || given->level > 0xFF || given->reserved ||
	    (given->properties & ~ETW_ENABLE_PROPERTIES) ||
	    (given->nr_filters && given->enabled != 1))
		return -EINVAL;
	wanted.filters = etw_event_filters_copy(given);
	if (IS_ERR(wanted.filters))
		return PTR_ERR(wanted.filters);
	err = etw_on_running(given->logger_id, enable, &wanted);
	if (err)
		kfree(wanted.filters);
	return err;
}
