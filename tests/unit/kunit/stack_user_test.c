// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Where a program's frames begin: at the instruction of a sample, if that is the program's. */
#include <kunit/test.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include "compat.h"
#include "record/thread_ids.h"

/* The program's registers, and a sample's; the test itself runs in a thread of the kernel. */
static struct pt_regs program, sample;

#undef task_pt_regs
#define task_pt_regs(task)	(&program)
#define etw_task_flags(task)	0U
#include "context/stack_user.c"

DEFINE_STATIC_KEY_FALSE(etw_unwind_key);

bool etw_unwind_frames(unsigned long *to, u32 *nr, struct pt_regs *regs)
{
	return false;
}

#define CAME	0x401234UL	/* where the interrupt came */
#define SAMPLED	0x401230UL
#define KERNEL	(ETW_USER_END + PAGE_SIZE)

static void set(struct pt_regs *regs, bool user, unsigned long ip)
{
#if defined(CONFIG_UML)
	PT_REGS_IP(regs) = ip;
	regs->regs.is_user = user;
#elif defined(CONFIG_X86)
	regs->ip = ip;
	regs->cs = user ? __USER_CS : __KERNEL_CS;
#else
	regs->pc = ip;
	regs->pstate = user ? PSR_MODE_EL0t : PSR_MODE_EL1h;
#endif
}

static void expect_first(struct kunit *test, struct pt_regs *of, u32 nr, unsigned long ip)
{
	static unsigned long frames[ETW_STACK_USER_FRAMES];

	frames[0] = 0;
	KUNIT_EXPECT_EQ(test, etw_stack_user_frames(frames, of), nr);
	KUNIT_EXPECT_EQ(test, frames[0], ip);
}

static void precise_sample_is_first(struct kunit *test)
{
	set(&program, true, CAME);
	set(&sample, true, SAMPLED);
	expect_first(test, NULL, 1, CAME);
	expect_first(test, &sample, 1, SAMPLED);
	/* before the call that was interrupted */
	set(&sample, false, KERNEL);
	expect_first(test, &sample, 1, CAME);
	/* x86's page for old system calls */
	set(&sample, true, KERNEL);
	expect_first(test, &sample, 0, 0);
	set(&program, false, KERNEL);
	expect_first(test, NULL, 0, 0);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(precise_sample_is_first),
	{}
};

static struct kunit_suite suite = {
	.name = "etw_stack_user",
	.test_cases = cases,
};

kunit_test_suite(suite);
