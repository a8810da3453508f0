// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/*
 * PEBS records counted in made-up debug stores: formats, wraps, drains, what can't be determined.
 */
#include <kunit/test.h>
#include "context/pebs_index.c"

/* What a CPU's hardware, perf and etw know, and how many records there were. */
struct world {
	struct etw_pebs_area area;
	u32 size;
	u64 word;
	u64 drained;
	u64 written;
};

static void set_up(struct world *w, u32 size, u32 room)
{
	*w = (struct world){ .size = size };
	w->area.base = 0xfffffe0000060000;
	w->area.index = w->area.base;
	w->area.maximum = w->area.base + room * size;
}

/* perf's part of a drain, which the hook can't see */
static void reset_index(struct world *w)
{
	w->area.index = w->area.base;
}

static void hook(struct world *w, bool nmi)
{
	u64 counted;

	w->word = etw_pebs_drain(w->word, etw_pebs_records(&w->area, w->size), nmi, &counted);
	w->drained += counted;
}

static void drain(struct world *w, bool nmi)
{
	hook(w, nmi);
	reset_index(w);
}

/* A full buffer interrupts before the next record. */
static void write_records(struct world *w, u32 records)
{
	for (; records; records--) {
		if (w->area.index + w->size > w->area.maximum)
			drain(w, true);
		w->area.index += w->size;
		w->written++;
	}
}

static u64 look(struct world *w)
{
	u64 counted;
	int records = etw_pebs_records(&w->area, w->size);

	w->word = etw_pebs_look(w->word, records, &counted);
	w->drained += counted;
	return w->drained + records;
}

static void sizes_of_fixed_formats(struct kunit *test)
{
	static const u32 words[] = { 18, 22, 24, 25 };
	u32 format;

	for (format = 0; format < ARRAY_SIZE(words); format++) {
		KUNIT_EXPECT_EQ(test, etw_pebs_record_size(format, 0), 8 * words[format]);
		KUNIT_EXPECT_EQ(test, etw_pebs_record_size(format, ~0ULL), 8 * words[format]);
	}
	for (format = 7; format <= 16; format++)
		KUNIT_EXPECT_EQ(test, etw_pebs_record_size(format, 0), 0U);
	KUNIT_EXPECT_EQ(test, etw_pebs_record_size(-1, 0), 0U);
}

/* What a register with these groups, numbers of branches and of counters makes of a record */
struct layout {
	u32 groups;
	u32 branches;
	u32 general;
	u32 fixed;
};

static u64 data_cfg(const struct layout *l)
{
	return l->groups | (u64)(l->branches - 1) << 24 | (u64)((1U << l->general) - 1) << 32 |
	       (u64)((1U << l->fixed) - 1) << 48;
}

/* Numbers of groups that are not asked for count for nothing. */
static u32 layout_words(const struct layout *l)
{
	u32 words = 4;

	words += l->groups & 1 ? 4 : 0;
	words += l->groups & 2 ? 18 : 0;
	words += l->groups & 4 ? 32 : 0;
	words += l->groups & 8 ? 3 * l->branches : 0;
	words += l->groups & 0x30 ? 2 : 0;
	words += l->groups & 0x10 ? l->general + l->fixed : 0;
	words += l->groups & 0x20 ? 2 : 0;
	return words;
}

static void sizes_of_all_groups(struct kunit *test, struct layout layout)
{
	u32 format, size = 8 * layout_words(&layout);

	for (format = 4; format <= 6; format++) {
		u64 cfg = data_cfg(&layout);

		KUNIT_EXPECT_EQ(test, etw_pebs_record_size(format, cfg), size);
		/* bits without a meaning */
		cfg |= 0xFFFFC0 | 0xFFULL << 56;
		KUNIT_EXPECT_EQ(test, etw_pebs_record_size(format, cfg), size);
	}
}

static void sizes_of_adaptive_formats(struct kunit *test)
{
	static const struct layout numbers[] = {
		{ 0, 1, 1, 0 }, { 0, 8, 8, 1 }, { 0, 16, 10, 3 }, { 0, 32, 4, 8 },
		{ 0, 256, 16, 8 },
	};
	u32 i, groups;

	for (i = 0; i < ARRAY_SIZE(numbers); i++) {
		struct layout layout = numbers[i];

		for (groups = 0; groups < 64; groups++) {
			layout.groups = groups;
			sizes_of_all_groups(test, layout);
		}
	}
	KUNIT_EXPECT_EQ(test, etw_pebs_record_size(4, 0), 32U);
	/* all that an Ice Lake can */
	KUNIT_EXPECT_EQ(test, etw_pebs_record_size(4, 0x1F00000F), 1232U);
}

