// SPDX-License-Identifier: GPL-2.0
/* Where a symbol of the kernel is: kprobes look it up, and none is ever armed. */
#include <linux/kprobes.h>
#include <linux/math.h>
#include "kernel_address.h"

/**
 * etw_kernel_address() - address of a symbol that is not exported
 * @symbol: its name
 *
 * For records, or to read a table with care; never to call. The lookup comes
 * before the question whether a probe may stand there, and its result stays when
 * the answer is no; one that may begins disabled, so that no code changes.
 *
 * Context: process; sleeps.
 * Return: the address; 0 when there is no such symbol, or no kprobes.
 */
unsigned long etw_kernel_address(const char *symbol)
{
#ifdef CONFIG_KPROBES
	struct kprobe probe = { .symbol_name = symbol, .flags = KPROBE_FLAG_DISABLED };
	unsigned long address;

	if (!register_kprobe(&probe))
		unregister_kprobe(&probe);
	address = (unsigned long)probe.addr;
	/* behind the instruction that marks where indirect calls may land */
	if (IS_ENABLED(CONFIG_X86_KERNEL_IBT))
		address = round_down(address, 16);
	return address;
#else
	return 0;
#endif
}
