// SPDX-License-Identifier: GPL-2.0
/* A program's frames by frame pointers, without a page fault; declared in stack_capture.h. */
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

/* What a function with a frame pointer leaves on the stack, x86_64 and arm64 */
struct frame {
	unsigned long next;
	unsigned long address;
};

/* Words are of 32 bits there, and frames of another kind. */
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

/* Without the signature that arm64 puts into the high bits of return addresses */
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
 * Whether user addresses are the current thread's here. Between one thread's page tables and
 * the next one's registers a context switch runs as the first on the memory of the second. Only
 * NMIs come there: x86 knows of them in copy_from_user_nofault(), arm64 (pseudo-NMIs) does not.
 */
static bool is_its_memory(struct mm_struct *mm)
{
#ifdef CONFIG_ARM64
	/* where TTBR0 does the work of PAN, each access loads the thread's own tables */
	if (!in_nmi() || system_uses_ttbr0_pan())
		return true;
	/* the base address is in bits 47 to 1, the rest are the ASID and CnP */
	return !((read_sysreg(ttbr0_el1) ^ phys_to_ttbr(virt_to_phys(mm->pgd))) & GENMASK(47, 1));
#else
	return true;
#endif
}

/**
 * etw_stack_user_frames() - frames of the current thread's program
 * @to: room for ETW_STACK_USER_FRAMES
 * @sample: registers of a sample, or NULL
 *
 * The instruction comes from the registers, so a program has one; the rest from
 * memory, for as long as each frame lies above the one before. A precise sample of the
 * program knows another instruction than where its interrupt came, but no other frame.
 *
 * A worker that the kernel made in a program never was there. It may have registers of who
 * made it: x86 clears instruction and stack only.
 *
 * Context: any, NMI included. Return: how many; 0: a thread of the kernel, or such a worker.
 */
u32 etw_stack_user_frames(unsigned long *to, struct pt_regs *sample)
{
	struct pt_regs *regs = task_pt_regs(current);
	unsigned long at;
	u32 n = 0;

	if (etw_task_flags(current) & (PF_KTHREAD | ETW_PF_USER_WORKER) || !user_mode(regs))
		return 0;
	at = instruction_pointer(sample && user_mode(sample) ? sample : regs);
	/* not so in the page for old system calls of x86 */
	if (is_user(at))
		to[n++] = at;
	if (!current->mm || is_compat(regs) || !is_its_memory(current->mm))
		return n;
	at = etw_frame_pointer(regs);
	while (n < ETW_STACK_USER_FRAMES && at && !(at % sizeof(at))) {
		struct frame frame;

		/* it checks the address */
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
