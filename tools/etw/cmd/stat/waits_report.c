// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* etw stat FILE waits: its tables (declared in waits.h). */
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "libetl/text.h"
#include "etw.h"
#include "wait_reason.h"
#include "waits.h"
#include "waits_text.h"

#define LABEL	512
/* bytes of a name in a label; two of them and an id fit */
#define LABEL_NAME	200

/**
 * struct wait_group - waits with one reason, or another thing that they share
 * @label: what they share
 * @waiting: their times
 * @ready: of those with a ReadyThread record, how long until the thread ran
 */
struct wait_group {
	char label[LABEL];
	struct spans waiting;
	struct spans ready;
};

static void thread_label(const struct waits *waits, uint32_t index, bool process, char to[LABEL])
{
	const struct thread *thread = lifetimes_thread_at(waits->statistics->lifetimes, index);
	const char *program = process_name(thread->process), *name = thread_name(thread);

	int size = text_fit(program, LABEL_NAME);

	if (process && thread->process)
		snprintf(to, LABEL, "%.*s (%u)", size, program, thread->process->life.id);
	else
		snprintf(to, LABEL, "%.*s%s%.*s (%u)", size, program,
			 program[0] && name[0] ? "/" : "", (int)text_fit(name, LABEL_NAME), name,
			 thread->life.id);
}

static void label_of(const struct waits *waits, const struct wait *wait, enum report_by by,
		     char to[LABEL])
{
	const struct thread *thread;
	const char *caller;

	switch (by) {
	case BY_THREAD:
	case BY_PROCESS:
		thread_label(waits, wait->thread, by == BY_PROCESS, to);
		break;
	case BY_CONTAINER:
		thread = lifetimes_thread_at(waits->statistics->lifetimes, wait->thread);
		snprintf(to, LABEL, "%.*s", LABEL - 1,
			 container_label(thread->process));
		to[text_fit(to, LABEL)] = '\0';
		break;
	case BY_WAKER:
		if (wait->by < BY_UNKNOWN)
			thread_label(waits, wait->by, false, to);
		else
			snprintf(to, LABEL, wait->by == BY_INTERRUPT ? "interrupt" : "unknown");
		break;
	case BY_CALLER:
		caller = wait_caller_of(&waits->tree, wait->stack.node, wait->stack.kernel);
		snprintf(to, LABEL, "%s", caller[0] ? caller : "unknown");
		/* a name of C++ may be cut inside a character */
		to[text_fit(to, LABEL)] = '\0';
		break;
	default:
		snprintf(to, LABEL, "%s", wait->reason);
	}
}

static const char *by_name(enum report_by by)
{
	return by == BY_THREAD ? "thread" : by == BY_PROCESS ? "process" :
	       by == BY_CONTAINER ? "container" :
	       by == BY_WAKER ? "waker" : by == BY_CALLER ? "caller" : "reason";
}

static void release_group(void *value)
{
	struct wait_group *group = value;

	spans_free(&group->waiting);
	spans_free(&group->ready);
}

/* The group of a label, which is new at first. Return: NULL: no memory */
static struct wait_group *group_of(struct keyed *groups, const char text[LABEL])
{
	struct wait_group *group = keyed_of(groups, map_mix(MAP_MIX, text, strlen(text)));

	if (group)
		snprintf(group->label, LABEL, "%s", text);
	return group;
}

/* By reason: those of a bounded list, too */
static bool add_left_out(const struct waits *waits, struct keyed *groups)
{
	const struct wait_sum *sum;
	struct wait_group *group;
	unsigned int i;

	for (i = 0; waits->bounded && i < RECORDED_REASONS; i++) {
		sum = &waits->left_out[i];
		if (!sum->waiting.count)
			continue;
		group = group_of(groups, wait_recorded_reason(i));
		if (!group)
			return false;
		spans_merge(&group->waiting, &sum->waiting);
		spans_merge(&group->ready, &sum->ready);
	}
	return true;
}

static int fill_groups(const struct waits *waits, struct sheet *sheet, enum report_by by)
{
	size_t count = sheet_column(sheet, SHEET_COUNT, SHEET_EVERYWHERE, "waits");
	size_t waiting = spans_columns(sheet, "waiting");
	size_t ready = spans_columns(sheet, "ready");
	size_t label = sheet_column(sheet, SHEET_TEXT, SHEET_EVERYWHERE, by_name(by)), i;
	struct keyed groups = { .size = sizeof(struct wait_group), .release = release_group };
	struct wait_group *group;
	const struct wait *wait;
	char text[LABEL];
	bool good = true;

	for (i = 0; good && i < waits->nr_waits; i++) {
		wait = &waits->wait[i];
		if (!wait->listed)
			continue;
		label_of(waits, wait, by, text);
		group = group_of(&groups, text);
		good = group;
		if (!good)
			break;
		spans_add(&group->waiting, wait->until - wait->from);
		if (wait->ready_time)
			spans_add(&group->ready, wait->to - wait->until);
	}
	good = good && add_left_out(waits, &groups);
	for (i = 0; good && i < groups.map.count; i++) {
		group = keyed_at(&groups, i);
		sheet_row(sheet);
		sheet_number(sheet, count, group->waiting.count);
		spans_put(sheet, waiting, &group->waiting);
		spans_put(sheet, ready, &group->ready);
		sheet_text(sheet, label, group->label);
	}
	keyed_free(&groups);
	sheet_sort(sheet, waiting);
	return good ? 0 : -1;
}

