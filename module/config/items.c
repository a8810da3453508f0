// SPDX-License-Identifier: GPL-2.0
/* Parser of TRACE_ENABLE_FLAG_EXTENSION: any bytes give items, or an errno and a dword. */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/stddef.h>
#include <linux/string.h>
#include "config.h"
#include "items_cursor.h"
#include "items_layout.h"
#include "profile_sources.h"

/* EnableFlags are there in EVENT_TRACE_PROPERTIES, too. */
#define OVERLAY		offsetof(struct wmi_logger_information, enable_flags)

/* Dword @index of the item is wrong; 0 is its header, data begin with 1. */
int etw_item_refuse(const struct etw_item_cursor *c, __u32 index, __u32 reason, int err)
{
	c->error->offset = c->offset + 4 * index;
	c->error->reason = reason;
	c->error->item = c->number;
	return err;
}

/* The same for what is no item */
static int refuse_array(struct etw_item_cursor *c, __u32 offset, __u32 reason, int err)
{
	c->offset = offset;
	c->number = 0;
	return etw_item_refuse(c, 0, reason, err);
}

/* Entries of @dwords dwords begin with what may be there once only. */
static int check_unique(const struct etw_item_cursor *c, __u32 index, __u32 dwords)
{
	__u32 i;

	for (i = 1; i < index; i += dwords)
		if (etw_item_data(c, i) == etw_item_data(c, index))
			return etw_item_refuse(c, index, ETW_REASON_DUPLICATE, -EEXIST);
	return 0;
}

static int check_hook(const struct etw_item_cursor *c, __u32 index, __u32 hook)
{
	if (hook > 0xFFFF)
		return etw_item_refuse(c, index, ETW_REASON_RANGE, -EINVAL);
	if (hook >> 8 > ETW_MAX_HOOK_GROUP)
		return etw_item_refuse(c, index, ETW_REASON_UNSUPPORTED, -EOPNOTSUPP);
	return 0;
}

/* Only PERFINFO records have room for counters (format.rst 3.6). */
static int check_counter_hook(const struct etw_item_cursor *c, __u32 index, __u32 hook)
{
	/* what has another header (kernel-events.rst 2) */
	static const __u16 other[] = {
		0x0000, 0x010C, 0x010D, 0x010F, 0x020A, 0x020B, 0x020C, 0x020E, 0x020F, 0x0262,
		0x0263, 0x0280, 0x0281, 0x0301, 0x0302, 0x030A, 0x0501, 0x0502, 0x0503, 0x0504,
		0x0B0A, 0x0B0B, 0x0B0C, 0x0B0D, 0x0B19, 0x0B23, 0x0F22, 0x0F30, 0x0F48, 0x0F49,
		0x0F4A, 0x1402,
	};
	int err = check_hook(c, index, hook);
	__u32 i;

	for (i = 0; i < ARRAY_SIZE(other) && !err; i++)
		if (hook == other[i])
			err = etw_item_refuse(c, index, ETW_REASON_UNSUPPORTED, -EOPNOTSUPP);
	return err;
}

static int check_caching(const struct etw_item_cursor *c, __u32 index, __u32 value)
{
	if (!value || value > (index == 1 ? ETW_MAX_STACK_CACHE : ETW_MAX_STACK_BUCKETS))
		return etw_item_refuse(c, index, ETW_REASON_RANGE, -ERANGE);
	return 0;
}

static int check_interval(const struct etw_item_cursor *c, __u32 index, __u32 value)
{
	__u32 least = ETW_MIN_SOURCE_INTERVAL, most = ETW_MAX_SOURCE_INTERVAL;

	if (index % 2)
		return check_unique(c, index, 2);
	if (etw_item_data(c, index - 1) == ETW_PROFILE_SOURCE_TIME) {
		least = ETW_MIN_TIMER_INTERVAL;
		most = ETW_MAX_TIMER_INTERVAL;
	}
	return value < least || value > most ?
		etw_item_refuse(c, index, ETW_REASON_RANGE, -ERANGE) : 0;
}

/* Whether there is such a source can be told when all items are known. */
static int check_sample_source(const struct etw_item_cursor *c, __u32 index, __u32 value)
{
	if (value > ETW_PROFILE_SOURCE_MAX)
		return etw_item_refuse(c, index, ETW_REASON_RANGE, -EINVAL);
	/* the timer's profile is another event, with a group of its own */
	if (value == ETW_PROFILE_SOURCE_TIME)
		return etw_item_refuse(c, index, ETW_REASON_UNSUPPORTED, -EOPNOTSUPP);
	return check_unique(c, index, 1);
}

