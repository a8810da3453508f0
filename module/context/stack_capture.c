// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Captures kernel and user frames of the current thread, in any context. */
#include <linux/cpumask.h>
#include <linux/hash.h>
#include <linux/kallsyms.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/stacktrace.h>
#include "ring/ring.h"
#include "stack_capture.h"

/* Task, softirq, interrupt and NMI nest strictly: a buffer each */
#define LEVELS		4
/* log2 of the number of functions that are remembered as machinery or not */
#define KNOWN_BITS	9

static DEFINE_PER_CPU(struct etw_stack *, buffers);
static DEFINE_MUTEX(users_lock);	/* users and buffers */
static u32 users;

/*
 * Addresses that were looked up, each in one word with the answer in bit 0. Any context
 * may write at any time: a word is correct whichever write wins. The kernel's own
 * functions don't move, and no module has machinery.
 */
static unsigned long known[1 << KNOWN_BITS];

static bool is_own(unsigned long address)
{
	return within_module_core(address, THIS_MODULE);
}

static bool is_machinery(unsigned long address)
{
	unsigned long *slot = &known[hash_long(address, KNOWN_BITS)];
	unsigned long word = READ_ONCE(*slot);
	char *name;
	bool yes;

	if (likely(word >> 1 == address << 1 >> 1))
		return word & 1;
	name = (*this_cpu_ptr(&buffers))[interrupt_context_level()].name;
	/* a return address may be just behind the function's end */
	sprint_symbol_no_offset(name, address - 1);
	yes = etw_stack_names_machinery(name);
	/* code without a name may be freed and its address reused */
	if (name[0] != '0')
		WRITE_ONCE(*slot, address << 1 | yes);
	return yes;
}

static const struct etw_stack_rules rules = { .is_own = is_own, .is_machinery = is_machinery };

static void free_buffers(void)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		kvfree(per_cpu(buffers, cpu));
		per_cpu(buffers, cpu) = NULL;
	}
}

static int make_buffers(void)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		struct etw_stack *stacks = kvcalloc(LEVELS, sizeof(*stacks), ETW_GFP_BUFFER);

		if (!stacks) {
			free_buffers();
			return -ENOMEM;
		}
		per_cpu(buffers, cpu) = stacks;
	}
	return 0;
}

/**
 * etw_stack_buffers_get() - allocate the capture buffers, or take a reference
 *
 * Context: process; sleeps. Return: 0; -ENOMEM.
 */
int etw_stack_buffers_get(void)
{
	int err = 0;

	mutex_lock(&users_lock);
	if (!users)
		err = make_buffers();
	if (!err)
		users++;
	mutex_unlock(&users_lock);
	return err;
}

/**
 * etw_stack_buffers_put() - undo etw_stack_buffers_get()
 *
 * Context: process; sleeps; no probe of the caller's session runs any more.
 */
void etw_stack_buffers_put(void)
{
	mutex_lock(&users_lock);
	if (!--users)
		free_buffers();
	mutex_unlock(&users_lock);
}

/* Drop zeros: in a kretprobe's trampoline arm64 no longer has the return address. */
static u32 drop_unknown(unsigned long *frames, u32 nr)
{
	u32 i, kept = 0;

	for (i = 0; i < nr; i++)
		if (likely(frames[i]))
			frames[kept++] = frames[i];
	return kept;
}

/*
 * One unwinder for all contexts: it unwinds through interrupts and NMIs, and undoes
 * kretprobes' changes of return addresses. Its frames include the interrupted function.
 */
static void kernel_frames(struct etw_stack *stack, struct pt_regs *regs)
{
	u32 first, nr = stack_trace_save(stack->raw, ARRAY_SIZE(stack->raw), 0);

	nr = drop_unknown(stack->raw, nr);
	if (regs)
		first = etw_stack_skip_to(stack->raw, nr, instruction_pointer(regs));
	else
		first = etw_stack_skip_tracer(stack->raw, nr, &rules);
	if (regs && first == nr) {
		/* a precise sample of an earlier moment, or the unwinder stopped before */
		stack->raw[0] = instruction_pointer(regs);
		first = 0;
		nr = 1;
	}
	stack->kernel = stack->raw + first;
	stack->nr_kernel = min_t(u32, nr - first, ETW_STACK_KERNEL_FRAMES);
}

/**
 * etw_stack_capture() - capture the current stack of the current thread
 * @regs: registers of a sample; NULL: from the caller on, without the tracer's frames
 * @kernel: capture kernel frames
 *
 * Page faults are not taken: a page that is not in memory ends the stack.
 *
 * Context: any, NMI included; preemption off until etw_stack_release().
 * Return: the stack; NULL if this CPU's buffer of this nesting level is in use.
 */
struct etw_stack *etw_stack_capture(struct pt_regs *regs, bool kernel)
{
	struct etw_stack *stack;

	/* pairs with etw_stacks_take(): the caller has seen a hook id with stacks */
	smp_rmb();
	stack = *this_cpu_ptr(&buffers) + interrupt_context_level();
	if (unlikely(READ_ONCE(stack->busy)))
		return NULL;
	WRITE_ONCE(stack->busy, true);
	barrier();	/* an interruption at the same level must see busy */
	stack->nr_kernel = 0;
	if (kernel && !(regs && user_mode(regs)))
		kernel_frames(stack, regs);
	stack->nr_user = etw_stack_user_frames(stack->user, regs);
	return stack;
}

/**
 * etw_stack_release() - release a captured stack
 * @stack: of etw_stack_capture()
 */
void etw_stack_release(struct etw_stack *stack)
{
	barrier();
	WRITE_ONCE(stack->busy, false);
}
