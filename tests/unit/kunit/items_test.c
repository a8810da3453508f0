// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Items of an extension: the table of statements and rules, limits, any bytes at all. */
#include <kunit/test.h>
#include <linux/slab.h>
#include "config/items.c"
#include "config/items_encode.c"
#include "config/items_conflicts.c"
#include "config/items_values.c"
#include "config/linux_events.c"
#include "config_cases.h"
#include "part.h"

/* EVENT_TRACE_PROPERTIES and WMI_LOGGER_INFORMATION */
static const u32 structures[] = { 0x78, sizeof(struct wmi_logger_information) };

/* A block at the end of its memory, so that KASAN sees a read behind it */
struct block {
	u8 *bytes;
	u32 size;
	u32 fixed;
	u32 at;		/* of the array */
	u32 flags;	/* EnableFlags */
};

/* It takes what one parse gives, and what a second gives of the encoding. */
struct results {
	struct etw_items items;
	struct etw_items again;
	struct etw_config_error error;
	u8 encoded[5120];	/* more than all items take */
};

static bool make_block(struct block *block, u32 fixed, u32 at, const void *array, u32 bytes)
{
	block->fixed = fixed;
	block->at = at;
	block->flags = ITEMS | at;
	block->size = at + bytes;
	block->bytes = kzalloc(block->size, GFP_KERNEL);
	if (!block->bytes)
		return false;
	memcpy(block->bytes + at, array, bytes);
	return true;
}

static int parse(const struct block *block, struct results *r)
{
	/* what was there must not show through */
	memset(&r->items, 0xA5, sizeof(r->items));
	return etw_items_parse(block->bytes, block->size, block->fixed, block->flags, &r->items,
			       &r->error);
}

/* Where items were is not what they say. */
static void forget_places(struct etw_items *items)
{
	memset(items->index, 0, sizeof(items->index));
	memset(items->offset, 0, sizeof(items->offset));
	items->linux_events = NULL;
}

/* What was parsed is encoded, and parsed again: the same. */
static void check_round_trip(struct kunit *test, struct results *r, const char *says)
{
	u32 bytes = etw_items_encode(&r->items, NULL, 0);
	struct block block;
	int err;

	KUNIT_ASSERT_LE(test, bytes, (u32)sizeof(r->encoded));
	memset(r->encoded, 0xA5, sizeof(r->encoded));
	KUNIT_EXPECT_EQ(test, bytes, etw_items_encode(&r->items, r->encoded, bytes - 1));
	KUNIT_EXPECT_NULL(test, memchr_inv(r->encoded, 0xA5, sizeof(r->encoded)));
	KUNIT_EXPECT_EQ(test, bytes, etw_items_encode(&r->items, r->encoded, bytes));
	KUNIT_ASSERT_TRUE(test, make_block(&block, 0x78, 0x79, r->encoded, bytes));
	err = etw_items_parse(block.bytes, block.size, block.fixed, block.flags, &r->again,
			      &r->error);
	kfree(block.bytes);
	forget_places(&r->items);
	forget_places(&r->again);
	KUNIT_EXPECT_EQ_MSG(test, err, 0, "%s", says);
	KUNIT_EXPECT_EQ_MSG(test, 0, memcmp(&r->items, &r->again, sizeof(r->items)), "%s", says);
}

static void check_success(struct kunit *test, const struct item_case *c, struct results *r)
{
	const u32 *same = c->same ? c->same : c->array;
	u32 bytes = 4 * (c->same ? c->nr_same : c->nr);

	check_round_trip(test, r, c->says);
	KUNIT_EXPECT_EQ_MSG(test, bytes, etw_items_encode(&r->items, NULL, 0), "%s", c->says);
	KUNIT_EXPECT_EQ_MSG(test, 0, memcmp(r->encoded, same, bytes), "%s", c->says);
	KUNIT_EXPECT_EQ_MSG(test, r->error.reason, ETW_REASON_NONE, "%s", c->says);
}

