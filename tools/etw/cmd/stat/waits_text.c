// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Single waits, as text and as rows of a table. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "common/print_fields.h"
#include "libetl/text.h"
#include "terminal.h"
#include "wait_reason.h"
#include "waits_text.h"

#define STACK_TEXT	16384

/* Waits for waits are followed that far */
#define CHAIN_LENGTH	16
/* of so many waits of a thread the longest is looked for */
#define CHAIN_LOOKS	256

static const struct thread *thread_at(const struct waits *waits, uint32_t index)
{
	return lifetimes_thread_at(waits->statistics->lifetimes, index);
}

static const char *frame_at(const struct call_tree *tree, uint32_t node)
{
	return tree->name[tree->node[node].name].text;
}

/* The longest wait that the readying thread ended in the time of this one, or NULL */
static const struct wait *wait_before(const struct waits *waits, const struct wait *wait)
{
	uint32_t index = wait->by < BY_UNKNOWN ? wait->before : WAIT_NONE;
	const struct wait *before, *longest = NULL;
	unsigned int i;

	for (i = 0; index != WAIT_NONE && i < CHAIN_LOOKS; i++, index = before->previous) {
		before = &waits->wait[index];
		if (before->to <= wait->from)
			break;
		if (before->to <= wait->until &&
		    (!longest || before->until - before->from > longest->until - longest->from))
			longest = before;
	}
	return longest;
}

/* Ids of threads, each of which waited for the next one: "101 100" */
static void chain_text(const struct waits *waits, const struct wait *wait, const char *between,
		       char *to, size_t room)
{
	size_t used = snprintf(to, room, "%u", thread_at(waits, wait->thread)->life.id);
	unsigned int i;

	for (i = 0; wait && i < CHAIN_LENGTH && used < room; i++) {
		if (wait->by < BY_UNKNOWN)
			used += snprintf(to + used, room - used, "%s%u", between,
					 thread_at(waits, wait->by)->life.id);
		else if (wait->by == BY_INTERRUPT)
			used += snprintf(to + used, room - used, "%sinterrupt", between);
		wait = wait_before(waits, wait);
	}
}

/*
 * Functions, innermost first, without the scheduler's, which all have. @used: characters of the
 * line that are printed; a terminal takes as many as fit.
 */
static void print_stack(const struct waits *waits, const struct wait_stack *stack,
			const struct terminal *terminal, size_t used)
{
	const struct call_tree *tree = &waits->tree;
	size_t room = STACK_TEXT, at = 0;
	const char *name, *function;
	char *text = malloc(room);
	uint32_t node = stack->node;

	for (; text && node && at < room; node = tree->node[node].parent) {
		name = frame_at(tree, node);
		function = strchr(name, '!');
		function = function && strcmp(function, "!?") ? function + 1 : name;
		if (!at && (!strcmp(function, "__schedule") || !strcmp(function, "schedule")))
			continue;
		at += snprintf(text + at, room - at, "%s%s", at ? " < " : "", function);
	}
	if (at) {
		/* the last name may be cut inside a character */
		text[text_fit(text, room)] = '\0';
		terminal_print(text, terminal->width > used + 1 ? terminal->width - used :
								  STACK_TEXT, false);
	}
	putchar('\n');
	free(text);
}

/* @used: characters of the line that are printed, or come behind; a terminal takes what fits */
static void print_names(const struct thread *thread, const struct terminal *terminal, size_t used)
{
	terminal_names(process_name(thread->process), thread_name(thread),
		       terminal_names_room(terminal, used));
}

/* Characters of a reason, and those before the names on a narrow terminal */
#define REASON_WIDTH	13
#define NARROW_WIDTH	61

/* A narrow terminal has no room for the process id and the processor beside names. */
static bool is_narrow(const struct terminal *terminal)
{
	return terminal->width && terminal->width < 100;
}

static void print_waker(const struct waits *waits, const struct wait *wait,
			const struct terminal *terminal)
{
	static const char held[] = ", which held the lock";
	bool holds = wait_holder(waits, wait) != WAIT_NONE;
	const struct thread *thread;

	if (wait->by == BY_UNKNOWN)
		return;
	fputs("            readied by ", stdout);
	if (wait->by == BY_INTERRUPT) {
		fputs("an interrupt", stdout);
	} else {
		thread = thread_at(waits, wait->by);
		print_names(thread, terminal, 23 + printf("%u ", thread->life.id) +
			    (holds ? strlen(held) : 0));
		if (holds)
			fputs(held, stdout);
	}
	putchar('\n');
	if (!wait->waker.node)
		return;
	fputs("            in ", stdout);
	print_stack(waits, &wait->waker, terminal, 15);
}

