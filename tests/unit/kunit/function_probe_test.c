// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/*
 * The caller of a function with a probe that is a breakpoint, as x86 has it without function
 * tracing.
 */
#include <kunit/test.h>
#include <linux/irqflags.h>
#include "source/function_probe.h"

#define BREAKPOINT	(NMI_OFFSET + HARDIRQ_OFFSET)	/* as __nmi_enter() counts */

static void expect(struct kunit *test, unsigned int count, bool task)
{
	bool by_ftrace, by_breakpoint;
	unsigned long flags;

	local_irq_save(flags);
	preempt_count_add(count);
	by_ftrace = etw_probed_in_task();
	preempt_count_add(BREAKPOINT);
	by_breakpoint = etw_probed_in_task();
	preempt_count_sub(BREAKPOINT);
	preempt_count_sub(count);
	local_irq_restore(flags);
	KUNIT_EXPECT_EQ_MSG(test, by_ftrace, task, "%#x", count);
	KUNIT_EXPECT_EQ_MSG(test, by_breakpoint, task, "%#x, breakpoint", count);
}

static void breakpoints_are_no_interrupts(struct kunit *test)
{
	expect(test, PREEMPT_OFFSET, true);
	/* softirqs are off: it is a task all the same */
	if (!IS_ENABLED(CONFIG_PREEMPT_RT))
		expect(test, SOFTIRQ_DISABLE_OFFSET, true);
	if (!IS_ENABLED(CONFIG_PREEMPT_RT))
		expect(test, SOFTIRQ_OFFSET, false);
	expect(test, HARDIRQ_OFFSET, false);
	expect(test, 2 * HARDIRQ_OFFSET, false);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(breakpoints_are_no_interrupts),
	{}
};

static struct kunit_suite suite = {
	.name = "etw_function_probe",
	.test_cases = cases,
};

kunit_test_suite(suite);