static void check_refusal(struct kunit *test, const struct item_case *c, struct results *r,
			  const struct block *block)
{
	u32 offset = c->at == OVERLAY_DWORD ? OVERLAY : block->at + 4 * c->at;

	KUNIT_EXPECT_EQ_MSG(test, r->error.reason, c->reason, "%s", c->says);
	KUNIT_EXPECT_EQ_MSG(test, r->error.offset, offset, "%s", c->says);
	KUNIT_EXPECT_EQ_MSG(test, r->error.item, c->item, "%s", c->says);
	KUNIT_EXPECT_NULL_MSG(test, memchr_inv(&r->items, 0, sizeof(r->items)), "%s", c->says);
}

static void try_case(struct kunit *test, const struct item_case *c, u32 fixed, u32 shift,
		     struct results *r)
{
	struct block block;
	int err;

	KUNIT_ASSERT_TRUE(test, make_block(&block, fixed, fixed + shift, c->array,
					   4 * c->nr - c->cut));
	block.flags = c->flags ? c->flags : ITEMS;
	block.flags |= (c->offset ? c->offset : block.at) & 0xFFFF;
	err = parse(&block, r);
	KUNIT_EXPECT_EQ_MSG(test, err, c->err, "%s", c->says);
	if (err)
		check_refusal(test, c, r, &block);
	else
		check_success(test, c, r);
	kfree(block.bytes);
}

/* Every case behind either structure, aligned or not (rule 7) */
static void statements_and_rules(struct kunit *test)
{
	struct results *r = kunit_kzalloc(test, sizeof(*r), GFP_KERNEL);
	u32 i, k, shift;

	KUNIT_ASSERT_NOT_NULL(test, r);
	for (i = 0; i < ARRAY_SIZE(item_cases); i++)
		for (k = 0; k < ARRAY_SIZE(structures); k++)
			for (shift = 0; shift < 4; shift++)
				try_case(test, &item_cases[i], structures[k], shift, r);
}

/* "four bytes", "0x00 Offset, 0x02 Length, 0x03 Flag" and so on: layouts of format.rst 6.6 */
static void layouts(struct kunit *test)
{
	static_assert(sizeof(struct etw_stack_caching_config) == 8);
	ETW_ASSERT_OFFSET(struct trace_enable_flag_extension, offset, 0);
	ETW_ASSERT_OFFSET(struct trace_enable_flag_extension, length, 2);
	ETW_ASSERT_OFFSET(struct trace_enable_flag_extension, flag, 3);
	ETW_ASSERT_OFFSET(struct trace_enable_flag_ext_header, length, 0);
	ETW_ASSERT_OFFSET(struct trace_enable_flag_ext_header, items, 2);
	ETW_ASSERT_OFFSET(struct trace_enable_flag_ext_item, offset, 0);
	ETW_ASSERT_OFFSET(struct trace_enable_flag_ext_item, type, 2);
	KUNIT_EXPECT_EQ(test, EVENT_TRACE_FLAG_EXTENSION >> 24, (u32)ETW_EXT_FLAG);
	KUNIT_EXPECT_EQ(test, OVERLAY, (size_t)0x48);
}

