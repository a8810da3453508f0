// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Options that say what programs may write to a session. */
#include <string.h>
#include <strings.h>
#include <unistd.h>
#include "libetl/text.h"
#include "session_options.h"

static struct etw_ext_provider_options *say(struct session_options *options)
{
	options->given |= KIND(ETW_ITEM_PROVIDER_OPTIONS);
	items_say(&options->request.items, ETW_ITEM_PROVIDER_OPTIONS);
	return &options->request.items.provider;
}

int option_provider_rate(struct session_options *options, const char *value)
{
	uint32_t *rate = &say(options)->rate_limit;

	if (!strcasecmp(value, "none")) {
		*rate = ETW_NO_RATE_LIMIT;
		return 0;
	}
	if (!parse_number(value, 1, ETW_MAX_RATE_LIMIT, rate))
		return option_error(options, "events a second '%s': 1 to %u, or none", value,
				    ETW_MAX_RATE_LIMIT);
	return 0;
}

int option_provider_timestamps(struct session_options *options, const char *value)
{
	(void)value;
	say(options)->flags |= ETW_PROVIDER_TIMESTAMPS;
	options->no_timestamps = false;
	return 0;
}

int option_no_provider_timestamps(struct session_options *options, const char *value)
{
	(void)value;
	options->request.items.provider.flags &= ~ETW_PROVIDER_TIMESTAMPS;
	options->no_timestamps = true;
	return 0;
}

int option_provider_wnodes(struct session_options *options, const char *value)
{
	(void)value;
	say(options)->flags |= ETW_PROVIDER_WNODES;
	return 0;
}

int option_provider_kernel(struct session_options *options, const char *value)
{
	(void)value;
	say(options)->flags |= ETW_PROVIDER_KERNEL_SESSION;
	options->no_programs = false;
	return 0;
}

int option_no_provider_kernel(struct session_options *options, const char *value)
{
	(void)value;
	options->request.items.provider.flags &= ~ETW_PROVIDER_KERNEL_SESSION;
	options->no_programs = true;
	return 0;
}

int option_sequence(struct session_options *options, const char *value)
{
	if (!strcasecmp(value, "global"))
		options->sequence = EVENT_TRACE_USE_GLOBAL_SEQUENCE;
	else if (!strcasecmp(value, "local"))
		options->sequence = EVENT_TRACE_USE_LOCAL_SEQUENCE;
	else if (!strcasecmp(value, "none"))
		options->sequence = 0;
	else
		return option_error(options, "numbers of messages '%s': global, local or none",
				    value);
	return 0;
}

/* Of what kernel events alone have */
static bool asks_for_kernel(const struct session_options *options)
{
	static const uint32_t kinds =
		KIND(ETW_ITEM_PIDS) | KIND(ETW_ITEM_STACKWALK_FILTER) |
		KIND(ETW_ITEM_POOLTAG_FILTER) | KIND(ETW_ITEM_STACK_CACHING) |
		KIND(ETW_ITEM_FILTER_OPTIONS) | KIND(ETW_ITEM_HOOK_FILTER);
	const struct counter_options *counting = &options->counting;

	return options->given & kinds || counting->nr_counters || counting->nr_samples ||
	       counting->nr_intervals || counting->timer || counting->pebs ||
	       counting->pebs_event.name[0] ||
	       options->request.items.provider.flags & ETW_PROVIDER_KERNEL_SESSION;
}

bool providers_only(const struct session_options *options)
{
	static const struct perfinfo_groupmask none;

	if (options->request.linux_events)
		return false;
	if (options->events)
		return !memcmp(&options->request.masks, &none, sizeof(none));
	return options->for_verb == FOR_START && !asks_for_kernel(options) &&
	       !text_is_same_name(options->request.name, KERNEL_LOGGER);
}

/*
 * A session that root starts takes the events of root's programs, because 'etw enable' would
 * have no effect otherwise. The kernel's logger takes none, because Windows' one takes none.
 */
static bool takes_programs(const struct session_options *options)
{
	return !options->no_programs && !geteuid() &&
	       !text_is_same_name(options->request.name, KERNEL_LOGGER);
}

void providers_finish(struct session_options *options)
{
	bool only = providers_only(options);

	if (only && !options->no_timestamps)
		say(options)->flags |= ETW_PROVIDER_TIMESTAMPS;
	else if (!only && takes_programs(options))
		say(options)->flags |= ETW_PROVIDER_KERNEL_SESSION;
}
