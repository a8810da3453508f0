/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* The protocol of module/ring/words.h, reserve.h, writer.c and reader.c for one ring, for Spin. */

/*
 * Who takes part: three writers of one CPU, task (process 0) < interrupt (1) <
 * NMI (2), which nest strictly: `running` is the highest level in progress,
 * and a writer moves only while it is at most its own. So an interrupt comes
 * between any two steps of a task and is over before the next one. The reader
 * (process 3) is another CPU and comes between any two steps of anybody.
 *
 * One option of a do loop, a d_step, is one access to shared memory with the
 * private computing that follows it; `pc` says which is next. Each names its C
 * function. Steps that touch only counters which nobody reads before the end
 * (local_add to `overwritten`, `lost`) are joined to the step before them.
 *
 * Memory is sequentially consistent here; what the hardware may reorder is the
 * business of the litmus tests beside this file.
 *
 * The clock: a stamp matters only in comparison with others, so no number is
 * kept, just which levels hold one that is newer than every record placed so
 * far (`fresh`). Reading the clock makes a level's stamp fresh; placing a
 * record makes the stamps older that interrupted levels hold. With numbers the
 * same states would be counted once per way in which the clock got there. This
 * is the order of what is read between W and its change, counters among it; the
 * clamp of the counter (module/ring/clock.h) is not in here: KUnit has schedules of it.
 *
 * Parameters: SLOTS, CAPACITY, T, I, N (operations of task, interrupt, NMI),
 * READS (how many buffers the reader takes), OVERWRITE, FLUSH (operations may
 * be seals), FLUSHER (a flush is called on another CPU), BUFFERS (how many slots
 * have one at first), WORKER (how often a buffer goes and comes), LIVELOCK (for a search
 * for cycles without progress), MUTANT_... (a mistake that must be found).
 */
#ifndef SLOTS
#define SLOTS		2
#endif
#ifndef CAPACITY
#define CAPACITY	2
#endif
#ifndef T
#define T		2
#endif
#ifndef I
#define I		1
#endif
#ifndef N
#define N		1
#endif
#ifndef READS
#define READS		2
#endif
#ifndef BUFFERS
#define BUFFERS		SLOTS
#endif
#ifndef WORKER
#define WORKER		0
#endif
/*
 * With a buffer in every slot it comes back to where it was, and a writer that
 * finds EMPTY does as if it found READING: the step between is left out.
 */
#if !defined(OVERWRITE) && (BUFFERS < SLOTS || WORKER > 0)
#define WANDER
#endif

/* Word W; the fields' order is the implementation's */
#define OFFSET		7
#define SEALED		8
#define EVENT		16
#define EVENTS(w)	(((w) >> 4) & 7)
#define W_LAP(w)	((w) >> 7)
#define MAKE_W(lap, f)	(((lap) << 7) | (f))

/* Word S: lap | state */
#define FREE		0
#define OPEN		1
#define FULL		2
#define READING		3
#define EMPTY		4
#define STATE(s)	((s) & 7)
#define S_LAP(s)	((s) >> 3)
#define MAKE_S(lap, st)	(((lap) << 3) | (st))

/* Position n */
#define SLOT(n)		((n) % SLOTS)
#define LAP(n)		((n) / SLOTS)

/* The ring; lap 0 is "never used", see etw_ring_init() */
short w[SLOTS] = SEALED;
short c[SLOTS] = 0;
byte s[SLOTS] = FREE;
byte head = SLOTS - 1;
byte hint = SLOTS - 1;			/* ring->slot */
byte unit[SLOTS * CAPACITY] = 0;	/* lap of the record that was written */
#ifdef WANDER
byte fill = SLOTS + BUFFERS;
bit pool = 0;				/* session->pool_lock */
#endif

/* Not in the code: what the assertions look at */
byte running = 0;
bit ready = 0;			/* the slots without a buffer are marked */
#ifdef FLUSHER
byte pending = T + I + N + WORKER + 2;	/* operations that have not ended */
#else
byte pending = T + I + N + WORKER;
#endif
short unaccounted = 0;		/* attempted - read - overwritten - given_up - lost */
byte fresh = 0;			/* bit: the level's stamp is newer than any record */
byte last = 0;			/* position of the last record placed */
#ifdef FLUSHER
bit asked = 0;			/* the flush's interrupt is on its way or runs */
byte sealed_upto = 0;		/* the end that etw_ring_seal() returned */
byte committed_lap[SLOTS] = 0;	/* lap of the last commit in the slot */
#endif