/* format.rst 6.6, byte for byte: names end at 9e, where the array begins */
static void example_of_masks_and_stacks(struct kunit *test)
{
	static const u8 array[] = {
		0x0d, 0x00, 0x02, 0x00,
		0x09, 0x00, 0x01, 0x00, 0x03, 0x00, 0x00, 0x00, 0x06, 0x00, 0x00, 0x00,
		0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
		0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
		0x03, 0x00, 0x03, 0x00, 0x24, 0x05, 0x00, 0x00, 0x2e, 0x0f, 0x00, 0x00,
	};
	struct results *r = kunit_kzalloc(test, sizeof(*r), GFP_KERNEL);
	struct etw_items *items = &r->items;
	struct block block;

	KUNIT_ASSERT_NOT_NULL(test, r);
	KUNIT_ASSERT_TRUE(test, make_block(&block, 0x78, 0x9e, array, sizeof(array)));
	KUNIT_EXPECT_EQ(test, block.flags, 0x80ff009eU);
	KUNIT_EXPECT_EQ(test, 0, parse(&block, r));
	kfree(block.bytes);
	KUNIT_EXPECT_EQ(test, items->present,
			1U << ETW_ITEM_ENABLE_FLAGS | 1U << ETW_ITEM_STACKWALK_FILTER);
	KUNIT_EXPECT_EQ(test, items->index[ETW_ITEM_STACKWALK_FILTER], 2);
	KUNIT_EXPECT_EQ(test, items->offset[ETW_ITEM_ENABLE_FLAGS], 0xa2U);
	KUNIT_EXPECT_EQ(test, items->offset[ETW_ITEM_STACKWALK_FILTER], 0xc6U);
	KUNIT_EXPECT_EQ(test, items->nr_masks, 8U);
	KUNIT_EXPECT_EQ(test, items->masks.masks[0], PERF_PROC_THREAD);
	KUNIT_EXPECT_EQ(test, items->masks.masks[1],
			PERF_MASK_BITS(PERF_PROFILE | PERF_CONTEXT_SWITCH));
	KUNIT_EXPECT_EQ(test, items->nr_stackwalk, 2U);
	KUNIT_EXPECT_EQ(test, items->stackwalk[0], 0x0524);
	KUNIT_EXPECT_EQ(test, items->stackwalk[1], 0x0f2e);
	KUNIT_EXPECT_EQ(test, sizeof(array), etw_items_encode(items, r->encoded, sizeof(array)));
	KUNIT_EXPECT_EQ(test, 0, memcmp(r->encoded, array, sizeof(array)));
}

/* format.rst 6.10; its bytes are a case of the table */
static void example_of_counters(struct kunit *test)
{
	static const u32 array[] = {
		HEAD(15, 3), VENDOR(9, PMC_COUNTERS), 0x13, 0, 0, 0, 0x06, 0, 4, 0,
		VENDOR(2, PMC_HOOKS), 0x0524, VENDOR(3, SAMPLE_INTERVAL), 0, 0x2710,
	};
	struct results *r = kunit_kzalloc(test, sizeof(*r), GFP_KERNEL);
	struct etw_items *items = &r->items;
	struct block block;

	KUNIT_ASSERT_NOT_NULL(test, r);
	KUNIT_ASSERT_TRUE(test, make_block(&block, 0xb0, 0xb0, array, sizeof(array)));
	KUNIT_EXPECT_EQ(test, 0, parse(&block, r));
	kfree(block.bytes);
	KUNIT_EXPECT_EQ(test, items->nr_counters, 2U);
	KUNIT_EXPECT_EQ(test, items->counters[0].profile_source, 0x13U);
	KUNIT_EXPECT_EQ(test, items->counters[1].profile_source, 6U);
	KUNIT_EXPECT_EQ(test, items->counters[1].config_low, 4U);
	KUNIT_EXPECT_EQ(test, items->nr_counter_hooks, 1U);
	KUNIT_EXPECT_EQ(test, items->counter_hooks[0], 0x0524);
	KUNIT_EXPECT_EQ(test, items->nr_intervals, 1U);
	KUNIT_EXPECT_EQ(test, items->intervals[0].interval, 10000U);
}

/* @n entries, each different from the others and valid */
static u32 fill_item(u32 *array, u16 type, u32 dwords, u32 n, u32 first)
{
	u32 i;

	array[0] = HEAD(2 + n * dwords, 1);
	array[1] = HEAD(1 + n * dwords, type);
	for (i = 0; i < n * dwords; i++)
		array[2 + i] = (first ? first : 0x0520) + i;
	return 4 * (2 + n * dwords);
}

