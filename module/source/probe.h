/* SPDX-License-Identifier: GPL-2.0 */
/* Probes of tracepoints: preemption is off in every one, whatever the kernel does. */
#ifndef ETW_PROBE_H
#define ETW_PROBE_H

#include <linux/tracepoint.h>
#include "compat.h"
#include "source.h"

/**
 * struct etw_probe - what is called at a tracepoint
 * @name: the tracepoint's
 * @call: a function of the tracepoint's prototype
 *
 * Made by ETW_PROBE() only: a struct etw_hook_point takes nothing else, so no probe
 * runs without what stands there.
 */
struct etw_probe {
	const char *name;
	void *call;
};

/**
 * ETW_PROBE() - define probe_TRACEPOINT, the probe of a tracepoint
 * @tracepoint: its name
 * @proto: TP_PROTO() of the tracepoint's own arguments
 * @args: TP_ARGS(), their names
 *
 * Its body follows; there, "source" is whose probe it is. Preemption is off in it: a
 * place is reserved and committed on one CPU, nobody else's probe uses that CPU's
 * scratch meanwhile, and RCU keeps the listeners. Before 6.13 tracepoints see to it
 * themselves, later ones hold SRCU only, see compat.h; function probes, samplers and
 * ftrace's hooks need none of this: kprobes run with interrupts or preemption off,
 * returns of functions, too, overflow handlers in an NMI, an interrupt or the scheduler.
 *
 * Who traces functions doesn't see it (notrace): its two empty instructions would be
 * executed at every event. The compiler compares it with the running kernel's prototype.
 */
#define ETW_PROBE(tracepoint, proto, args)					\
	static __always_inline void body_##tracepoint(struct etw_source *source, proto);	\
	static void notrace call_##tracepoint(void *source, proto)		\
	{									\
		etw_tracepoint_enter();						\
		body_##tracepoint(source, args);				\
		etw_tracepoint_leave();						\
	}									\
	static void __maybe_unused check_##tracepoint(void)			\
	{									\
		check_trace_callback_type_##tracepoint(call_##tracepoint);	\
	}									\
	static const struct etw_probe probe_##tracepoint = {			\
		.name = #tracepoint,						\
		.call = call_##tracepoint,					\
	};									\
	static __always_inline void body_##tracepoint(struct etw_source *source, proto)

#endif /* ETW_PROBE_H */