mtype = { IDLE, CLOCK_EARLY, HINT, FAST_W, TICK, PLACE, HEAD, SLOW_W, SET_HINT,
	  SEAL, SEAL_EARLY, UNRESERVE, OPEN_W, OPEN_S, CLAIM, SKIP, OPEN_S2,
	  INSTALL_EARLY, INSTALL, ADVANCE, LOSE, WRITE, COMMIT, COMMIT_LOOK,
	  PUBLISH_S, PUBLISH, FLUSH_HEAD, FLUSH_W, FLUSH_NEXT, FLUSH_HELP,
	  TAKE, TAKE_S, TAKE_W, TAKE_CAS, HOLD, LEAVE_S, LEAVE, GIVE, PUT_BACK, POLLED,
	  AWAY_S, AWAY,
	  LAST, DIRTY_HEAD, DIRTY_S, DIRTY_W, INTERRUPT, SETTLED, UNSETTLED, FLUSHED };

/* Invariant A */
inline one_unsealed()
{
	k = 0; seen = 0;
	do
	:: k < SLOTS ->
		if
		:: !(w[k] & SEALED) -> seen++
		:: else
		fi;
		k++
	:: else -> break
	od;
	assert(seen <= 1);
	k = 0; seen = 0
}

/* No writer is left in the ring: what is OPEN is the head's, unsealed */
inline no_orphan()
{
	k = 0;
	do
	:: k < SLOTS ->
		assert(STATE(s[k]) != OPEN || (k == SLOT(head) &&
			S_LAP(s[k]) == LAP(head) && W_LAP(w[k]) == LAP(head) &&
			!(w[k] & SEALED)));
		assert(c[k] == ((w[k] & SEALED) -> 0 : w[k] & OFFSET));
		k++
	:: else -> break
	od;
	k = 0
}

/* Every byte of the buffer is of records of this lap, all written */
inline all_written(slot, word)
{
	k = 0;
	do
	:: k < (word & OFFSET) ->
		assert(unit[(slot) * CAPACITY + k] == W_LAP(word));
		k++
	:: else -> break
	od;
	k = 0
}

/* An operation ends: the level below goes on; private words mean nothing more */
inline finish()
{
	pending--;
	fresh = fresh & ~(1 << _pid);
	n = 0; ww = 0; ss = 0; off = 0; units = 0; mark = 0; flush = 0;
	running = below; below = 0;
	if
	:: _pid == 0 -> no_orphan()
	:: else
	fi;
	pc = IDLE
}

/* An event that finds no place; etw_ring_count_loss() */
inline lose()
{
	unaccounted--;
	finish()
}

/* After the seal: a writer goes on to the next slot, a flush has done its work */
inline sealed_it()
{
	if
	:: flush -> flushed(n)
#ifdef MUTANT_PUBLISH_EARLY
	:: else -> pc = (w[SLOT(n)] & SEALED -> HEAD : SEAL)
#else
	:: else -> n = 0; ww = 0; pc = HEAD
#endif
	fi
}

/* etw_ring_seal() returns position @upto: nothing older than it is outside */
inline flushed(upto)
{
	assert(upto >= mark);
#ifdef FLUSHER
	asked = 0; sealed_upto = upto;
#endif
	finish()
}

/* W isn't of the lap of head as it was read: head went on, by invariant B */
inline not_of_lap()
{
#ifndef LIVELOCK
	assert(head != n);
#endif
	ww = 0; n = 0
}

