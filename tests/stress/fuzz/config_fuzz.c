// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/*
 * libFuzzer target: any bytes as a START block, and as an update.
 *
 * The parser must come back with complete settings or with an error that says
 * where and why. What holds for either is checked here, and so is what must
 * come out again of what was parsed. The input is the block: nothing of it is
 * anything else, so the same files serve to try the kernel (config_replay).
 */
#include <errno.h>
#include <string.h>
#include "module/config/config.h"
#include "module/config/linux_events.h"
#include "module/config/profile_sources.h"
#include "module/record/field_copy.h"
#include "must.h"

#define INDEX_BITS	0xE0000000U
#define PROPERTIES	0x78U	/* EVENT_TRACE_PROPERTIES */

size_t LLVMFuzzerMutate(__u8 *data, size_t size, size_t room);
size_t LLVMFuzzerCustomMutator(__u8 *data, size_t size, size_t room, unsigned int seed);
int LLVMFuzzerTestOneInput(const __u8 *data, size_t size);

static void check_error(int err, const struct etw_config_error *error, __u32 size,
			__u32 fixed)
{
	MUST(err == -EINVAL || err == -EOPNOTSUPP || err == -E2BIG || err == -EEXIST ||
	     err == -ERANGE);
	MUST(error->reason > ETW_REASON_NONE && error->reason <= ETW_REASON_NO_MEMORY);
	MUST(error->offset <= size);
	MUST(!error->item || (error->offset > fixed && error->offset + 4 <= size));
}

static int is_zero(const void *at, size_t size)
{
	const __u8 *bytes = at;

	return !size || (!bytes[0] && !memcmp(bytes, bytes + 1, size - 1));
}

static void check_name(const __u16 *name, __u32 limit)
{
	__u32 i = 0;

	while (i <= limit && name[i]) {
		MUST(name[i] >= ' ');
		i++;
	}
	MUST(i <= limit);
	MUST(is_zero(name + i, (limit - i + 1) * sizeof(*name)));
}

static void check_hooks(const __u16 *hooks, __u32 n)
{
	MUST(n <= 256);
	while (n--)
		MUST(hooks[n] >> 8 <= ETW_MAX_HOOK_GROUP);
}

static void check_places(const struct etw_items *items, __u32 size)
{
	__u32 i, k;

	MUST(!(items->present >> ETW_ITEM_KINDS));
	for (i = 0; i < ETW_ITEM_KINDS; i++) {
		if (!etw_items_have(items, i)) {
			MUST(!items->index[i] && !items->offset[i]);
			continue;
		}
		MUST(items->offset[i] + 4 <= size);
		MUST(items->index[i] || items->present == 1U << ETW_ITEM_ENABLE_FLAGS);
		for (k = 0; k < i; k++)
			MUST(!etw_items_have(items, k) ||
			     (items->index[k] < items->index[i]) ==
			     (items->offset[k] < items->offset[i]));
	}
}

static const struct etw_ext_counter *find_counter(const struct etw_items *items, __u32 source)
{
	__u32 i;

	for (i = 0; i < items->nr_counters; i++)
		if (items->counters[i].profile_source == source)
			return &items->counters[i];
	return NULL;
}

static void check_sampling(const struct etw_items *items)
{
	__u32 i, k, flags, source, counted = 0, precise = 0;

	for (i = 0; i < items->nr_intervals; i++) {
		MUST(items->intervals[i].interval >= 100 &&
		     items->intervals[i].interval <= 0x7FFFFFFF);
		if (!items->intervals[i].profile_source)
			MUST(items->intervals[i].interval >= 200 &&
			     items->intervals[i].interval <= 10000000);
	}
	MUST(!items->nr_counter_attrs || items->nr_counter_attrs == items->nr_counters);
	for (i = 0; i < items->nr_counters; i++) {
		MUST(find_counter(items, items->counters[i].profile_source) ==
		     &items->counters[i]);
		flags = items->counter_attrs[i].flags;
		MUST(!(flags & ~0x3FU) && !items->counter_attrs[i].reserved);
		counted += !(flags & 0x10);
		precise += !!(flags & 0x20);
	}
	MUST(!items->nr_counter_hooks || counted);
	for (i = 0; i < items->nr_sample_sources; i++) {
		source = items->sample_sources[i];
		MUST(source && source <= 0xFFFF);
		MUST(find_counter(items, source) || (source < 24 && etw_profile_source_known(source)));
		for (k = 0; k < i; k++)
			MUST(items->sample_sources[k] != source);
		for (k = 0; k < items->nr_counters; k++)
			precise -= items->counters[k].profile_source == source &&
				   items->counter_attrs[k].flags & 0x20;
	}
	MUST(!precise);
}

