// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* User frames by unwind tables, without page faults. */
#include <linux/hash.h>
#include <linux/jiffies.h>
#include <linux/mm_types.h>
#include <linux/percpu.h>
#include <linux/ptrace.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/uaccess.h>
#include <asm/syscall.h>
#include "compat.h"
#include "config/items.h"
#include "stack_capture.h"
#include "unwind_spaces.h"
#include "unwind_step.h"
#include "unwind_walk.h"
#include "user_end.h"

DEFINE_STATIC_KEY_FALSE(etw_unwind_key);

/* log2 of the number of hints of a CPU: 8 KB */
#define HINT_BITS	9

/**
 * struct hint - the rule of an instruction in a space
 * @tag: instruction and space, combined with @rule
 * @rule: the rule
 *
 * Contexts that write a hint at the same time may leave the tag of one and the rule of
 * the other. The tag does not fit then, because it contains the rule.
 */
struct hint {
	u64 tag;
	u64 rule;
};

static struct hint __percpu *hints;
static DEFINE_PER_CPU(struct etw_unwind_counts, counts);

/* One address has another key in each space: the multiplication loses no id. */
static u64 key_of(u64 at, u64 id)
{
	return at ^ id * GOLDEN_RATIO_64;
}

static struct hint *hint_of(u64 at)
{
	return this_cpu_ptr(hints) + hash_64(at, HINT_BITS);
}

static const struct etw_unwind_range *range_of(const struct etw_unwind_space *space, u64 at)
{
	u32 from = 0, to = space->nr;

	while (from < to) {
		u32 middle = (from + to) / 2;

		if (space->range[middle].end <= at)
			from = middle + 1;
		else
			to = middle;
	}
	return from < space->nr && space->range[from].start <= at ? &space->range[from] : NULL;
}

static noinline u64 look_up(const struct etw_unwind_space *space, u64 at)
{
	const struct etw_unwind_range *range = range_of(space, at);
	const struct etw_unwinding *table;
	u64 offset;

	if (!range)
		return 0;
	table = rcu_dereference_sched(range->table);
	offset = at - range->start + range->offset;
	/* rows have offsets of 32 bits */
	return table && offset <= U32_MAX ? etw_unwind_find(&table->rows, offset) : 0;
}

static __always_inline u64 rule_at(const struct etw_unwind_space *space, u64 id, u64 at)
{
	struct hint *hint = hint_of(at);
	u64 rule = READ_ONCE(hint->rule);

	if (likely((READ_ONCE(hint->tag) ^ rule) == key_of(at, id)))
		return rule;
	rule = look_up(space, at);
	WRITE_ONCE(hint->rule, rule);
	WRITE_ONCE(hint->tag, key_of(at, id) ^ rule);
	return rule;
}

/* Constants, except where the processor decides the end */
static __always_inline struct etw_unwind_machine this_machine(void)
{
	return (struct etw_unwind_machine){
		.user_end = ETW_USER_END,
		.arm64 = IS_ENABLED(CONFIG_ARM64),
	};
}

/* Page faults are off. @at may be any number. */
static bool read_word(void *data, u64 at, u64 *word)
{
	const struct etw_unwind_machine machine = this_machine();
	const u64 __user *from = (void __user *)(unsigned long)at;

	if (!etw_unwind_is_word(&machine, at) || !user_read_access_begin(from, sizeof(*from)))
		return false;
	unsafe_get_user(*word, from, fault);
	user_read_access_end();
	return true;
fault:
	user_read_access_end();
	return false;
}

/*
 * The kernel's return code for signal handlers of arm64 is in no file: it begins with
 * mov x8, #__NR_rt_sigreturn and svc #0. On x86_64 it is the C library's.
 */
static bool is_return_code(u64 at)
{
	u32 code[2];

	if (copy_from_user_nofault(code, (void __user *)(unsigned long)at, sizeof(code)))
		return false;
	return code[0] == 0xd2801168 && code[1] == 0xd4000001;
}

/*
 * A handler returns to the first instruction. The thread itself can be at each of the two, and in
 * the system call behind them.
 */
static bool is_signal_return(const struct etw_unwind_frame *frame, bool in_syscall)
{
	if (!IS_ENABLED(CONFIG_ARM64))
		return false;
	if (in_syscall)
		return is_return_code(frame->ip - 8);
	return is_return_code(frame->ip) || (frame->exact && is_return_code(frame->ip - 4));
}

static struct etw_unwind_frame first_frame(struct pt_regs *regs)
{
	return (struct etw_unwind_frame){
		.ip = instruction_pointer(regs),
		.sp = user_stack_pointer(regs),
		.fp = etw_frame_pointer(regs),
#ifdef CONFIG_ARM64
		.lr = regs->regs[30],
#endif
		.exact = true,
		.has_sp = true,
	};
}

