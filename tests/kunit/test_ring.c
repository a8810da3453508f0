// SPDX-License-Identifier: GPL-2.0
/* The engine with points in it, a writer, and a reader that checks all it gets. */
#define __DISABLE_EXPORTS	/* etw.ko exports the same names */
#include <linux/bug.h>
#include <linux/errno.h>
#include <linux/math64.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "test_ring.h"
#include "../../module/ring/memory.c"
#include "../../module/ring/writer.c"
#include "../../module/ring/reader.c"

/* An operation that takes more steps than this will never end */
#define ENDLESS		200000

static struct ring_test *current_test;

/* What the writer that is on top saw of head; the reader has no part in it. */
static u64 *seen(struct ring_test *t, u64 *by_level)
{
	if (t->in_reader && t->level == t->reader_level)
		return NULL;
	return &by_level[min(t->level, RING_LEVELS - 1)];
}

static bool by_counter(const struct ring_test *t)
{
	return t->ring.ticks == ETW_TICKS_COUNTER;
}

/*
 * The counter of User Mode Linux stands still: what is added to it is the clock. A
 * processor may read it early by some records, but not across an interrupt.
 */
static void pass_time(struct ring_test *t)
{
	u64 early = (u32)(++t->now * 0x9E3779B9U) >> 26;

	etw_counter_offset = t->now - min(early, t->now - t->boundary);
}

static void interrupt(struct ring_test *t, enum ring_point point)
{
	u64 before = t->boundary, now = t->now;

	if (!t->interrupt)
		return;
	t->boundary = now;
	t->interrupt(t, point);
	/* whether anybody came */
	t->boundary = t->now > now ? t->now : before;
}

void ring_point(enum ring_point point)
{
	struct ring_test *t = current_test;
	u64 *head;

	if (!t)
		return;
	if (by_counter(t))
		pass_time(t);
	if (++t->points > ENDLESS) {
		current_test = NULL;
		KUNIT_FAIL(t->test, "livelock: %llu steps and no end", t->points);
		KUNIT_ASSERT_FALSE(t->test, true);
	}
	head = seen(t, t->head_at_s);
	if (point == POINT_HAVE_S && head)
		*head = t->ring.head;
	interrupt(t, point);
}

bool ring_woken(struct irq_work *work)
{
	struct ring_test *t = container_of(work, struct ring_test, wake);

	t->wakeups++;
	return true;
}

/* Stands for the clock: between reading W and changing it. */
u64 etw_tick_slow(enum etw_ticks ticks, struct etw_clamp *clamp)
{
	static u64 idle;
	u64 now, *head;

	if (!current_test)
		return ++idle;
	head = seen(current_test, current_test->head_at_tick);
	if (head)
		*head = current_test->ring.head;
	now = ++current_test->now;
	ring_point(POINT_TICK);
	return now;
}

/**
 * ring_test_start() - a ring with a reader
 * @test: the test; its suite has ring_test_exit() as exit
 * @slots: buffers
 * @units: what a buffer takes, in units of 8 bytes
 * @overwrite: mode
 */
struct ring_test *ring_test_start(struct kunit *test, u32 slots, u32 units, bool overwrite)
{
	struct ring_test *t = kunit_kzalloc(test, sizeof(*t), GFP_KERNEL);
	u32 size = sizeof(struct wmi_buffer_header) + units * ETW_RECORD_ALIGN;

	KUNIT_ASSERT_NOT_NULL(test, t);
	t->copy = kunit_kzalloc(test, size, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, t->copy);
	t->places = kunit_kcalloc(test, RING_PLACES, sizeof(*t->places), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, t->places);
	t->test = test;
	test->priv = t;
	t->ring.ticks = ETW_TICKS_MONOTONIC;
	t->ring.overwrite = overwrite;
	t->ring.wake = &t->wake;
	etw_ring_idle(&t->ring);
	KUNIT_ASSERT_EQ(test, 0, etw_ring_init(&t->ring, slots, slots, size, NUMA_NO_NODE));
	current_test = t;
	return t;
}

/**
 * ring_test_by_counter() - the ring goes by the counter, as sessions do
 * @t: the test
 */
void ring_test_by_counter(struct ring_test *t)
{
	t->ring.ticks = ETW_TICKS_COUNTER;
	t->ring.limit = etw_w_limit(t->ring.capacity);
}

/* To the first slots, wherever they are */
static void gather_buffers(struct etw_ring *ring)
{
	u32 i, to = 0;

	for (i = 0; i < ring->nr_slots; i++) {
		u8 *data = ring->slots[i].data;

		ring->slots[i].data = NULL;
		if (data)
			ring->slots[to++].data = data;
	}
	ring->buffers = to;
}

/**
 * ring_test_restart() - the ring as after that many laps, all of them empty
 * @t: the test
 * @lap: the next writer opens slot 0 of the lap after this one
 */
