// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Updates that do nothing but take events away: bit by bit, item by item, and all together. */
#include <kunit/test.h>
#include "config/config.h"
#include "config/items_layout.h"

/* What an item that an update leaves out, or says otherwise, means */
enum role {
	MERGED,	/* nothing: it has become a field, or bits of the masks */
	STAYS,	/* left out it stays; said otherwise it may record more */
	WHOLE,	/* left out it is gone, and so may be what it kept out */
};

/* As ioctl.rst has it; a kind that has no line here is none of those */
static const u8 roles[] = {
	[ETW_ITEM_ENABLE_FLAGS] = MERGED,
	[ETW_ITEM_PIDS] = WHOLE,
	[ETW_ITEM_STACKWALK_FILTER] = WHOLE,
	[ETW_ITEM_POOLTAG_FILTER] = WHOLE,
	[ETW_ITEM_STACK_CACHING] = WHOLE,
	[ETW_ITEM_PMC_COUNTERS] = STAYS,
	[ETW_ITEM_PMC_HOOKS] = STAYS,
	[ETW_ITEM_PEBS_EVENT] = STAYS,
	[ETW_ITEM_SAMPLE_INTERVAL] = STAYS,
	[ETW_ITEM_SAMPLE_SOURCES] = STAYS,
	[ETW_ITEM_BUFFER_SETTINGS] = MERGED,
	[ETW_ITEM_CLOCK] = MERGED,
	[ETW_ITEM_COUNTER_NAMES] = STAYS,
	[ETW_ITEM_FILTER_OPTIONS] = WHOLE,
	[ETW_ITEM_HOOK_FILTER] = WHOLE,
	[ETW_ITEM_CONSUMER] = STAYS,
	[ETW_ITEM_PROVIDER_UIDS] = STAYS,
	[ETW_ITEM_PROVIDER_GIDS] = STAYS,
	[ETW_ITEM_COUNTER_ATTRS] = STAYS,
	[ETW_ITEM_PROVIDER_OPTIONS] = STAYS,
	[ETW_ITEM_LINUX_EVENTS] = STAYS,
};

static_assert(ARRAY_SIZE(roles) == ETW_ITEM_KINDS);

struct pair {
	struct etw_settings now, next;
};

static u32 chance(u32 *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 17;
	*state ^= *state << 5;
	return *state;
}

/* An item of one entry, or none: value 0 */
static void give(struct etw_items *items, enum etw_item_kind kind, u32 value)
{
	const struct etw_item_layout *layout = &etw_item_layouts[kind];
	static const u32 entries[] = { 0, 1, 2, 3 };

	items->present &= ~(1U << kind);
	items->present |= !!value << kind;
	if (kind == ETW_ITEM_LINUX_EVENTS) {
		items->linux_events = &entries[value % ARRAY_SIZE(entries)];
		items->linux_events_size = sizeof(entries[0]);
		return;
	}
	if (layout->count)
		etw_item_set_count(items, layout, !!value);
	etw_item_put(items, layout, 0, value);
	if (kind == ETW_ITEM_COUNTER_NAMES)
		items->counter_name_units = !!value;
}

/* Names are of counters, which no update leaves out when it names them. */
static void give_both(struct pair *pair, enum etw_item_kind kind, u32 now, u32 next)
{
	give(&pair->now.items, kind, now);
	give(&pair->next.items, kind, next);
	pair->now.items.nr_counters = 1;
	pair->next.items.nr_counters = 1;
}

static bool item_is_kept(enum etw_item_kind kind, u32 now, u32 next)
{
	switch (roles[kind]) {
	case MERGED:
		return true;
	case STAYS:
		return !next || next == now;
	default:
		return next == now;
	}
}

/* The events that a mask's element records: all of its bits but one keep none out. */
static u32 recorded(const struct etw_settings *settings, u32 i)
{
	return settings->masks.masks[i] ^ (i ? 0 : EVENT_TRACE_FLAG_NO_SYSCONFIG);
}

/* Bit by bit: is there an event that was not recorded before? */
static bool has_new_event(const struct pair *pair)
{
	u32 i, bit;

	for (i = 0; i < ETW_MASKS; i++)
		for (bit = 0; bit < 32; bit++)
			if (recorded(&pair->next, i) >> bit & 1 &&
			    !(recorded(&pair->now, i) >> bit & 1))
				return true;
	return false;
}

static struct pair *new_pair(struct kunit *test)
{
	struct pair *pair = kunit_kzalloc(test, sizeof(*pair), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, pair);
	return pair;
}

static bool takes_away(const struct pair *pair)
{
	return etw_config_takes_away(&pair->now, &pair->next);
}

