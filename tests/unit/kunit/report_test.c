// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Anchors and loss records: what a session gets, and what of it may be left out. */
#include <kunit/test.h>
#include <linux/percpu.h>
#include <linux/slab.h>
#include "ring/clock.h"

static struct etw_reading fake_reading;

static void read_fake_clocks(enum etw_ticks qpc, struct etw_reading *reading)
{
	*reading = fake_reading;
}

#define etw_clock_read_all	read_fake_clocks
#include "session/report.c"

/* report.c asks for it */
void etw_sources_count_missed(void)
{
}

#define ROOM		4096U

static struct etw_session *new_session(struct kunit *test)
{
	struct etw_session *session = kunit_kzalloc(test, sizeof(*session), GFP_KERNEL);
	int cpu;

	KUNIT_ASSERT_NOT_NULL(test, session);
	session->trailer = kunit_kzalloc(test, ROOM, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, session->trailer);
	session->sink.rings = alloc_percpu(struct etw_ring);
	KUNIT_ASSERT_NOT_NULL(test, session->sink.rings);
	session->sink.buffer_size = ROOM;
	session->sink.clocks.ticks = ETW_TICKS_MONOTONIC;
	session->sink.clocks.qpc = ETW_TICKS_MONOTONIC;
	mutex_init(&session->report_lock);
	for_each_possible_cpu(cpu) {
		struct etw_ring *ring = per_cpu_ptr(session->sink.rings, cpu);

		ring->cpu = cpu;
		ring->ticks = session->sink.clocks.ticks;
		etw_ring_idle(ring);
	}
	return session;
}

static void free_session(struct etw_session *session)
{
	int cpu;

	for_each_possible_cpu(cpu)
		etw_ring_destroy(per_cpu_ptr(session->sink.rings, cpu));
	free_percpu(session->sink.rings);
}

static void lose_of_every_cause(struct etw_session *session)
{
	int cpu, cause;

	for_each_possible_cpu(cpu)
		for (cause = 0; cause < ETW_LOSS_CAUSES; cause++)
			local_set(&per_cpu_ptr(session->sink.rings, cpu)->lost[cause], 1 + cause);
}

/* Record @n of the trailer; NULL: there is none */
static const struct etw_event_header *in_trailer(const struct etw_session *session, u32 n)
{
	const u8 *at = session->trailer + sizeof(struct wmi_buffer_header);
	const u8 *end = at + session->trailer_used;

	for (; at < end; at += ALIGN(((const struct etw_event_header *)at)->size, 8))
		if (!n--)
			return (const struct etw_event_header *)at;
	return NULL;
}

static void trailer_has_all(struct kunit *test)
{
	struct etw_session *session = new_session(test);
	const struct etw_event_header *record;
	u32 i, losses = num_possible_cpus() * ETW_LOSS_CAUSES;

	lose_of_every_cause(session);
	etw_trailer_build(session);
	record = in_trailer(session, 0);
	KUNIT_ASSERT_NOT_NULL(test, record);
	KUNIT_EXPECT_EQ(test, record->id, ETW_LINUX_EVENT_ANCHOR);
	KUNIT_EXPECT_EQ(test, ((const struct etw_anchor *)(record + 1))->reason, ETW_ANCHOR_STOP);
	for (i = 1; (record = in_trailer(session, i)); i++)
		KUNIT_EXPECT_EQ(test, record->id, ETW_LINUX_EVENT_LOSS);
	/* some CPUs' do not fit where there are many */
	KUNIT_EXPECT_GT(test, i, min(losses, 16U));
	KUNIT_EXPECT_EQ(test, session->trailer_events, i);
	free_session(session);
}

/* Losses may be left to EventsLost; the anchor may not. */
static void trailer_has_its_anchor(struct kunit *test)
{
	struct etw_session *session = new_session(test);
	const struct etw_event_header *record;

	session->sink.buffer_size = sizeof(struct wmi_buffer_header) +
			       2 * (sizeof(struct etw_event_header) + sizeof(struct etw_anchor));
	lose_of_every_cause(session);
	etw_trailer_build(session);
	record = in_trailer(session, 0);
	KUNIT_ASSERT_NOT_NULL(test, record);
	KUNIT_EXPECT_EQ(test, record->id, ETW_LINUX_EVENT_ANCHOR);
	record = in_trailer(session, 1);
	KUNIT_ASSERT_NOT_NULL(test, record);
	KUNIT_EXPECT_EQ(test, record->id, ETW_LINUX_EVENT_LOSS);
	free_session(session);
}

/* The wall clock, with the monotonic one at @ms */
static void clocks_say(u64 wall_ms, u64 ms)
{
	fake_reading = (struct etw_reading){
		.filetime = wall_ms * 10000, .boottime = ms * NSEC_PER_MSEC,
	};
}

/* The only record in any ring; NULL: there is none */
static const struct etw_anchor *only_anchor(const struct etw_session *session)
{
	const struct etw_anchor *anchor = NULL;
	int cpu;

	for_each_possible_cpu(cpu) {
		const struct etw_slot *slot = per_cpu_ptr(session->sink.rings, cpu)->slot;
		const struct etw_event_header *record = (const void *)slot->data;

		if (record && slot->w & ETW_W_OFFSET && record->id == ETW_LINUX_EVENT_ANCHOR)
			anchor = (const struct etw_anchor *)(record + 1);
	}
	return anchor;
}

static void step_is_recorded_later(struct kunit *test)
{
	struct etw_session *session = new_session(test);
	const struct etw_anchor *anchor;
	struct irq_work *wake = kunit_kzalloc(test, sizeof(*wake), GFP_KERNEL);
	int cpu;

	KUNIT_ASSERT_NOT_NULL(test, wake);
	clocks_say(5000, 1000);
	etw_anchor_write(session, ETW_ANCHOR_START);
	/* set by a minute, when no buffer is free; then nothing more happens */
	clocks_say(66000, 2000);
	etw_anchor_write(session, ETW_ANCHOR_PERIOD);
	KUNIT_EXPECT_NULL(test, only_anchor(session));
	for_each_possible_cpu(cpu) {
		struct etw_ring *ring = per_cpu_ptr(session->sink.rings, cpu);

		ring->wake = wake;
		KUNIT_ASSERT_EQ(test, etw_ring_init(ring, 2, 2, ROOM, NUMA_NO_NODE, false), 0);
	}
	clocks_say(67000, 3000);
	etw_anchor_write(session, ETW_ANCHOR_PERIOD);
	anchor = only_anchor(session);
	KUNIT_ASSERT_NOT_NULL(test, anchor);
	KUNIT_EXPECT_EQ(test, anchor->reason, ETW_ANCHOR_CLOCK_STEP);
	KUNIT_EXPECT_EQ(test, session->internal_events, 1ULL);
	free_session(session);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(trailer_has_all),
	KUNIT_CASE(trailer_has_its_anchor),
	KUNIT_CASE(step_is_recorded_later),
	{}
};

static struct kunit_suite suite = {
	.name = "etw_report",
	.test_cases = cases,
};

kunit_test_suite(suite);
