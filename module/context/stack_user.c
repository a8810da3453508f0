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
 * memory before it loads its page tables. Interrupts and NMIs can be there.
 */
static bool is_its_memory(struct mm_struct *mm)
{
	if (!in_interrupt())
		return true;
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

/*
 * Elsewhere, access to all of the program's memory above the first frame is opened once.
 * Between begin and end no function may be called. Each address comes from the program, so a
 * misprediction must not read the kernel's memory.
 */
static u32 read_at_once(unsigned long *to, u32 n, unsigned long at)
{
	struct frame frame;

	if (!is_aligned(at) || !is_user(at) || !user_read_access_begin((void __user *)at,
								       ETW_USER_END - at))
		return n;
	while (n < ETW_STACK_USER_FRAMES) {
		const struct frame __user *from =
			(void __user *)array_index_nospec(at, ETW_USER_END);

		unsafe_get_user(frame.next, &from->next, done);
		unsafe_get_user(frame.address, &from->address, done);
		frame.address = plain(frame.address);
		if (!is_user(frame.address))
			break;
		to[n++] = frame.address;
		if (frame.next <= at || !is_aligned(frame.next) || !is_user(frame.next))
			break;
		at = frame.next;
	}
done:
	user_read_access_end();
	return n;
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
	if (!current->mm || is_compat(regs) || !is_its_memory(current->mm))
		return n;
	at = etw_frame_pointer(regs);
	if (IS_ENABLED(CONFIG_UML))
		return read_singly(to, n, at);
	pagefault_disable();
	if (!etw_unwind_is_on() || !n || !etw_unwind_frames(to, &n, regs))
		n = read_at_once(to, n, at);
	pagefault_enable();
	return n;
}
