// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Kernel stacks of x86_64, by a table that the unwinder fills; declared in stack_walk.h. */
#include <linux/compiler.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <asm/page_types.h>
#include <asm/unwind.h>
#include "stack_capture.h"
#include "stack_sites.h"
#include "stack_walk.h"

/*
 * The kernel has no frame pointers here, and its unwinder takes most of the instructions of an
 * event with a stack (Documentation/explain/performance.rst). But the distance from a return
 * address to the next one on the stack is nearly always a constant of the call. A walk by the
 * table is used only if every address up to the kernel's entry is in the table. Each word must
 * lie on a stack of this thread or on this CPU's interrupt stack. Else the unwinder walks.
 */

/* The first word behind this CPU's interrupt stack, as the unwinder saw it; else NULL */
static DEFINE_PER_CPU(unsigned long *, irq_stack_end);

static bool on_task_stack(const unsigned long *slot)
{
	const unsigned long *begin = task_stack_page(current);

	return slot >= begin && slot < (unsigned long *)task_pt_regs(current);
}

static bool on_irq_stack(const unsigned long *slot, const unsigned long *end)
{
	return end && slot < end && slot >= end - IRQ_STACK_SIZE / sizeof(*slot);
}

/*
 * Return addresses above the walk's own frame do not change during the walk. Words beside them may
 * be local variables, which other CPUs change.
 */
static __always_inline unsigned long word_at(const unsigned long *slot)
{
#if defined(CONFIG_KASAN) || defined(CONFIG_KCSAN)
	return READ_ONCE_NOCHECK(*slot);
#else
	return *slot;	/* not volatile: the compiler can use it as an operand */
#endif
}

/*
 * From the call that changed to the interrupt stack to the task's stack: the top word is the
 * stack pointer before. Return: the slot of the next address, or NULL.
 */
static unsigned long *switch_back(unsigned long *slot, const unsigned long *end, u64 site)
{
	unsigned long *next;

	if (slot + 2 != end)
		return NULL;
	next = (unsigned long *)word_at(slot + 1);
	if (!on_task_stack(next) || !IS_ALIGNED((unsigned long)next, sizeof(*next)))
		return NULL;
	next += etw_site_distance(site);
	return on_task_stack(next) ? next : NULL;
}

/*
 * Through an interrupt of the idle thread, which runs few instructions. A return address of
 * the interrupted one would be directly below its stack. Return: that slot, or NULL.
 */
static unsigned long *interrupted(unsigned long *slot, const unsigned long *end,
				  unsigned long *address)
{
	const struct pt_regs *regs = (const struct pt_regs *)(slot + 1);
	unsigned long *above = (unsigned long *)(regs + 1), *stack;

	if (current->pid || above > end)
		return NULL;
	*address = READ_ONCE_NOCHECK(regs->ip);
	stack = (unsigned long *)READ_ONCE_NOCHECK(regs->sp);
	/* the CPU aligns its stack by 16 bytes */
	return stack == above || stack == above + 1 ? stack - 1 : NULL;
}

/*
 * From a function that aligned its stack: of the words at the known distance and beside it,
 * exactly one must be a known return address, or that of the kernel's entry. The others are
 * saved registers and local variables. Return: its slot, or NULL.
 */
static unsigned long *aligned(unsigned long *slot, const unsigned long *end, u64 site)
{
	const unsigned long *entry = (const unsigned long *)task_pt_regs(current);
	unsigned long *beside = slot + etw_site_distance(site), *found = NULL;
	int i;

	for (i = -1; i <= 1; i++) {
		if (beside + i <= slot || beside + i >= end)
			break;
		if (beside + i + 1 != entry && !etw_site_find(READ_ONCE_NOCHECK(beside[i])))
			continue;
		if (found)
			return NULL;
		found = beside + i;
	}
	return found;
}

/**
 * struct place - how far a walk is
 * @slot: slot of a return address
 * @end: end of the stack that it lies on
 * @address: the return address, or an interrupted instruction
 */
struct place {
	unsigned long *slot;
	unsigned long *end;
	unsigned long address;
};

