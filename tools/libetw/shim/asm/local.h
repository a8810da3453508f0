/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Counters of one thread: whole for its signal handlers, read by others. */
#ifndef ETW_SHIM_LOCAL_H
#define ETW_SHIM_LOCAL_H

#include <linux/atomic.h>

typedef struct {
	atomic_long_t a;
} local_t;

static inline long local_read(const local_t *l)
{
	return READ_ONCE(l->a.counter);
}

static inline void local_set(local_t *l, long value)
{
	WRITE_ONCE(l->a.counter, value);
}

static __always_inline long local_add_return(long n, local_t *l)
{
#ifdef CONFIG_X86
	long old = n;

	asm volatile("xaddq %0, %1" : "+r" (old), "+m" (l->a.counter) : : "memory");
	return old + n;
#else
	return __atomic_add_fetch(&l->a.counter, n, __ATOMIC_RELAXED);
#endif
}

/* Whether it is 0 now */
static __always_inline bool local_sub_and_test(long n, local_t *l)
{
#ifdef CONFIG_X86
	bool zero;

	asm volatile("subq %2, %1"
		     : "=@ccz" (zero), "+m" (l->a.counter) : "er" (n) : "memory");
	return zero;
#else
	return !__atomic_sub_fetch(&l->a.counter, n, __ATOMIC_RELAXED);
#endif
}

static inline void local_add(long n, local_t *l)
{
	local_add_return(n, l);
}

static inline void local_inc(local_t *l)
{
	local_add_return(1, l);
}

#endif /* ETW_SHIM_LOCAL_H */