/* Of every kind as many entries as there may be (rules 9, 21, 23, 24, 26), and one more */
static void limits(struct kunit *test)
{
	static const struct {
		u16 type, limit;
		u32 dwords;
		u32 first;	/* dword; 0: 0x520 */
	} kinds[] = {
		{ ETW_EXT_ENABLE_FLAGS, 8, 1 }, { ETW_EXT_PIDS, 64, 1 },
		{ ETW_EXT_STACKWALK_FILTER, 256, 1 }, { ETW_EXT_POOLTAG_FILTER, 4, 1 },
		{ ETW_EXT_VND_PMC_COUNTERS, 7, 4 }, { ETW_EXT_VND_SAMPLE_INTERVAL, 5, 2 },
		{ ETW_EXT_VND_SAMPLE_SOURCES, 4, 1, 8 }, { ETW_EXT_VND_HOOK_FILTER, 256, 1 },
		{ ETW_EXT_VND_PROVIDER_UIDS, 16, 1 }, { ETW_EXT_VND_PROVIDER_GIDS, 16, 1 },
		/* alone they are refused, but later */
		{ ETW_EXT_VND_PMC_HOOKS, 256, 1 }, { ETW_EXT_VND_COUNTER_NAMES, 257, 1 },
		{ ETW_EXT_VND_COUNTER_ATTRS, 7, 6 },
	};
	struct results *r = kunit_kzalloc(test, sizeof(*r), GFP_KERNEL);
	u32 *array = kunit_kzalloc(test, 4096, GFP_KERNEL);
	struct block block;
	u32 i, n, bytes;
	int err;

	KUNIT_ASSERT_TRUE(test, r && array);
	for (i = 0; i < ARRAY_SIZE(kinds); i++) {
		for (n = kinds[i].limit; n <= kinds[i].limit + 1U; n++) {
			bytes = fill_item(array, kinds[i].type, kinds[i].dwords, n, kinds[i].first);
			KUNIT_ASSERT_TRUE(test, make_block(&block, 0x78, 0x7a, array, bytes));
			err = parse(&block, r);
			kfree(block.bytes);
			if (n == kinds[i].limit && i < ARRAY_SIZE(kinds) - 3)
				check_round_trip(test, r, "a full item");
			KUNIT_EXPECT_EQ_MSG(test, err == -E2BIG, n > kinds[i].limit,
					    "type %x", kinds[i].type);
			KUNIT_EXPECT_TRUE(test, err != -E2BIG || (r->error.offset == 0x7e &&
								  r->error.item == 1));
		}
	}
}

/* Of all hooks, those without a PERFINFO header can't carry counters (kernel-events.rst 2, 5.6). */
static void hooks_without_counters(struct kunit *test)
{
	static const u16 system[] = {
		0x0000, 0x0301, 0x0302, 0x0501, 0x0502, 0x0503, 0x0504, 0x030A, 0x1402, 0x0F49,
		0x0F4A, 0x0F30, 0x0F48, 0x010C, 0x010D, 0x010F, 0x0B0A, 0x0B0B, 0x0B0C, 0x0B0D,
		0x0B19, 0x0B23, 0x020A, 0x020B, 0x020C, 0x020E, 0x020F, 0x0262, 0x0263, 0x0280,
		0x0281, 0x0F22,
	};
	struct results *r = kunit_kzalloc(test, sizeof(*r), GFP_KERNEL);
	struct block block;
	u32 hook, i;
	bool due;

	KUNIT_ASSERT_NOT_NULL(test, r);
	for (hook = 0; hook < 0x1F00; hook += part_step()) {
		const u32 array[] = {
			HEAD(8, 2), VENDOR(5, PMC_COUNTERS), 1, 2, 3, 4, VENDOR(2, PMC_HOOKS), hook,
		};

		KUNIT_ASSERT_TRUE(test, make_block(&block, 0x78, 0x78, array, sizeof(array)));
		due = false;
		for (i = 0; i < ARRAY_SIZE(system); i++)
			due = due || hook == system[i];
		KUNIT_EXPECT_EQ_MSG(test, parse(&block, r) != 0, due, "hook %04x", hook);
		if (due)
			KUNIT_EXPECT_EQ(test, r->error.offset, 0x78U + 4 * 7);
		kfree(block.bytes);
	}
}

