// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/*
 * Interrupts with handlers that call the next one's, as those of lines do that stand for others.
 * The innermost line is one that devices share: the first one's handler says that it isn't its.
 */
#include <linux/interrupt.h>
#include <linux/irq.h>
#include <linux/module.h>
#include <linux/numa.h>

#define TIMES	200

static int lines = 3;
module_param(lines, int, 0444);
MODULE_PARM_DESC(lines, "how many, each within the one before");

static int first;

static irqreturn_t handle(int irq, void *line)
{
	if (irq + 1 < first + lines)
		generic_handle_irq(irq + 1);
	return IRQ_HANDLED;
}

static irqreturn_t not_ours(int irq, void *line)
{
	return IRQ_NONE;
}

static int request_line(int irq)
{
	const unsigned long flags = IRQF_NO_THREAD | IRQF_SHARED;
	int err = 0;

	irq_set_chip_and_handler(irq, &dummy_irq_chip, handle_simple_irq);
	irq_clear_status_flags(irq, IRQ_NOREQUEST);
	if (irq + 1 == first + lines)
		err = request_irq(irq, not_ours, flags, "etw-not-ours", &lines);
	if (err)
		return err;
	err = request_irq(irq, handle, flags, "etw-nested", &first);
	if (err && irq + 1 == first + lines)
		free_irq(irq, &lines);
	return err;
}

static void free_lines(int count)
{
	if (count == lines)
		free_irq(first + count - 1, &lines);
	while (count--)
		free_irq(first + count, &first);
	irq_free_descs(first, lines);
}

static int __init nested_init(void)
{
	int i, err;

	/* no module's, which could not go while they are requested */
	first = __irq_alloc_descs(-1, 0, lines, NUMA_NO_NODE, NULL, NULL);
	if (first < 0)
		return first;
	for (i = 0; i < lines; i++) {
		err = request_line(first + i);
		if (err) {
			free_lines(i);
			return err;
		}
	}
	for (i = 0; i < TIMES; i++)
		generic_handle_irq_safe(first);
	return 0;
}

static void __exit nested_exit(void)
{
	free_lines(lines);
}

module_init(nested_init);
module_exit(nested_exit);

MODULE_DESCRIPTION("Handlers within handlers of interrupts, for tests");
MODULE_LICENSE("GPL");
