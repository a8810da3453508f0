/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Events, their stacks and the names in them, as a tree. */
#ifndef ETW_STAT_STACKS_H
#define ETW_STAT_STACKS_H

#include "libetl/event_stacks.h"
#include "libetl/samples.h"
#include "symbols/symbols.h"
#include "call_tree.h"
#include "cpu.h"
#include "report.h"
#include "sources.h"

enum stack_weight {
	WEIGH_EVENTS,		/* each event 1, a merged sample its count */
	WEIGH_WAITING,		/* context swaps: ns that the thread had waited; shown in us */
};

/**
 * struct stacks_before - what stacks are compared with
 * @tree: the other stacks
 * @name: of their file
 */
struct stacks_before {
	struct call_tree tree;
	const char *name;
};

/**
 * struct stack_report - what is asked for, and what comes out
 * @all_samples: the samples, whatever took them
 * @by_source: each source's have a tree
 * @by_module: steps are modules instead of functions
 * @hook_id: else, which events
 * @weight: what they weigh
 * @each: gets each event, after it has come into @tree, where it ends at @tree->at; may be NULL.
 *	Return: 0, or -1 after a message
 * @context: for @each
 * @before: what the stacks are compared with; NULL: nothing
 * @trees: what comes out: one, or by source
 * @tree: that of the event which is being added
 * @sources: of the samples
 * @left_out: samples of more sources
 * @symbols: names; kept for callers that need them longer
 * @stacks: counts of what was found
 * @events: events
 * @with_kernel: of them, with a kernel part
 * @with_user: of them, with a user part
 * @samples: where their fields are
 * @issuer: of events that have one: where it is
 * @since: by index of the thread: when it began to wait, session clock; 0: it does not wait
 * @now: the latest switch: damaged files may go back in time, what is summed up never does
 * @sight: where switches are missing
 * @unsure: waits that may have been several, for a switch may be missing
 */
struct stack_report {
	const struct trace *trace;
	const struct statistics *statistics;
	const struct symbol_options *where;
	bool all_samples;
	bool by_source;
	bool by_module;
	uint16_t hook_id;
	enum stack_weight weight;
	int (*each)(struct stack_report *report, const struct stack_event *event);
	void *context;
	struct stacks_before *before;
	struct call_tree trees[SOURCES];
	struct call_tree *tree;
	struct sources sources;
	uint64_t left_out;
	struct symbols *symbols;
	struct stacks stacks;
	uint64_t events;
	uint64_t with_kernel;
	uint64_t with_user;
	struct sample_fields samples;
	struct event_number issuer;
	uint64_t *since;
	size_t since_room;
	uint64_t now;
	struct cpu_sight sight;
	uint64_t unsure;
};

/* Reads the trace twice. Return: 0, or -1 after a message */
int stack_report_make(struct stack_report *report);
void stack_report_free(struct stack_report *report);

#endif /* ETW_STAT_STACKS_H */
