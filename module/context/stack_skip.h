/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Number of innermost frames that belong to the tracer: pure, shared with tests. */
#ifndef ETW_STACK_SKIP_H
#define ETW_STACK_SKIP_H

#include <linux/types.h>

/* Most frames that may come before the event's own */
#define ETW_STACK_TRACER_FRAMES		48

/**
 * struct etw_stack_rules - classification of addresses
 * @is_own: in this module
 * @is_machinery: in functions that call this module's probes
 * @data: for both
 */
struct etw_stack_rules {
	bool (*is_own)(unsigned long address, void *data);
	bool (*is_machinery)(unsigned long address, void *data);
	void *data;
};

u32 etw_stack_skip_tracer(const unsigned long *frames, u32 nr,
			  const struct etw_stack_rules *rules);
u32 etw_stack_skip_to(const unsigned long *frames, u32 nr, unsigned long address);
bool etw_stack_names_machinery(const char *name);
bool etw_stack_names_tracepoint(const char *name);

#endif /* ETW_STACK_SKIP_H */
