/* SPDX-License-Identifier: GPL-2.0 */
/* Which of the innermost frames are the tracer's: pure, shared with tests. */
#ifndef ETW_STACK_SKIP_H
#define ETW_STACK_SKIP_H

#include <linux/types.h>

/* Frames that may stand before the event's own */
#define ETW_STACK_TRACER_FRAMES		48

/**
 * struct etw_stack_rules - whose an address is
 * @is_own: this module's
 * @is_machinery: of what calls this module's probes
 */
struct etw_stack_rules {
	bool (*is_own)(unsigned long address);
	bool (*is_machinery)(unsigned long address);
};

u32 etw_stack_skip_tracer(const unsigned long *frames, u32 nr,
			  const struct etw_stack_rules *rules);
u32 etw_stack_skip_to(const unsigned long *frames, u32 nr, unsigned long address);
bool etw_stack_names_machinery(const char *name);

#endif /* ETW_STACK_SKIP_H */