static void print_time(int64_t ns, const struct terminal *terminal)
{
	char text[TERMINAL_NUMBER];

	if (terminal->is)
		terminal_time(ns, text);
	else
		snprintf(text, sizeof(text), "%.6f", ns / 1e9);
	printf("%12s ", text);
}

static void print_wait(const struct waits *waits, const struct wait *wait,
		       const struct terminal *terminal)
{
	const struct thread *thread = thread_at(waits, wait->thread);
	char chain[32 * CHAIN_LENGTH];
	size_t used = is_narrow(terminal) ? NARROW_WIDTH : NARROW_WIDTH - REASON_WIDTH;

	printf("%12.6f ", wait->from / 1e9);
	print_time(wait->until - wait->from, terminal);
	if (wait->ready_time)
		print_time(wait->to - wait->until, terminal);
	else
		printf("%12s ", "-");
	if (!is_narrow(terminal)) {
		used += printf("%3u ", wait->cpu);
		if (thread->process)
			used += printf("%7u ", thread->process->life.id);
		else
			used += printf("%7s ", "?");
	}
	printf("%7u ", thread->life.id);
	if (is_narrow(terminal))
		terminal_print(wait->reason, REASON_WIDTH, true);
	else
		used += printf("%-*s", REASON_WIDTH, wait->reason);
	putchar(' ');
	print_names(thread, terminal, used);
	putchar('\n');
	if (wait->stack.node) {
		fputs("            in ", stdout);
		print_stack(waits, &wait->stack, terminal, 15);
	}
	print_waker(waits, wait, terminal);
	if (wait_before(waits, wait)) {
		chain_text(waits, wait, " waited for ", chain, sizeof(chain));
		fputs("            ", stdout);
		terminal_print(chain, terminal->width > 12 ? terminal->width - 12 : sizeof(chain),
			       false);
		putchar('\n');
	}
}

void waits_print(const struct waits *waits, const uint32_t *order, size_t shown, size_t count)
{
	const struct terminal terminal = terminal_of_stdout();
	size_t i;

	putchar('\n');
	terminal_begin_head(&terminal);
	fputs(terminal.is ? "        at s      waiting        ready" :
			    "        at s    waiting s      ready s", stdout);
	fputs(is_narrow(&terminal) ? "" : " cpu     pid", stdout);
	fputs("     tid reason        process/thread", stdout);
	terminal_end_head(&terminal);
	putchar('\n');
	for (i = 0; i < shown; i++)
		print_wait(waits, &waits->wait[order[i]], &terminal);
	if (shown < count)
		printf("%zu others\n", count - shown);
	if (is_narrow(&terminal))
		puts("(more columns in --csv and --json)");
}

enum {
	AT, WAITING, READY, CPU, PID, TID, PROCESS, THREAD, REASON, RECORDED, HOW, WAKER,
	WAKER_PROCESS, WAKER_THREAD, HOLDER, CHAIN, CALLER, STACK, WAKER_STACK, COLUMNS,
};