/* Steps that are rare. Return: false if the table does not know the next place. */
static noinline bool step_otherwise(u64 site, struct place *at)
{
	unsigned long *entry = (unsigned long *)task_pt_regs(current), *next = NULL;

	switch (site & ETW_SITE_USE) {
	case ETW_SITE_USABLE(ETW_SITE_LAST):
		next = at->end == entry ? entry - 1 : NULL;
		break;
	case ETW_SITE_USABLE(ETW_SITE_SWITCH):
		next = at->end != entry ? switch_back(at->slot, at->end, site) : NULL;
		at->end = entry;
		break;
	case ETW_SITE_USABLE(ETW_SITE_REGS):
		at->slot = at->end == entry ? interrupted(at->slot, entry, &at->address) : NULL;
		return at->slot;
	case ETW_SITE_USABLE(ETW_SITE_ALIGNED):
		next = aligned(at->slot, at->end, site);
		break;
	}
	if (!next)
		return false;
	at->slot = next;
	at->address = word_at(next);
	return true;
}

/* One step. Return: false if the table does not know the next place. */
static __always_inline bool step(u64 site, struct place *at)
{
	if (unlikely((site & ETW_SITE_USE) != ETW_SITE_USABLE(ETW_SITE_STEP))) {
		struct place copy = *at;	/* which leaves @at in registers */
		bool known = step_otherwise(site, &copy);

		*at = copy;
		return known;
	}
	at->slot += etw_site_distance(site);
	if (unlikely(at->slot >= at->end))
		return false;
	at->address = word_at(at->slot);
	return true;
}

/* Whether a word may be an address of the kernel's code: in the last 2 GB */
static __always_inline bool is_like_code(unsigned long word)
{
	return word >= -(1UL << 31);
}

/*
 * The next address of a function that aligned its stack is one of three words. If only one of
 * them can be an address of code, no other is the return address.
 */
static __always_inline bool has_only_one(const unsigned long *beside)
{
	return is_like_code(word_at(beside)) + is_like_code(word_at(beside + 1)) +
	       is_like_code(word_at(beside + 2)) == 1;
}

/* Return: @nr, or the number of frames before the first that another word could be. */
static u32 before_ambiguous(const struct etw_stack_places *places, const unsigned long *start,
			    u32 nr)
{
	u32 a;

	for (a = 0; a < places->nr_aligned && places->aligned[a].index < nr; a++)
		if (!has_only_one(start + places->aligned[a].beside))
			return places->aligned[a].index;
	return nr;
}

static __always_inline bool is_same(const struct etw_frames *of, const unsigned long *start,
				    unsigned long i)
{
	return word_at(start + of->places.place[i]) == of->frame[i];
}

/*
 * Compare the words at the places of the last walk. By induction from @start, a walk by the table
 * comes to the same places up to the first difference, unless a function before it aligned its
 * stack: see before_ambiguous(). Return: number of frames.
 */
static __always_inline u32 same_places(const struct etw_frames *of, const unsigned long *start,
				       const unsigned long *last, u32 era)
{
	const struct etw_stack_places *places = &of->places;
	unsigned long i, nr = places->nr, even = nr & ~1UL;

	if (unlikely(!nr || places->era != era ||
		     start < (const unsigned long *)task_stack_page(current) ||
		     start + places->place[nr - 1] > last))
		return 0;
	/* two at a time take fewer instructions */
	for (i = 0; i < even; i += 2) {
		if (unlikely(!is_same(of, start, i)))
			return i;
		if (unlikely(!is_same(of, start, i + 1)))
			return i + 1;
	}
	return nr == even || unlikely(!is_same(of, start, i)) ? i : nr;
}

/* Whether the first @nr frames, which are those of the last walk, lead to the kernel's entry */
static __always_inline bool is_whole(const struct etw_frames *of, const unsigned long *start,
				     const unsigned long *last, u32 nr)
{
	u32 further = of->nr_own + of->nr_kernel - nr;

	if (unlikely(!nr || nr != of->places.nr))
		return false;
	if (further == 1)
		return of->places.whole && likely(word_at(last) == of->frame[nr]);
	return !further && start + of->places.place[nr - 1] == last;
}

