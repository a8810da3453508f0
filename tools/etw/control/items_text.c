// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Items of an extension in words. */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include "libetl/event_names.h"
#include "counter.h"
#include "group_masks.h"
#include "request.h"
#include "users.h"

static const struct {
	uint32_t type;
	const char *title;
} kinds[ETW_ITEM_KINDS] = {
	[ETW_ITEM_ENABLE_FLAGS] = { ETW_EXT_ENABLE_FLAGS, "events" },
	[ETW_ITEM_PIDS] = { ETW_EXT_PIDS, "process ids" },
	[ETW_ITEM_STACKWALK_FILTER] = { ETW_EXT_STACKWALK_FILTER, "events with stacks" },
	[ETW_ITEM_POOLTAG_FILTER] = { ETW_EXT_POOLTAG_FILTER, "pool tags" },
	[ETW_ITEM_STACK_CACHING] = { ETW_EXT_STACK_CACHING, "stack caching" },
	[ETW_ITEM_PMC_COUNTERS] = { ETW_EXT_VND_PMC_COUNTERS, "counters" },
	[ETW_ITEM_PMC_HOOKS] = { ETW_EXT_VND_PMC_HOOKS, "events with counters" },
	[ETW_ITEM_PEBS_EVENT] = { ETW_EXT_VND_PEBS_EVENT, "event with PEBS" },
	[ETW_ITEM_SAMPLE_INTERVAL] = { ETW_EXT_VND_SAMPLE_INTERVAL, "sample intervals" },
	[ETW_ITEM_SAMPLE_SOURCES] = { ETW_EXT_VND_SAMPLE_SOURCES, "sample sources" },
	[ETW_ITEM_BUFFER_SETTINGS] = { ETW_EXT_VND_BUFFER_SETTINGS, "buffer settings" },
	[ETW_ITEM_CLOCK] = { ETW_EXT_VND_CLOCK, "clock" },
	[ETW_ITEM_COUNTER_NAMES] = { ETW_EXT_VND_COUNTER_NAMES, "counter names" },
	[ETW_ITEM_FILTER_OPTIONS] = { ETW_EXT_VND_FILTER_OPTIONS, "filter options" },
	[ETW_ITEM_HOOK_FILTER] = { ETW_EXT_VND_HOOK_FILTER, "only these hooks" },
	[ETW_ITEM_CONSUMER] = { ETW_EXT_VND_CONSUMER, "reader" },
	[ETW_ITEM_PROVIDER_UIDS] = { ETW_EXT_VND_PROVIDER_UIDS, "users that may write" },
	[ETW_ITEM_PROVIDER_GIDS] = { ETW_EXT_VND_PROVIDER_GIDS, "groups that may write" },
	[ETW_ITEM_COUNTER_ATTRS] = { ETW_EXT_VND_COUNTER_ATTRS, "counter attributes" },
	[ETW_ITEM_PROVIDER_OPTIONS] = { ETW_EXT_VND_PROVIDER_OPTIONS, "programs' events" },
};

const char *item_title(enum etw_item_kind kind)
{
	return kinds[kind].title;
}

uint32_t item_type(enum etw_item_kind kind)
{
	return kinds[kind].type;
}

const char *item_type_title(uint32_t type)
{
	int i;

	if (type == ETW_EXT_VND_LINUX_EVENTS)
		return "events of Linux";
	for (i = 0; i < ETW_ITEM_KINDS; i++)
		if (kinds[i].type == type)
			return kinds[i].title;
	return NULL;
}

static const char *comma(uint32_t i)
{
	return i ? ", " : "";
}

static void put_numbers(FILE *to, const __u32 *numbers, uint32_t count)
{
	uint32_t i;

	for (i = 0; i < count; i++)
		fprintf(to, "%s%u", comma(i), numbers[i]);
}

static void put_hooks(FILE *to, const __u16 *hooks, uint32_t count)
{
	char name[EVENT_NAME];
	uint32_t i;

	for (i = 0; i < count; i++) {
		hook_name(hooks[i], name, sizeof(name));
		fprintf(to, "%s0x%04x %s", comma(i), hooks[i], name);
	}
}

static void put_masks(FILE *to, const struct etw_items *items)
{
	struct perfinfo_groupmask masks = items->masks;
	char text[1024], aliases[256];
	uint32_t flags = masks.masks[0];

	/* Element 0 may hold aliases, as EnableFlags do. */
	masks.masks[0] = 0;
	events_text(&masks, text, sizeof(text));
	events_flags_text(flags, aliases, sizeof(aliases));
	if (!flags)
		fputs(text, to);
	else if (!memcmp(&masks, &(struct perfinfo_groupmask){ }, sizeof(masks)))
		fputs(aliases, to);
	else
		fprintf(to, "%s+%s", aliases, text);
}

static void put_tags(FILE *to, const struct etw_items *items)
{
	uint32_t i, k;
	int c;

	for (i = 0; i < items->nr_pool_tags; i++) {
		fputs(comma(i), to);
		for (k = 0; k < 4; k++) {
			c = items->pool_tags[i] >> 8 * k & 0xFF;
			putc(c > ' ' && c < 0x7F ? c : c == ' ' ? '_' : '.', to);
		}
	}
}

