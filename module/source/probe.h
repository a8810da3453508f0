/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Probes of tracepoints: preemption is off in all of them, on every kernel. */
#ifndef ETW_PROBE_H
#define ETW_PROBE_H

#include <linux/tracepoint.h>
#include "compat.h"
#include "source.h"

/**
 * struct etw_probe - a probe of a tracepoint
 * @name: tracepoint name
 * @call: a function of the tracepoint's prototype
 *
 * Only ETW_PROBE() makes these, and a struct etw_hook_point accepts nothing else. So
 * every probe runs with what ETW_PROBE() adds.
 */
struct etw_probe {
	const char *name;
	void *call;
};

/**
 * ETW_PROBE() - define probe_TRACEPOINT, the probe of a tracepoint
 * @tracepoint: tracepoint name
 * @proto: TP_PROTO() of the tracepoint's own arguments
 * @args: TP_ARGS(), their names
 *
 * The probe's body follows; in it, "source" is the probe's source. Preemption is off, so
 * that a reservation and its commit happen on one CPU, no other probe uses that CPU's
 * scratch meanwhile, and RCU keeps the listeners. Before 6.13 tracepoints disable
 * preemption themselves; later ones only hold SRCU, see compat.h. Function probes, samplers
 * and ftrace's hooks don't need this macro: kprobes and kretprobes run with interrupts or
 * preemption off, overflow handlers in an NMI, an interrupt or the scheduler.
 *
 * The probe is notrace: otherwise function tracing's two empty instructions would be
 * executed at every event. The compiler compares its prototype with the kernel's.
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