static void capabilities(struct kunit *test)
{
	/* of a Skylake, of an Ice Lake */
	KUNIT_EXPECT_EQ(test, ETW_PEBS_CAP_FORMAT(0x33c5ULL), 3U);
	KUNIT_EXPECT_FALSE(test, !!(0x33c5ULL & ETW_PEBS_CAP_BASELINE));
	KUNIT_EXPECT_EQ(test, ETW_PEBS_CAP_FORMAT(0x4000f4c5ULL), 4U);
	KUNIT_EXPECT_TRUE(test, !!(0x4000f4c5ULL & ETW_PEBS_CAP_BASELINE));
}

static void records_in_buffers_of_every_format(struct kunit *test)
{
	struct world w;
	u32 format, n;

	for (format = 0; format <= 6; format++) {
		set_up(&w, etw_pebs_record_size(format, 0xF | 31 << 24), 64);
		for (n = 0; n <= 64; n++) {
			w.area.index = w.area.base + n * w.size;
			KUNIT_EXPECT_EQ(test, etw_pebs_records(&w.area, w.size), (int)n);
		}
	}
}

static void no_buffer(struct kunit *test)
{
	struct etw_pebs_area area = { };

	KUNIT_EXPECT_EQ(test, etw_pebs_records(&area, 200), -ENODATA);
	/* perf lets the index stand where it was */
	area.index = 0xfffffe0000060000 + 400;
	area.maximum = area.index;
	KUNIT_EXPECT_EQ(test, etw_pebs_records(&area, 200), -ENODATA);
}

static void index_out_of_bounds(struct kunit *test)
{
	struct world w;

	set_up(&w, 200, 10);
	w.area.index = w.area.base - 200;
	KUNIT_EXPECT_EQ(test, etw_pebs_records(&w.area, 200), -ERANGE);
	w.area.index = 0;
	KUNIT_EXPECT_EQ(test, etw_pebs_records(&w.area, 200), -ERANGE);
	w.area.index = w.area.maximum;
	KUNIT_EXPECT_EQ(test, etw_pebs_records(&w.area, 200), 10);
	w.area.index += 200;
	KUNIT_EXPECT_EQ(test, etw_pebs_records(&w.area, 200), -ERANGE);
	w.area.index = ~0ULL;
	KUNIT_EXPECT_EQ(test, etw_pebs_records(&w.area, 200), -ERANGE);
	/* more than any word could say */
	w.area.maximum = ~0ULL;
	w.area.index = w.area.base + (1ULL << 32);
	KUNIT_EXPECT_EQ(test, etw_pebs_records(&w.area, 200), -ERANGE);
}

/* With groups that came or went, what stands in the buffer is no number of records. */
static void remainders(struct kunit *test)
{
	u32 basic = etw_pebs_record_size(4, 0), memory = etw_pebs_record_size(4, 3);
	struct world w;
	u32 n;

	set_up(&w, basic, 64);
	w.area.maximum += 4096;
	for (n = 1; n < basic; n++) {
		w.area.index = w.area.base + 3 * basic + n;
		KUNIT_EXPECT_EQ(test, etw_pebs_records(&w.area, basic), -EINVAL);
	}
	w.area.index = w.area.base + 3 * basic + 2 * memory;
	KUNIT_EXPECT_EQ(test, etw_pebs_records(&w.area, memory), -EINVAL);
	KUNIT_EXPECT_EQ(test, etw_pebs_records(&w.area, 0), -EINVAL);
}

static void drains_between_switches(struct kunit *test)
{
	struct world w;

	set_up(&w, 176, 20);
	write_records(&w, 5);
	KUNIT_EXPECT_EQ(test, look(&w), 5ULL);
	KUNIT_EXPECT_EQ(test, look(&w), 5ULL);
	write_records(&w, 2);
	drain(&w, false);
	/* fewer than were seen, as many, more */
	write_records(&w, 3);
	KUNIT_EXPECT_EQ(test, look(&w), 10ULL);
	drain(&w, true);
	write_records(&w, 3);
	KUNIT_EXPECT_EQ(test, look(&w), 13ULL);
	drain(&w, false);
	write_records(&w, 9);
	KUNIT_EXPECT_EQ(test, look(&w), 22ULL);
	/* several, also of nothing */
	drain(&w, false);
	drain(&w, true);
	drain(&w, false);
	write_records(&w, 1);
	drain(&w, true);
	write_records(&w, 1);
	drain(&w, false);
	KUNIT_EXPECT_EQ(test, look(&w), 24ULL);
}