static void put_buffers(FILE *to, const struct etw_items *items)
{
	const struct etw_ext_buffers *buffers = &items->buffers;

	fprintf(to, "%u KB, %u to %u, flush timer %u ms", buffers->buffer_size,
		buffers->minimum_buffers, buffers->maximum_buffers, buffers->flush_timer);
}

static void put_options(FILE *to, const struct etw_items *items)
{
	uint32_t left = items->filter_options & ~(ETW_FILTER_CHILDREN | ETW_FILTER_EXCLUDE_SELF);
	uint32_t n = 0;

	if (items->filter_options & ETW_FILTER_CHILDREN)
		fprintf(to, "%schildren of the processes too", comma(n++));
	if (items->filter_options & ETW_FILTER_EXCLUDE_SELF)
		fprintf(to, "%snot the process that started it", comma(n++));
	if (left)
		fprintf(to, "%s0x%x", comma(n++), left);
	if (!n)
		fputs("none", to);
}

static void put_consumer(FILE *to, const struct etw_items *items)
{
	char user[64], group[64];

	user_text(items->consumer.uid, user, sizeof(user));
	group_text(items->consumer.gid, group, sizeof(group));
	fprintf(to, "user %s, group %s, mode %04o", user, group, items->consumer.mode);
}

static void put_providers(FILE *to, const __u32 *ids, uint32_t count,
			  void (*text)(uint32_t id, char *to, size_t room))
{
	char name[64];
	uint32_t i;

	for (i = 0; i < count; i++) {
		text(ids[i], name, sizeof(name));
		fprintf(to, "%s%s", comma(i), name);
	}
}

static void put_provider_options(FILE *to, const struct etw_items *items)
{
	uint32_t flags = items->provider.flags, rate = items->provider.rate_limit;

	if (flags & ETW_PROVIDER_KERNEL_SESSION)
		fputs("beside kernel events, ", to);
	if (flags & ETW_PROVIDER_TIMESTAMPS)
		fputs("with their own time stamps, ", to);
	if (flags & ETW_PROVIDER_WNODES)
		fputs("WNODEs too, ", to);
	if (rate == ETW_NO_RATE_LIMIT)
		fputs("no rate limit", to);
	else if (rate)
		fprintf(to, "%u a second and user", rate);
	else
		fputs("default rate limit", to);
}

static void put_item(FILE *to, const struct etw_items *items, enum etw_item_kind kind)
{
	switch (kind) {
	case ETW_ITEM_ENABLE_FLAGS:
		return put_masks(to, items);
	case ETW_ITEM_PIDS:
		return put_numbers(to, items->pids, items->nr_pids);
	case ETW_ITEM_STACKWALK_FILTER:
		return put_hooks(to, items->stackwalk, items->nr_stackwalk);
	case ETW_ITEM_POOLTAG_FILTER:
		return put_tags(to, items);
	case ETW_ITEM_STACK_CACHING:
		fprintf(to, "%u bytes, %u buckets", items->caching.cache_size,
			items->caching.bucket_count);
		return;
	case ETW_ITEM_PMC_COUNTERS:
		return put_counters(to, items);
	case ETW_ITEM_PMC_HOOKS:
		return put_hooks(to, items->counter_hooks, items->nr_counter_hooks);
	case ETW_ITEM_PEBS_EVENT:
		return put_hooks(to, &(__u16){ items->pebs_hook }, !!items->pebs_hook);
	case ETW_ITEM_SAMPLE_INTERVAL:
		return put_intervals(to, items);
	case ETW_ITEM_SAMPLE_SOURCES:
		return put_sample_sources(to, items);
	case ETW_ITEM_BUFFER_SETTINGS:
		return put_buffers(to, items);
	case ETW_ITEM_CLOCK:
		fputs(clock_name(items->clock), to);
		return;
	case ETW_ITEM_COUNTER_NAMES:
		return put_counter_names(to, items);
	case ETW_ITEM_FILTER_OPTIONS:
		return put_options(to, items);
	case ETW_ITEM_HOOK_FILTER:
		return put_hooks(to, items->hooks, items->nr_hooks);
	case ETW_ITEM_CONSUMER:
		return put_consumer(to, items);
	case ETW_ITEM_PROVIDER_UIDS:
		return put_providers(to, items->provider_uids, items->nr_provider_uids, user_text);
	case ETW_ITEM_PROVIDER_GIDS:
		return put_providers(to, items->provider_gids, items->nr_provider_gids, group_text);
	case ETW_ITEM_COUNTER_ATTRS:
		return put_counter_attrs(to, items);
	case ETW_ITEM_PROVIDER_OPTIONS:
		return put_provider_options(to, items);
	default:
		return;
	}
}

char *item_text(const struct etw_items *items, enum etw_item_kind kind)
{
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	if (!to)
		return NULL;
	put_item(to, items, kind);
	fclose(to);
	return text;
}
