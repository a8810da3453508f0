// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Filters of ENABLE: which data are refused, and which events meet them. */
#include <kunit/test.h>
#include <linux/prandom.h>
#include "provider/event_filters.c"
#include "record/event_names.c"

/* Data of one filter, in the form of one of its types */
union data {
	struct {
		u8 in;
		u8 reserved;
		u16 count;
		u16 ids[ETW_MAX_FILTER_EVENTS + 1];
	} ids;
	struct etw_filter_level level;
	struct etw_filter_event_names event_names;
	u32 pids[ETW_MAX_FILTER_PIDS + 1];
	char names[ETW_MAX_FILTER_SIZE];
};

static int given(u32 type, const union data *data, u32 size)
{
	struct etw_event_filters *filters = kzalloc(struct_size(filters, text, ETW_MAX_NAMES_SIZE),
						    GFP_KERNEL);
	int err = filters ? take(filters, type, data, size) : -ENOMEM;

	kfree(filters);
	return err;
}

static void refused_ids(struct kunit *test)
{
	static const u32 types[] = { ETW_FILTER_EVENT_ID, ETW_FILTER_STACK };
	union data good = { .ids = { .in = 1, .count = 2, .ids = { 7, 8 } } }, bad;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(types); i++) {
		KUNIT_EXPECT_EQ(test, 0, given(types[i], &good, 8));
		KUNIT_EXPECT_EQ(test, -EINVAL, given(types[i], &good, 6));
		KUNIT_EXPECT_EQ(test, -EINVAL, given(types[i], &good, 10));
		KUNIT_EXPECT_EQ(test, -EINVAL, given(types[i], &good, 3));
		bad = good;
		bad.ids.in = 2;
		KUNIT_EXPECT_EQ(test, -EINVAL, given(types[i], &bad, 8));
		bad = good;
		bad.ids.reserved = 1;
		KUNIT_EXPECT_EQ(test, -EINVAL, given(types[i], &bad, 8));
		bad = good;
		bad.ids.count = 0;
		KUNIT_EXPECT_EQ(test, -EINVAL, given(types[i], &bad, 4));
		bad.ids.count = ETW_MAX_FILTER_EVENTS;
		KUNIT_EXPECT_EQ(test, 0, given(types[i], &bad, 4 + 2 * bad.ids.count));
		bad.ids.count++;
		KUNIT_EXPECT_EQ(test, -EINVAL, given(types[i], &bad, 4 + 2 * bad.ids.count));
	}
}

static void refused_others(struct kunit *test)
{
	static const char *const names[] = { "", ";", "a;", ";a", "a;;b", "a/b" };
	union data data = { .pids = { 1 } };
	u32 i;

	KUNIT_EXPECT_EQ(test, 0, given(ETW_FILTER_PID, &data, 32));
	KUNIT_EXPECT_EQ(test, -EINVAL, given(ETW_FILTER_PID, &data, 36));
	KUNIT_EXPECT_EQ(test, -EINVAL, given(ETW_FILTER_PID, &data, 0));
	KUNIT_EXPECT_EQ(test, -EINVAL, given(ETW_FILTER_PID, &data, 6));
	for (i = 0; i < ARRAY_SIZE(names); i++)
		KUNIT_EXPECT_EQ(test, -EINVAL, given(ETW_FILTER_EXECUTABLE, (const void *)names[i],
						     strlen(names[i])));
	KUNIT_EXPECT_EQ(test, -EINVAL, given(ETW_FILTER_EXECUTABLE, (const void *)"a\0b", 3));
	KUNIT_EXPECT_EQ(test, 0, given(ETW_FILTER_EXECUTABLE, (const void *)"a;b", 3));
	memset(&data, 0, sizeof(data));
	KUNIT_EXPECT_EQ(test, 0, given(ETW_FILTER_STACK_LEVEL, &data, 24));
	KUNIT_EXPECT_EQ(test, -EINVAL, given(ETW_FILTER_STACK_LEVEL, &data, 18));
	data.level.in = 2;
	KUNIT_EXPECT_EQ(test, -EINVAL, given(ETW_FILTER_STACK_LEVEL, &data, 24));
	data.level.in = 1;
	data.level.reserved[5] = 1;
	KUNIT_EXPECT_EQ(test, -EINVAL, given(ETW_FILTER_STACK_LEVEL, &data, 24));
	KUNIT_EXPECT_EQ(test, -EOPNOTSUPP, given(0x80000100, &data, 24));
	KUNIT_EXPECT_EQ(test, -EOPNOTSUPP, given(0, &data, 24));
}

