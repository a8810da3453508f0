// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The reader of a ring under test, which checks all it gets; flushes; what adds up. */
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/string.h>
#include "test_ring.h"
#include "ring/slot.h"

/* Returns the bytes that the record takes, 0 when it is broken. */
static u32 check_record(struct ring_test *t, const u64 *word, u32 left)
{
	u32 i, units = etw_units(word[1]);

	if (word[1] < RECORD_MIN || units * ETW_RECORD_ALIGN > left) {
		KUNIT_FAIL(t->test, "a record of %llu bytes, %u left", word[1], left);
		return 0;
	}
	if (word[0] < t->stream || (word[0] == t->stream && !ring_is_by_counter(t)))
		KUNIT_FAIL(t->test, "out of order: %llu after %llu", word[0], t->stream);
	t->stream = word[0];
	for (i = 2; i < units; i++) {
		if (word[i] == ring_word(word[0], i))
			continue;
		KUNIT_FAIL(t->test, "torn: word %u of %u is %llx", i, units, word[i]);
		break;
	}
	return units * ETW_RECORD_ALIGN;
}

static void check_buffer(struct ring_test *t)
{
	u32 used = etw_w_used(t->held.w), pos = 0, events = 0, size;

	KUNIT_EXPECT_TRUE(t->test, t->held.w & ETW_W_SEALED);
	KUNIT_EXPECT_GT_MSG(t->test, used, 0U, "an empty buffer was delivered");
	KUNIT_EXPECT_LE(t->test, used, ring_room(t));
	for (; pos < used; pos += size, events++) {
		size = check_record(t, (u64 *)(t->held.slot->data + pos), used - pos);
		if (!size)
			break;
	}
	KUNIT_EXPECT_EQ(t->test, events, etw_w_events(t->held.w));
}

/**
 * ring_take() - the reader takes a buffer and checks all of it
 * @t: the test; the reader holds nothing
 */
bool ring_take(struct ring_test *t)
{
	ring_begin(t);
	t->in_reader = true;
	t->reader_level = t->level;
	t->reads++;
	t->holding = etw_ring_take(&t->ring, &t->held);
	if (t->holding) {
		KUNIT_EXPECT_GE(t->test, t->held.ordinal, t->next);
		t->next = t->held.ordinal + 1;
		t->stream_before = t->stream;
		check_buffer(t);
		memcpy(t->copy, t->held.slot->data, ring_room(t));
	}
	t->in_reader = false;
	return t->holding;
}

static void let_go(struct ring_test *t,
		   void (*how)(struct etw_ring *, const struct etw_reader_buffer *))
{
	KUNIT_EXPECT_EQ_MSG(t->test, 0, memcmp(t->copy, t->held.slot->data, ring_room(t)),
			    "a writer was in the reader's buffer");
	ring_begin(t);
	t->in_reader = true;
	t->reader_level = t->level;
	t->reads++;
	t->holding = false;
	how(&t->ring, &t->held);
	t->in_reader = false;
}

void ring_release(struct ring_test *t)
{
	t->read += etw_w_events(t->held.w);
	let_go(t, etw_ring_release);
}

/**
 * ring_worker() - a buffer comes, or goes, as the worker has it
 * @t: the test; it doesn't overwrite, and the reader is not in the middle
 * @comes: which
 *
 * Two stay: without one more than is open nothing would go on.
 */
void ring_worker(struct ring_test *t, bool comes)
{
	u32 size = sizeof(struct wmi_buffer_header) + ring_room(t);
	void *buffer = NULL;

	ring_begin(t);
	t->in_reader = true;
	t->reader_level = t->level;
	t->reads++;
	if (comes && t->ring.buffers < t->ring.nr_slots) {
		buffer = etw_buffer_alloc(size, NUMA_NO_NODE);
		if (buffer && etw_ring_give(&t->ring, buffer))
			buffer = NULL;
		KUNIT_EXPECT_NULL_MSG(t->test, buffer, "no slot for a buffer");
	} else if (!comes && t->ring.buffers > 2) {
		buffer = etw_ring_take_away(&t->ring);
		t->taken_away += !!buffer;
	}
	kvfree(buffer);
	t->in_reader = false;
}

/* The copy of a buffer is whole: nothing is torn or out of order. */
static void check_copy(struct ring_test *t, const struct etw_reader_buffer *seen)
{
	u32 used = etw_w_used(seen->w), pos = 0, events = 0, size;
	u64 stream = t->stream;

	KUNIT_EXPECT_LE(t->test, used, ring_room(t));
	t->stream = 0;
	for (; pos < used; pos += size, events++) {
		size = check_record(t, (u64 *)(t->view + pos), used - pos);
		if (!size)
			break;
	}
	t->stream = stream;
	KUNIT_EXPECT_EQ(t->test, events, etw_w_events(seen->w));
	t->copies += !!used;
}

/* Whether a record that was committed before a look is neither in @open nor before it */
static bool is_missed(const struct ring_place *place, const struct etw_reader_buffer *open)
{
	u64 s = (atomic64_read)(&place->slot->s);

	if (etw_s_state(s) != ETW_SLOT_OPEN || place->lap != (etw_s_lap(s) & ETW_W_LAP_MASK))
		return false;
	/* a sealed buffer before @open is complete soon */
	return !(place->slot->w & ETW_W_SEALED) &&
	       (place->slot != open->slot || !etw_w_used(open->w));
}