/* Keep the place to which the table led from @from. Return: false if it cannot be kept. */
static bool keep_place(struct etw_stack_places *places, u32 index, u64 site,
		       const unsigned long *start, const unsigned long *from,
		       const unsigned long *slot)
{
	u64 kind = site & ETW_SITE_USE;

	places->whole = kind == ETW_SITE_USABLE(ETW_SITE_LAST);
	if (index == ETW_STACK_PLACES)
		return false;
	places->place[index] = slot - start;
	if (kind != ETW_SITE_USABLE(ETW_SITE_ALIGNED))
		return kind == ETW_SITE_USABLE(ETW_SITE_STEP);
	if (places->nr_aligned == ETW_STACK_ALIGNED)
		return false;
	places->aligned[places->nr_aligned].index = index;
	places->aligned[places->nr_aligned].beside = from + etw_site_distance(site) - 1 - start;
	places->nr_aligned++;
	return true;
}

/* Walk on by the table, behind the first @nr places. Return: false if the unwinder must walk. */
static noinline bool walk_on(struct etw_frames *to, unsigned long *start, unsigned long *last,
			     u32 nr, u32 era)
{
	struct etw_stack_places *places = &to->places;
	struct place at = { .slot = start, .end = last + 1, .address = word_at(start) };
	bool keep = on_task_stack(start), own;
	u32 n = 0;

	etw_forget_kernel_frames(to);
	if (nr) {
		n = nr - 1;
		at.slot = start + places->place[n];
		at.address = to->frame[n];
	} else if (!keep) {
		at.end = this_cpu_read(irq_stack_end);
		if (!on_irq_stack(start, at.end))
			return false;
	}
	places->place[0] = 0;
	places->whole = false;
	while (places->nr_aligned && (!nr || places->aligned[places->nr_aligned - 1].index >= nr))
		places->nr_aligned--;
	nr = keep ? n + 1 : 0;
	own = !n || n <= to->nr_own;
	if (own)
		to->nr_own = n;
	to->frame[n] = at.address;
	while (at.slot != last) {
		const unsigned long *from = at.slot;
		u64 site = etw_site_find(at.address);

		own = own && site & ETW_SITE_TRACER;
		if (own && ++to->nr_own > ETW_STACK_OWN_FRAMES)
			return false;
		if (!step(site, &at))
			return false;
		n++;
		keep = keep && keep_place(places, n, site, start, from, at.slot);
		nr += keep;
		if (likely(n < to->nr_own + ETW_STACK_KERNEL_FRAMES))
			to->frame[n] = at.address;
	}
	to->nr_kernel = min_t(u32, n + 1 - to->nr_own, ETW_STACK_KERNEL_FRAMES);
	places->era = era;
	places->nr = nr;
	return true;
}

/* Functions aligned their stack, or the stack is another one. */
static noinline bool walk_further(struct etw_frames *to, unsigned long *start,
				  unsigned long *last, u32 nr, u32 era)
{
	nr = before_ambiguous(&to->places, start, nr);
	return is_whole(to, start, last, nr) || walk_on(to, start, last, nr, era);
}

/**
 * etw_stack_walk() - walk the kernel's part of the current stack by the table
 * @frame: __builtin_frame_address(0) of a caller, direct or not
 * @to: in: an earlier stack, or zeros; out: the frames, of which outer ones may be left out
 *
 * Context: any; preemption off. Return: false: the unwinder must walk.
 */
bool etw_stack_walk(unsigned long *frame, struct etw_frames *to)
{
	unsigned long *start = frame + 1, *last = (unsigned long *)task_pt_regs(current) - 1;
	u32 era = etw_sites_era_now();
	u32 nr = same_places(to, start, last, era);

	if (likely(!to->places.nr_aligned && is_whole(to, start, last, nr)))
		return true;
	return walk_further(to, start, last, nr, era);
}

/**
 * struct lesson - what a walk of the unwinder saw last
 * @address: a return address that is where the unwinder says; else 0
 * @slot: its slot
 * @end: end of its stack
 * @bp: the frame pointer register of the function that it lies in
 * @name: memory for the name of a function
 */
struct lesson {
	unsigned long address;
	unsigned long *slot;
	unsigned long *end;
	unsigned long bp;
	char *name;
};

