// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Options that say what is recorded: events, filters, stacks. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "control/group_masks.h"
#include "control/hooks.h"
#include "linux_events/linux_events.h"
#include "session_options.h"

int option_events(struct session_options *options, const char *value)
{
	if (linux_events_is_name(value))
		return option_linux_events(options, value);
	options->events = true;
	memset(&options->request.masks, 0, sizeof(options->request.masks));
	if (!strcasecmp(value, "none"))
		return 0;
	return events_parse(verb_word(), value, &options->request.masks) ? 0 : EXIT_USAGE;
}

/* Calls @add for each part of a list, until it returns an exit code. */
static int each(struct session_options *options, const char *value, const char *separators,
		int (*add)(struct session_options *options, const char *part))
{
	char *copy = strdup(value), *part, *rest = copy;
	int code = copy ? 0 : EXIT_FAILED;

	while (!code && (part = strsep(&rest, separators)))
		code = add(options, part);
	free(copy);
	return code;
}

static void say(struct session_options *options, enum etw_item_kind kind)
{
	options->given |= KIND(kind);
	items_say(&options->request.items, kind);
}

static void unsay(struct session_options *options, enum etw_item_kind kind)
{
	options->given |= KIND(kind);
	options->request.items.present &= ~KIND(kind);
}

static int add_pid(struct session_options *options, const char *part)
{
	struct etw_items *items = &options->request.items;

	if (items->nr_pids == ETW_MAX_PIDS)
		return option_error(options, "process ids: at most %u", ETW_MAX_PIDS);
	if (!parse_number(part, 0, UINT32_MAX, &items->pids[items->nr_pids]))
		return option_error(options, "process id '%s': a number is needed ('pgrep NAME' "
				    "finds it)", part);
	items->nr_pids++;
	return 0;
}

int option_pid(struct session_options *options, const char *value)
{
	say(options, ETW_ITEM_PIDS);
	options->request.items.nr_pids = 0;
	return each(options, value, ",+", add_pid);
}

static int set_filter(struct session_options *options, uint32_t bit, bool on)
{
	struct etw_items *items = &options->request.items;

	options->filters |= bit;
	items->filter_options &= ~bit;
	items->filter_options |= on ? bit : 0;
	if (items->filter_options)
		say(options, ETW_ITEM_FILTER_OPTIONS);
	else
		unsay(options, ETW_ITEM_FILTER_OPTIONS);
	return 0;
}

int option_children(struct session_options *options, const char *value)
{
	(void)value;
	return set_filter(options, ETW_FILTER_CHILDREN, true);
}

int option_exclude_self(struct session_options *options, const char *value)
{
	(void)value;
	return set_filter(options, ETW_FILTER_EXCLUDE_SELF, true);
}

static int add_to_hooks(struct session_options *options, const char *part, uint16_t *hooks,
			uint32_t *count, uint32_t most)
{
	struct suggestion suggestion;

	if (*count == most)
		return option_error(options, "hook ids: at most %u", most);
	if (!hook_parse(part, &hooks[*count]))
		return option_error(options, "there is no event '%s'%s; 'etw list hooks' shows names",
				    part, hook_suggestion(part, &suggestion));
	(*count)++;
	return 0;
}

static int add_hook(struct session_options *options, const char *part)
{
	struct etw_items *items = &options->request.items;

	return add_to_hooks(options, part, items->hooks, &items->nr_hooks, ETW_MAX_HOOK_FILTER);
}

int option_hook(struct session_options *options, const char *value)
{
	say(options, ETW_ITEM_HOOK_FILTER);
	options->request.items.nr_hooks = 0;
	return each(options, value, ",+", add_hook);
}

static int add_stackwalk(struct session_options *options, const char *part)
{
	struct etw_items *items = &options->request.items;

	if (linux_events_is_name(part))
		return option_linux_stack(options, part);
	say(options, ETW_ITEM_STACKWALK_FILTER);
	return add_to_hooks(options, part, items->stackwalk, &items->nr_stackwalk,
			    ETW_MAX_STACKWALK_FILTER);
}

int option_stackwalk(struct session_options *options, const char *value)
{
	options->request.items.nr_stackwalk = 0;
	return each(options, value, ",+", add_stackwalk);
}

/* Four characters; a shorter tag has blanks behind, as on Windows. */
static int add_tag(struct session_options *options, const char *part)
{
	struct etw_items *items = &options->request.items;
	size_t length = strlen(part), i;
	uint32_t tag = 0;

	if (items->nr_pool_tags == ETW_MAX_POOLTAG_FILTER)
		return option_error(options, "pool tags: at most %u", ETW_MAX_POOLTAG_FILTER);
	if (!length || length > 4)
		return option_error(options, "pool tag '%s': one to four characters", part);
	for (i = 0; i < 4; i++)
		tag |= (uint32_t)(uint8_t)(i < length ? part[i] : ' ') << 8 * i;
	items->pool_tags[items->nr_pool_tags++] = tag;
	return 0;
}

int option_pool_tags(struct session_options *options, const char *value)
{
	say(options, ETW_ITEM_POOLTAG_FILTER);
	options->request.items.nr_pool_tags = 0;
	return each(options, value, ",+", add_tag);
}

int option_stack_caching(struct session_options *options, const char *value)
{
	struct etw_stack_caching_config *caching = &options->request.items.caching;
	const char *colon = strchr(value, ':');
	uint64_t bytes = 0;
	char *size;
	bool good;

	say(options, ETW_ITEM_STACK_CACHING);
	size = colon ? strndup(value, colon - value) : NULL;
	good = size && parse_bytes(size, &bytes) && bytes && bytes <= ETW_MAX_STACK_CACHE &&
	       parse_number(colon + 1, 1, ETW_MAX_STACK_BUCKETS, &caching->bucket_count);
	free(size);
	caching->cache_size = bytes;
	if (good)
		return 0;
	return option_error(options, "stack caching '%s': SIZE:BUCKETS, at most %uM and %u", value,
			    ETW_MAX_STACK_CACHE >> 20, ETW_MAX_STACK_BUCKETS);
}

/* --children without processes is invalid: it is removed together with them. */
int option_no_pid(struct session_options *options, const char *value)
{
	unsay(options, ETW_ITEM_PIDS);
	return option_no_children(options, value);
}

int option_no_children(struct session_options *options, const char *value)
{
	(void)value;
	return set_filter(options, ETW_FILTER_CHILDREN, false);
}

int option_no_exclude_self(struct session_options *options, const char *value)
{
	(void)value;
	return set_filter(options, ETW_FILTER_EXCLUDE_SELF, false);
}

int option_no_hook(struct session_options *options, const char *value)
{
	(void)value;
	unsay(options, ETW_ITEM_HOOK_FILTER);
	return 0;
}

int option_no_stackwalk(struct session_options *options, const char *value)
{
	(void)value;
	unsay(options, ETW_ITEM_STACKWALK_FILTER);
	return 0;
}

int option_no_pool_tags(struct session_options *options, const char *value)
{
	(void)value;
	unsay(options, ETW_ITEM_POOLTAG_FILTER);
	return 0;
}

int option_no_stack_caching(struct session_options *options, const char *value)
{
	(void)value;
	unsay(options, ETW_ITEM_STACK_CACHING);
	return 0;
}
