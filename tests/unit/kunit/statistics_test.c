// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Counts of a session: what of them fits into a dword. */
#include <kunit/test.h>
#include <linux/percpu.h>

/* the suites are one module, and layout_test.c has one of that name */
#define etw_session_lost	statistics_lost
#include "session/statistics.c"

/* statistics.c calls them */
struct etw_stack_counts etw_event_context_walks(const struct etw_event_context *context, int cpu)
{
	return (struct etw_stack_counts){ 0 };
}

struct etw_unwind_totals etw_unwind_totals(u32 logger_id)
{
	return (struct etw_unwind_totals){ };
}

struct etw_unwind_counts etw_unwind_counts(int cpu)
{
	return (struct etw_unwind_counts){ };
}

u64 etw_event_context_uncounted(const struct etw_event_context *context, int cpu)
{
	return 0;
}

static void counts(struct kunit *test)
{
	static const struct {
		u64 count;
		u32 logged;
	} of[] = {
		{ 0, 0 },
		{ 1, 1 },
		{ 0x7FFFFFFF, 0x7FFFFFFF },
		{ 0x80000000, 0x80000000 },
		{ 0xFFFFFFFE, 0xFFFFFFFE },
		{ 0xFFFFFFFF, 0xFFFFFFFF },
		{ 0x100000000, 0xFFFFFFFF },
		{ 0x100000001, 0xFFFFFFFF },
		{ S64_MAX, 0xFFFFFFFF },
		{ U64_MAX, 0xFFFFFFFF },
	};
	u32 i;

	for (i = 0; i < ARRAY_SIZE(of); i++)
		KUNIT_EXPECT_EQ(test, etw_count_32(of[i].count), of[i].logged);
}

static void nothing(struct work_struct *work)
{
}

static struct etw_session *new_session(struct kunit *test)
{
	struct etw_session *session = kunit_kzalloc(test, sizeof(*session), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, session);
	session->sink.rings = alloc_percpu(struct etw_ring);
	KUNIT_ASSERT_NOT_NULL(test, session->sink.rings);
	mutex_init(&session->settings_lock);
	mutex_init(&session->read_lock);
	seqcount_mutex_init(&session->moves, &session->read_lock);
	INIT_WORK(&session->rundown_work, nothing);
	return session;
}

/* The same of each count: what QUERY returns where all CPUs together have so many */
static void query_with(struct kunit *test, struct etw_session *session, u64 count, u32 logged)
{
	struct etw_ring *ring = per_cpu_ptr(session->sink.rings, cpumask_first(cpu_possible_mask));
	struct wmi_logger_information info;

	session->sequence = count;
	local_set(&ring->overwritten_buffers, count);
	local_set(&ring->lost[0], count - !!count);
	local_set(&ring->lost[1], !!count);
	etw_session_query(session, &info);
	KUNIT_EXPECT_EQ(test, info.buffers_written, logged);
	KUNIT_EXPECT_EQ(test, info.sequence_number, logged);
	KUNIT_EXPECT_EQ(test, info.log_buffers_lost, logged);
	KUNIT_EXPECT_EQ(test, info.events_lost, logged);
}

static void query(struct kunit *test)
{
	struct etw_session *session = new_session(test);

	query_with(test, session, 0, 0);
	query_with(test, session, 12345, 12345);
	query_with(test, session, 0xFFFFFFFF, 0xFFFFFFFF);
	query_with(test, session, 0x100000000, 0xFFFFFFFF);
	query_with(test, session, 0x300000005, 0xFFFFFFFF);
	free_percpu(session->sink.rings);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(counts),
	KUNIT_CASE(query),
	{}
};

static struct kunit_suite suite = {
	.name = "etw_statistics",
	.test_cases = cases,
};

kunit_test_suite(suite);