static void check_items(const struct etw_items *items, __u32 size)
{
	__u32 i;

	check_places(items, size);
	MUST(items->nr_masks <= ETW_MASKS && items->nr_pids <= ETW_MAX_PIDS);
	MUST(items->nr_pool_tags <= ETW_MAX_POOLTAG_FILTER);
	MUST(items->nr_counters <= ETW_MAX_PMC_COUNTERS);
	MUST(items->nr_intervals <= ETW_MAX_SAMPLE_INTERVALS);
	MUST(items->nr_sample_sources <= ETW_MAX_SAMPLE_SOURCES);
	MUST(items->nr_provider_uids <= ETW_MAX_PROVIDERS);
	MUST(items->nr_provider_gids <= ETW_MAX_PROVIDERS);
	check_hooks(items->stackwalk, items->nr_stackwalk);
	check_hooks(items->counter_hooks, items->nr_counter_hooks);
	check_hooks(items->hooks, items->nr_hooks);
	for (i = 0; i < ETW_MASKS; i++)
		MUST(!(items->masks.masks[i] & INDEX_BITS));
	check_sampling(items);
	MUST(!items->pebs_hook || items->pebs_hook == PERFINFO_LOG_TYPE_CONTEXTSWAP);
	MUST(!(items->consumer.mode & ~0444U));
	MUST(!(items->provider.flags & ~7U));
	MUST(items->provider.rate_limit <= 100000000 || !~items->provider.rate_limit);
	MUST(!items->nr_counter_hooks || items->nr_counters);
	MUST(!(items->filter_options & ETW_FILTER_CHILDREN) || items->nr_pids);
	MUST(items->counter_name_units <= ETW_MAX_COUNTER_NAMES);
	MUST(!items->counter_name_units ||
	     !items->counter_names[items->counter_name_units - 1]);
	MUST(items->clock <= ETW_CLOCK_CYCLE);
	MUST(items->caching.cache_size <= ETW_MAX_STACK_CACHE);
	MUST(items->caching.bucket_count <= ETW_MAX_STACK_BUCKETS);
}

static void forget_places(struct etw_items *items)
{
	memset(items->index, 0, sizeof(items->index));
	memset(items->offset, 0, sizeof(items->offset));
	items->linux_events = NULL;
}

/* Run an entry's program over a record of the fewest bytes, filled with bytes of the entry. */
static void run_entry(const struct etw_ext_linux_event *head, __u32 more)
{
	const struct etw_linux_event_test *tests = (const void *)(head + 1);
	const struct etw_linux_event_field *fields =
		(const void *)((const __u8 *)head + etw_linux_event_fields_at(head));
	__u32 size = head->record_size + more, i, bytes;
	__u8 *data = malloc(size ? size : 1), *to;
	const struct etw_raw_record raw = { .data = data, .size = size };

	for (i = 0; i < size; i++)
		data[i] = ((const __u8 *)head)[(44 + i) % head->size];
	etw_tests_pass(tests, head->nr_tests, &raw);
	bytes = etw_fields_size(fields, head->nr_fields, &raw);
	to = malloc(bytes ? bytes : 1);
	etw_fields_copy(to, fields, head->nr_fields, &raw, more & 1);
	MUST(sizeof(struct etw_event_header) + bytes <= etw_linux_event_record_size(head) +
	     (__u64)head->nr_fields * (head->record_size + 0x10000));
	free(to);
	free(data);
}

