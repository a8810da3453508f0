/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* A ring under test: others may come at every access to memory that is shared. */
#ifndef ETW_TEST_RING_H
#define ETW_TEST_RING_H

#include <kunit/test.h>
#include <linux/atomic.h>
#include <linux/compiler.h>
#include <linux/irq_work.h>
#include <linux/preempt.h>
#include <linux/types.h>
#include <asm/local.h>
#include "ring/words.h"

/* Where a writer or the reader stands: just before what the name says */
enum ring_point {
	POINT_READ,		/* READ_ONCE() of whatever */
	POINT_WRITE,		/* WRITE_ONCE() of whatever */
	POINT_TICK,		/* the stamp is taken, W not yet changed */
	POINT_CMPXCHG,		/* cmpxchg_local() of W or head */
	POINT_BALANCE,		/* change of C */
	POINT_READ_S,
	POINT_HAVE_S,		/* S was read, nothing came of it yet */
	POINT_CHANGE_S,
	POINT_PUBLISH,
	POINT_RECORD,		/* half of the record's bytes are written */
};

void ring_point(enum ring_point point);
bool ring_woken(struct irq_work *work);
void ring_acquired(const void *word);

static inline u64 ring_cmpxchg_local(u64 *word, u64 old, u64 new)
{
	return cmpxchg_local(word, old, new);
}

static inline long ring_local_read(const local_t *l)
{
	return local_read(l);
}

static inline u64 ring_have_s(u64 s)
{
	ring_point(POINT_HAVE_S);
	return s;
}

/* newer KUnits note with WRITE_ONCE() where a test is: no point of the ring */
#undef _KUNIT_SAVE_LOC
#define _KUNIT_SAVE_LOC(test)	do { } while (0)

/*
 * What follows this header is compiled with a point before every access, and
 * so is the engine itself: test_ring.c contains it. An interrupt can come at
 * any of them, and so can the reader on another CPU.
 */
#undef READ_ONCE
#define READ_ONCE(x) \
	({ ring_point(POINT_READ); __READ_ONCE(x); })
#undef WRITE_ONCE
#define WRITE_ONCE(x, value) \
	({ ring_point(POINT_WRITE); __WRITE_ONCE(x, value); })
#undef cmpxchg_local
#define cmpxchg_local(word, old, new) \
	({ ring_point(POINT_CMPXCHG); ring_cmpxchg_local(word, old, new); })
#define etw_try_cmpxchg_local(word, old, new, direct) \
	({ ring_point(POINT_CMPXCHG); (etw_try_cmpxchg_local)(word, old, new, direct); })
#define etw_add_and_test_zero(counter, n, direct) \
	({ ring_point(POINT_BALANCE); (etw_add_and_test_zero)(counter, n, direct); })
#define atomic64_read(v) \
	({ ring_point(POINT_READ_S); ring_have_s((atomic64_read)(v)); })
#define atomic64_read_acquire(v) \
	({ ring_point(POINT_READ_S); ring_have_s((atomic64_read_acquire)(v)); })
#undef local_read
#define local_read(l) \
	({ ring_point(POINT_READ); ring_local_read(l); })
#define atomic64_set(v, value) \
	({ ring_point(POINT_CHANGE_S); (atomic64_set)(v, value); })
#define atomic64_xchg(v, value) \
	({ ring_point(POINT_CHANGE_S); (atomic64_xchg)(v, value); })
#define atomic64_cmpxchg(v, old, new) \
	({ ring_point(POINT_CHANGE_S); (atomic64_cmpxchg)(v, old, new); })
#define atomic64_cmpxchg_release(v, old, new) \
	({ ring_point(POINT_CHANGE_S); (atomic64_cmpxchg_release)(v, old, new); })
#define atomic64_set_release(v, value) \
	({ ring_point(POINT_PUBLISH); (atomic64_set_release)(v, value); })
#undef smp_load_acquire
/* as the kernel's generic one, which has a full barrier */
#define smp_load_acquire(word) \
	({ \
		typeof(word) ring_at = (word); \
		typeof(*ring_at) ring_word = (ring_acquired(ring_at), READ_ONCE(*ring_at)); \
		smp_mb(); /* as above */ \
		ring_word; \
	})
#define irq_work_queue(work)	ring_woken(work)
/* one task plays all writers of a CPU, wherever it runs */
#undef preemptible
#define preemptible()		false

/* no NMI comes in User Mode Linux: etw_reserve_once() may have its way there, too */
#ifndef CONFIG_ARCH_HAVE_NMI_SAFE_CMPXCHG
#define CONFIG_ARCH_HAVE_NMI_SAFE_CMPXCHG	1
#endif

#include "ring/reserve.h"

/* A committed record is in this slot's buffer, in this lap of its W */
struct ring_place {
	struct etw_slot *slot;
	u64 lap;
};