/*
 * During a system call the instruction pointer is behind its instruction. That can be behind the
 * function, as in the C library's return code of signals. A signal at the end of the call leads to
 * its handler; on x86 the number of the call is still there, and the register that the instruction
 * left the address in shows the difference.
 */
static bool is_in_syscall(struct pt_regs *regs)
{
#ifdef CONFIG_X86
	if (regs->cx != regs->ip)
		return false;
#endif
	return syscall_get_nr(current, regs) >= 0;
}

/* @in_syscall: the rule is that of the system call's instruction, which ends before @frame->ip */
static enum etw_unwind_end step(const struct etw_unwind_space *space, u64 id,
				struct etw_unwind_frame *frame, bool in_syscall)
{
	const struct etw_unwind_machine machine = this_machine();
	union etw_unwind_rule rule = {
		.word = rule_at(space, id, etw_unwind_look_at(frame) - in_syscall),
	};

	if (!rule.known && is_signal_return(frame, in_syscall))
		rule = (union etw_unwind_rule){ .cfa = ETW_UNWIND_SIGNAL, .known = 1 };
	return etw_unwind_step(frame, rule.word, &machine, read_word, NULL);
}

static void walk(const struct etw_unwind_space *space, unsigned long *to, u32 *nr,
		 struct pt_regs *regs)
{
	struct etw_unwind_frame frame = first_frame(regs);
	enum etw_unwind_end end = ETW_UNWIND_END_LIMIT;
	/* pairs with the release in renew(): the tables are those of this id, or later ones */
	u64 id = smp_load_acquire(&space->id);
	bool in_syscall = is_in_syscall(regs);
	u32 n = *nr;

	while (n < ETW_STACK_USER_FRAMES) {
		enum etw_unwind_end here = step(space, id, &frame, in_syscall);

		in_syscall = false;
		if (here != ETW_UNWIND_GOES_ON) {
			end = here;
			break;
		}
		to[n++] = frame.ip;
	}
	this_cpu_add(counts.frames, n - *nr);
	this_cpu_inc(counts.ends[end]);
	*nr = n;
}

/**
 * etw_unwind_frames() - capture the callers of the current thread's function
 * @to: frames; up to ETW_STACK_USER_FRAMES
 * @nr: in: number of frames so far, without callers; out: with them
 * @regs: registers with which the thread entered the kernel
 *
 * Context: any, NMI included; preemption and page faults off.
 * Return: false if no table applies, and frame pointers have to be followed.
 */
bool etw_unwind_frames(unsigned long *to, u32 *nr, struct pt_regs *regs)
{
	struct mm_struct *mm = current->mm;
	struct etw_unwind_space *space = etw_unwind_space_of(mm);

	if (unlikely(!space || etw_unwind_space_is_old(space)))
		etw_unwind_space_request(mm);
	if (!space || !READ_ONCE(space->nr_tables) || READ_ONCE(space->unmapped))
		return false;
	/* a cache line that other CPUs read is written once per tick */
	if (time_before(READ_ONCE(space->used), jiffies))
		WRITE_ONCE(space->used, jiffies);
	walk(space, to, nr, regs);
	return true;
}

/**
 * etw_unwind_counts() - walks of a CPU since there are tables
 * @cpu: a possible CPU
 *
 * Context: any.
 */
struct etw_unwind_counts etw_unwind_counts(int cpu)
{
	const struct etw_unwind_counts *of = per_cpu_ptr(&counts, cpu);
	struct etw_unwind_counts copy = { .frames = READ_ONCE(of->frames) };
	u32 i;

	for (i = 0; i < ETW_UNWIND_ENDS; i++)
		copy.ends[i] = READ_ONCE(of->ends[i]);
	return copy;
}

/**
 * etw_unwind_begin() - the first table comes: walks use tables
 *
 * Context: process; sleeps. Return: 0; -ENOMEM.
 */
int etw_unwind_begin(void)
{
	int cpu;

	hints = __alloc_percpu(sizeof(struct hint) << HINT_BITS, sizeof(struct hint));
	if (!hints)
		return -ENOMEM;
	for_each_possible_cpu(cpu)
		per_cpu(counts, cpu) = (struct etw_unwind_counts){ 0 };
	etw_unwind_spaces_begin();
	static_branch_enable(&etw_unwind_key);
	return 0;
}

/**
 * etw_unwind_end() - the last table has gone: walks follow frame pointers
 *
 * Context: process; sleeps.
 */
void etw_unwind_end(void)
{
	static_branch_disable(&etw_unwind_key);
	synchronize_rcu();	/* walks */
	etw_unwind_spaces_end();
	free_percpu(hints);
	hints = NULL;
}
