/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* The two words of a slot: their fields, their invariants, and how the CPU changes its own. */
#ifndef ETW_WORDS_H
#define ETW_WORDS_H

#include <linux/atomic.h>
#include <linux/bits.h>
#include <linux/compiler.h>
#include <linux/types.h>
#include <asm/local.h>
#include "etw_format.h"
#if defined(CONFIG_X86_64) || defined(CONFIG_ARM64_LSE_ATOMICS)
#include <linux/instrumented.h>
#endif
#ifdef CONFIG_ARM64_LSE_ATOMICS
#include "compat.h"
#endif

/*
 * A ring belongs to one session and one CPU. It is an array of slots that are
 * used in sequence, lap after lap. Each slot owns one buffer or none. Positions
 * are a free-running ordinal n: slot n % nr_slots in its lap n / nr_slots.
 *
 * A ring that overwrites always has a buffer in every slot. In any other ring
 * the slots from the oldest unread ordinal up to `fill` have buffers. A buffer
 * that was read moves to slot `fill`, which may be the slot where it was. An
 * added buffer goes there, too. A writer that comes to an EMPTY slot has used
 * all buffers.
 *
 * Writers run on the ring's CPU with preemption off. A task may be interrupted
 * by a softirq, that by an interrupt, and each by an NMI. They nest strictly:
 * the interrupting writer finishes first. No other CPU writes. Two words
 * describe a slot:
 *
 *   W  sealed | offset | lap | events    the CPU's own, changed by unlocked
 *                                        cmpxchg only. x86 writes the old
 *                                        value back when such a cmpxchg
 *                                        fails, so no other CPU may ever
 *                                        write it. In this order one
 *                                        comparison finds out whether a
 *                                        record fits.
 *   S  lap | state                       shared with the reader, changed by
 *                                        locked cmpxchg a few times a buffer.
 *
 * The balance C is the CPU's own: every commit adds the record's length, the
 * seal subtracts the reserved length. C is 0 after a commit or a seal exactly
 * when the buffer is sealed and every reserved byte is committed. One context
 * sees the 0, and it alone publishes the buffer. (Before the seal C is the sum
 * of committed lengths, so it can't be 0 right after a commit.)
 *
 * Invariants. A nested writer may find a step half done. It completes the step
 * itself, because waiting for the interrupted writer would never end.
 *  A. At most one W of a ring is unsealed, that of slot `head`.
 *  B. W of slot n + 1 is installed (unsealed) after S says OPEN for its lap,
 *     and `head` becomes n + 1 after that.
 *  C. A seal that failed changed nothing: the sealer starts over.
 *  D. lap(S) only grows, and a lap is opened, or skipped, once: a writer that
 *     comes late with an old n finds lap(S) or head ahead of n and starts over.
 */
#define ETW_W_EVENT_BITS	22	/* a record is 8 bytes at least */
#define ETW_W_LAP_BITS		19
#define ETW_W_OFFSET_BITS	22	/* of 8 bytes: 16 MiB and the limit */
#define ETW_W_EVENT		1ULL
#define ETW_W_EVENT_MASK	((1U << ETW_W_EVENT_BITS) - 1)
#define ETW_W_LAP_SHIFT		ETW_W_EVENT_BITS
#define ETW_W_LAP_MASK		((1U << ETW_W_LAP_BITS) - 1)
#define ETW_W_OFFSET_SHIFT	(ETW_W_LAP_SHIFT + ETW_W_LAP_BITS)
#define ETW_W_OFFSET		GENMASK_ULL(62, ETW_W_OFFSET_SHIFT)
#define ETW_W_SEALED		BIT_ULL(63)

static_assert(ETW_W_OFFSET_SHIFT + ETW_W_OFFSET_BITS == 63);

static inline u64 etw_w_make(u64 lap, u64 flags)
{
	return (lap & ETW_W_LAP_MASK) << ETW_W_LAP_SHIFT | flags;
}

static inline u64 etw_w_lap(u64 w)
{
	return (w >> ETW_W_LAP_SHIFT) & ETW_W_LAP_MASK;
}

static inline u32 etw_w_events(u64 w)
{
	return w & ETW_W_EVENT_MASK;
}

/* Reserved units of 8 bytes, without the buffer's header */
static inline u32 etw_w_units(u64 w)
{
	return (w & ETW_W_OFFSET) >> ETW_W_OFFSET_SHIFT;
}

/* Reserved bytes, without the buffer's header */
static inline u32 etw_w_used(u64 w)
{
	return etw_w_units(w) * ETW_RECORD_ALIGN;
}

