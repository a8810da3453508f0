// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* User frames by frame pointers or tables, without page faults; declared in stack_capture.h. */
#include <linux/bits.h>
#include <linux/mm_types.h>
#include <linux/nospec.h>
#include <linux/preempt.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <linux/uaccess.h>
#ifdef CONFIG_ARM64
#include <asm/asm-extable.h>
#endif
#include "compat.h"
#include "record/thread_ids.h"
#include "user_end.h"
#include "stack_capture.h"
#include "unwind_walk.h"

/* Stack frame of a function with a frame pointer, x86_64 and arm64 */
struct frame {
	unsigned long next;
	unsigned long address;
};

/* 32-bit programs have other words and frames. */
static bool is_compat(const struct pt_regs *regs)
{
#if defined(CONFIG_X86)
	return regs->cs == __USER32_CS;
#elif defined(CONFIG_ARM64)
	return compat_user_mode(regs);
#else
	return false;
#endif
}

/* Removes the signature that arm64 puts into the high bits of return addresses. */
static __always_inline unsigned long plain(unsigned long address)
{
#ifdef CONFIG_ARM64
	return address & (ETW_USER_END - 1);
#else
	return address;
#endif
}

static __always_inline bool is_aligned(unsigned long at)
{
	return at && !(at % sizeof(at));
}

static __always_inline bool is_user(unsigned long address)
{
	return address && address < ETW_USER_END;
}

/*
 * Whether user addresses are those of the current thread. A context switch loads the next
 * thread's page tables while current is still the previous thread, and exec sets the new
 * memory before it loads its page tables. Only interrupts and NMIs can come at that moment.
 */
static bool is_its_memory(struct mm_struct *mm)
{
#if defined(CONFIG_ARM64)
	/* if PAN is emulated by TTBR0, each access loads the thread's own page tables */
	if (system_uses_ttbr0_pan())
		return true;
	/* bits 47 to 1 are the base address, the others the ASID and CnP */
	return !((read_sysreg(ttbr0_el1) ^ phys_to_ttbr(virt_to_phys(mm->pgd))) & GENMASK(47, 1));
#elif defined(CONFIG_X86)
	return read_cr3_pa() == __pa(mm->pgd);
#else
	return true;
#endif
}

/* User Mode Linux cannot read otherwise without a fault. */
static u32 read_singly(unsigned long *to, u32 n, unsigned long at)
{
	while (n < ETW_STACK_USER_FRAMES && is_aligned(at)) {
		struct frame frame;

		/* it checks the address, too */
		if (copy_from_user_nofault(&frame, (void __user *)at, sizeof(frame)))
			break;
		frame.address = plain(frame.address);
		if (!is_user(frame.address))
			break;
		to[n++] = frame.address;
		if (frame.next <= at)
			break;
		at = frame.next;
	}
	return n;
}

#ifdef CONFIG_ARM64
#define begin_reading(at)	({ uaccess_ttbr0_enable(); true; })
#define end_reading()		uaccess_ttbr0_disable()

/*
 * The loads have the rights of the program, so they need no check of the address. If one cannot
 * be done, the return address is 0, which ends the walk.
 */
static __always_inline bool read_frame(struct frame *frame, unsigned long from)
{
	asm volatile("	mov	%1, xzr\n"
		     "1:	ldtr	%0, [%2]\n"
		     "2:	ldtr	%1, [%2, #8]\n"
		     "3:\n"
		     _ASM_EXTABLE_UACCESS(1b, 3b)
		     _ASM_EXTABLE_UACCESS(2b, 3b)
		     : "=&r" (frame->next), "=&r" (frame->address) : "r" (from) : "memory");
	return true;
}

/* The end is a power of two. The compiler knows that @at is below it, the processor may not. */
static __always_inline unsigned long without_speculation(unsigned long at, unsigned long end)
{
	OPTIMIZER_HIDE_VAR(at);
	return at & (end - 1);
}
#else
/* Access to all of the program's memory is opened once, at the first frame. */
#define begin_reading(at)	user_read_access_begin((void __user *)(at), sizeof(struct frame))
#define end_reading()		user_read_access_end()