active [3] proctype writer() provided (ready && running <= _pid)
{
	mtype pc = IDLE;
	byte left = (_pid == 0 -> T : (_pid == 1 -> I : N));
	byte below, units, off;	/* level interrupted; record's length and place */
	byte n;			/* position, as in the code; first the hint's slot */
	short ww;		/* W as read */
	byte ss;		/* S as read */
	bit flush;
	bit committed;		/* publishing after a commit, not after a seal */
	byte mark;		/* when a flush began: position of the last record */
	byte k, seen;		/* scratch of the assertions */

end:	do
	/* ---- an event happens ---- */
	:: atomic { pc == IDLE && left > 0 ->
		left--; unaccounted++;
		below = running; running = _pid;
		if
		:: units = 1
		:: units = 2
		fi;
#ifdef MUTANT_CLOCK_OUTSIDE
		pc = CLOCK_EARLY }
#else
		pc = HINT }
#endif
#ifdef FLUSHER
	/* ---- the interrupt that another CPU's etw_session_flush asked for ---- */
	:: d_step { pc == IDLE && _pid == 1 && asked ->
		below = running; running = _pid;
		flush = 1; mark = last;
		pc = FLUSH_HEAD }
#endif
#ifdef FLUSH
	/* ---- a seal at any time: a flush's interrupt, or where one ends ---- */
	:: d_step { pc == IDLE && left > 0 && _pid <= 1 ->
		left--;
		below = running; running = _pid;
		flush = 1; mark = last;
		pc = FLUSH_HEAD }
#endif

	/* ---- etw_reserve ---- */
#ifdef MUTANT_CLOCK_OUTSIDE
	:: d_step { pc == CLOCK_EARLY ->
		fresh = fresh | (1 << _pid);
		pc = HINT }
#endif
	:: d_step { pc == HINT ->			/* READ_ONCE(ring->slot) */
		n = hint;
		pc = FAST_W }
	:: d_step { pc == FAST_W ->			/* READ_ONCE(slot->w) */
		ww = w[n];
		if
		:: (ww & (OFFSET | SEALED)) + units > CAPACITY ->
			ww = 0; n = 0; pc = HEAD
#ifdef MUTANT_CLOCK_OUTSIDE
		:: else -> pc = PLACE
#else
		:: else -> pc = TICK
#endif
		fi }
	:: d_step { pc == TICK ->			/* etw_tick() */
		fresh = fresh | (1 << _pid);
		pc = PLACE }
	:: d_step { pc == PLACE ->			/* cmpxchg_local(&slot->w) */
		if
		:: w[n] == ww ->
			assert(!(ww & SEALED) && (ww & OFFSET) + units <= CAPACITY);
			w[n] = ww + units + EVENT;
			assert(s[n] == MAKE_S(W_LAP(ww), OPEN));
			/* order in the ring is order in time: see `fresh` above */
			assert(fresh & (1 << _pid));
			fresh = fresh & ~((2 << _pid) - 1);
			off = ww & OFFSET;
			n = W_LAP(ww) * SLOTS + n;
			assert(n >= last);
			last = n;
			ww = 0;
			pc = WRITE
		:: else ->
#ifndef MUTANT_CLOCK_OUTSIDE
			fresh = fresh & ~(1 << _pid);
#endif
			ww = 0; n = 0;
			pc = HINT
		fi }

	/* ---- etw_reserve_slow ---- */
	:: d_step { pc == HEAD ->			/* READ_ONCE(ring->head) */
		n = head; ww = 0; ss = 0;
		pc = SLOW_W }
	:: d_step { pc == SLOW_W ->			/* READ_ONCE(slot->w) */
		ww = w[SLOT(n)];
		if
		:: W_LAP(ww) != LAP(n) -> not_of_lap(); pc = HEAD
		:: W_LAP(ww) == LAP(n) && (ww & SEALED) ->
			ww = 0;
#ifdef MUTANT_HEAD_FIRST
			pc = ADVANCE
#else
			pc = OPEN_W
#endif
		:: W_LAP(ww) == LAP(n) && !(ww & SEALED) && (ww & OFFSET) + units > CAPACITY ->
#ifdef MUTANT_PUBLISH_EARLY
			pc = SEAL_EARLY
#else
			pc = SEAL
#endif
		:: else -> pc = SET_HINT
		fi }
	:: d_step { pc == SET_HINT ->			/* WRITE_ONCE(ring->slot) */
		hint = SLOT(n);
		n = 0; ww = 0;
		pc = HINT }
	:: d_step { pc == SEAL ->			/* cmpxchg_local(&slot->w), SEALED */
		if
		:: w[SLOT(n)] == ww ->
			w[SLOT(n)] = ww | SEALED;
#ifdef MUTANT_PUBLISH_EARLY
			pc = (flush -> UNRESERVE : HEAD)
#else
			pc = UNRESERVE
#endif
		:: else ->
			ww = 0;
			if
			:: flush -> pc = FLUSH_HEAD
#ifdef MUTANT_SEAL_GOES_ON
			:: else -> pc = OPEN_W
#else
			:: else -> n = 0; pc = HEAD
#endif
			fi
		fi }

	/* ---- finish_seal ---- */
	:: d_step { pc == UNRESERVE ->			/* etw_slot_add_and_test_zero() */
#ifdef MUTANT_SEAL_KEEPS_BALANCE
		skip;
#else
		c[SLOT(n)] = c[SLOT(n)] - (ww & OFFSET);
#endif
		ww = 0;
		if
		:: c[SLOT(n)] == 0 -> pc = PUBLISH_S
		:: else -> sealed_it()
		fi }