static int check_buffers(const struct etw_item_cursor *c, __u32 index, __u32 value)
{
	static const __u32 limits[] = {
		ETW_MAX_BUFFER_KB, ETW_MAX_BUFFERS, ETW_MAX_BUFFERS, ETW_MAX_FLUSH_MS,
	};

	if (index == 5)
		return value ? etw_item_refuse(c, index, ETW_REASON_UNSUPPORTED, -EOPNOTSUPP) : 0;
	if (value > limits[index - 1])
		return etw_item_refuse(c, index, ETW_REASON_RANGE, -ERANGE);
	if (index == 1 && value % ETW_MIN_BUFFER_KB)
		return etw_item_refuse(c, index, ETW_REASON_RANGE, -EINVAL);
	/* the minimum is wrong, as in the block */
	if (index == 3 && value && etw_item_data(c, 2) > value)
		return etw_item_refuse(c, 2, ETW_REASON_CONFLICT, -EINVAL);
	return 0;
}

/* -1 is nobody, not even in the kernel. */
static int check_id(const struct etw_item_cursor *c, __u32 index, __u32 value)
{
	return ~value ? 0 : etw_item_refuse(c, index, ETW_REASON_RANGE, -ERANGE);
}

static int check_consumer(const struct etw_item_cursor *c, __u32 index, __u32 value)
{
	if (index < 3)
		return check_id(c, index, value);
	return value & ~0444U ? etw_item_refuse(c, index, ETW_REASON_BITS, -EINVAL) : 0;
}

static int check_attr(const struct etw_item_cursor *c, __u32 index, __u32 value)
{
	if (index % 6 == 1 && value & ~ETW_COUNTER_FLAGS)
		return etw_item_refuse(c, index, ETW_REASON_BITS, -EINVAL);
	if (index % 6 == 2 && value)
		return etw_item_refuse(c, index, ETW_REASON_RESERVED, -EINVAL);
	return 0;
}

static int check_provider(const struct etw_item_cursor *c, __u32 index, __u32 value)
{
	if (index == 1)
		return value & ~ETW_PROVIDER_OPTIONS ?
			etw_item_refuse(c, index, ETW_REASON_BITS, -EINVAL) : 0;
	if (value > ETW_MAX_RATE_LIMIT && value != ETW_NO_RATE_LIMIT)
		return etw_item_refuse(c, index, ETW_REASON_RANGE, -ERANGE);
	return 0;
}

/* One dword of data; those before it were good. */
int etw_item_check_dword(const struct etw_item_cursor *c, enum etw_item_kind kind, __u32 index)
{
	__u32 value = etw_item_data(c, index);

	switch (kind) {
	case ETW_ITEM_ENABLE_FLAGS:
		return value != PERF_MASK_BITS(value) ?
			etw_item_refuse(c, index, ETW_REASON_BITS, -EINVAL) : 0;
	case ETW_ITEM_STACKWALK_FILTER:
	case ETW_ITEM_HOOK_FILTER:
		return check_hook(c, index, value);
	case ETW_ITEM_STACK_CACHING:
		return check_caching(c, index, value);
	case ETW_ITEM_PMC_COUNTERS:
		return index % 4 == 1 ? check_unique(c, index, 4) : 0;
	case ETW_ITEM_PMC_HOOKS:
		return check_counter_hook(c, index, value);
	case ETW_ITEM_PEBS_EVENT:
		return value && value != PERFINFO_LOG_TYPE_CONTEXTSWAP ?
			etw_item_refuse(c, index, ETW_REASON_UNSUPPORTED, -EOPNOTSUPP) : 0;
	case ETW_ITEM_SAMPLE_INTERVAL:
		return check_interval(c, index, value);
	case ETW_ITEM_SAMPLE_SOURCES:
		return check_sample_source(c, index, value);
	case ETW_ITEM_BUFFER_SETTINGS:
		return check_buffers(c, index, value);
	case ETW_ITEM_CLOCK:
		return value < ETW_CLOCK_QPC || value > ETW_CLOCK_CYCLE ?
			etw_item_refuse(c, index, ETW_REASON_RANGE, -EINVAL) : 0;
	case ETW_ITEM_FILTER_OPTIONS:
		return value & ~(ETW_FILTER_CHILDREN | ETW_FILTER_EXCLUDE_SELF) ?
			etw_item_refuse(c, index, ETW_REASON_BITS, -EINVAL) : 0;
	case ETW_ITEM_CONSUMER:
		return check_consumer(c, index, value);
	case ETW_ITEM_PROVIDER_UIDS:
	case ETW_ITEM_PROVIDER_GIDS:
		return check_id(c, index, value);
	case ETW_ITEM_COUNTER_ATTRS:
		return check_attr(c, index, value);
	case ETW_ITEM_PROVIDER_OPTIONS:
		return check_provider(c, index, value);
	default:
		return 0;
	}
}