static void check_linux_events(const struct etw_items *items)
{
	const __u8 *entries = items->linux_events;
	struct etw_ext_linux_event head, *entry;
	__u32 at, nr = 0, stacks = 0;

	MUST(!items->linux_events_size || items->linux_events);
	for (at = 0; at < items->linux_events_size; at += head.size, nr++) {
		MUST(items->linux_events_size - at >= sizeof(head));
		memcpy(&head, entries + at, sizeof(head));
		MUST(head.size >= sizeof(head) && head.size % 4 == 0);
		MUST(etw_linux_event_end(&head) <= head.size);
		MUST(etw_linux_event_record_size(entries + at) <= ETW_MAX_RECORD);
		entry = malloc(head.size);
		memcpy(entry, entries + at, head.size);
		run_entry(entry, 0);
		run_entry(entry, 17);
		free(entry);
		stacks += head.flags & ETW_LINUX_EVENT_STACK;
	}
	MUST(at == items->linux_events_size && nr == items->nr_linux_events);
	MUST(nr <= ETW_MAX_LINUX_EVENTS && stacks == items->nr_linux_stacks);
}

/* Encoded and parsed again, items are what they were. */
static void check_round_trip(const struct etw_items *items)
{
	static struct etw_items before, after;
	static __u8 block[0x79 + ETW_MAX_INFORMATION];
	struct etw_config_error error;
	__u32 bytes = etw_items_encode(items, block + 0x79, sizeof(block) - 0x79);

	MUST(bytes <= sizeof(block) - 0x79);
	MUST(!etw_items_parse(block, 0x79 + bytes, PROPERTIES, 0x80FF0079, &after, &error));
	before = *items;
	forget_places(&before);
	forget_places(&after);
	MUST(!memcmp(&before, &after, sizeof(before)));
	check_linux_events(items);
}

static void check_mode(const struct etw_settings *settings)
{
	__u32 mode = settings->mode;
	__u32 files = mode & 0xB;

	MUST(!(mode & ~0x0200C51BU) && mode & 0x50B);
	MUST((mode & 0xC000) != 0xC000);
	MUST(!(mode & 0x400) || (!files && !settings->log_file_name[0]));
	MUST(!(files & 0x2) || files == 0x2);
	MUST(!(files & 0xA) || settings->maximum_file_size);
	MUST(!(files & 0x8) || settings->log_file_name[1]);
	MUST(!(mode & EVENT_TRACE_SYSTEM_LOGGER_MODE) || settings->kernel);
}

static void check_settings(const struct etw_settings *settings, __u32 size)
{
	__u32 i;

	MUST(settings->buffer_size >= 4096 && settings->buffer_size <= 16384 * 1024);
	MUST(settings->buffer_size % 4096 == 0);
	MUST(settings->maximum_buffers <= ETW_MAX_BUFFERS);
	MUST(settings->minimum_buffers <= settings->maximum_buffers);
	for (i = 1; i <= 2048; i += i / 2 + 1) {
		MUST(etw_config_buffers_per_cpu(settings->maximum_buffers, i) >= ETW_MIN_BUFFERS);
		MUST(etw_config_buffers_per_cpu(settings->maximum_buffers, i) * i <= ETW_MAX_BUFFERS);
	}
	MUST(settings->flush_ms <= 86400000);
	MUST(settings->clock_type >= ETW_CLOCK_QPC && settings->clock_type <= ETW_CLOCK_CYCLE);
	MUST(settings->logger_name[0]);
	check_name(settings->logger_name, ETW_MAX_LOGGER_NAME);
	check_name(settings->log_file_name, ETW_MAX_LOG_FILE_NAME);
	check_mode(settings);
	for (i = 0; i < ETW_MASKS; i++) {
		MUST(!(settings->masks.masks[i] & INDEX_BITS));
		MUST(settings->kernel ||
		     !(settings->masks.masks[i] & ~(i ? 0 : EVENT_TRACE_FLAG_TEST)));
	}
	MUST(!(settings->enable_flags & INDEX_BITS));
	/* masks, buffer settings, clock, consumer, providers and their options */
	MUST(settings->kernel || !(settings->items.present & ~0xB8C01U));
	check_items(&settings->items, size);
	check_round_trip(&settings->items);
}