static void each_bit(struct kunit *test)
{
	struct pair *pair = new_pair(test);
	u32 i, bit, value;

	for (i = 0; i < ETW_MASKS; i++) {
		for (bit = 0; bit < 29; bit++) {
			value = 1U << bit;
			if (!i && value == EVENT_TRACE_FLAG_NO_SYSCONFIG)
				continue;
			pair->now.masks.masks[i] = value;
			pair->next.masks.masks[i] = value;
			KUNIT_EXPECT_TRUE(test, takes_away(pair));
			pair->next.masks.masks[i] = 0;
			KUNIT_EXPECT_TRUE(test, takes_away(pair));
			pair->now.masks.masks[i] = ~value & 0x1FFFFFFF;
			pair->next.masks.masks[i] = value;
			KUNIT_EXPECT_FALSE(test, takes_away(pair));
			/* one that goes makes up for none that comes */
			pair->now.masks.masks[i] = 0;
			KUNIT_EXPECT_FALSE(test, takes_away(pair));
			pair->next.masks.masks[i] = 0;
		}
	}
}

/* Without it the stop rundown describes the machine. */
static void a_bit_that_keeps_events_out_stays(struct kunit *test)
{
	struct pair *pair = new_pair(test);

	pair->now.masks.masks[0] = EVENT_TRACE_FLAG_NO_SYSCONFIG;
	KUNIT_EXPECT_FALSE(test, takes_away(pair));
	pair->next.masks.masks[0] = EVENT_TRACE_FLAG_NO_SYSCONFIG;
	KUNIT_EXPECT_TRUE(test, takes_away(pair));
	pair->now.masks.masks[0] = 0;
	KUNIT_EXPECT_TRUE(test, takes_away(pair));
	/* in the other elements it is an event */
	pair->next.masks.masks[1] = EVENT_TRACE_FLAG_NO_SYSCONFIG;
	KUNIT_EXPECT_FALSE(test, takes_away(pair));
}

static void each_field(struct kunit *test)
{
	struct pair *pair = new_pair(test);

	pair->now.maximum_buffers = 64;
	pair->next.maximum_buffers = 65;
	KUNIT_EXPECT_FALSE(test, takes_away(pair));
	pair->next.maximum_buffers = 64;
	KUNIT_EXPECT_TRUE(test, takes_away(pair));
	pair->next.maximum_buffers = 2;
	KUNIT_EXPECT_TRUE(test, takes_away(pair));
	pair->next.flush_ms = 1;
	KUNIT_EXPECT_TRUE(test, takes_away(pair));
}

/* Each kind alone: not there, there, there with another value; before and after */
static void each_item(struct kunit *test)
{
	struct pair *pair = new_pair(test);
	u32 kind, now, next;

	for (kind = 0; kind < ETW_ITEM_KINDS; kind++) {
		for (now = 0; now < 3; now++) {
			for (next = 0; next < 3; next++) {
				give_both(pair, kind, now, next);
				KUNIT_EXPECT_EQ_MSG(test, takes_away(pair),
						    item_is_kept(kind, now, next),
						    "kind %u: %u, then %u", kind, now, next);
			}
		}
		give_both(pair, kind, 0, 0);
	}
}

/* Return: whether all items are kept. */
static bool give_some(struct pair *pair, u32 *state)
{
	u32 kind, now, next;
	bool kept = true;

	for (kind = 0; kind < ETW_ITEM_KINDS; kind++) {
		now = chance(state) % 3;
		/* most stay, or hardly any pair would be kept whole */
		next = chance(state) % 32 ? now : chance(state) % 3;
		give_both(pair, kind, now, next);
		kept &= item_is_kept(kind, now, next);
	}
	return kept;
}

static void together(struct kunit *test)
{
	struct pair *pair = new_pair(test);
	u32 i, n, state = 1, yes = 0;
	bool want;

	for (n = 0; n < 20000; n++) {
		want = give_some(pair, &state);
		for (i = 0; i < ETW_MASKS; i++) {
			pair->now.masks.masks[i] = chance(&state) & 0x1FFFFFFF;
			pair->next.masks.masks[i] = pair->now.masks.masks[i] & chance(&state);
			if (!(chance(&state) % 16))
				pair->next.masks.masks[i] |= 1U << chance(&state) % 29;
		}
		pair->now.maximum_buffers = 10;
		pair->next.maximum_buffers = chance(&state) % 16 ? 9 : 11;
		pair->next.flush_ms = chance(&state);
		want &= !has_new_event(pair) &&
			pair->next.maximum_buffers <= pair->now.maximum_buffers;
		KUNIT_EXPECT_EQ(test, takes_away(pair), want);
		yes += want;
	}
	KUNIT_EXPECT_GT(test, yes, 2000U);
	KUNIT_EXPECT_LT(test, yes, 18000U);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(each_bit),
	KUNIT_CASE(a_bit_that_keeps_events_out_stays),
	KUNIT_CASE(each_field),
	KUNIT_CASE(each_item),
	KUNIT_CASE(together),
	{}
};

static struct kunit_suite suite = {
	.name = "etw_takes_away",
	.test_cases = cases,
};

kunit_test_suite(suite);