/* As many strings as the first dword says, then no more than makes a dword full */
static int take_names(struct etw_item_cursor *c)
{
	__u32 units = 2 * (c->dwords - 1), count = etw_item_data(c, 1), found = 0, used = 0;
	__u16 unit;

	while (found < count && used < units) {
		memcpy(&unit, c->item + 8 + 2 * used, sizeof(unit));
		c->items->counter_names[used++] = unit;
		found += !unit;
	}
	if (found < count)
		return etw_item_refuse(c, c->dwords, ETW_REASON_NAME, -EINVAL);
	if (units - used > 1)
		return etw_item_refuse(c, 2 + (used + 1) / 2, ETW_REASON_LENGTH, -EINVAL);
	if (used < units && etw_item_data(c, c->dwords) >> 16)
		return etw_item_refuse(c, c->dwords, ETW_REASON_RESERVED, -EINVAL);
	c->items->counter_name_units = used;
	c->names = count;
	return 0;
}

static int check_count(const struct etw_item_cursor *c, const struct etw_item_layout *layout)
{
	if (!layout->limit)
		return c->dwords == layout->dwords ? 0 :
			etw_item_refuse(c, 0, ETW_REASON_COUNT, -EINVAL);
	if (!c->dwords)
		return etw_item_refuse(c, 0, ETW_REASON_COUNT, -EINVAL);
	if (c->dwords % layout->dwords)
		return etw_item_refuse(c, 0, ETW_REASON_LENGTH, -EINVAL);
	if (c->dwords / layout->dwords > layout->limit)
		return etw_item_refuse(c, 0, ETW_REASON_COUNT, -E2BIG);
	return 0;
}

/* Whether what dword @index says was said before, by an item that is a set */
static int is_again(const struct etw_item_cursor *c, enum etw_item_kind kind, __u32 index)
{
	const __u32 sets = 1U << ETW_ITEM_PIDS | 1U << ETW_ITEM_STACKWALK_FILTER |
			   1U << ETW_ITEM_POOLTAG_FILTER | 1U << ETW_ITEM_PMC_HOOKS |
			   1U << ETW_ITEM_HOOK_FILTER | 1U << ETW_ITEM_PROVIDER_UIDS |
			   1U << ETW_ITEM_PROVIDER_GIDS;
	__u32 i;

	if (!(sets >> kind & 1))
		return 0;
	for (i = 1; i < index; i++)
		if (etw_item_data(c, i) == etw_item_data(c, index))
			return 1;
	return 0;
}

static int take_dwords(struct etw_item_cursor *c, enum etw_item_kind kind)
{
	const struct etw_item_layout *layout = &etw_item_layouts[kind];
	__u32 i, taken = 0;
	int err;

	for (i = 1; i <= c->dwords; i++) {
		err = etw_item_check_dword(c, kind, i);
		if (err)
			return err;
		if (!is_again(c, kind, i))
			etw_item_put(c->items, layout, taken++, etw_item_data(c, i));
	}
	if (layout->count)
		etw_item_set_count(c->items, layout, taken / layout->dwords);
	return 0;
}

static int take_item(struct etw_item_cursor *c, enum etw_item_kind kind)
{
	int err = check_count(c, &etw_item_layouts[kind]);

	if (!err)
		err = kind == ETW_ITEM_COUNTER_NAMES ? take_names(c) : take_dwords(c, kind);
	if (err)
		return err;
	c->items->present |= 1U << kind;
	c->items->index[kind] = c->number;
	c->items->offset[kind] = c->offset;
	return 0;
}

