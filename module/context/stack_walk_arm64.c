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

/**
 * struct place - how far a walk is
 * @record: a frame record
 * @last: the last one
 * @nr: number of records before it
 */
struct place {
	unsigned long *record;
	unsigned long *last;
	u32 nr;
};

static __always_inline unsigned long address_at(const struct place *at)
{
	return etw_strip_kernel_pac(READ_ONCE_NOCHECK(at->record[1]));
}

/* Each record lies above the one before, aligned, and on the stack. */
static __always_inline bool to_next(struct place *at)
{
	unsigned long *next = (unsigned long *)READ_ONCE_NOCHECK(at->record[0]);

	if (unlikely(next <= at->record || next > at->last ||
		     !IS_ALIGNED((unsigned long)next, sizeof(*next))))
		return false;
	at->record = next;
	at->nr++;
	return true;
}

/* Walk on by the table. Return: false if the unwinder must walk. */
static noinline bool walk_on(struct etw_frames *to, struct place at, u32 era)
{
	bool own = at.nr <= to->nr_own;

	etw_forget_kernel_frames(to);
	if (own)
		to->nr_own = at.nr;
	while (at.record != at.last) {
		unsigned long address = address_at(&at);
		u64 site = etw_site_find(address);

		if ((site & ETW_SITE_USE) != ETW_SITE_USABLE(ETW_SITE_STEP))
			return false;
		own = own && site & ETW_SITE_TRACER;
		if (own && ++to->nr_own > ETW_STACK_OWN_FRAMES)
			return false;
		if (likely(at.nr < to->nr_own + ETW_STACK_KERNEL_FRAMES))
			to->frame[at.nr] = address;
		if (!to_next(&at))
			return false;
	}
	to->places.era = era;
	to->nr_kernel = min_t(u32, at.nr - to->nr_own, ETW_STACK_KERNEL_FRAMES);
	to->places.nr = to->nr_own + to->nr_kernel;
	return to->nr_kernel;
}

/**
 * etw_stack_walk() - walk the kernel's part of the current stack by frame records
 * @frame: __builtin_frame_address(0) of a caller, direct or not
 * @to: in: an earlier stack, or zeros; out: the frames, of which outer ones may be left out
 *
 * An address that the earlier stack has at the same place needs no search in the table.
 *
 * Context: any; preemption off. Return: false: the unwinder must walk.
 */
bool etw_stack_walk(unsigned long *frame, struct etw_frames *to)
{
	struct place at = { .record = frame, .last = last_record() };
	u32 era = etw_sites_era_now();
	u32 known = to->places.era == era ? to->places.nr : 0;

	if (unlikely(!on_task_stack(frame)))
		return false;
	while (at.nr < known && at.record != at.last && address_at(&at) == to->frame[at.nr])
		if (!to_next(&at))
			return false;
	if (likely(at.record == at.last && known && at.nr == known))
		return true;
	return walk_on(to, at, era);
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