static u64 chance(u64 *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

/* A good case or a bad one, with some bytes or bits wrong */
static bool make_any(struct block *block, u64 *state)
{
	const struct item_case *c = &item_cases[chance(state) % ARRAY_SIZE(item_cases)];
	u32 k, fixed = structures[chance(state) % 2], at = fixed + chance(state) % 4;

	if (!make_block(block, fixed, at, c->array, 4 * c->nr - c->cut))
		return false;
	block->flags = (c->flags ? c->flags : ITEMS) | at;
	for (k = chance(state) % 4; k-- && block->size > at;)
		block->bytes[at + chance(state) % (block->size - at)] = chance(state) >> 16;
	if (chance(state) % 8 == 0 && block->size > at)
		block->bytes[at + chance(state) % (block->size - at)] ^=
			1 << chance(state) % 8;
	if (chance(state) % 16 == 0)
		block->flags ^= 1U << chance(state) % 32;
	return true;
}

static void any_bytes(struct kunit *test)
{
	struct results *r = kunit_kzalloc(test, sizeof(*r), GFP_KERNEL);
	u32 i, taken = 0;
	u64 state = 20260105;
	struct block block;
	int err;

	KUNIT_ASSERT_NOT_NULL(test, r);
	for (i = 0; i < part_of(5000); i++) {
		KUNIT_ASSERT_TRUE(test, make_any(&block, &state));
		err = parse(&block, r);
		/* entries of Linux events stay in the block */
		if (!err)
			check_round_trip(test, r, "any bytes");
		kfree(block.bytes);
		if (!err) {
			taken++;
			continue;
		}
		KUNIT_EXPECT_TRUE(test, err == -EINVAL || err == -EOPNOTSUPP || err == -E2BIG ||
				  err == -EEXIST || err == -ERANGE);
		KUNIT_EXPECT_NE(test, r->error.reason, ETW_REASON_NONE);
		KUNIT_EXPECT_LE(test, r->error.offset + 4, block.size);
		KUNIT_EXPECT_NULL(test, memchr_inv(&r->items, 0, sizeof(r->items)));
	}
	KUNIT_EXPECT_GT(test, taken, part_of(500));
	KUNIT_EXPECT_LT(test, taken, part_of(4500));
}

static void same_or_not(struct kunit *test)
{
	struct results *r = kunit_kzalloc(test, sizeof(*r), GFP_KERNEL);
	struct etw_items *a = &r->items, *b = &r->again;

	KUNIT_ASSERT_NOT_NULL(test, r);
	a->present = 1U << ETW_ITEM_PIDS | 1U << ETW_ITEM_CONSUMER;
	a->nr_pids = 2;
	a->pids[1] = 5;
	a->consumer.mode = 0444;
	*b = *a;
	a->index[ETW_ITEM_PIDS] = 7;
	KUNIT_EXPECT_TRUE(test, etw_items_same(a, b, ETW_ITEM_PIDS));
	KUNIT_EXPECT_TRUE(test, etw_items_same(a, b, ETW_ITEM_CONSUMER));
	KUNIT_EXPECT_FALSE(test, etw_items_same(a, b, ETW_ITEM_CLOCK));
	b->pids[1] = 6;
	b->consumer.mode = 0400;
	KUNIT_EXPECT_FALSE(test, etw_items_same(a, b, ETW_ITEM_PIDS));
	KUNIT_EXPECT_FALSE(test, etw_items_same(a, b, ETW_ITEM_CONSUMER));
	b->pids[1] = 5;
	b->nr_pids = 1;
	KUNIT_EXPECT_FALSE(test, etw_items_same(a, b, ETW_ITEM_PIDS));
	b->nr_pids = 2;
	b->present = 0;
	KUNIT_EXPECT_FALSE(test, etw_items_same(a, b, ETW_ITEM_PIDS));
}

static struct kunit_case cases[] = {
	KUNIT_CASE(layouts),
	KUNIT_CASE(example_of_masks_and_stacks),
	KUNIT_CASE(example_of_counters),
	KUNIT_CASE(statements_and_rules),
	KUNIT_CASE(limits),
	KUNIT_CASE(hooks_without_counters),
	KUNIT_CASE(same_or_not),
	KUNIT_CASE(any_bytes),
	{}
};

static struct kunit_suite suite = {
	.name = "etw_config_items",
	.test_cases = cases,
};

kunit_test_suite(suite);