/* @room: dwords to the end of the array, this header included */
static int parse_item(struct etw_item_cursor *c, __u32 room)
{
	struct trace_enable_flag_ext_item header;
	__u32 kind;

	memcpy(&header, c->item, sizeof(header));
	if (!header.offset || header.offset > room)
		return etw_item_refuse(c, 0, ETW_REASON_LENGTH, -EINVAL);
	for (kind = 0; kind < ETW_ITEM_KINDS; kind++)
		if (etw_item_layouts[kind].type == header.type)
			break;
	if (kind == ETW_ITEM_KINDS)
		return etw_item_refuse(c, 0, ETW_REASON_UNKNOWN, -EOPNOTSUPP);
	if (etw_items_have(c->items, kind))
		return etw_item_refuse(c, 0, ETW_REASON_DUPLICATE, -EEXIST);
	c->dwords = header.offset - 1U;
	return take_item(c, kind);
}

/* An item that is there already: dword @index of it is wrong. */
static int refuse_known(struct etw_item_cursor *c, enum etw_item_kind kind, __u32 index,
			__u32 reason, int err)
{
	c->offset = c->items->offset[kind];
	c->number = c->items->index[kind];
	return etw_item_refuse(c, index, reason, err);
}

/* Items that mean nothing without another */
static int check_needs(struct etw_item_cursor *c)
{
	const struct etw_items *items = c->items;
	static const struct {
		enum etw_item_kind kind, needs;
		__u32 index;	/* of the dword to blame */
	} needs[] = {
		{ ETW_ITEM_PMC_HOOKS, ETW_ITEM_PMC_COUNTERS, 0 },
		{ ETW_ITEM_COUNTER_NAMES, ETW_ITEM_PMC_COUNTERS, 0 },
		{ ETW_ITEM_COUNTER_ATTRS, ETW_ITEM_PMC_COUNTERS, 0 },
		{ ETW_ITEM_FILTER_OPTIONS, ETW_ITEM_PIDS, 1 },
	};
	__u32 i;

	for (i = 0; i < ARRAY_SIZE(needs); i++) {
		if (!etw_items_have(items, needs[i].kind) ||
		    etw_items_have(items, needs[i].needs))
			continue;
		if (needs[i].kind == ETW_ITEM_FILTER_OPTIONS &&
		    !(items->filter_options & ETW_FILTER_CHILDREN))
			continue;
		return refuse_known(c, needs[i].kind, needs[i].index, ETW_REASON_MISSING, -EINVAL);
	}
	return 0;
}

static int is_counter(const struct etw_items *items, __u32 source)
{
	__u32 i;

	for (i = 0; i < items->nr_counters; i++)
		if (items->counters[i].profile_source == source)
			return 1;
	return 0;
}

static int is_sampled(const struct etw_items *items, __u32 source)
{
	__u32 i;

	for (i = 0; i < items->nr_sample_sources; i++)
		if (items->sample_sources[i] == source)
			return 1;
	return 0;
}

static int check_attrs(struct etw_item_cursor *c)
{
	const struct etw_items *items = c->items;
	__u32 i, counted = 0;

	for (i = 0; i < items->nr_counters; i++)
		counted += !(items->counter_attrs[i].flags & ETW_COUNTER_SAMPLE_ONLY);
	if (etw_items_have(items, ETW_ITEM_PMC_HOOKS) && !counted)
		return refuse_known(c, ETW_ITEM_PMC_HOOKS, 0, ETW_REASON_MISSING, -EINVAL);
	for (i = 0; i < items->nr_counter_attrs; i++)
		if ((items->counter_attrs[i].flags & ETW_COUNTER_PRECISE) &&
		    !is_sampled(items, items->counters[i].profile_source))
			return refuse_known(c, ETW_ITEM_COUNTER_ATTRS, 1 + 6 * i,
					    ETW_REASON_CONFLICT, -EINVAL);
	return 0;
}

/* What one item says of another: items may come in any order. */
int etw_items_check_together(struct etw_item_cursor *c)
{
	const struct etw_items *items = c->items;
	int err = check_needs(c);
	__u32 i;

	if (err)
		return err;
	if (etw_items_have(items, ETW_ITEM_COUNTER_NAMES) && c->names != items->nr_counters)
		return refuse_known(c, ETW_ITEM_COUNTER_NAMES, 1, ETW_REASON_COUNT, -EINVAL);
	if (etw_items_have(items, ETW_ITEM_COUNTER_ATTRS) &&
	    items->nr_counter_attrs != items->nr_counters)
		return refuse_known(c, ETW_ITEM_COUNTER_ATTRS, 0, ETW_REASON_COUNT, -EINVAL);
	for (i = 0; i < items->nr_sample_sources; i++)
		if (!is_counter(items, items->sample_sources[i]) &&
		    !etw_profile_source_known(items->sample_sources[i]))
			return refuse_known(c, ETW_ITEM_SAMPLE_SOURCES, 1 + i,
					    ETW_REASON_UNSUPPORTED, -EOPNOTSUPP);
	return check_attrs(c);
}