/* An update to itself is none; one to @other is allowed, or says what is fixed. */
static void check_update(const struct etw_settings *settings, const struct etw_settings *other,
			 __u32 size)
{
	static struct etw_settings next;
	struct etw_config_error error;
	int err;

	/* but for a profile without sources, which no session has */
	err = etw_config_check_sources(settings, NULL, &error);
	if (err) {
		MUST(err == -EINVAL && error.reason == ETW_REASON_MISSING);
		MUST(settings->masks.masks[1] & 0x400 && !settings->items.nr_sample_sources);
		check_error(err, &error, size, sizeof(struct wmi_logger_information));
		return;
	}
	MUST(!etw_config_check_update(settings, settings, &error));
	MUST(error.reason == ETW_REASON_NONE);
	err = etw_config_check_update(other, settings, &error);
	MUST(err == 0 || err == -EINVAL);
	MUST(!err || error.reason == ETW_REASON_FIXED || error.reason == ETW_REASON_MISSING);
	MUST(err || error.reason == ETW_REASON_NONE);
	MUST(error.offset <= size);
	next = *settings;
	next.flush_ms ^= 1;
	next.masks.masks[0] ^= 1;
	next.items.present &= ~(1U << ETW_ITEM_PIDS);
	MUST(!etw_config_check_update(settings, &next, &error));
	next.mode ^= EVENT_TRACE_USE_MS_FLUSH_TIMER;
	MUST(etw_config_check_update(settings, &next, &error) == -EINVAL);
	MUST(error.offset == offsetof(struct wmi_logger_information, log_file_mode));
}

/* Of items, what a session has after an update, without what became fields and masks */
static __u32 encode_rest(const struct etw_items *now, const struct etw_items *next, __u8 *to,
			 __u32 room)
{
	/* left out they stay */
	static const enum etw_item_kind stay[] = {
		ETW_ITEM_PMC_COUNTERS, ETW_ITEM_PMC_HOOKS, ETW_ITEM_PEBS_EVENT,
		ETW_ITEM_SAMPLE_INTERVAL, ETW_ITEM_SAMPLE_SOURCES, ETW_ITEM_COUNTER_NAMES,
		ETW_ITEM_CONSUMER, ETW_ITEM_PROVIDER_UIDS, ETW_ITEM_PROVIDER_GIDS,
		ETW_ITEM_COUNTER_ATTRS, ETW_ITEM_PROVIDER_OPTIONS, ETW_ITEM_LINUX_EVENTS,
	};
	static struct etw_items items;
	__u32 i, bytes;

	items = *next;
	for (i = 0; i < sizeof(stay) / sizeof(stay[0]); i++)
		if (!etw_items_have(&items, stay[i]))
			etw_items_copy(&items, now, stay[i]);
	items.present &= ~(1U << ETW_ITEM_ENABLE_FLAGS | 1U << ETW_ITEM_BUFFER_SETTINGS |
			   1U << ETW_ITEM_CLOCK);
	bytes = etw_items_encode(&items, to, room);
	MUST(bytes <= room);
	return bytes;
}

/* Whether a bit of the masks stands for events that are recorded */
static int records(const struct etw_settings *settings, __u32 element, __u32 bit)
{
	int set = settings->masks.masks[element] >> bit & 1;

	return element || 1U << bit != EVENT_TRACE_FLAG_NO_SYSCONFIG ? set : !set;
}

static int has_new_event(const struct etw_settings *now, const struct etw_settings *next)
{
	__u32 i, bit;

	for (i = 0; i < ETW_MASKS; i++)
		for (bit = 0; bit < 32; bit++)
			if (records(next, i, bit) && !records(now, i, bit))
				return 1;
	return 0;
}

