// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* User frames by frame pointers, without page faults; declared in stack_capture.h. */
#include <linux/bits.h>
#include <linux/mm_types.h>
#include <linux/preempt.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <linux/uaccess.h>
#include "compat.h"
#include "record/thread_ids.h"
#include "user_end.h"
#include "stack_capture.h"

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
static unsigned long plain(unsigned long address)
{
#ifdef CONFIG_ARM64
	return address & (ETW_USER_END - 1);
#else
	return address;
#endif
}

static bool is_user(unsigned long address)
{
	return address && address < ETW_USER_END;
}

/*
 * Whether user addresses are those of the current thread. A context switch loads the next
 * thread's page tables while current is still the previous thread. Only NMIs can interrupt
 * there: x86's copy_from_user_nofault() detects that, arm64's (pseudo-NMIs) does not.
 */
static bool is_its_memory(struct mm_struct *mm)
{
#ifdef CONFIG_ARM64
	/* if PAN is emulated by TTBR0, each access loads the thread's own page tables */
	if (!in_nmi() || system_uses_ttbr0_pan())
		return true;
	/* bits 47 to 1 are the base address, the others the ASID and CnP */
	return !((read_sysreg(ttbr0_el1) ^ phys_to_ttbr(virt_to_phys(mm->pgd))) & GENMASK(47, 1));
#else
	return true;
#endif
}

/**
 * etw_stack_user_frames() - capture the user frames of the current thread
 * @to: out: up to ETW_STACK_USER_FRAMES
 * @sample: registers of a sample, or NULL
 *
 * The first address comes from the registers, the others from memory, as long as each frame
 * is above the previous one. For a precise sample, the first address is that of @sample,
 * but the frame pointer is that of the interrupt.
 *
 * A worker that the kernel made within a process never runs user code. It may have its
 * creator's registers: x86 clears only instruction and stack pointer.
 *
 * Context: any, NMI included. Return: number of frames; 0 for kernel threads and such workers.
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
	while (n < ETW_STACK_USER_FRAMES && at && !(at % sizeof(at))) {
		struct frame frame;

		/* copy_from_user_nofault() checks the address */
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