static int parse_array(const __u8 *block, __u32 size, __u32 at, struct etw_item_cursor *c)
{
	struct trace_enable_flag_ext_header header;
	__u32 next = at + sizeof(header), end, number;
	int err;

	memcpy(&header, block + at, sizeof(header));
	end = at + 4U * header.length;
	if (!header.length || end > size)
		return refuse_array(c, at, ETW_REASON_LENGTH, -EINVAL);
	for (number = 1; number <= header.items && next < end; number++) {
		c->item = block + next;
		c->offset = next;
		c->number = number;
		err = parse_item(c, (end - next) / 4);
		if (err)
			return err;
		next += 4 * (c->dwords + 1);
	}
	/* too few dwords for that many items, or too many */
	if (number <= header.items || next != end)
		return refuse_array(c, at, ETW_REASON_LENGTH, -EINVAL);
	return etw_items_check_together(c);
}

/* Version 5.1: an array of masks and nothing else */
static int parse_old(const __u8 *block, __u32 size, __u32 at, __u32 length,
		     struct etw_item_cursor *c)
{
	int err;

	if (at + 4 * length > size)
		return refuse_array(c, OVERLAY, ETW_REASON_LENGTH, -EINVAL);
	if (length > ETW_MASKS)
		return refuse_array(c, OVERLAY, ETW_REASON_COUNT, -E2BIG);
	/* an item whose header is not there */
	c->item = block + at - 4;
	c->offset = at - 4;
	c->dwords = length;
	err = take_item(c, ETW_ITEM_ENABLE_FLAGS);
	c->items->offset[ETW_ITEM_ENABLE_FLAGS] = at;
	return err;
}

static int parse_overlay(const __u8 *block, __u32 size, __u32 fixed, __u32 enable_flags,
			 struct etw_item_cursor *c)
{
	struct trace_enable_flag_extension overlay;

	memcpy(&overlay, &enable_flags, sizeof(overlay));
	if (overlay.flag != ETW_EXT_FLAG)
		return refuse_array(c, OVERLAY, ETW_REASON_BITS, -EINVAL);
	if (!overlay.length || overlay.offset < fixed)
		return refuse_array(c, OVERLAY, ETW_REASON_RANGE, -EINVAL);
	if (overlay.offset + 4U > size)
		return refuse_array(c, OVERLAY, ETW_REASON_LENGTH, -EINVAL);
	if (overlay.length == ETW_EXT_ITEMS)
		return parse_array(block, size, overlay.offset, c);
	return parse_old(block, size, overlay.offset, overlay.length, c);
}

/**
 * etw_items_parse() - what EnableFlags point at
 * @block: the containing structure and what follows, any bytes
 * @size: bytes of @block
 * @fixed: of them, the containing structure; not 0
 * @enable_flags: its EnableFlags; without EVENT_TRACE_FLAG_EXTENSION there are
 *	no items
 * @items: out; nothing is present after an error
 * @error: out, with an error: the dword, the reason, and the item
 *
 * The rules are those of format.rst 6.7 and 6.10. What needs to know the
 * machine, or the sources of events, is left to the caller.
 *
 * Return: 0; -EINVAL, -E2BIG, -EEXIST, -ERANGE, -EOPNOTSUPP.
 */
int etw_items_parse(const void *block, __u32 size, __u32 fixed, __u32 enable_flags,
		    struct etw_items *items, struct etw_config_error *error)
{
	struct etw_item_cursor c = { .items = items, .error = error };
	int err;

	memset(items, 0, sizeof(*items));
	memset(error, 0, sizeof(*error));
	if (!(enable_flags & EVENT_TRACE_FLAG_EXTENSION))
		return 0;
	err = parse_overlay(block, size, fixed, enable_flags, &c);
	if (err)
		memset(items, 0, sizeof(*items));
	return err;
}