#define RING_PLACES	1024U
#define RING_LEVELS	8U

/**
 * struct ring_test - a ring, its writers and reader, and what must come out
 * @test: the test
 * @ring: the ring
 * @wake: its wakeup, which only counts
 * @wakeups: buffers published
 * @now: the clock: every reading is later than the one before; with the counter: of
 *	every point
 * @boundary: with the counter: @now when an interrupt last came or went; no reading is
 *	older
 * @level: writers in progress, each over the one before
 * @in_reader: the reader is in the middle of something
 * @reader_level: @level when it began that
 * @holding: the reader holds @held
 * @held: what the reader holds
 * @copy: the held buffer as it was when taken
 * @view: a copy of a buffer that was not taken
 * @stream: stamp of the last record that was delivered
 * @stream_before: the same before @held
 * @next: lowest ordinal that may come
 * @attempted: records tried
 * @refused: of them, those without a place
 * @read: records that the reader consumed
 * @discarded: records that the reader threw away
 * @retries: reservations that read the clock again
 * @worker: buffers come and go
 * @taken_away: how often one went
 * @head_at_s: head when a writer of that level last looked at S
 * @head_at_tick: head when it then read the clock
 * @reads: what the reader did, counted
 * @places: the last records that were committed
 * @committed: how many records were committed
 * @copies: buffers of which a copy was made, and checked
 * @in_flush: a flush is in the middle of its seal
 * @flushed: of them, those before the flush that is under way; 0: none is
 * @flush_until: what that flush waits for
 * @points: points that were passed since the outermost operation began
 * @acquired: how often the number of its slots was read with acquire
 * @early: @points when that came first
 * @interrupt: what may come at a point; NULL: none
 * @context: of @interrupt
 */
struct ring_test {
	struct kunit *test;
	struct etw_ring ring;
	struct irq_work wake;
	u64 wakeups;
	u64 now;
	u64 boundary;
	u32 level;
	bool in_reader;
	u32 reader_level;
	bool holding;
	struct etw_reader_buffer held;
	u8 *copy;
	u8 *view;
	u64 stream;
	u64 stream_before;
	u64 next;
	u64 attempted;
	u64 refused;
	u64 read;
	u64 discarded;
	u64 retries;
	bool worker;
	u64 taken_away;
	u64 head_at_s[RING_LEVELS];
	u64 head_at_tick[RING_LEVELS];
	u64 reads;
	struct ring_place *places;
	u32 committed;
	u64 copies;
	bool in_flush;
	u32 flushed;
	u64 flush_until;
	u64 points;
	u32 acquired;
	u64 early;
	void (*interrupt)(struct ring_test *t, enum ring_point point);
	void *context;
};

/* A record that is reserved and not yet committed */
struct ring_record {
	struct etw_reservation at;
	u32 size;
};

/* Size of the smallest record that can be checked */
#define RECORD_MIN	16U

/* test_ring.c */
struct ring_test *ring_test_start(struct kunit *test, u32 slots, u32 units, bool overwrite);
void ring_test_restart(struct ring_test *t, u64 lap);
void ring_test_by_counter(struct ring_test *t);
void ring_pass_time(struct ring_test *t);
void ring_test_exit(struct kunit *test);
/* The test that counts points; NULL: none, while a check looks at the ring */
void ring_watch(struct ring_test *t);

/* test_ring_write.c */
bool ring_reserve(struct ring_test *t, struct ring_record *record, u32 size);
void ring_commit(struct ring_test *t, struct ring_record *record);
bool ring_write(struct ring_test *t, u32 size);
void ring_give_up(struct ring_test *t, u32 size, bool readable);
void ring_fill(struct ring_test *t);

/* test_ring_read.c */
void ring_flush(struct ring_test *t);
void ring_flush_look(struct ring_test *t);

bool ring_take(struct ring_test *t);
void ring_release(struct ring_test *t);
void ring_discard(struct ring_test *t);
void ring_worker(struct ring_test *t, bool comes);
bool ring_copy(struct ring_test *t);
void ring_put_back(struct ring_test *t);
u32 ring_drain(struct ring_test *t);
void ring_expect_conserved(struct ring_test *t);

/* Bytes of records that a buffer takes */
static inline u32 ring_room(const struct ring_test *t)
{
	return t->ring.capacity * ETW_RECORD_ALIGN;
}

static inline bool ring_is_by_counter(const struct ring_test *t)
{
	return t->ring.ticks == ETW_TICKS_COUNTER;
}

/* A record has its identity in its first words and repeats it in all others. */
static inline u64 ring_word(u64 tick, u32 i)
{
	return tick * 0x9E3779B97F4A7C15ULL + i;
}

/* An operation; only the outermost one counts its points from here. */
static inline void ring_begin(struct ring_test *t)
{
	if (!t->level && !t->in_reader)
		t->points = 0;
}

#endif /* ETW_TEST_RING_H */
