/* SPDX-License-Identifier: GPL-2.0 */
/* Entries and returns of kernel functions that have no tracepoint. */
#ifndef ETW_FUNCTION_PROBE_H
#define ETW_FUNCTION_PROBE_H

#include <linux/kprobes.h>
#include <linux/preempt.h>
#include <linux/types.h>

/**
 * struct etw_function_probe - a function that a source listens to
 * @symbol: its name
 * @entry: at its entry, or NULL: preemption off; arguments by
 *	regs_get_kernel_argument(); runs nested only in probes of NMIs
 * @kretprobe: with a @returns handler in .handler, and what it needs
 *	(.entry_handler, .data_size, .maxactive)
 * @returns: it has a @kretprobe
 * @optional: the source does without it on kernels that lack the symbol; the log says so, once,
 *	unless there is a clone of it (.isra.0) among the others
 * @elsewhere: likewise; kernels of other versions or machines have it, so nothing is said
 * @one_of: likewise, but not without all that have this
 * @missed: calls that the machinery had no place for, before it was last
 *	registered
 * @kprobe: of @entry
 * @registered: it is
 * @told: that it is missing
 *
 * Registered and unregistered by source.c for struct etw_source, its .functions.
 */
struct etw_function_probe {
	const char *symbol;
	kprobe_pre_handler_t entry;
	struct kretprobe kretprobe;
	bool returns;
	bool optional;
	bool elsewhere;
	bool one_of;
	u64 missed;
	struct kprobe kprobe;
	bool registered;
	bool told;
};

/**
 * etw_probed_in_task() - whether a task has called, and no interrupt, as in_task() says
 *
 * For probes of functions that no NMI calls. Where x86 has to set breakpoints, having no
 * function tracing, those come as NMIs do, and that would be all that in_task() sees.
 *
 * Context: such a probe, or a tracepoint's outside of NMIs.
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
