/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Interrupts and deferred work, one by one. */
#ifndef ETW_STAT_INTERRUPTS_H
#define ETW_STAT_INTERRUPTS_H

#include "libetl/event_filter.h"
#include "libetl/trace.h"
#include "symbols/symbols.h"

/**
 * struct interrupt - an interrupt, or deferred work
 * @time: of its end, session clock
 * @kind: DPC, ThreadedDPC, TimerDPC or ISR
 * @processor: that it ran on
 * @has_vector: an interrupt: @vector is valid
 * @vector: its number
 * @routine: address of what ran, 0: unknown
 * @ns: how long
 */
struct interrupt {
	uint64_t time;
	const char *kind;
	uint16_t processor;
	bool has_vector;
	uint16_t vector;
	uint64_t routine;
	uint64_t ns;
};

/**
 * struct interrupt_observer - gets each interrupt that the filter wants, in the order of their ends
 */
struct interrupt_observer {
	void *context;
	void (*take)(void *context, const struct interrupt *interrupt);
};

/* Whether an interrupt or deferred work has this hook id */
bool is_interrupt_hook(uint16_t hook);
/* Those that the filter wants. Return: 0, or -1 after a message */
int interrupts_find(const struct trace *trace, const struct event_filter *filter,
		    void (*each)(void *context, const struct interrupt *interrupt), void *context);
/* The function at that address. Return: @name; NULL: unknown */
const char *interrupt_function(struct symbols *symbols, uint64_t routine, uint64_t time,
			       char name[SYMBOL_TEXT]);

#endif /* ETW_STAT_INTERRUPTS_H */