static void refused_event_names(struct kunit *test)
{
	static const u32 types[] = { ETW_FILTER_EVENT_NAME, ETW_FILTER_STACK_NAME };
	union data *good = kunit_kzalloc(test, sizeof(*good), GFP_KERNEL);
	u32 i;

	KUNIT_ASSERT_NOT_NULL(test, good);
	memset(good->event_names.names, 'x', sizeof(good->event_names.names));
	memcpy(good->event_names.names, "ab\0c", 5);
	for (i = 0; i < ARRAY_SIZE(types); i++) {
		good->event_names.count = 2;
		good->event_names.in = 1;
		KUNIT_EXPECT_EQ(test, 0, given(types[i], good, 25));
		KUNIT_EXPECT_EQ(test, -EINVAL, given(types[i], good, 24));
		KUNIT_EXPECT_EQ(test, -EINVAL, given(types[i], good, 26));
		KUNIT_EXPECT_EQ(test, -EINVAL, given(types[i], good, 23));
		KUNIT_EXPECT_EQ(test, -EINVAL, given(types[i], good, 20));
		KUNIT_EXPECT_EQ(test, -EINVAL, given(types[i], good, 19));
		good->event_names.in = 2;
		KUNIT_EXPECT_EQ(test, -EINVAL, given(types[i], good, 25));
		good->event_names.in = 0;
		good->event_names.count = 1;
		KUNIT_EXPECT_EQ(test, -EINVAL, given(types[i], good, 25));
		KUNIT_EXPECT_EQ(test, 0, given(types[i], good, 23));
		good->event_names.count = 0;
		KUNIT_EXPECT_EQ(test, -EINVAL, given(types[i], good, 20));
		KUNIT_EXPECT_EQ(test, -EINVAL, given(types[i], good, ETW_MAX_NAMES_SIZE));
		good->event_names.names[ETW_MAX_NAMES_SIZE - 21] = 0;
		good->event_names.count = 3;
		KUNIT_EXPECT_EQ(test, 0, given(types[i], good, ETW_MAX_NAMES_SIZE));
		good->event_names.names[ETW_MAX_NAMES_SIZE - 21] = 'x';
	}
	/* an empty name */
	good->event_names.names[0] = 0;
	good->event_names.count = 3;
	KUNIT_EXPECT_EQ(test, -EINVAL, given(ETW_FILTER_EVENT_NAME, good, 25));
}

/* Metadata are a size, tags, a name, fields; of anything else there is no name. */
static void names_of_events(struct kunit *test)
{
	static const struct {
		const char *schema;
		u32 size;
		const char *name;
	} cases[] = {
		{ "\x06\0\0ab", 6, "ab" }, { "\x06\0\0ab\0f\0\7", 9, "ab" },
		{ "\x06\0\x81\x82\3ab", 8, "ab" }, { "\x06\0\0", 4, "" },
		{ "\x06\0\0ab", 5, NULL }, { "\x06\0\x81\x82", 4, NULL }, { "\x06\0\0", 3, NULL },
		{ "\x06", 1, NULL }, { "", 0, NULL },
	};
	struct etw_event_name name;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		name = etw_event_name_of(cases[i].schema, cases[i].size);
		KUNIT_EXPECT_EQ(test, !name.text, !cases[i].name);
		if (!name.text || !cases[i].name)
			continue;
		KUNIT_EXPECT_EQ(test, name.length, (u32)strlen(cases[i].name));
		KUNIT_EXPECT_EQ(test, memcmp(name.text, cases[i].name, name.length), 0);
	}
}

/* A name, level and keywords decide together: in what meets them all, or in all others. */
static void names_decide(struct kunit *test)
{
	static const char *const texts[] = { "ab", "c", "a", "abc", "", NULL };
	union data *data = kunit_kzalloc(test, sizeof(*data), GFP_KERNEL);
	struct etw_event_descriptor event = { };
	struct etw_event_names names;
	struct etw_event_name name;
	u32 i, has;

	KUNIT_ASSERT_NOT_NULL(test, data);
	data->event_names.count = 2;
	data->event_names.level = 3;
	data->event_names.match_any = 2;
	memcpy(data->event_names.names, "ab\0c", 5);
	for (i = 0; i < ARRAY_SIZE(texts) * 8; i++) {
		name.text = texts[i / 8];
		name.length = name.text ? strlen(name.text) : 0;
		data->event_names.in = i & 1;
		event.level = i & 2 ? 4 : 3;
		event.keyword = i & 4 ? 1 : 2;
		KUNIT_ASSERT_EQ(test, 0, etw_event_names_take(&names, data, 25));
		has = i / 8 < 2 && !(i & 6);
		KUNIT_EXPECT_EQ(test, etw_event_names_keep(&names, &event, &name),
				(int)(has == (i & 1)));
	}
}

/* The second one would replace the first one silently. */
static void each_type_once(struct kunit *test)
{
	struct etw_event_filters *filters = kunit_kzalloc(test, sizeof(*filters), GFP_KERNEL);
	const u32 pid = 1;

	KUNIT_ASSERT_NOT_NULL(test, filters);
	KUNIT_EXPECT_EQ(test, 0, take(filters, ETW_FILTER_PID, &pid, 4));
	KUNIT_EXPECT_EQ(test, 0, take(filters, ETW_FILTER_EXECUTABLE, "a", 1));
	KUNIT_EXPECT_EQ(test, -EINVAL, take(filters, ETW_FILTER_PID, &pid, 4));
}

