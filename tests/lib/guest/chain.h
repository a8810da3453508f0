/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* What chain.c needs of the processor: calls, loops and frames that are known to the byte. */
#ifndef ETW_TEST_CHAIN_H
#define ETW_TEST_CHAIN_H

#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define CHAIN	__attribute__((noinline, noclone, used))

static inline uint64_t chain_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ULL + t.tv_nsec;
}

#if defined(__x86_64__)

static inline uint64_t chain_tick(void)
{
	uint32_t low, high;

	asm volatile("lfence; rdtsc" : "=a" (low), "=d" (high) : : "memory");
	return (uint64_t)high << 32 | low;
}

/* Two instructions a round, and nothing else, within chain_loop_begin and chain_loop_end */
#define chain_loop(rounds_) do { \
	uint64_t rounds__ = (rounds_); \
	asm volatile(".globl chain_loop_begin, chain_loop_end\n" \
		     "chain_loop_begin: dec %0\n jnz chain_loop_begin\nchain_loop_end:" \
		     : "+r" (rounds__) : : "cc"); \
} while (0)

/* A system call in the caller's own frame; the C library's wrappers have none. */
static inline __attribute__((always_inline)) long chain_call(long number, long a, long b, long c,
							     long d)
{
	register long fourth asm("r10") = d;
	long result;

	asm volatile("syscall" : "=a" (result)
		     : "a" (number), "D" (a), "S" (b), "d" (c), "r" (fourth)
		     : "rcx", "r11", "memory", "cc");
	return result;
}

/* Call with a frame pointer of 0, which ends a chain behind the caller of this */
static inline __attribute__((always_inline)) void chain_bottom(void (*function)(void))
{
	asm volatile("mov %%rsp, %%rbx\n sub $128, %%rsp\n and $-16, %%rsp\n"
		     "push %%rbp\n push %%rbx\n xor %%ebp, %%ebp\n"
		     "call *%0\n"
		     "pop %%rbx\n pop %%rbp\n mov %%rbx, %%rsp"
		     : "+a" (function) :
		     : "rbx", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "memory", "cc");
}

/*
 * Sleep with this frame pointer. Whatever a walk makes of it, the instruction pointer is
 * chain_broken_slept.
 */
static inline __attribute__((always_inline)) void chain_broken_sleep(uint64_t fp, long ns)
{
	struct timespec t = { 0, ns };

	asm volatile("push %%rbp\n mov %2, %%rbp\n syscall\n"
		     ".globl chain_broken_slept\nchain_broken_slept:\n pop %%rbp"
		     : : "a" ((long)SYS_nanosleep), "D" (&t), "d" (fp), "S" (0L)
		     : "rcx", "r11", "memory", "cc");
}

static inline __attribute__((always_inline)) void chain_broken_loop(uint64_t fp, uint64_t rounds)
{
	asm volatile("push %%rbp\n mov %1, %%rbp\n"
		     ".globl chain_broken_begin, chain_broken_end\n"
		     "chain_broken_begin: dec %0\n jnz chain_broken_begin\nchain_broken_end:\n"
		     "pop %%rbp"
		     : "+a" (rounds) : "d" (fp) : "cc", "memory");
}

#elif defined(__aarch64__)

static inline uint64_t chain_tick(void)
{
	uint64_t value;

	asm volatile("isb; mrs %0, cntvct_el0" : "=r" (value) : : "memory");
	return value;
}

#define chain_loop(rounds_) do { \
	uint64_t rounds__ = (rounds_); \
	asm volatile(".globl chain_loop_begin, chain_loop_end\n" \
		     "chain_loop_begin: subs %0, %0, #1\n b.ne chain_loop_begin\nchain_loop_end:" \
		     : "+r" (rounds__) : : "cc"); \
} while (0)

static inline __attribute__((always_inline)) long chain_call(long number, long a, long b, long c,
							     long d)
{
	register long x8 asm("x8") = number, x0 asm("x0") = a, x1 asm("x1") = b;
	register long x2 asm("x2") = c, x3 asm("x3") = d;

	/* a function that keeps its return address in x30 alone has no frame */
	asm volatile("svc 0" : "+r" (x0) : "r" (x8), "r" (x1), "r" (x2), "r" (x3)
		     : "x30", "memory", "cc");
	return x0;
}