#ifdef MUTANT_PUBLISH_EARLY
	:: d_step { pc == SEAL_EARLY ->
		c[SLOT(n)] = c[SLOT(n)] - (ww & OFFSET);
		pc = (c[SLOT(n)] == 0 -> PUBLISH_S : SEAL) }
#endif

	/* ---- open_slot(n + 1) ---- */
	:: d_step { pc == OPEN_W ->			/* READ_ONCE(slot->w) */
		ww = w[SLOT(n + 1)];
		if
		:: W_LAP(ww) == LAP(n + 1) -> ww = 0; pc = ADVANCE
		:: else -> pc = OPEN_S
		fi }
	:: d_step { pc == OPEN_S ->			/* atomic64_read(&slot->s) */
		ss = s[SLOT(n + 1)];
		if
#ifndef MUTANT_LAP_IGNORED
		:: S_LAP(ss) > LAP(n + 1) -> pc = HEAD	/* -EAGAIN */
#endif
		:: S_LAP(ss) < LAP(n + 1) && STATE(ss) == FREE ->
#ifdef MUTANT_W_BEFORE_OPEN
			pc = INSTALL_EARLY
#else
			pc = CLAIM
#endif
#ifdef OVERWRITE
		:: S_LAP(ss) < LAP(n + 1) && STATE(ss) == FULL ->
			pc = CLAIM
		:: S_LAP(ss) < LAP(n + 1) && STATE(ss) == READING ->
#ifdef MUTANT_OVERWRITE_HELD
			pc = CLAIM
#else
			pc = SKIP
#endif
#else
		:: S_LAP(ss) < LAP(n + 1) && (STATE(ss) == FULL || STATE(ss) == READING) ->
			ww = 0; ss = 0; pc = LOSE	/* -ENOBUFS */
		:: S_LAP(ss) < LAP(n + 1) && STATE(ss) == EMPTY ->
			ww = 0; ss = 0; pc = LOSE	/* -ENOBUFS */
#endif
		:: S_LAP(ss) < LAP(n + 1) && STATE(ss) == OPEN ->
			ww = 0; ss = 0; pc = LOSE	/* -EBUSY */
		:: else -> pc = INSTALL
		fi }
#ifdef MUTANT_W_BEFORE_OPEN
	:: d_step { pc == INSTALL_EARLY ->
		if
		:: w[SLOT(n + 1)] == ww -> w[SLOT(n + 1)] = MAKE_W(LAP(n + 1), 0)
		:: else
		fi;
		pc = CLAIM }
#endif
	/* open_slot: FREE; overwrite_full: FULL */
	:: d_step { pc == CLAIM ->			/* atomic64_cmpxchg(&slot->s), OPEN */
		if
#ifdef MUTANT_CLAIM_UNCHECKED
		:: STATE(ss) == FULL || s[SLOT(n + 1)] == ss ->
#else
		:: s[SLOT(n + 1)] == ss ->
#endif
			s[SLOT(n + 1)] = MAKE_S(LAP(n + 1), OPEN);
			if
			:: STATE(ss) == FULL ->
				unaccounted = unaccounted - EVENTS(ww)
			:: else
			fi;
			pc = OPEN_S2
		:: else -> pc = HEAD
		fi }
	/* skip_held */
	:: d_step { pc == SKIP ->			/* atomic64_cmpxchg(&slot->s), READING */
#ifdef MUTANT_SKIP_UNMARKED
		ss = MAKE_S(LAP(n + 1), READING);
		pc = INSTALL }