static void executables(struct kunit *test)
{
	struct etw_event_filters *filters = kunit_kzalloc(test, sizeof(*filters), GFP_KERNEL);
	char name[200];

	KUNIT_ASSERT_NOT_NULL(test, filters);
	memset(name, 'x', sizeof(name));
	memcpy(name, "sh;cat;", 7);
	KUNIT_EXPECT_EQ(test, 0, take(filters, ETW_FILTER_EXECUTABLE, name, sizeof(name)));
	KUNIT_EXPECT_TRUE(test, etw_event_filters_has(filters, 1, "sh", 0));
	KUNIT_EXPECT_TRUE(test, etw_event_filters_has(filters, 1, "cat", 0));
	KUNIT_EXPECT_FALSE(test, etw_event_filters_has(filters, 1, "ca", 0));
	KUNIT_EXPECT_FALSE(test, etw_event_filters_has(filters, 1, "cats", 0));
	KUNIT_EXPECT_FALSE(test, etw_event_filters_has(filters, 1, "sh;cat", 0));
	KUNIT_EXPECT_FALSE(test, etw_event_filters_has(filters, 1, "", 0));
	/* as a long name is kept */
	name[7 + ETW_IMAGE_NAME - 1] = 0;
	KUNIT_EXPECT_TRUE(test, etw_event_filters_has(filters, 1, name + 7, 0));
}

/* Each id is below 16, and each set is the bits of its ids. */
static u32 put_ids(struct rnd_state *rnd, union data *data, u32 *bits)
{
	u32 id;

	memset(data, 0, sizeof(*data));
	*bits = prandom_u32_state(rnd) & 0xFFFF;
	*bits |= !*bits;
	data->ids.in = prandom_u32_state(rnd) & 1;
	for (id = 0; id < 16; id++)
		if (*bits & BIT(id))
			data->ids.ids[data->ids.count++] = id;
	if (!data->ids.in)
		*bits ^= 0xFFFF;
	return 4 + 2 * data->ids.count;
}

/* What each filter says alone decides together, whatever the others are. */
static void model_decides(struct kunit *test)
{
	static const struct etw_event_name none;
	struct etw_event_filters *filters = kunit_kzalloc(test, sizeof(*filters), GFP_KERNEL);
	union data *data = kunit_kzalloc(test, sizeof(*data), GFP_KERNEL);
	struct etw_event_descriptor event = { };
	u32 round, which, ids, stacks, bad = 0, size, id;
	struct rnd_state rnd;

	KUNIT_ASSERT_NOT_NULL(test, filters);
	KUNIT_ASSERT_NOT_NULL(test, data);
	prandom_seed_state(&rnd, 66);
	for (round = 0; round < 1000; round++) {
		which = prandom_u32_state(&rnd);
		memset(filters, 0, sizeof(*filters));
		size = put_ids(&rnd, data, &ids);
		if (which & 1)
			bad += !!take(filters, ETW_FILTER_EVENT_ID, data, size);
		size = put_ids(&rnd, data, &stacks);
		if (which & 2)
			bad += !!take(filters, ETW_FILTER_STACK, data, size);
		memset(data, 0, sizeof(*data));
		data->level.level = 3;
		data->level.in = !(which & 16);
		if (which & 4)
			bad += !!take(filters, ETW_FILTER_STACK_LEVEL, data, 24);
		data->pids[0] = 5;
		data->pids[1] = 6;
		if (which & 8)
			bad += !!take(filters, ETW_FILTER_PID, data, 8);
		for (id = 0; id < 16; id++) {
			event.id = id;
			event.level = id % 5;
			bad += etw_event_filters_has(filters, 4 + id % 4, "", id) !=
			       ((!(which & 1) || ids & BIT(id)) &&
				(!(which & 8) || id % 4 == 1 || id % 4 == 2));
			bad += etw_event_filters_stack(filters, &event, &none) !=
			       ((!(which & 2) || stacks & BIT(id)) &&
				(!(which & 4) || (id % 5 <= 3) == !(which & 16)));
		}
	}
	KUNIT_EXPECT_EQ(test, bad, 0U);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(refused_ids),
	KUNIT_CASE(refused_others),
	KUNIT_CASE(refused_event_names),
	KUNIT_CASE(names_of_events),
	KUNIT_CASE(names_decide),
	KUNIT_CASE(each_type_once),
	KUNIT_CASE(executables),
	KUNIT_CASE(model_decides),
	{}
};

static struct kunit_suite suite = {
	.name = "etw_event_filters",
	.test_cases = cases,
};

kunit_test_suite(suite);