/* W with one more record */
static __always_inline u64 etw_w_add(u64 w, u32 units)
{
	return w + ((u64)units << ETW_W_OFFSET_SHIFT | ETW_W_EVENT);
}

/* The highest W of a buffer with that capacity: a sealed W is above every limit */
static inline u64 etw_w_limit(u32 capacity)
{
	return (u64)capacity << ETW_W_OFFSET_SHIFT | (BIT_ULL(ETW_W_OFFSET_SHIFT) - 1);
}

/* Low bits of S */
enum etw_slot_state {
	ETW_SLOT_FREE,		/* may be opened for a lap above this one */
	ETW_SLOT_OPEN,		/* writers may reserve and commit */
	ETW_SLOT_FULL,		/* complete; owned by neither side */
	ETW_SLOT_READING,	/* held by the reader */
	ETW_SLOT_EMPTY,		/* no buffer; never in a ring that overwrites */
};

#define ETW_S_LAP_SHIFT		3
#define ETW_S_STATE		((1ULL << ETW_S_LAP_SHIFT) - 1)

static inline u64 etw_s_make(u64 lap, enum etw_slot_state state)
{
	return lap << ETW_S_LAP_SHIFT | state;
}

static inline u64 etw_s_lap(u64 s)
{
	return s >> ETW_S_LAP_SHIFT;
}

static inline enum etw_slot_state etw_s_state(u64 s)
{
	return s & ETW_S_STATE;
}

/* Changes of W and C: atomic on one CPU only, in the fewest instructions. */

/**
 * etw_has_fast_atomics() - whether this machine has single instructions for these changes
 *
 * x86 always has them. Some arm64 CPUs lack them, so the kernel's functions check at every
 * use, by an instruction that may be patched to a jump. A caller that changes several words
 * checks once.
 */
static __always_inline bool etw_has_fast_atomics(void)
{
#ifdef CONFIG_ARM64_LSE_ATOMICS
	return etw_uses_lse_atomics();
#else
	return true;
#endif
}

/**
 * etw_try_cmpxchg_local() - change a word, if it still has its old value
 * @word: of this CPU
 * @old: the old value; unchanged after a success, anything after a failure
 * @new: the new value
 * @direct: etw_has_fast_atomics()
 *
 * Atomic against interrupts and NMIs of this CPU only, so no other CPU may write the
 * word. Like cmpxchg_local(), it is a compiler barrier and orders nothing for other CPUs.
 *
 * Return: whether the word was @old, and is @new now.
 */
static __always_inline bool etw_try_cmpxchg_local(u64 *word, u64 *old, u64 new,
						  bool __maybe_unused direct)
{
#if defined(CONFIG_X86_64) && defined(__GCC_ASM_FLAG_OUTPUTS__)
	bool same;

	/* older kernels have none that returns its result in the flags and keeps @old */
	instrument_atomic_read_write(word, sizeof(*word));
	asm volatile("cmpxchgq	%[new], %[word]"
		     : "=@ccz" (same), [word] "+m" (*word), "+a" (*old)
		     : [new] "r" (new)
		     : "memory");
	return same;
#else
#ifdef CONFIG_ARM64_LSE_ATOMICS
	/* the kernel's version moves all three to registers of its choice and back */
	if (direct) {
		u64 was = *old;

		instrument_atomic_read_write(word, sizeof(*word));
		asm volatile(".arch_extension lse\n"
			     "	cas	%[was], %[new], %[word]"
			     : [was] "+&r" (was), [word] "+Q" (*word)
			     : [new] "r" (new)
			     : "memory");
		return was == *old;
	}
#endif
	return cmpxchg_local(word, *old, new) == *old;
#endif
}

/**
 * etw_add_and_test_zero() - add to a counter
 * @counter: of this CPU
 * @n: addend
 * @direct: etw_has_fast_atomics()
 *
 * Atomic as etw_try_cmpxchg_local(). Return: whether the counter became 0.
 */
static __always_inline bool etw_add_and_test_zero(local_t *counter, long n,
						  bool __maybe_unused direct)
{
#ifdef CONFIG_X86
	return local_sub_and_test(-n, counter);	/* no lock prefix; the result is a flag */
#else
#ifdef CONFIG_ARM64_LSE_ATOMICS
	if (direct) {
		long was;

		instrument_atomic_read_write(counter, sizeof(*counter));
		asm volatile(".arch_extension lse\n"
			     "	ldadd	%[n], %[was], %[counter]"
			     : [was] "=r" (was), [counter] "+Q" (counter->a.counter)
			     : [n] "r" (n)
			     : "memory");
		return was == -n;
	}
#endif
	return !atomic_long_add_return_relaxed(n, &counter->a);
#endif
}

#endif /* ETW_WORDS_H */