/* The waits that idle time is explained by, by their thread and begin */
static int index_waits(const struct waits *waits, struct keyed *waits_of)
{
	const struct wait *wait;
	uint32_t *index;
	size_t i;

	for (i = 0; i < waits->nr_waits; i++) {
		wait = &waits->wait[i];
		index = keyed_of(waits_of, map_mix(wait->from * MAP_MIX, &wait->thread,
						   sizeof(wait->thread)));
		if (!index)
			return -1;
		*index = i;
	}
	return 0;
}

static const char *idle_cause(const struct waits *waits, const struct keyed *waits_of,
			      const struct wait_idle *idle)
{
	const uint32_t *index;

	if (idle->thread == WAIT_NONE)
		return "unknown";
	index = keyed_find(waits_of, map_mix(idle->since * MAP_MIX, &idle->thread,
					     sizeof(idle->thread)));
	return index ? waits->wait[*index].reason : wait_recorded_reason(idle->recorded);
}

/**
 * struct idle_sum - idle time of a processor with one cause
 */
struct idle_sum {
	uint16_t cpu;
	const char *cause;
	struct spans spans;
};

static void release_idle(void *value)
{
	spans_free(&((struct idle_sum *)value)->spans);
}

static int fill_idle(const struct waits *waits, struct sheet *sheet)
{
	size_t cpu = sheet_column(sheet, SHEET_ID, SHEET_EVERYWHERE, "cpu");
	size_t times = sheet_column(sheet, SHEET_COUNT, SHEET_EVERYWHERE, "times");
	size_t idle = spans_columns(sheet, "idle");
	size_t cause = sheet_column(sheet, SHEET_TEXT, SHEET_EVERYWHERE, "cause"), i;
	struct keyed sums = { .size = sizeof(struct idle_sum), .release = release_idle };
	struct keyed waits_of = { .size = sizeof(uint32_t) };
	/* without stacks, the recorded reasons are those of the waits */
	int err = waits->has_stacks ? index_waits(waits, &waits_of) : 0;
	struct idle_sum *sum;
	const char *text;

	for (i = 0; !err && i < waits->nr_idle; i++) {
		text = idle_cause(waits, &waits_of, &waits->idle[i]);
		sum = keyed_of(&sums, map_mix(waits->idle[i].cpu + 1, text, strlen(text)));
		err = sum ? 0 : -1;
		if (err)
			break;
		sum->cpu = waits->idle[i].cpu;
		sum->cause = text;
		if (waits->idle[i].times)
			spans_merge(&sum->spans, waits->idle[i].times);
		else
			spans_add(&sum->spans, waits->idle[i].ns);
	}
	for (i = 0; !err && i < sums.map.count; i++) {
		sum = keyed_at(&sums, i);
		sheet_row(sheet);
		sheet_number(sheet, cpu, sum->cpu);
		sheet_number(sheet, times, sum->spans.count);
		spans_put(sheet, idle, &sum->spans);
		sheet_text(sheet, cause, sum->cause);
	}
	keyed_free(&sums);
	keyed_free(&waits_of);
	sheet_sort(sheet, idle);
	return err;
}

static int by_waiting(const void *left, const void *right, void *all)
{
	const struct wait *a = (struct wait *)all + *(const uint32_t *)left;
	const struct wait *b = (struct wait *)all + *(const uint32_t *)right;
	int64_t first = a->until - a->from, second = b->until - b->from;

	if (first != second)
		return first > second ? -1 : 1;
	if (a->from != b->from)
		return a->from < b->from ? -1 : 1;
	return a->thread < b->thread ? -1 : a->thread > b->thread;
}

uint32_t *waits_order(const struct waits *waits, size_t *count)
{
	uint32_t *order = calloc(waits->nr_waits + 1, sizeof(*order));
	size_t i;

	*count = 0;
	for (i = 0; order && i < waits->nr_waits; i++)
		if (waits->wait[i].listed)
			order[(*count)++] = i;
	if (order && *count)
		qsort_r(order, *count, sizeof(*order), by_waiting, waits->wait);
	return order;
}

int waits_report(struct waits *waits, const struct stat_options *options)
{
	struct sheet groups = { .name = "groups" }, idle = { .name = "idle" };
	struct sheet list = { .name = "waits" };
	struct sheet *const all[] = { &list, &groups, &idle };
	struct sheet *const tables[] = { &groups, &idle };
	enum report_by by = options->has_by ? options->by : BY_REASON;
	size_t count, i;
	uint32_t *order = waits_order(waits, &count);
	int code;

	if (!order || fill_groups(waits, &groups, by) || fill_idle(waits, &idle)) {
		groups.no_memory = true;
		code = sheets_report(tables, 2, options);
	} else if (options->as == AS_TEXT) {
		code = sheets_report(tables, 2, options);
		if (!options->has_by && code == EXIT_OK)
			waits_print(waits, order, options->top && options->top < count ?
						  options->top : count, count);
	} else {
		if (options->longest && options->longest < count)
			count = options->longest;
		waits_fill(waits, order, count, &list);
		/* CSV has one table */
		i = options->has_by && options->as == AS_CSV;
		code = sheets_report(all + i, 3 - i, options);
		if (i)
			sheet_free(&list);
	}
	free(order);
	return code;
}