/* Return: false if the frame is not in memory. */
static __always_inline bool read_frame(struct frame *frame, unsigned long from)
{
	const struct frame __user *user = (void __user *)from;

	unsafe_get_user(frame->next, &user->next, fault);
	unsafe_get_user(frame->address, &user->address, fault);
	return true;
fault:
	return false;
}

static __always_inline unsigned long without_speculation(unsigned long at, unsigned long end)
{
	return array_index_nospec(at, end);
}
#endif

/*
 * Between begin and end no function may be called. Each address comes from the program, so a
 * misprediction must not read the kernel's memory. @n is at most 1, so a first frame always fits.
 */
static __always_inline u32 read_at_once(unsigned long *to, u32 n, unsigned long at)
{
	unsigned long *next = to + n, *last = to + ETW_STACK_USER_FRAMES;
	const unsigned long end = ETW_USER_END;	/* x86 chooses it at each use */

	if (!is_aligned(at) || at >= end || !begin_reading(at))
		return n;
	do {
		struct frame frame;

		if (unlikely(!read_frame(&frame, without_speculation(at, end))))
			break;
		frame.address = plain(frame.address);
		if (frame.address - 1 >= end - 1)
			break;
		*next++ = frame.address;
		if (frame.next <= at || frame.next % sizeof(at) || frame.next >= end)
			break;
		at = frame.next;
	} while (next != last);
	end_reading();
	return next - to;
}

static noinline u32 read_by_tables(unsigned long *to, u32 n, struct pt_regs *regs)
{
	pagefault_disable();
	if (!n || !etw_unwind_frames(to, &n, regs))
		n = read_at_once(to, n, etw_frame_pointer(regs));
	pagefault_enable();
	return n;
}

/* If no unwind tables are in use, this function calls no other function. */
static __always_inline u32 read_frames(unsigned long *to, u32 n, struct pt_regs *regs)
{
	if (etw_unwind_is_on())
		return read_by_tables(to, n, regs);
	pagefault_disable();
	n = read_at_once(to, n, etw_frame_pointer(regs));
	pagefault_enable();
	return n;
}

/* A separate function, so that its caller saves no registers for a call */
static noinline u32 read_in_interrupt(unsigned long *to, u32 n, struct pt_regs *regs)
{
	return is_its_memory(current->mm) ? read_frames(to, n, regs) : n;
}

/**
 * etw_stack_user_frames() - capture the user frames of the current thread
 * @to: out: up to ETW_STACK_USER_FRAMES
 * @sample: registers of a sample, or NULL
 *
 * The first address comes from the registers, the others from memory, as long as each frame
 * is above the previous one. If the process has files with unwind tables, these lead to the
 * callers. For a precise sample, the first address is that of @sample,
 * but the frame pointer is that of the interrupt.
 *
 * A worker that the kernel made within a process never runs user code. It may have its
 * creator's registers: x86 clears only instruction and stack pointer.
 *
 * Context: any, NMI included; preemption off.
 * Return: number of frames; 0 for kernel threads and such workers.
 */
u32 etw_stack_user_frames(unsigned long *to, struct pt_regs *sample)
{
	struct pt_regs *regs = task_pt_regs(current);
	unsigned long at;
	u32 n = 0;

	if (etw_task_flags(current) & (PF_KTHREAD | ETW_PF_USER_WORKER) || !user_mode(regs))
		return 0;
	at = instruction_pointer(sample && user_mode(sample) ? sample : regs);
	/* not in x86's vsyscall page */
	if (is_user(at))
		to[n++] = at;
	if (!current->mm || is_compat(regs))
		return n;
	if (IS_ENABLED(CONFIG_UML))
		return read_singly(to, n, etw_frame_pointer(regs));
	if (unlikely(in_interrupt()))
		return read_in_interrupt(to, n, regs);
	return read_frames(to, n, regs);
}