/* What etw_config_takes_away() should say, of each bit, and of the rest as it is encoded */
static int records_no_more(const struct etw_settings *now, const struct etw_settings *next)
{
	static __u8 before[ETW_MAX_INFORMATION], after[ETW_MAX_INFORMATION];
	__u32 bytes = encode_rest(&now->items, &now->items, before, sizeof(before));

	return !has_new_event(now, next) && next->maximum_buffers <= now->maximum_buffers &&
	       bytes == encode_rest(&now->items, &next->items, after, sizeof(after)) &&
	       !memcmp(before, after, bytes);
}

static void check_verdict(const struct etw_settings *now, const struct etw_settings *next)
{
	MUST(etw_config_takes_away(now, next) == records_no_more(now, next));
}

/* Of two blocks, and of what lies between them */
static void check_takes_away(const struct etw_settings *settings, const struct etw_settings *other)
{
	static struct etw_settings next;
	__u32 i;

	MUST(etw_config_takes_away(settings, settings));
	check_verdict(settings, other);
	check_verdict(other, settings);
	next = *settings;
	next.flush_ms ^= 1;
	for (i = 0; i < ETW_MASKS; i++)
		next.masks.masks[i] &= other->masks.masks[i];
	next.masks.masks[0] |= EVENT_TRACE_FLAG_NO_SYSCONFIG;
	MUST(etw_config_takes_away(settings, &next));
	check_verdict(&next, settings);
	next.items = other->items;
	check_verdict(settings, &next);
	next = *settings;
	for (i = 0; i < ETW_ITEM_KINDS; i++) {
		etw_items_copy(&next.items, &other->items, i);
		/* counters and their names belong together */
		if (i < ETW_ITEM_PMC_COUNTERS || i >= ETW_ITEM_COUNTER_NAMES)
			check_verdict(settings, &next);
	}
}

/* What EnableFlags point at behind the smaller structure, for programs */
static void check_properties(const __u8 *data, __u32 size)
{
	static struct etw_items items;
	struct etw_config_error error;
	__u32 enable_flags;
	int err;

	memcpy(&enable_flags, data + 0x48, sizeof(enable_flags));
	err = etw_items_parse(data, size, PROPERTIES, enable_flags, &items, &error);
	if (err) {
		check_error(err, &error, size, PROPERTIES);
		MUST(is_zero(&items, sizeof(items)));
	} else {
		check_items(&items, size);
		check_round_trip(&items);
	}
}

/* The entries are in the input, which is freed. */
static void keep_linux_events(struct etw_items *items)
{
	static __u8 entries[ETW_MAX_INFORMATION];

	if (!items->linux_events)
		return;
	memcpy(entries, items->linux_events, items->linux_events_size);
	items->linux_events = entries;
}

int LLVMFuzzerTestOneInput(const __u8 *data, size_t size)
{
	/* of the good input before this one: no verdict depends on it */
	static struct etw_settings settings, previous;
	struct etw_config_error error;
	int err;

	if (size >= PROPERTIES && size <= ETW_MAX_INFORMATION)
		check_properties(data, size);
	err = etw_config_parse(data, size, &settings, &error);
	if (err) {
		check_error(err, &error, size, sizeof(struct wmi_logger_information));
		return 0;
	}
	check_settings(&settings, size);
	check_update(&settings, &previous, size);
	check_takes_away(&settings, &previous);
	previous = settings;
	keep_linux_events(&previous.items);
	return 0;
}

/* Half of the blocks say how long they are; the others don't get far. */
size_t LLVMFuzzerCustomMutator(__u8 *data, size_t size, size_t room, unsigned int seed)
{
	__u32 bytes;

	size = LLVMFuzzerMutate(data, size, room);
	bytes = size;
	if (size >= sizeof(bytes) && seed % 2)
		memcpy(data, &bytes, sizeof(bytes));
	return size;
}
