// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Address of a kernel symbol: kprobes look it up, but no probe is ever armed. */
#include <linux/kprobes.h>
#include <linux/math.h>
#include "kernel_address.h"

/**
 * etw_kernel_address() - address of a symbol that is not exported
 * @symbol: its name
 *
 * For records, or to read a table with care; never to call. register_kprobe() looks the
 * symbol up before it checks whether a probe is allowed there, and leaves the address in
 * the probe if not. If allowed, the probe is registered disabled, so that no code changes.
 *
 * Context: process; sleeps.
 * Return: the address; 0 if there is no such symbol, or without kprobes.
 */
unsigned long etw_kernel_address(const char *symbol)
{
#ifdef CONFIG_KPROBES
	struct kprobe probe = { .symbol_name = symbol, .flags = KPROBE_FLAG_DISABLED };
	unsigned long address;

	if (!register_kprobe(&probe))
		unregister_kprobe(&probe);
	address = (unsigned long)probe.addr;
	/* register_kprobe() may have skipped ENDBR, the landing mark of indirect calls */
	if (IS_ENABLED(CONFIG_X86_KERNEL_IBT))
		address = round_down(address, 16);
	return address;
#else
	return 0;
#endif
}
