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
 * etw_stack_walk() - walk the kernel's part of the current stack by frame records
 * @frame: __builtin_frame_address(0) of a caller, direct or not
 * @to: out: return addresses, innermost first, without the tracer's
 * @most: most of them; outer ones are left out
 *
 * Context: any; preemption off. Return: number of addresses; 0: the unwinder must walk.
 */
u32 etw_stack_walk(unsigned long *frame, unsigned long *to, u32 most)
{
	unsigned long *last = last_record();
	bool tracer = true;
	u32 nr = 0;

	if (!on_task_stack(frame))
		return 0;
	while (frame != last) {
		unsigned long address = etw_strip_kernel_pac(READ_ONCE_NOCHECK(frame[1]));
		unsigned long *next = (unsigned long *)READ_ONCE_NOCHECK(frame[0]);
		u64 site = etw_site_find(address);

		if ((site & ETW_SITE_USE) != ETW_SITE_USABLE(ETW_SITE_STEP) || next <= frame ||
		    next > last || !IS_ALIGNED((unsigned long)next, sizeof(*next)))
			return 0;
		tracer = tracer && site & ETW_SITE_TRACER;
		if (!tracer && nr < most)
			to[nr++] = address;
		frame = next;
	}
	return nr;
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