#else
		if
		:: s[SLOT(n + 1)] == ss ->
			s[SLOT(n + 1)] = MAKE_S(LAP(n + 1), READING);
			pc = OPEN_S2
		:: else -> pc = HEAD
		fi }
#endif
	/* open_slot, goes on */
	:: d_step { pc == OPEN_S2 ->			/* atomic64_read(&slot->s) */
		ss = s[SLOT(n + 1)];
#ifndef MUTANT_LAP_IGNORED
		if
		:: S_LAP(ss) != LAP(n + 1) -> pc = HEAD
		:: else -> pc = INSTALL
		fi }
#else
		pc = INSTALL }
#endif
	:: d_step { pc == INSTALL ->			/* cmpxchg_local(&slot->w) */
		if
		:: w[SLOT(n + 1)] == ww ->
			w[SLOT(n + 1)] = MAKE_W(LAP(n + 1),
						(STATE(ss) == OPEN -> 0 : SEALED));
			one_unsealed();
			ww = 0; ss = 0;
			pc = ADVANCE
		:: else -> pc = HEAD
		fi }

	/* ---- advance ---- */
	:: d_step { pc == ADVANCE ->			/* cmpxchg_local(&ring->head) */
		if
		:: head == n -> head = n + 1
		:: else
		fi;
#ifdef MUTANT_HEAD_FIRST
		if
		:: W_LAP(w[SLOT(n + 1)]) != LAP(n + 1) -> pc = OPEN_W
		:: else -> pc = HEAD
		fi }
#else
		pc = HEAD }
#endif
	:: d_step { pc == LOSE ->			/* READ_ONCE(ring->head) */
		if
#ifndef MUTANT_LOSS_UNCHECKED
		:: head != n -> pc = HEAD
#endif
		:: else ->
			/* at the moment of the decision the head has no room */
			assert(w[SLOT(head)] & SEALED);
			lose()
		fi }

	/* ---- the caller writes the record, etw_commit ---- */
	:: d_step { pc == WRITE ->
		assert(s[SLOT(n)] == MAKE_S(LAP(n), OPEN));
		k = 0;
		do
		:: k < units -> unit[SLOT(n) * CAPACITY + off + k] = LAP(n); k++
		:: else -> break
		od;
		k = 0; off = 0;
		pc = COMMIT }
	:: d_step { pc == COMMIT ->			/* etw_slot_add_and_test_zero() */
		c[SLOT(n)] = c[SLOT(n)] + units;
#ifdef FLUSHER
		committed_lap[SLOT(n)] = LAP(n);
#endif
#ifdef MUTANT_COMMIT_LOOKS_AGAIN
		pc = COMMIT_LOOK }
	:: d_step { pc == COMMIT_LOOK ->
#endif
		if
		:: c[SLOT(n)] == 0 -> committed = 1; pc = PUBLISH_S
		:: else -> finish()
		fi }

	/* ---- etw_slot_publish ---- */
	:: d_step { pc == PUBLISH_S ->			/* atomic64_read(&slot->s) */
		ss = s[SLOT(n)];
		pc = PUBLISH }
	:: d_step { pc == PUBLISH ->			/* atomic64_set_release(&slot->s) */
		/* by one context a lap, complete, and nobody else's */
		assert(s[SLOT(n)] == MAKE_S(LAP(n), OPEN));
		assert(W_LAP(w[SLOT(n)]) == LAP(n) && (w[SLOT(n)] & SEALED));
		assert(c[SLOT(n)] == 0);
		all_written(SLOT(n), w[SLOT(n)]);
		s[SLOT(n)] = MAKE_S(S_LAP(ss), FULL);
		ss = 0;
		if
		:: committed -> committed = 0; finish()
		:: else -> sealed_it()
		fi }

	/* ---- etw_ring_seal ---- */
	:: d_step { pc == FLUSH_HEAD ->			/* READ_ONCE(ring->head) */
		n = head;
		pc = FLUSH_W }
	:: d_step { pc == FLUSH_W ->			/* READ_ONCE(slot->w) */
		ww = w[SLOT(n)];
		if
		:: W_LAP(ww) != LAP(n) -> not_of_lap(); pc = FLUSH_HEAD
#ifdef MUTANT_FLUSH_TRUSTS_HEAD
		:: W_LAP(ww) == LAP(n) && (ww & SEALED) -> flushed(n)
#else
		:: W_LAP(ww) == LAP(n) && (ww & SEALED) -> ww = 0; pc = FLUSH_NEXT
#endif
		:: W_LAP(ww) == LAP(n) && !(ww & SEALED) && !(ww & OFFSET) -> flushed(n - 1)
		:: else -> pc = SEAL
		fi }
	/*
	 * An interrupted writer may have installed the next W and not yet moved
	 * head; a hint of an earlier lap may have led others there since.
	 */
	:: d_step { pc == FLUSH_NEXT ->			/* READ_ONCE(next->w) */
		if
		:: W_LAP(w[SLOT(n + 1)]) == LAP(n + 1) -> pc = FLUSH_HELP
		:: else -> flushed(n)
		fi }
	:: d_step { pc == FLUSH_HELP ->			/* cmpxchg_local(&ring->head) */
		if
		:: head == n -> head = n + 1
		:: else
		fi;
		pc = FLUSH_HEAD }
	od
}

