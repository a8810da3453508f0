/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Entries and returns of kernel functions that have no tracepoint. */
#ifndef ETW_FUNCTION_PROBE_H
#define ETW_FUNCTION_PROBE_H

#include <linux/kprobes.h>
#include <linux/preempt.h>
#include <linux/types.h>

/**
 * struct etw_function_probe - a function that a source probes
 * @symbol: function name
 * @entry: handler at the function's entry, or NULL: preemption off; arguments by
 *	regs_get_kernel_argument(), the only registers that it gets. An interrupt may call it
 *	within another handler
 * @kretprobe: if @returns: has a .handler, and what that needs
 *	(.entry_handler, .data_size, .maxactive). Its .entry_handler is called like @entry
 * @returns: @kretprobe is used
 * @wants: optional, with @returns: whether a session may record the call. Called like @entry,
 *	before the kernel takes one of .maxactive places for the call. So a refused call takes
 *	no place, and is not missed for want of one
 * @optional: if the kernel lacks the symbol, the source does without it. That is logged once,
 *	unless a clone (.isra.0) is registered
 * @elsewhere: as @optional, but not logged: only other versions or machines have the symbol
 * @one_of: as @elsewhere, but at least one of all probes with @one_of must exist
 * @missed: missed calls, up to when the probe was last unregistered
 * @kprobe: kprobe for @entry; disabled if @hooked
 * @node: place among the functions that ftrace hooks
 * @hooked: ftrace calls the handler of @kprobe or, without @entry, that of @kretprobe
 * @follow: with @wants: the kernel's handler at the entry, which takes the place
 * @registered: the probe is registered
 * @reported: the log already reports that the symbol is missing
 *
 * source.c registers and unregisters those of a struct etw_source, in its .functions.
 */
struct etw_function_probe {
	const char *symbol;
	kprobe_pre_handler_t entry;
	struct kretprobe kretprobe;
	bool returns;
	bool (*wants)(struct pt_regs *regs);
	bool optional;
	bool elsewhere;
	bool one_of;
	u64 missed;
	struct kprobe kprobe;
	struct hlist_node node;
	bool hooked;
	kprobe_pre_handler_t follow;
	bool registered;
	bool reported;
};

/**
 * etw_probed_in_task() - in_task() for a probe: whether the caller is a task, not an interrupt
 *
 * For probes of functions that no NMI calls. Without function tracing, x86 probes by
 * breakpoints. These count as NMIs, so in_task() would be false for every call.
 *
 * Context: such a function probe, or a tracepoint's probe outside of NMIs.
 */
static inline bool etw_probed_in_task(void)
{
	unsigned int breakpoint = in_nmi() ? NMI_OFFSET + HARDIRQ_OFFSET : 0;

	return !((preempt_count() - breakpoint) & (NMI_MASK | HARDIRQ_MASK)) &&
	       !in_serving_softirq();
}

int etw_function_probes_register(struct etw_function_probe *probes, u32 nr);
void etw_function_probes_unregister(struct etw_function_probe *probes, u32 nr);
u64 etw_function_probes_missed(const struct etw_function_probe *probes, u32 nr);

#endif /* ETW_FUNCTION_PROBE_H */