/* More than the buffer holds, between two switches, and at any rate */
static void buffer_wraps(struct kunit *test)
{
	struct world w;
	u32 i;

	set_up(&w, 200, 7);
	for (i = 0; i < 100; i++) {
		write_records(&w, i * 37 % 29);
		if (i % 3 == 0)
			drain(&w, i % 2);
		KUNIT_EXPECT_EQ(test, look(&w), w.written);
	}
	KUNIT_EXPECT_GT(test, w.drained, 7ULL);
}

/* perf's last event went, and a new one came: the index is at the base, and no drain. */
static void buffer_set_up_anew(struct kunit *test)
{
	struct world w;

	set_up(&w, 200, 7);
	write_records(&w, 2);
	KUNIT_EXPECT_EQ(test, look(&w), 2ULL);
	reset_index(&w);
	KUNIT_EXPECT_EQ(test, look(&w), 2ULL);
	write_records(&w, 4);
	KUNIT_EXPECT_EQ(test, look(&w), 6ULL);
	reset_index(&w);
	write_records(&w, 1);
	drain(&w, true);
	KUNIT_EXPECT_EQ(test, look(&w), 7ULL);
}

/* Between the hook and the reset, an NMI drains: perf finds nothing after that. */
static void nmi_within_a_drain(struct kunit *test)
{
	struct world w;

	set_up(&w, 200, 7);
	write_records(&w, 3);
	hook(&w, false);
	drain(&w, true);
	reset_index(&w);
	KUNIT_EXPECT_EQ(test, look(&w), 3ULL);
	/* another NMI, which finds nothing; then records again, as many as before */
	write_records(&w, 3);
	hook(&w, false);
	drain(&w, true);
	drain(&w, true);
	reset_index(&w);
	write_records(&w, 3);
	drain(&w, true);
	KUNIT_EXPECT_EQ(test, look(&w), 9ULL);
	/* the other way round it can't be */
	write_records(&w, 2);
	drain(&w, true);
	write_records(&w, 2);
	drain(&w, false);
	KUNIT_EXPECT_EQ(test, look(&w), 13ULL);
	/* a switch in between: the reset is done, as many are others */
	write_records(&w, 4);
	drain(&w, false);
	KUNIT_EXPECT_EQ(test, look(&w), 17ULL);
	write_records(&w, 4);
	drain(&w, true);
	KUNIT_EXPECT_EQ(test, look(&w), 21ULL);
}

/* What looks or drains finds out by the word that a drain came over it. */
static void words_report_drains(struct kunit *test)
{
	u64 counted, word, none;

	for (word = 0; word < 8; word++) {
		u64 state = (word & 3) | (word & 4 ? ETW_PEBS_UNSETTLED : 0) | ~0ULL << 32;

		KUNIT_EXPECT_NE(test, etw_pebs_drain(state, 0, true, &counted) >> 32, state >> 32);
		KUNIT_EXPECT_NE(test, etw_pebs_drain(state, 3, false, &counted) >> 32,
				state >> 32);
		KUNIT_EXPECT_EQ(test, etw_pebs_look(state, 2, &none) >> 32, state >> 32);
	}
}

static struct kunit_case cases[] = {
	KUNIT_CASE(sizes_of_fixed_formats),
	KUNIT_CASE(sizes_of_adaptive_formats),
	KUNIT_CASE(capabilities),
	KUNIT_CASE(records_in_buffers_of_every_format),
	KUNIT_CASE(no_buffer),
	KUNIT_CASE(index_out_of_bounds),
	KUNIT_CASE(remainders),
	KUNIT_CASE(drains_between_switches),
	KUNIT_CASE(buffer_wraps),
	KUNIT_CASE(buffer_set_up_anew),
	KUNIT_CASE(nmi_within_a_drain),
	KUNIT_CASE(words_report_drains),
	{ }
};

static struct kunit_suite suite = {
	.name = "etw_pebs_index",
	.test_cases = cases,
};

kunit_test_suite(suite);