/*
 * Whether the frame of the function with the last address begins at a constant distance from
 * the frame pointer, not from the stack pointer: directly, or where the word below it points.
 * Such functions align their stack, or allocate from it.
 */
static bool uses_frame_pointer(const struct lesson *last, const unsigned long *slot)
{
	const unsigned long *bp = (const unsigned long *)last->bp;

	if (bp + 1 == slot)
		return true;
	return IS_ALIGNED(last->bp, sizeof(*bp)) && bp > last->slot && bp < slot &&
	       word_at(bp - 1) == (unsigned long)(slot + 1);
}

/* A function's frame ends with the return address in @slot, which is @distance words away. */
static void learn_frame(const struct lesson *last, unsigned long *slot, u64 distance)
{
	bool ends = slot + 1 == (unsigned long *)task_pt_regs(current);
	u64 known = etw_site_find(last->address);

	if ((known & ETW_SITE_USE) == ETW_SITE_USABLE(ETW_SITE_STEP)) {
		etw_site_learn(last->address, ETW_SITE_STEP, distance, last->name);
	} else if (ends && ((known & ETW_SITE_USE) == ETW_SITE_USABLE(ETW_SITE_LAST) ||
			    etw_site_is_last(last->address, last->name))) {
		etw_site_learn(last->address, ETW_SITE_LAST, 0, last->name);
	} else if (uses_frame_pointer(last, slot)) {
		/* with one word less or more it is the same */
		if (distance - etw_site_distance(known) + 1 <= 2)
			distance = etw_site_distance(known);
		etw_site_learn(last->address, ETW_SITE_ALIGNED, distance, last->name);
	} else {
		etw_site_learn(last->address, ETW_SITE_STEP, distance, last->name);
	}
}

/* What the table may learn from the step to a return address in @slot */
static void learn_step(const struct lesson *last, unsigned long *slot)
{
	if (slot > last->slot && on_task_stack(slot) == on_task_stack(last->slot)) {
		learn_frame(last, slot, slot - last->slot);
	} else if (on_task_stack(slot) && last->slot + 2 == last->end) {
		unsigned long *before = (unsigned long *)word_at(last->slot + 1);

		if (slot >= before && on_task_stack(before))
			etw_site_learn(last->address, ETW_SITE_SWITCH, slot - before, last->name);
	}
}

static void learn(struct lesson *last, const struct unwind_state *state, unsigned long address)
{
	unsigned long *slot = (unsigned long *)state->sp - 1;

	if (state->stack_info.type == STACK_TYPE_IRQ)
		this_cpu_write(irq_stack_end, state->stack_info.end);
	if (state->regs) {
		bool idle = !current->pid && state->full_regs;

		if (last->address && last->slot + 1 == (unsigned long *)state->regs && idle)
			etw_site_learn(last->address, ETW_SITE_REGS, 0, last->name);
		last->address = idle ? address : 0;
	} else {
		if (last->address)
			learn_step(last, slot);
		/* not if ftrace or a kretprobe put another address there */
		last->address = word_at(slot) == address ? address : 0;
	}
	last->slot = slot;
	last->end = state->stack_info.end;
	last->bp = state->bp;
}

/**
 * etw_stack_unwind() - walk the kernel's part of the current stack by the unwinder
 * @frame: __builtin_frame_address(0) of a caller, direct or not
 * @to: out: return addresses, innermost first, the tracer's too
 * @most: most of them
 * @name: memory for KSYM_SYMBOL_LEN bytes
 *
 * The table learns from it. Addresses are those of stack_trace_save().
 *
 * Context: any; preemption off. Return: number of addresses.
 */
u32 etw_stack_unwind(unsigned long *frame, unsigned long *to, u32 most, char *name)
{
	struct lesson last = { .name = name };
	struct unwind_state state;
	u32 nr = 0;

	for (unwind_start(&state, current, NULL, frame + 1); !unwind_done(&state) && nr < most;
	     unwind_next_frame(&state)) {
		unsigned long address = unwind_get_return_address(&state);

		if (!address)
			break;
		to[nr++] = address;
		learn(&last, &state, address);
	}
	return nr;
}
