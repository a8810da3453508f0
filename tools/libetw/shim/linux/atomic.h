/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Atomic operations between threads, and cmpxchg_local() within one. */
#ifndef ETW_SHIM_ATOMIC_H
#define ETW_SHIM_ATOMIC_H

#include <linux/compiler.h>
#include <linux/types.h>

typedef struct {
	s64 counter;
} atomic64_t;

typedef struct {
	long counter;
} atomic_long_t;

static inline s64 atomic64_read(const atomic64_t *v)
{
	return READ_ONCE(v->counter);
}

static inline s64 atomic64_read_acquire(const atomic64_t *v)
{
	return smp_load_acquire(&v->counter);
}

static inline void atomic64_set(atomic64_t *v, s64 value)
{
	WRITE_ONCE(v->counter, value);
}

static inline void atomic64_set_release(atomic64_t *v, s64 value)
{
	smp_store_release(&v->counter, value);
}

static inline s64 atomic64_cmpxchg(atomic64_t *v, s64 old, s64 new)
{
	__atomic_compare_exchange_n(&v->counter, &old, new, false, __ATOMIC_SEQ_CST,
				    __ATOMIC_SEQ_CST);
	return old;
}

static inline s64 atomic64_cmpxchg_release(atomic64_t *v, s64 old, s64 new)
{
	__atomic_compare_exchange_n(&v->counter, &old, new, false, __ATOMIC_RELEASE,
				    __ATOMIC_RELAXED);
	return old;
}

static inline long atomic_long_add_return_relaxed(long n, atomic_long_t *v)
{
	return __atomic_add_fetch(&v->counter, n, __ATOMIC_RELAXED);
}

/*
 * One instruction without the bus lock: whole for signal handlers of this
 * thread, and a thread that moves to another CPU takes its memory along. Other
 * threads may not write the word.
 */
static __always_inline u64 shim_cmpxchg_local(u64 *word, u64 old, u64 new)
{
#ifdef CONFIG_X86
	asm volatile("cmpxchgq %2, %1" : "+a" (old), "+m" (*word) : "r" (new) : "memory");
#else
	__atomic_compare_exchange_n(word, &old, new, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
#endif
	return old;
}

#define cmpxchg_local(word, old, new)	shim_cmpxchg_local(word, old, new)

#endif /* ETW_SHIM_ATOMIC_H */