/* Copies what etw_ring_view() or etw_ring_look() found. */
static void copy_seen(struct ring_test *t, const struct etw_reader_buffer *seen)
{
	u32 used = etw_w_used(seen->w), half = used / 2;

	memcpy(t->view, seen->slot->data, half);
	ring_point(POINT_RECORD);
	memcpy(t->view + half, seen->slot->data + half, used - half);
	if (etw_ring_is_same(&t->ring, seen))
		check_copy(t, seen);
}

/* Every record that was committed before the look is in @open or before it. */
static void check_look(struct ring_test *t, const struct etw_reader_buffer *open, u32 committed)
{
	u32 i = committed - min(committed, RING_PLACES / 8);

	ring_watch(NULL);
	for (; i < committed; i++)
		if (is_missed(&t->places[i % RING_PLACES], open))
			KUNIT_FAIL(t->test, "the look missed record %u of %u", i, committed);
	ring_watch(t);
}

/**
 * ring_copy() - what a snapshot does to a ring that overwrites
 * @t: the test; the reader is not in the middle
 *
 * Return: whether the look found no reservation pending.
 */
bool ring_copy(struct ring_test *t)
{
	u32 committed = t->committed;
	struct etw_reader_buffer open, seen;
	u64 n;
	int err;

	ring_begin(t);
	t->in_reader = true;
	t->reader_level = t->level;
	t->level++;
	err = etw_ring_look(&t->ring, &open);
	t->level--;
	if (!err) {
		check_look(t, &open, committed);
		copy_seen(t, &open);
		for (n = open.ordinal; n-- > etw_ring_oldest(&t->ring); )
			if (!etw_ring_view(&t->ring, n, &seen))
				copy_seen(t, &seen);
	}
	t->in_reader = false;
	return !err;
}

void ring_discard(struct ring_test *t)
{
	t->discarded += etw_w_events(t->held.w);
	let_go(t, etw_ring_discard);
}

void ring_put_back(struct ring_test *t)
{
	t->next = t->held.ordinal;
	t->stream = t->stream_before;
	let_go(t, etw_ring_put_back);
}

/**
 * ring_flush() - what etw_session_flush() does, up to the waiting
 * @t: the test; one flush at a time, a second one does nothing
 */
void ring_flush(struct ring_test *t)
{
	u32 committed = t->committed;

	if (t->in_flush || t->flushed)
		return;
	t->in_flush = true;
	t->flush_until = 0;
	t->level++;
	if (etw_ring_dirty(&t->ring))
		etw_ring_seal(&t->ring, &t->flush_until);
	t->level--;
	t->in_flush = false;
	t->flushed = committed;
	ring_flush_look(t);
}

static bool in_open_buffer(const struct ring_place *place)
{
	u64 s = atomic64_read(&place->slot->s);

	return etw_s_state(s) == ETW_SLOT_OPEN &&
	       place->lap == (etw_s_lap(s) & ETW_W_LAP_MASK);
}

/**
 * ring_flush_look() - one look of the task that waits for the flush
 * @t: the test
 *
 * When it is over, what had been committed before it is in complete buffers.
 */
void ring_flush_look(struct ring_test *t)
{
	u32 i;

	if (!t->flushed)
		return;
	ring_watch(NULL);
	if (etw_ring_settled(&t->ring, t->flush_until)) {
		/* the ring is smaller than this */
		for (i = t->flushed - min(t->flushed, RING_PLACES / 8); i < t->flushed; i++)
			if (in_open_buffer(&t->places[i % RING_PLACES]))
				KUNIT_FAIL(t->test, "the flush left record %u of %u behind",
					   i, t->flushed);
		t->flushed = 0;
	}
	ring_watch(t);
}

/**
 * ring_drain() - seal, and read all there is
 * @t: the test; no writer is in progress
 *
 * Return: buffers read.
 */
u32 ring_drain(struct ring_test *t)
{
	u64 ordinal;
	u32 n = 0;

	t->interrupt = NULL;
	ring_flush_look(t);
	KUNIT_EXPECT_EQ_MSG(t->test, t->flushed, 0U, "the flush never ends");
	t->flushed = 0;
	if (t->holding)
		ring_release(t);
	if (etw_ring_seal(&t->ring, &ordinal))
		KUNIT_EXPECT_TRUE(t->test, etw_ring_settled(&t->ring, ordinal));
	for (; ring_take(t); n++)
		ring_release(t);
	return n;
}

/**
 * ring_expect_conserved() - no record is unaccounted for
 * @t: the test; no writer is in progress and the reader holds nothing
 */
void ring_expect_conserved(struct ring_test *t)
{
	struct etw_ring *ring = &t->ring;
	u64 gone = local_read(&ring->overwritten) + ring->given_up;
	u32 full;
	u64 buffered = etw_ring_buffered(ring, &full);

	KUNIT_EXPECT_EQ(t->test, ring->read, t->read);
	KUNIT_EXPECT_EQ(t->test, ring->discarded, t->discarded);
	KUNIT_EXPECT_EQ(t->test, etw_ring_lost(ring), t->refused);
	KUNIT_EXPECT_EQ(t->test, t->attempted,
			t->read + gone + t->discarded + buffered + t->refused);
	if (!ring->overwrite)
		KUNIT_EXPECT_EQ(t->test, gone, 0ULL);
}