static void make_columns(struct sheet *sheet)
{
	static const struct sheet_column columns[COLUMNS] = {
		[AT] = { SHEET_MOMENT, SHEET_EVERYWHERE, "at" },
		[WAITING] = { SHEET_TIME, SHEET_EVERYWHERE, "waiting" },
		[READY] = { SHEET_TIME, SHEET_EVERYWHERE, "ready" },
		[CPU] = { SHEET_ID, SHEET_EVERYWHERE, "cpu" },
		[PID] = { SHEET_ID, SHEET_EVERYWHERE, "pid" },
		[TID] = { SHEET_ID, SHEET_EVERYWHERE, "tid" },
		[PROCESS] = { SHEET_TEXT, SHEET_EVERYWHERE, "process" },
		[THREAD] = { SHEET_TEXT, SHEET_EVERYWHERE, "thread" },
		[REASON] = { SHEET_TEXT, SHEET_EVERYWHERE, "reason" },
		[RECORDED] = { SHEET_TEXT, SHEET_EVERYWHERE, "recorded reason" },
		[HOW] = { SHEET_TEXT, SHEET_EVERYWHERE, "how" },
		[WAKER] = { SHEET_ID, SHEET_EVERYWHERE, "by" },
		[WAKER_PROCESS] = { SHEET_TEXT, SHEET_EVERYWHERE, "by process" },
		[WAKER_THREAD] = { SHEET_TEXT, SHEET_EVERYWHERE, "by thread" },
		[HOLDER] = { SHEET_ID, SHEET_EVERYWHERE, "holder" },
		[CHAIN] = { SHEET_TEXT, SHEET_EVERYWHERE, "chain" },
		[CALLER] = { SHEET_TEXT, SHEET_EVERYWHERE, "caller" },
		[STACK] = { SHEET_TEXT, SHEET_EVERYWHERE, "stack" },
		[WAKER_STACK] = { SHEET_TEXT, SHEET_EVERYWHERE, "waker stack" },
	};
	size_t i;

	for (i = 0; i < COLUMNS; i++)
		sheet_column(sheet, columns[i].kind, columns[i].where, columns[i].name);
}

/* As folded stacks: the outermost function first */
static void put_stack(const struct waits *waits, struct sheet *sheet, size_t column,
		      const struct wait_stack *stack, char *text)
{
	const struct call_tree *tree = &waits->tree;
	size_t at = STACK_TEXT - 1, length;
	uint32_t node;

	if (!stack->node)
		return;
	text[at] = '\0';
	for (node = stack->node; node; node = tree->node[node].parent) {
		length = strlen(frame_at(tree, node));
		if (length + 1 > at)
			break;
		if (text[at])
			text[--at] = ';';
		at -= length;
		memcpy(text + at, frame_at(tree, node), length);
	}
	sheet_text(sheet, column, text + at);
}

static void put_waker(const struct waits *waits, struct sheet *sheet, const struct wait *wait)
{
	const struct thread *thread;
	uint32_t holder = wait_holder(waits, wait);

	sheet_text(sheet, HOW, wait->by == BY_INTERRUPT ? "interrupt" :
			       wait->by == BY_UNKNOWN ? "unknown" : "thread");
	if (wait->by >= BY_UNKNOWN)
		return;
	thread = thread_at(waits, wait->by);
	sheet_number(sheet, WAKER, thread->life.id);
	sheet_text(sheet, WAKER_PROCESS, process_name(thread->process));
	sheet_text(sheet, WAKER_THREAD, thread_name(thread));
	if (holder != WAIT_NONE)
		sheet_number(sheet, HOLDER, thread_at(waits, holder)->life.id);
}

static void put_wait(const struct waits *waits, struct sheet *sheet, const struct wait *wait,
		     char *text)
{
	const struct thread *thread = thread_at(waits, wait->thread);

	sheet_row(sheet);
	sheet_number(sheet, AT, wait->from);
	sheet_number(sheet, WAITING, wait->until - wait->from);
	if (wait->ready_time)
		sheet_number(sheet, READY, wait->to - wait->until);
	sheet_number(sheet, CPU, wait->cpu);
	if (thread->process)
		sheet_number(sheet, PID, thread->process->life.id);
	sheet_number(sheet, TID, thread->life.id);
	sheet_text(sheet, PROCESS, process_name(thread->process));
	sheet_text(sheet, THREAD, thread_name(thread));
	sheet_text(sheet, REASON, wait->reason);
	sheet_text(sheet, RECORDED, wait_recorded_reason(wait->recorded));
	put_waker(waits, sheet, wait);
	chain_text(waits, wait, " ", text, STACK_TEXT);
	sheet_text(sheet, CHAIN, text);
	sheet_text(sheet, CALLER, wait_caller_of(&waits->tree, wait->stack.node,
						 wait->stack.kernel));
	put_stack(waits, sheet, STACK, &wait->stack, text);
	put_stack(waits, sheet, WAKER_STACK, &wait->waker, text);
}

void waits_fill(const struct waits *waits, const uint32_t *order, size_t count,
		struct sheet *sheet)
{
	char *text = malloc(STACK_TEXT);
	size_t i;

	make_columns(sheet);
	sheet->no_memory |= !text;
	for (i = 0; text && i < count; i++)
		put_wait(waits, sheet, &waits->wait[order[i]], text);
	free(text);
}
