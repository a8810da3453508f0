// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Writers of a ring under test: records that contain their identity. */
#include <linux/minmax.h>
#include "test_ring.h"
#include "ring/slot.h"

/* Since the loser looked at the next slot, no writer went on to it. */
static void expect_belief(struct ring_test *t)
{
	u32 level = min(t->level, RING_LEVELS - 1);

	KUNIT_EXPECT_EQ_MSG(t->test, t->head_at_s[level], t->head_at_tick[level],
			    "lost, but head has moved");
}

/* Slots become free by the reader alone: what is free now was free all along. */
static void expect_no_room(struct ring_test *t, u32 units)
{
	struct etw_ring *ring = &t->ring;
	u64 lap, w, s;

	if (!ring->nr_slots || units > ring->capacity)
		return;
	ring_watch(NULL);
	w = slot_of(ring, ring->head, &lap)->w;
	if (is_w_of(w, lap) && !(w & ETW_W_SEALED) && etw_w_units(w) + units <= ring->capacity)
		KUNIT_FAIL(t->test, "lost, but there is room in the open buffer");
	s = atomic64_read(&slot_of(ring, ring->head + 1, &lap)->s);
	if (etw_s_state(s) == ETW_SLOT_FREE ||
	    (ring->overwrite && etw_s_state(s) != ETW_SLOT_OPEN))
		KUNIT_FAIL(t->test, "lost, but there is a buffer");
	ring_watch(t);
}

/**
 * ring_reserve() - begin a record
 * @t: the test
 * @record: out
 * @size: bytes, RECORD_MIN at least
 */
bool ring_reserve(struct ring_test *t, struct ring_record *record, u32 size)
{
	u64 before = t->now, reads = t->reads;
	struct etw_moment moment = { };
	bool ok, once;

	ring_begin(t);
	/* a writer that comes in between goes the other way, then this one */
	once = ++t->attempted % 2;
	t->level++;
	record->size = size;
	/* an interrupt reads the clock later than the writer that it came over */
	if (ring_is_by_counter(t))
		ring_pass_time(t);
	moment.counter = etw_counter_now();
	ring_point(POINT_TICK);
	if (once)
		ok = etw_reserve_once(&t->ring, size, &moment.counter, etw_has_fast_atomics(),
				      &record->at) ||
		     etw_reserve_at(&t->ring, size, &record->at, ETW_RESERVE_COUNT, &moment);
	else
		ok = etw_reserve(&t->ring, size, &record->at, ETW_RESERVE_COUNT);
	if (!ok && size <= ring_room(t) && t->ring.nr_slots && !ring_is_by_counter(t))
		expect_belief(t);
	t->level--;
	if (ok) {
		t->retries += !ring_is_by_counter(t) && t->now > before + 1;
		return true;
	}
	t->refused++;
	if (t->reads == reads && !t->in_reader)
		expect_no_room(t, etw_units(size));
	return false;
}

static bool read_nothing(void *unused)
{
	return false;
}

/**
 * ring_give_up() - a record that does not come about, and is no loss
 * @t: the test
 * @size: bytes
 * @readable: what belongs to its moment can be read, but there is no place
 */
void ring_give_up(struct ring_test *t, u32 size, bool readable)
{
	struct etw_reservation at;

	ring_begin(t);
	t->level++;
	KUNIT_EXPECT_FALSE(t->test, etw_reserve_reading(&t->ring, size, &at, ETW_RESERVE_TRY,
							readable ? NULL : read_nothing, NULL,
							NULL));
	t->level--;
}

static void fill(struct ring_record *record, u32 from, u32 to)
{
	u64 *word = record->at.data;
	u32 i;

	for (i = from; i < to; i++)
		word[i] = ring_word(record->at.tick, i);
	word[0] = record->at.tick;
	word[1] = record->size;
}

/**
 * ring_commit() - write a record's bytes and end it
 * @t: the test
 * @record: from ring_reserve()
 */
void ring_commit(struct ring_test *t, struct ring_record *record)
{
	struct ring_place place = { record->at.slot, etw_w_lap(record->at.slot->w) };
	u32 units = etw_units(record->size);

	ring_begin(t);
	t->level++;
	fill(record, 0, units / 2);
	ring_point(POINT_RECORD);
	fill(record, units / 2, units);
	if (t->attempted % 2)
		etw_commit(&t->ring, &record->at, record->size);
	else if (etw_commit_once(&record->at, record->size, etw_has_fast_atomics()))
		etw_slot_publish(&t->ring, record->at.slot);
	t->places[t->committed++ % RING_PLACES] = place;
	t->level--;
}

/**
 * ring_write() - a record from beginning to end
 * @t: the test
 * @size: bytes, RECORD_MIN at least
 */
bool ring_write(struct ring_test *t, u32 size)
{
	struct ring_record record;

	if (!ring_reserve(t, &record, size))
		return false;
	ring_commit(t, &record);
	return true;
}

/**
 * ring_fill() - one record as large as a buffer
 * @t: the test
 */
void ring_fill(struct ring_test *t)
{
	KUNIT_EXPECT_TRUE(t->test, ring_write(t, ring_room(t)));
}