active proctype reader() provided (ready)
{
	mtype pc = TAKE;
	byte tail = SLOTS;
	byte budget = READS;
	byte h;			/* head as read */
	byte pos;		/* held->ordinal */
	short ww;		/* held->w */
	byte ss;
	byte released;		/* position of the last buffer read */
	bit last_time;		/* nobody writes any more: empty the ring */
	byte k, seen;

	do
	/* ---- etw_ring_take ---- */
	:: d_step { pc == TAKE && (budget > 0 || last_time) ->	/* READ_ONCE(ring->head) */
		h = head;
		if
		:: h >= SLOTS && tail < h - SLOTS + 1 -> tail = h - SLOTS + 1
		:: else
		fi;
		h = 0;
		pc = TAKE_S }
	:: d_step { pc == TAKE_S ->			/* atomic64_read_acquire(&slot->s) */
		ss = s[SLOT(tail)];
		if
		:: S_LAP(ss) < LAP(tail) ||
		   (S_LAP(ss) == LAP(tail) && STATE(ss) == OPEN) -> ss = 0; pc = POLLED
		:: S_LAP(ss) == LAP(tail) && STATE(ss) == FULL -> pc = TAKE_W
		:: else -> ss = 0; tail++; pc = TAKE
		fi }
	:: d_step { pc == TAKE_W ->			/* READ_ONCE(slot->w) */
		ww = w[SLOT(tail)];
		pc = TAKE_CAS }
	:: d_step { pc == TAKE_CAS ->			/* atomic64_cmpxchg(&slot->s), READING */
#ifdef MUTANT_TAKE_UNCHECKED
		if
		:: true ->
#else
		if
		:: s[SLOT(tail)] != ss -> ww = 0; ss = 0; pc = TAKE
		:: else ->
#endif
			s[SLOT(tail)] = MAKE_S(LAP(tail), READING);
			pos = tail; tail++;
			ss = 0;
			/* in order, once, complete */
			assert(pos > released && EVENTS(ww) > 0);
			assert(W_LAP(ww) == LAP(pos) && (ww & SEALED));
			all_written(SLOT(pos), ww);
			pc = HOLD
		fi }
	/* a failed look at the ring: by itself it is no progress of a writer */
	:: (pc == POLLED && !last_time) -> progress: pc = TAKE

	/* ---- etw_ring_release ---- */
	:: d_step { pc == HOLD ->
		all_written(SLOT(pos), ww);		/* nobody wrote meanwhile */
		released = pos;
		unaccounted = unaccounted - EVENTS(ww);
		if
		:: last_time
		:: else -> budget--
		fi;
		pc = LEAVE_S }
	/* leave: etw_pool_release() has the lock; leave_slot */
#ifdef WANDER
	:: d_step { pc == LEAVE_S && !pool ->
		pool = 1;
#else
	:: d_step { pc == LEAVE_S ->			/* atomic64_read(&slot->s) */
#endif
		ss = s[SLOT(pos)];
#ifdef MUTANT_RELEASE_OLD_LAP
		ss = MAKE_S(LAP(pos), READING);
#endif
		pc = LEAVE }
	:: d_step { pc == LEAVE ->			/* atomic64_cmpxchg_release(), FREE */
#ifdef MUTANT_RELEASE_OLD_LAP
		if
		:: true ->
#else
		if
		:: s[SLOT(pos)] != ss -> ss = s[SLOT(pos)]
		:: else ->
#endif
#ifdef WANDER
			s[SLOT(pos)] = MAKE_S(S_LAP(ss), EMPTY);
			pc = GIVE;
#else
			s[SLOT(pos)] = MAKE_S(S_LAP(ss), FREE);
			pc = TAKE;
#endif
			ss = 0; ww = 0; pos = 0
		fi }
#ifdef WANDER
	/* ---- etw_ring_give ---- */
	:: d_step { pc == GIVE ->			/* atomic64_set_release(&slot->s) */
		assert(STATE(s[SLOT(fill)]) == EMPTY && S_LAP(s[SLOT(fill)]) == LAP(fill) - 1);
		s[SLOT(fill)] = MAKE_S(S_LAP(s[SLOT(fill)]), FREE);
		fill++;
		pool = 0;
		pc = TAKE }
#endif

	/* ---- etw_ring_put_back ---- */
	:: d_step { pc == HOLD && !last_time ->
		all_written(SLOT(pos), ww);
		budget--;
		pc = PUT_BACK }
	:: d_step { pc == PUT_BACK ->			/* atomic64_cmpxchg_release(), FULL */
#ifdef MUTANT_PUT_BACK_UNCHECKED
		if
		:: true ->
#else
		if
		:: s[SLOT(pos)] != MAKE_S(LAP(pos), READING) ->
			unaccounted = unaccounted - EVENTS(ww);	/* given_up */
			pc = LEAVE_S
		:: else ->
#endif
			s[SLOT(pos)] = MAKE_S(LAP(pos), FULL);
			tail = pos;
			ww = 0; pos = 0;
			pc = TAKE
		fi }

	/* ---- every writer has ended: etw_ring_buffered, etw_ring_seal, the rest ---- */
	:: d_step { pc == TAKE && !last_time && pending == 0 ->
		no_orphan();
		k = 0; seen = 0;
		do
		:: k < SLOTS ->
			if
			:: (STATE(s[k]) == OPEN || STATE(s[k]) == FULL) &&
			   W_LAP(w[k]) == S_LAP(s[k]) -> seen = seen + EVENTS(w[k])
			:: else
			fi;
			k++
		:: else -> break
		od;
		assert(unaccounted == seen);
		seen = 0;
		k = SLOT(head);
		assert(W_LAP(w[k]) == LAP(head));
		if
		:: !(w[k] & SEALED) && (w[k] & OFFSET) ->
			w[k] = w[k] | SEALED;
			c[k] = 0;
			s[k] = MAKE_S(LAP(head), FULL)
		:: else
		fi;
		k = 0;
		last_time = 1 }
	:: d_step { pc == POLLED && last_time ->
		assert(unaccounted == 0);
		k = 0;
		do
		:: k < SLOTS ->
			assert(STATE(s[k]) == FREE || STATE(s[k]) == EMPTY ||
			       (STATE(s[k]) == OPEN && k == SLOT(head)));
			k++
		:: else -> break
		od;
		k = 0;
		pc = LAST }
	:: pc == LAST -> break
	od
}

/* etw_ring_init(): nobody else runs before it */
active proctype setup()
{
	byte k;

	d_step {
		k = BUFFERS;
		do
		:: k < SLOTS -> s[k] = MAKE_S(0, EMPTY); k++
		:: else -> break
		od;
		k = 0;
		ready = 1
	}
}

#if WORKER
/* module/session/pool.c on another CPU: a buffer goes, and comes back */
active proctype worker() provided (ready)
{
	mtype pc = IDLE;
	byte left = WORKER;
	byte ss;

	do
	:: d_step { pc == IDLE && left > 0 && !pool ->
		left--;
		pool = 1;
		pc = AWAY_S }
	/* ---- etw_ring_take_away ---- */
	:: d_step { pc == AWAY_S ->			/* atomic64_read(&slot->s) */
		ss = s[SLOT(fill - 1)];
		if
		:: STATE(ss) == FREE && S_LAP(ss) < LAP(fill - 1) -> pc = AWAY
		:: else -> ss = 0; pool = 0; pending--; pc = IDLE
		fi }
	:: d_step { pc == AWAY ->			/* atomic64_cmpxchg(&slot->s), EMPTY */
		if
#ifdef MUTANT_AWAY_UNCHECKED
		:: true ->
#else
		:: s[SLOT(fill - 1)] != ss -> pool = 0; pending--; pc = IDLE
		:: else ->
#endif
			s[SLOT(fill - 1)] = MAKE_S(S_LAP(ss), EMPTY);
			fill--;
			pc = GIVE
		fi;
		ss = 0 }
	/* the lock may be free in between, or not */
	:: d_step { pc == GIVE ->
		assert(STATE(s[SLOT(fill)]) == EMPTY && S_LAP(s[SLOT(fill)]) == LAP(fill) - 1);
		s[SLOT(fill)] = MAKE_S(S_LAP(s[SLOT(fill)]), FREE);
		fill++;
		pool = 0; pending--;
		pc = IDLE }
	:: (pc == IDLE && left == 0) -> break
	od
}
#endif

#ifdef FLUSHER
/* etw_session_flush() on another CPU */
active proctype flusher() provided (ready)
{
	mtype pc = DIRTY_HEAD;
	bit begun;
	byte i, ss;
	short ww;
	byte before[SLOTS];	/* committed_lap when the call began */

	do
	/* ---- etw_ring_dirty ---- */
	:: d_step { pc == DIRTY_HEAD ->
		i = 0;
		do
		:: i < SLOTS -> before[i] = committed_lap[i]; i++
		:: else -> break
		od;
		i = 0;
#ifdef MUTANT_DIRTY_HEAD_ONLY
		i = head;
		pc = DIRTY_W }
	:: d_step { pc == DIRTY_W ->
		ww = w[SLOT(i)];
		if
		:: W_LAP(ww) != LAP(i) || (!(ww & SEALED) && (ww & OFFSET)) -> pc = INTERRUPT
		:: else -> pending--; pc = FLUSHED
		fi;
		i = 0; ww = 0 }
#else
		pc = DIRTY_S }
	:: d_step { pc == DIRTY_S ->			/* atomic64_read(&slot->s) */
		if
		:: i == SLOTS -> i = 0; pending--; pc = FLUSHED
		:: i < SLOTS && STATE(s[i]) == OPEN -> pc = DIRTY_W
		:: else -> i++
		fi }
	:: d_step { pc == DIRTY_W ->			/* READ_ONCE(slot->w) */
		if
		:: w[i] & OFFSET -> i = 0; pc = INTERRUPT
		:: else -> i++; pc = DIRTY_S
		fi }
#endif
	/* ---- smp_call_function_single: waits for its end ---- */
	:: d_step { pc == INTERRUPT && !begun -> asked = 1; begun = 1 }
	:: d_step { pc == INTERRUPT && begun && !asked -> pc = SETTLED }
	/* ---- etw_ring_settled ---- */
	:: d_step { pc == SETTLED ->			/* atomic64_read(&slot->s) */
		if
		:: i == SLOTS -> i = 0; pc = FLUSHED
		:: i < SLOTS && STATE(s[i]) == OPEN && S_LAP(s[i]) * SLOTS + i <= sealed_upto ->
			i = 0; pc = UNSETTLED
		:: else -> i++
		fi }
	:: (pc == UNSETTLED) -> progress: pc = SETTLED
	/* what was committed before the call is in a complete buffer */
	:: d_step { pc == FLUSHED ->
		i = 0;
		do
		:: i < SLOTS ->
			assert(before[i] == 0 || s[i] != MAKE_S(before[i], OPEN));
			i++
		:: else -> break
		od;
		pending--;
		pc = LAST }
	:: pc == LAST -> break
	od
}
#endif