static inline __attribute__((always_inline)) void chain_bottom(void (*function)(void))
{
	register void (*to)(void) asm("x20") = function;

	asm volatile("mov x19, x29\n mov x29, xzr\n blr %0\n mov x29, x19"
		     : : "r" (to)
		     : "x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11",
		       "x12", "x13", "x14", "x15", "x16", "x17", "x18", "x19", "x30", "memory",
		       "cc");
}

static inline __attribute__((always_inline)) void chain_broken_sleep(uint64_t fp, long ns)
{
	struct timespec t = { 0, ns };
	register long x8 asm("x8") = SYS_nanosleep, x0 asm("x0") = (long)&t, x1 asm("x1") = 0;
	register uint64_t x9 asm("x9") = fp;

	asm volatile("mov x19, x29\n mov x29, %3\n svc 0\n"
		     ".globl chain_broken_slept\nchain_broken_slept:\n mov x29, x19"
		     : "+r" (x0) : "r" (x8), "r" (x1), "r" (x9)
		     : "x19", "x30", "memory", "cc");
}

static inline __attribute__((always_inline)) void chain_broken_loop(uint64_t fp, uint64_t rounds)
{
	asm volatile("mov x19, x29\n mov x29, %1\n"
		     ".globl chain_broken_begin, chain_broken_end\n"
		     "chain_broken_begin: subs %0, %0, #1\n b.ne chain_broken_begin\n"
		     "chain_broken_end: mov x29, x19"
		     : "+r" (rounds) : "r" (fp) : "x19", "x30", "cc", "memory");
}

#else
#error how are frames of this processor walked?
#endif

static inline void *chain_pages(size_t pages, int protection)
{
	void *p = mmap(NULL, pages * 4096, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return p == MAP_FAILED ? NULL : p;
}

/* A frame {its caller's frame pointer, return address} */
static inline uint64_t chain_frame(uint64_t *at, uint64_t fp, uint64_t address)
{
	at[0] = fp;
	at[1] = address;
	return (uint64_t)(uintptr_t)at;
}

/*
 * The frame pointer of each broken kind, never 0; 0 when there are no more. None leads to a
 * second address that could be a function's, but for those said.
 */
static inline uint64_t chain_break(long kind)
{
	static uint64_t *area, *none, *untouched, *beyond;
	uint64_t here = (uint64_t)(uintptr_t)__builtin_frame_address(0);

	if (!area) {
		area = chain_pages(4, PROT_READ | PROT_WRITE);
		none = chain_pages(1, PROT_NONE);
		untouched = chain_pages(1, PROT_READ | PROT_WRITE);
		beyond = area + 3 * 512;
		if (!area || !none || !untouched || munmap(beyond, 4096))
			_exit(1);
	}
	switch (kind) {
	case 0: return 0x10;				/* not mapped */
	case 1: return 0xffff888000001000ULL;		/* the kernel's */
	case 2: return 0xffffffff81000000ULL;
	case 3: return ~0ULL;
	case 4: return ~0ULL - 7;
	case 5: return 0x800000000000ULL - 8;		/* over the edge of user space */
	case 6: return 0x8000deadbeef0000ULL;		/* no address at all */
	case 7: return here + 1;			/* not aligned */
	case 8: return here + 4;
	case 9: return (uint64_t)(uintptr_t)none;	/* not readable */
	case 10: return (uint64_t)(uintptr_t)untouched;	/* would fault */
	case 11: return (uint64_t)(uintptr_t)(beyond - 1); /* half a frame at the end */
	/* from here on there is a frame, on no stack: at most one address more */
	case 12: return chain_frame(area, (uint64_t)(uintptr_t)area, 0x1234);	/* itself */
	case 13: return chain_frame(area + 8, (uint64_t)(uintptr_t)(area + 4), 0x1234); /* down */
	case 14: return chain_frame(area + 12, 0xffffffff81000000ULL, 0xffffffff81000000ULL);
	case 15: return chain_frame(area + 16, (uint64_t)(uintptr_t)none, 0);
	default: return 0;
	}
}

#endif /* ETW_TEST_CHAIN_H */