void ring_test_restart(struct ring_test *t, u64 lap)
{
	struct etw_ring *ring = &t->ring;
	u32 i;

	current_test = NULL;
	gather_buffers(ring);
	for (i = 0; i < ring->nr_slots; i++) {
		ring->slots[i].w = etw_w_make(lap, ETW_W_SEALED);
		local_set(&ring->slots[i].c, 0);
		atomic64_set(&ring->slots[i].s, etw_s_make(lap, i < ring->buffers ? ETW_SLOT_FREE :
							   ETW_SLOT_EMPTY));
		if (i < ring->buffers)
			memset(ring->slots[i].data, 0xFF, ring_room(t));
	}
	ring->head = lap * ring->nr_slots + ring->nr_slots - 1;
	ring->tail = ring->head + 1;
	ring->fill = ring->tail + ring->buffers;
	ring->slot = &ring->slots[ring->nr_slots - 1];
	memset(ring->lost, 0, sizeof(ring->lost));
	local_set(&ring->overwritten, 0);
	local_set(&ring->overwritten_buffers, 0);
	ring->read = 0;
	ring->buffers_read = 0;
	ring->discarded = 0;
	ring->given_up = 0;
	t->wakeups = 0;
	t->holding = false;
	t->stream = 0;
	t->next = 0;
	t->attempted = 0;
	t->refused = 0;
	t->read = 0;
	t->discarded = 0;
	t->points = 0;
	t->committed = 0;
	t->flushed = 0;
	current_test = t;
}

void ring_test_exit(struct kunit *test)
{
	struct ring_test *t = test->priv;

	current_test = NULL;
	etw_counter_offset = 0;
	if (t)
		etw_ring_destroy(&t->ring);
}

/* A record says who it is in its first words and repeats it in all others. */
static u64 word_of(u64 tick, u32 i)
{
	return tick * 0x9E3779B97F4A7C15ULL + i;
}

static void begin(struct ring_test *t)
{
	if (!t->level && !t->in_reader)
		t->points = 0;
}

/* Since the loser looked at the next slot, nobody went on to it. */
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
	current_test = NULL;
	w = slot_of(ring, ring->head, &lap)->w;
	if (is_w_of(w, lap) && !(w & ETW_W_SEALED) && etw_w_units(w) + units <= ring->capacity)
		KUNIT_FAIL(t->test, "lost, but there is room in the open buffer");
	s = atomic64_read(&slot_of(ring, ring->head + 1, &lap)->s);
	if (etw_s_state(s) == ETW_SLOT_FREE ||
	    (ring->overwrite && etw_s_state(s) != ETW_SLOT_OPEN))
		KUNIT_FAIL(t->test, "lost, but there is a buffer");
	current_test = t;
}

/**
 * ring_reserve() - begin a record
 * @t: the test
 * @record: out
 * @size: bytes, RECORD_MIN at least
 */
bool ring_reserve(struct ring_test *t, struct ring_record *record, u32 size)
{
	u64 before = t->now, reads = t->reads, now;
	bool ok;

	begin(t);
	t->attempted++;
	t->level++;
	record->size = size;
	now = etw_counter_now();
	ring_point(POINT_TICK);
	ok = (t->attempted % 2 && etw_reserve_once(&t->ring, size, now, &record->at)) ||
	     etw_reserve(&t->ring, size, &record->at, ETW_RESERVE_COUNT);
	if (!ok && size <= ring_room(t) && t->ring.nr_slots && !by_counter(t))
		expect_belief(t);
	t->level--;
	if (ok) {
		t->retries += !by_counter(t) && t->now > before + 1;
		return true;
	}
	t->refused++;
	if (t->reads == reads && !t->in_reader)
		expect_no_room(t, etw_units(size));
	return false;
}

static void fill(struct ring_record *record, u32 from, u32 to)
{
	u64 *word = record->at.data;
	u32 i;

	for (i = from; i < to; i++)
		word[i] = word_of(record->at.tick, i);
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

	begin(t);
	t->level++;
	fill(record, 0, units / 2);
	ring_point(POINT_RECORD);
	fill(record, units / 2, units);
	if (t->attempted % 2)
		etw_commit(&t->ring, &record->at, record->size);
	else if (etw_commit_once(&record->at, record->size))
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

/* Returns the bytes that the record takes, 0 when it is broken. */
static u32 check_record(struct ring_test *t, const u64 *word, u32 left)
{
	u32 i, units = etw_units(word[1]);

	if (word[1] < RECORD_MIN || units * ETW_RECORD_ALIGN > left) {
		KUNIT_FAIL(t->test, "a record of %llu bytes, %u left", word[1], left);
		return 0;
	}
	if (word[0] < t->stream || (word[0] == t->stream && !by_counter(t)))
		KUNIT_FAIL(t->test, "out of order: %llu after %llu", word[0], t->stream);
	t->stream = word[0];
	for (i = 2; i < units; i++) {
		if (word[i] == word_of(word[0], i))
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
	begin(t);
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

static void let_go(struct ring_test *t, void (*how)(struct etw_ring *, const struct etw_held *))
{
	KUNIT_EXPECT_EQ_MSG(t->test, 0, memcmp(t->copy, t->held.slot->data, ring_room(t)),
			    "a writer was in the reader's buffer");
	begin(t);
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

	begin(t);
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
 * ring_flush_look() - one look of who waits for the flush
 * @t: the test
 *
 * When it is over, what had been committed before it is in complete buffers.
 */
void ring_flush_look(struct ring_test *t)
{
	u32 i;

	if (!t->flushed)
		return;
	current_test = NULL;
	if (etw_ring_settled(&t->ring, t->flush_until)) {
		/* the ring is smaller than this */
		for (i = t->flushed - min(t->flushed, RING_PLACES / 8); i < t->flushed; i++)
			if (in_open_buffer(&t->places[i % RING_PLACES]))
				KUNIT_FAIL(t->test, "the flush left record %u of %u behind",
					   i, t->flushed);
		t->flushed = 0;
	}
	current_test = t;
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
