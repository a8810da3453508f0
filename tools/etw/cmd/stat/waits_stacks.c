// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The stacks of waits, and what they show (declared in waits.h). */
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "libetl/event_names.h"
#include "libetl/guids.h"
#include "libetl/text.h"
#include "etw.h"
#include "etw_hooks.h"
#include "wait_reason.h"
#include "waits.h"

#define OF_WAKER	((uint64_t)1 << 32)

/* The weight of the event is the index of the wait, and which stack of it. */
static bool weigh(void *context, const struct etl_record *record, uint16_t processor,
		  struct stack_event *event)
{
	struct waits *waits = context;
	uint32_t wait;

	(void)processor;
	if (is_context_swap(record)) {
		event->tid = get32(record->payload);
		event->has_tid = true;
		wait = wait_keys_find(&waits->ends, record->time, event->tid);
		event->weight = wait;
		return wait != WAIT_NONE;
	}
	if (!etl_has_hook(record) || record->hook_id != PERFINFO_LOG_TYPE_READYTHREAD ||
	    record->payload_size < 4)
		return false;
	/* the stack is that of the running thread, which the record does not name */
	wait = wait_keys_find(&waits->readies, record->time, get32(record->payload));
	event->weight = OF_WAKER | wait;
	return wait != WAIT_NONE;
}

static void step(struct waits *waits, const struct stack_event *event,
		 const struct stack_frames *frames)
{
	unsigned int how = frames->width == 4 ? SYMBOL_NARROW : 0;
	bool stays = frames->has_key;
	uint64_t address, key, path;
	char text[SYMBOL_TEXT];
	unsigned int with;
	uint32_t i;

	if (!frames->count ||
	    (stays && call_tree_go(&waits->tree, event->pid, frames->at, frames->count,
				   symbols_epoch(waits->symbols, event->time), &path)))
		return;
	for (i = frames->count; i-- > 0;) {
		address = stack_frame(frames, i);
		with = i ? how | SYMBOL_CALLER : how;
		key = symbols_key(waits->symbols, event->pid, address, event->time, with, &stays);
		if (call_tree_step_known(&waits->tree, key))
			continue;
		symbols_name(waits->symbols, event->pid, address, event->time, with, text,
			     sizeof(text));
		call_tree_step(&waits->tree, text);
		call_tree_know(&waits->tree, key);
	}
	if (stays)
		call_tree_keep(&waits->tree, path);
}

static int take(void *context, const struct stack_event *event)
{
	struct waits *waits = context;
	struct wait *wait = &waits->wait[(uint32_t)event->weight];
	struct wait_stack *stack = event->weight & OF_WAKER ? &wait->waker : &wait->stack;

	call_tree_begin(&waits->tree);
	step(waits, event, &event->user);
	step(waits, event, &event->kernel);
	stack->node = waits->tree.at;
	stack->kernel = event->kernel.count;
	return waits->tree.no_memory ? failed("%s", strerror(ENOMEM)), -1 : 0;
}

/* Many traces have no stacks: then nothing has to lead from their events to waits */
static bool is_stack(const struct etl_record *record)
{
	uint16_t hook;

	return hook_of(record, &hook) && hook >> 8 == PERFINFO_LOG_TYPE_STACKWALK >> 8;
}

static int survey(struct waits *waits)
{
	const struct etl_record *record;
	const struct etl_buffer *buffer;
	struct merge merge;

	if (merge_begin(&merge, waits->trace, false))
		return -1;
	while (merge_next(&merge, &record, &buffer)) {
		waits->has_stacks |= is_stack(record);
		symbols_note(waits->symbols, record);
		stacks_note(&waits->stacks, record);
	}
	merge_end(&merge);
	symbols_ready(waits->symbols);
	return 0;
}

const char *wait_recorded_reason(unsigned int recorded)
{
	const char *name = recorded == WAIT_NOT_STARTED ? "NotStarted" :
			   recorded == WAIT_OTHER ? NULL : wait_reason_name(recorded);

	return name ? name : "Other";
}

int waits_survey(struct waits *waits, const struct symbol_options *where)
{
	waits->stacks = (struct stacks){
		.trace = waits->trace, .weigh = weigh, .take = take, .context = waits,
	};
	waits->tree.unit = 1;
	waits->symbols = symbols_new(waits->trace, where);
	if (!waits->symbols)
		return no_memory();
	return survey(waits);
}

/* What is known of the stacks that end in a node */
struct node_reason {
	bool known;
	uint32_t kernel;
	const char *reason;
};

/* As wait_reason_of(): few stacks have many waits */
static const char *reason_of(const struct waits *waits, const struct wait_stack *stack,
			     struct node_reason *of)
{
	of += stack->node;
	if (!of->known || of->kernel != stack->kernel)
		*of = (struct node_reason){
			.known = true, .kernel = stack->kernel,
			.reason = wait_reason_of(&waits->tree, stack->node, stack->kernel),
		};
	return of->reason;
}

int waits_add_stacks(struct waits *waits)
{
	struct node_reason *of;
	struct wait *wait;
	size_t i;

	wait_keys_seal(&waits->ends);
	wait_keys_seal(&waits->readies);
	if (waits->has_stacks && stacks_walk(&waits->stacks))
		return -1;
	wait_keys_free(&waits->ends);
	wait_keys_free(&waits->readies);
	of = calloc(waits->tree.nodes + 1, sizeof(*of));
	if (!of)
		return no_memory();
	for (i = 0; i < waits->nr_waits; i++) {
		wait = &waits->wait[i];
		wait->reason = reason_of(waits, &wait->stack, of);
		if (!wait->reason)
			wait->reason = wait_recorded_reason(wait->recorded);
	}
	free(of);
	return 0;
}

/*
 * A lock is woken by the thread that unlocks it, but a condition is not: a function of either
 * stack has to show that it was a lock.
 */
uint32_t wait_holder(const struct waits *waits, const struct wait *wait)
{
	const struct call_tree *tree = &waits->tree;

	if (wait->by >= BY_UNKNOWN || strcmp(wait->reason, WAIT_FUTEX) ||
	    !wait_stack_has(tree, wait->waker.node, wait->waker.kernel, "futex_") ||
	    wait_stack_has(tree, wait->stack.node, UINT32_MAX, "cond_"))
		return WAIT_NONE;
	if (wait_stack_has(tree, wait->waker.node, UINT32_MAX, "unlock") ||
	    wait_stack_has(tree, wait->stack.node, UINT32_MAX, "lock_wait") ||
	    wait_stack_has(tree, wait->stack.node, UINT32_MAX, "mutex_lock"))
		return wait->by;
	return WAIT_NONE;
}
