// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Kernel stacks of arm64: by frame records, or by the unwinder; declared in stack_walk.h. */
#include <linux/compiler.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <linux/stacktrace.h>
#include <linux/uaccess.h>
#include <asm/insn.h>
#include <asm/ptrace.h>
#include "compat.h"
#include "stack_capture.h"
#include "stack_sites.h"
#include "stack_walk.h"

/*
 * Every function of the kernel has a frame record: the caller's record and the return
 * address. A walk along them takes far fewer instructions than the unwinder
 * (Documentation/explain/performance.rst). Only the unwinder knows the addresses that ftrace
 * and kretprobes replaced, and other stacks. So a walk is used only if each address is in the
 * table, which the unwinder filled, and each record lies on the thread's stack.
 */

static unsigned long *last_record(void)
{
	return (unsigned long *)&task_pt_regs(current)->stackframe;
}

static bool on_task_stack(const unsigned long *record)
{
	return record >= (unsigned long *)task_stack_page(current) && record <= last_record();
}

/* Frame records above the walk's own do not change during the walk. */
static __always_inline unsigned long word_at(const unsigned long *slot)
{
#if defined(CONFIG_KASAN) || defined(CONFIG_KCSAN)
	return READ_ONCE_NOCHECK(*slot);
#else
	return *slot;	/* not volatile: one instruction can load two */
#endif
}

static __always_inline unsigned long address_at(const unsigned long *record)
{
	return etw_strip_kernel_pac(word_at(record + 1));
}

static __always_inline unsigned long *next_of(const unsigned long *record)
{
	return (unsigned long *)word_at(record);
}

/* Each record lies above the one before, aligned, and on the stack. */
static __always_inline bool is_above(const unsigned long *next, const unsigned long *record,
				     const unsigned long *last)
{
	return next > record && next <= last && IS_ALIGNED((unsigned long)next, sizeof(*next));
}

/*
 * Whether *@record is that of frame @i in the last walk, and links to the next one. Below
 * invoke_syscall() a system call has a random stack offset: all records above it move together, and
 * *@start with them.
 */
static __always_inline bool is_same(const struct etw_frames *of, unsigned long i,
				    unsigned long **record, unsigned long **start,
				    const unsigned long *last)
{
	const u16 *place = &of->places.place[i + 1];
	unsigned long *next = next_of(*record);

	if (unlikely(address_at(*record) != of->frame[i] || next > last))
		return false;
	if (unlikely(next != *start + *place)) {
		if (!is_above(next, *record, last))
			return false;
		/* read again, so that the usual way adds it in one instruction */
		*start = next - READ_ONCE(*place);
	}
	*record = next;
	return true;
}

/*
 * Compare the records at the places of the last walk, each with its link to the next. As long as
 * they are the same, a walk comes to the same places. Return: number of frames.
 */
static __always_inline u32 same_places(const struct etw_frames *of, unsigned long **start,
				       const unsigned long *last, u32 era)
{
	unsigned long i, nr = of->places.nr, even = nr & ~1UL, *record = *start;

	if (unlikely(of->places.era != era))
		return 0;
	/* two at a time take fewer instructions */
	for (i = 0; i < even; i += 2) {
		if (!is_same(of, i, &record, start, last))
			return i;
		if (!is_same(of, i + 1, &record, start, last))
			return i + 1;
	}
	return nr == even || !is_same(of, i, &record, start, last) ? i : nr;
}

/* Walk on by the table, behind the first @n frames. Return: false if the unwinder must walk. */
static noinline bool walk_on(struct etw_frames *to, unsigned long *start, unsigned long *last,
			     u32 n, u32 era)
{
	struct etw_stack_places *places = &to->places;
	unsigned long *record = n ? start + places->place[n] : start;
	bool own = n <= to->nr_own;

	etw_forget_kernel_frames(to);
	if (own)
		to->nr_own = n;
	places->place[0] = 0;
	while (record != last) {
		unsigned long address = address_at(record), *next = next_of(record);
		u64 site = etw_site_find(address);

		if ((site & ETW_SITE_USE) != ETW_SITE_USABLE(ETW_SITE_STEP))
			return false;
		own = own && site & ETW_SITE_TRACER;
		if (own && ++to->nr_own > ETW_STACK_OWN_FRAMES)
			return false;
		if (likely(n < to->nr_own + ETW_STACK_KERNEL_FRAMES))
			to->frame[n] = address;
		if (unlikely(!is_above(next, record, last)))
			return false;
		record = next;
		/* a place has 16 bits, and @start may have moved out of the stack */
		if (unlikely(record - start > U16_MAX))
			return false;
		if (++n < ETW_STACK_PLACES)
			places->place[n] = record - start;
	}
	places->era = era;
	places->nr = min_t(u32, n, ETW_STACK_PLACES - 1);
	to->nr_kernel = min_t(u32, n - to->nr_own, ETW_STACK_KERNEL_FRAMES);
	return to->nr_kernel;
}

/**
 * etw_stack_walk() - walk the kernel's part of the current stack by frame records
 * @frame: __builtin_frame_address(0) of a caller, direct or not
 * @to: in: an earlier stack, or zeros; out: the frames, of which outer ones may be left out
 *
 * A record that the earlier stack has at the same place needs no search in the table.
 *
 * Context: any; preemption off. Return: false: the unwinder must walk.
 */
bool etw_stack_walk(unsigned long *frame, struct etw_frames *to)
{
	u32 era = etw_sites_era_now(), nr;
	unsigned long *last = last_record();

	if (unlikely(!on_task_stack(frame)))
		return false;
	nr = same_places(to, &frame, last, era);
	if (likely(nr && nr == to->places.nr && frame + to->places.place[nr] == last))
		return true;
	return walk_on(to, frame, last, nr, era);
}

/* Only return addresses go to the table: those behind a call. Interrupts can be anywhere. */
static bool follows_call(unsigned long address)
{
	__le32 insn;

	if (copy_from_kernel_nofault(&insn, (__le32 *)address - 1, sizeof(insn)))
		return false;
	return aarch64_insn_is_bl(le32_to_cpu(insn)) || aarch64_insn_is_blr(le32_to_cpu(insn));
}

static void learn(unsigned long address, char *name)
{
	u32 i;

	if (etw_site_find(address) || !follows_call(address))
		return;
	for (i = 0; i < ETW_SITE_CONFIRMED; i++)
		etw_site_learn(address, ETW_SITE_STEP, 0, name);
}

/**
 * etw_stack_unwind() - walk the kernel's part of the current stack by the unwinder
 * @frame: __builtin_frame_address(0) of a caller, direct or not
 * @to: out: return addresses, innermost first, the tracer's too
 * @most: most of them
 * @name: memory for KSYM_SYMBOL_LEN bytes
 *
 * The table learns from it.
 *
 * Context: any; preemption off. Return: number of addresses.
 */
u32 etw_stack_unwind(unsigned long *frame, unsigned long *to, u32 most, char *name)
{
	u32 i, nr = etw_stack_drop_unknown(to, stack_trace_save(to, most, 0));

	for (i = 0; i < nr; i++)
		learn(to[i], name);
	return nr;
}
