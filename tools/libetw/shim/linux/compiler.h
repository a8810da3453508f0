/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* The kernel's words for what a compiler may do, and which machine this is. */
#ifndef ETW_SHIM_COMPILER_H
#define ETW_SHIM_COMPILER_H

#include <linux/stddef.h>

/*
 * What decides how the ring's words are changed. Sanitizers understand the
 * compiler's own atomic operations only, so they get the kind that any other
 * machine does.
 */
#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__)
#define CONFIG_X86		1
#endif
#if defined(__x86_64__)
#define CONFIG_X86_TSC		1
#elif defined(__aarch64__)
#define CONFIG_ARM64		1
#endif
/* A signal handler is the only thing that interrupts: it is no NMI */
#define CONFIG_ARCH_HAVE_NMI_SAFE_CMPXCHG	1

/* Only for options that are 1 above */
#define IS_ENABLED(option)	(option)

#define likely(x)		__builtin_expect(!!(x), 1)
#define unlikely(x)		__builtin_expect(!!(x), 0)
#ifndef __always_inline
#define __always_inline		inline __attribute__((always_inline))
#endif
#define __maybe_unused		__attribute__((unused))
#define barrier()		__asm__ __volatile__("" ::: "memory")

/* Plain moves on every machine that there is */
#define READ_ONCE(x)		__atomic_load_n(&(x), __ATOMIC_RELAXED)
#define WRITE_ONCE(x, value)	__atomic_store_n(&(x), value, __ATOMIC_RELAXED)
#define smp_load_acquire(p)	__atomic_load_n(p, __ATOMIC_ACQUIRE)
#define smp_store_release(p, value)	__atomic_store_n(p, value, __ATOMIC_RELEASE)

#endif /* ETW_SHIM_COMPILER_H */
