/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Changes of W and C: atomic on one CPU only, in the fewest instructions. */
#ifndef ETW_EXCHANGE_H
#define ETW_EXCHANGE_H

#include <linux/atomic.h>
#include <linux/compiler.h>
#include <linux/types.h>
#include <asm/local.h>
#if defined(CONFIG_X86_64) || defined(CONFIG_ARM64_LSE_ATOMICS)
#include <linux/instrumented.h>
#endif
#ifdef CONFIG_ARM64_LSE_ATOMICS
#include "compat.h"
#endif

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

#endif /* ETW_EXCHANGE_H */
