// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* etw stat FILE cpu: its tables. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "libetl/event_names.h"
#include "etw.h"
#include "cpu.h"
#include "keyed.h"

#define WAITS_TEXT	64
/* In the key of a row: one thread */
#define THREAD_ALONE	(1ull << 32)

/* What is shown of a thread, or of all of a process */
enum {
	PID, TID, THREADS, RUNNING, READY, WAITING, UNKNOWN, LIFE, SWITCHES, UNREADIED, READY_TIMES,
	LONGEST = READY_TIMES + QUANTILES_COLUMNS, LONGEST_AT, READIER, READIER_TIMES, FIRST_WAIT,
};

/**
 * struct tables - the three of them
 * @of: the row of each thread; MAP_NONE: the filter does not want it
 * @group: sums of the rows
 * @members: threads of each row
 * @readier: the thread that readied a row most; @times: how often
 * @groups: indexes of processes or of containers, or THREAD_ALONE | index of a thread
 */
struct tables {
	const struct cpu_work *work;
	enum report_by by;
	struct map groups;
	size_t *of;
	struct life *group;
	uint32_t *members;
	uint32_t *readier;
	uint64_t *times;
	bool used[WAIT_REASONS];
	size_t wait_column[WAIT_REASONS];
	size_t text_column;
};

static const char *reason_text(unsigned int reason, char to[WAITS_TEXT])
{
	const char *name = reason == WAIT_NOT_STARTED ? "NotStarted" :
			   reason == WAIT_OTHER ? "Other" : wait_reason_name(reason);

	if (name)
		snprintf(to, WAITS_TEXT, "%s", name);
	else
		snprintf(to, WAITS_TEXT, "Reason%u", reason);
	return to;
}

static void add_life(struct life *sum, const struct life *life)
{
	unsigned int i;

	sum->thread = life->thread;
	sum->length += life->length - life->elsewhere;
	sum->running += life->running;
	sum->ready += life->ready;
	sum->waiting += life->waiting;
	sum->unknown += life->unknown;
	sum->switches += life->switches;
	sum->unreadied += life->unreadied;
	if (life->longest > sum->longest) {
		sum->longest = life->longest;
		sum->longest_at = life->longest_at;
	}
	quantiles_merge(&sum->ready_times, &life->ready_times);
	for (i = 0; i < WAIT_REASONS; i++) {
		sum->wait_ns[i] += life->wait_ns[i];
		sum->wait_count[i] += life->wait_count[i];
	}
}

/* What a thread's row stands for */
static uint64_t group_of(const struct tables *tables, const struct thread *thread)
{
	if (tables->by == BY_CONTAINER)
		return container_index(thread->process);
	return tables->by == BY_PROCESS && thread->process ? thread->process->life.index :
							     THREAD_ALONE | thread->life.index;
}

static int group_threads(struct tables *tables)
{
	const struct cpu_work *work = tables->work;
	size_t i, k, n = work->map.count + 1;
	const struct life *life;

	tables->of = calloc(n, sizeof(*tables->of));
	tables->group = calloc(n, sizeof(*tables->group));
	tables->members = calloc(n, sizeof(*tables->members));
	tables->readier = calloc(n, sizeof(*tables->readier));
	tables->times = calloc(n, sizeof(*tables->times));
	if (!tables->of || !tables->group || !tables->members || !tables->readier ||
	    !tables->times)
		return -1;
	for (i = 0; i < work->map.count; i++) {
		life = &work->lives[i];
		tables->of[i] = MAP_NONE;
		if (!event_filter_wants_thread(work->filter, life->thread))
			continue;
		k = map_add(&tables->groups, group_of(tables, life->thread));
		if (k == MAP_NONE)
			return -1;
		tables->of[i] = k;
		tables->members[k]++;
		add_life(&tables->group[k], life);
		for (k = 0; k < WAIT_REASONS; k++)
			tables->used[k] |= life->wait_count[k];
	}
	return 0;
}

/* @by: index of a thread, or BY_* */
static uint32_t tid_of(const struct cpu_work *work, uint32_t by)
{
	return by == BY_INTERRUPT || by == BY_UNKNOWN ? by :
	       lifetimes_thread_at(work->statistics->lifetimes, by)->life.id;
}

/* The thread that readied a row most; of several the one with the smallest id */
static int find_readiers(struct tables *tables)
{
	const struct cpu_work *work = tables->work;
	struct map pairs = { };
	uint64_t *count = calloc(work->readies.count + 1, sizeof(*count));
	size_t i, k, row;
	uint32_t by;

	for (i = 0; count && i < work->readies.count; i++) {
		row = tables->of[map_find(&work->map, work->readies.keys[i] >> 32)];
		by = work->readies.keys[i];
		if (row == MAP_NONE)
			continue;
		k = map_add(&pairs, (uint64_t)row << 32 | by);
		if (k == MAP_NONE)
			break;
		count[k] += work->ready_count[i];
	}
	for (k = 0; k < pairs.count; k++) {
		row = pairs.keys[k] >> 32;
		by = pairs.keys[k];
		if (count[k] < tables->times[row] ||
		    (count[k] == tables->times[row] &&
		     tid_of(work, by) > tid_of(work, tables->readier[row])))
			continue;
		tables->times[row] = count[k];
		tables->readier[row] = by;
	}
	map_free(&pairs);
	free(count);
	return count && i == work->readies.count ? 0 : -1;
}

static void make_columns(struct tables *tables, struct sheet *sheet)
{
	static const struct sheet_column columns[] = {
		[PID] = { SHEET_ID, SHEET_EVERYWHERE, "pid" },
		[TID] = { SHEET_ID, SHEET_EVERYWHERE, "tid" },
		[THREADS] = { SHEET_COUNT, SHEET_EVERYWHERE, "threads" },
		[RUNNING] = { SHEET_TIME, SHEET_EVERYWHERE, "running" },
		[READY] = { SHEET_TIME, SHEET_NEEDED, "ready" },
		[WAITING] = { SHEET_TIME, SHEET_NEEDED, "waiting" },
		[UNKNOWN] = { SHEET_TIME, SHEET_EVERYWHERE, "unknown" },
		[LIFE] = { SHEET_TIME, SHEET_IN_EXPORT, "life" },
		[SWITCHES] = { SHEET_COUNT, SHEET_EVERYWHERE, "switches" },
		[UNREADIED] = { SHEET_COUNT, SHEET_IN_EXPORT, "unreadied waits" },
		[LONGEST] = { SHEET_LONGEST, SHEET_EVERYWHERE, "longest ready" },
		[LONGEST_AT] = { SHEET_MOMENT, SHEET_EVERYWHERE, "at" },
		[READIER] = { SHEET_ID, SHEET_IN_EXPORT, "readied by" },
		[READIER_TIMES] = { SHEET_COUNT, SHEET_IN_EXPORT, "readied by times" },
	};
	char reason[WAITS_TEXT], name[WAITS_TEXT + 16];
	enum sheet_where where, names = tables->by == BY_CONTAINER ? SHEET_NOWHERE :
								     SHEET_EVERYWHERE;
	size_t i;

	for (i = 0; i < FIRST_WAIT; i++) {
		if (i == READY_TIMES) {
			quantiles_columns(sheet, "ready");
			i += QUANTILES_COLUMNS - 1;
			continue;
		}
		where = columns[i].where;
		if (tables->by == BY_CONTAINER && (i == PID || i == TID))
			where = SHEET_NOWHERE;
		else if (i == (tables->by == BY_THREAD ? THREADS : TID))
			where = SHEET_IN_EXPORT;
		sheet_column(sheet, columns[i].kind, where, columns[i].name);
	}
	for (i = 0; i < WAIT_REASONS; i++) {
		if (!tables->used[i])
			continue;
		snprintf(name, sizeof(name), "waiting %s", reason_text(i, reason));
		tables->wait_column[i] = sheet_column(sheet, SHEET_TIME, SHEET_IN_EXPORT, name);
		snprintf(name, sizeof(name), "waits %s", reason);
		sheet_column(sheet, SHEET_COUNT, SHEET_IN_EXPORT, name);
	}
	tables->text_column = sheet_column(sheet, SHEET_TEXT, names, "process");
	sheet_column(sheet, SHEET_TEXT, tables->by == BY_THREAD ? SHEET_EVERYWHERE :
		     tables->by == BY_PROCESS ? SHEET_IN_EXPORT : SHEET_NOWHERE, "thread");
	sheet_column(sheet, SHEET_TEXT, SHEET_IN_TEXT, "waits");
	sheet_column(sheet, SHEET_TEXT, SHEET_NEEDED_IN_TEXT, "readied most by");
	sheet_column(sheet, SHEET_TEXT, tables->by == BY_CONTAINER ? SHEET_EVERYWHERE :
		     SHEET_NOWHERE, "container");
}

static void add_waits(struct tables *tables, struct sheet *sheet, const struct life *life)
{
	char reason[WAITS_TEXT], one[WAITS_TEXT + 64], text[1024] = "";
	size_t i, used = 0;

	for (i = 0; i < WAIT_REASONS; i++) {
		if (!tables->used[i])
			continue;
		sheet_number(sheet, tables->wait_column[i], life->wait_ns[i]);
		sheet_number(sheet, tables->wait_column[i] + 1, life->wait_count[i]);
		if (!life->wait_count[i])
			continue;
		snprintf(one, sizeof(one), "%s%s %.6f s in %" PRIu64, used ? ", " : "",
			 reason_text(i, reason), life->wait_ns[i] / 1e9, life->wait_count[i]);
		if (used + strlen(one) < sizeof(text))
			used += sprintf(text + used, "%s", one);
	}
	sheet_text(sheet, tables->text_column + 2, text);
}

static void add_readier(struct tables *tables, struct sheet *sheet, size_t row)
{
	const struct lifetimes *lifetimes = tables->work->statistics->lifetimes;
	uint32_t by = tables->readier[row];
	const struct thread *thread;
	const char *name;
	char text[512];

	if (!tables->times[row])
		return;
	if (by == BY_INTERRUPT) {
		snprintf(text, sizeof(text), "an interrupt, %" PRIu64, tables->times[row]);
	} else if (by == BY_UNKNOWN) {
		snprintf(text, sizeof(text), "unknown, %" PRIu64, tables->times[row]);
	} else {
		thread = lifetimes_thread_at(lifetimes, by);
		name = thread->life.name ? thread->life.name : process_name(thread->process);
		snprintf(text, sizeof(text), "%u%s%s, %" PRIu64, thread->life.id,
			 name[0] ? " " : "", name, tables->times[row]);
		sheet_number(sheet, READIER, thread->life.id);
	}
	sheet_text(sheet, tables->text_column + 3, text);
	sheet_number(sheet, READIER_TIMES, tables->times[row]);
}

static void add_row(struct tables *tables, struct sheet *sheet, size_t row)
{
	const struct life *life = &tables->group[row];
	const struct thread *thread = life->thread;
	bool alone = tables->groups.keys[row] & THREAD_ALONE;

	sheet_row(sheet);
	if (tables->by == BY_CONTAINER)
		sheet_text(sheet, tables->text_column + 4,
			   container_label(thread->process));
	else if (thread->process)
		sheet_number(sheet, PID, thread->process->life.id);
	if (alone)
		sheet_number(sheet, TID, thread->life.id);
	sheet_number(sheet, THREADS, tables->members[row]);
	sheet_number(sheet, RUNNING, life->running);
	sheet_number(sheet, READY, life->ready);
	sheet_number(sheet, WAITING, life->waiting);
	sheet_number(sheet, UNKNOWN, life->unknown);
	sheet_number(sheet, LIFE, life->length);
	sheet_number(sheet, SWITCHES, life->switches);
	sheet_number(sheet, UNREADIED, life->unreadied);
	quantiles_put(sheet, READY_TIMES, &life->ready_times);
	sheet_number(sheet, LONGEST, life->longest);
	if (life->longest)
		sheet_number(sheet, LONGEST_AT, life->longest_at);
	if (tables->by != BY_CONTAINER)
		sheet_text(sheet, tables->text_column, process_name(thread->process));
	if (alone)
		sheet_text(sheet, tables->text_column + 1, thread_name(thread));
	add_waits(tables, sheet, life);
	add_readier(tables, sheet, row);
}

static void make_cpus(const struct cpu_work *work, struct sheet *sheet)
{
	static const char *const reasons[CHAIN_BREAKS] = {
		[CHAIN_LOST] = "lost", [CHAIN_PAUSED] = "paused", [CHAIN_OFFLINE] = "offline",
		[CHAIN_HIDDEN] = "filtered out",
	};
	size_t column[CHAIN_BREAKS] = { }, busy, idle, all, switches, i, k;
	size_t id = sheet_column(sheet, SHEET_ID, SHEET_EVERYWHERE, "cpu");

	busy = sheet_column(sheet, SHEET_TIME, SHEET_EVERYWHERE, "busy");
	idle = sheet_column(sheet, SHEET_TIME, SHEET_EVERYWHERE, "idle");
	for (k = 0; k < CHAIN_BREAKS; k++)
		if (reasons[k])
			column[k] = sheet_column(sheet, SHEET_TIME, SHEET_EVERYWHERE, reasons[k]);
	all = sheet_column(sheet, SHEET_TIME, SHEET_EVERYWHERE, "all");
	switches = sheet_column(sheet, SHEET_COUNT, SHEET_EVERYWHERE, "switches");
	for (i = 0; i < ETL_PROCESSORS; i++) {
		if (!work->cpu[i].seen || !event_filter_wants_cpu(work->filter, i))
			continue;
		sheet_row(sheet);
		sheet_number(sheet, id, i);
		sheet_number(sheet, busy, work->cpu[i].busy);
		sheet_number(sheet, idle, work->cpu[i].idle);
		for (k = 0; k < CHAIN_BREAKS; k++)
			if (reasons[k])
				sheet_number(sheet, column[k], work->cpu[i].unattributed[k]);
		sheet_number(sheet, all, cpu_work_clip(work, work->cpu[i].first,
							work->cpu[i].last));
		sheet_number(sheet, switches, work->cpu[i].switches);
	}
}

static void make_readies(const struct cpu_work *work, struct sheet *sheet)
{
	size_t tid = sheet_column(sheet, SHEET_ID, SHEET_EVERYWHERE, "tid");
	size_t by = sheet_column(sheet, SHEET_ID, SHEET_EVERYWHERE, "by");
	size_t how = sheet_column(sheet, SHEET_TEXT, SHEET_EVERYWHERE, "how");
	size_t times = sheet_column(sheet, SHEET_COUNT, SHEET_EVERYWHERE, "times");
	uint32_t readier;
	size_t i;

	for (i = 0; i < work->readies.count; i++) {
		readier = work->readies.keys[i];
		if (!event_filter_wants_thread(work->filter, lifetimes_thread_at(
				work->statistics->lifetimes, work->readies.keys[i] >> 32)))
			continue;
		sheet_row(sheet);
		sheet_number(sheet, tid, tid_of(work, work->readies.keys[i] >> 32));
		if (readier < BY_UNKNOWN)
			sheet_number(sheet, by, tid_of(work, readier));
		sheet_text(sheet, how, readier == BY_INTERRUPT ? "interrupt" :
				       readier == BY_UNKNOWN ? "unknown" : "thread");
		sheet_number(sheet, times, work->ready_count[i]);
	}
	sheet_sort(sheet, times);
}

static int write_sheets(const struct sheet *rows, const struct sheet *cpus,
			const struct sheet *readies, const struct stat_options *options)
{
	const struct sheet *const all[] = { rows, cpus, readies };
	const struct sheet *one = options->by == BY_CPU ? cpus : rows;

	if (options->as == AS_JSON) {
		return sheets_json(all, 3);
	} else if (options->as == AS_CSV) {
		sheet_csv(one);
	} else {
		sheet_print(one, options->by == BY_CPU ? 0 : options->top);
		if (options->by != BY_CPU) {
			putchar('\n');
			sheet_print(cpus, 0);
		}
	}
	return EXIT_OK;
}

int cpu_work_report(const struct cpu_work *work, const struct stat_options *options)
{
	struct sheet rows = { .name = "rows" }, cpus = { .name = "cpus" };
	struct sheet readies = { .name = "readies" };
	struct tables tables = { .work = work, .by = options->by };
	bool good = !group_threads(&tables) && !find_readiers(&tables);
	int code = EXIT_FAILED;
	size_t i;

	if (good) {
		make_columns(&tables, &rows);
		for (i = 0; i < tables.groups.count; i++)
			if (tables.group[i].length || tables.group[i].switches)
				add_row(&tables, &rows, i);
		sheet_sort(&rows, RUNNING);
		make_cpus(work, &cpus);
		make_readies(work, &readies);
		good = !rows.no_memory && !cpus.no_memory && !readies.no_memory;
	}
	if (good && !rows.rows && event_filter_leaves_out(work->filter))
		report_lacks(work->chains.trace, work->filter, "times of threads", "");
	else if (good)
		code = write_sheets(&rows, &cpus, &readies, options);
	else
		failed("%s", strerror(ENOMEM));
	sheet_free(&rows);
	sheet_free(&cpus);
	sheet_free(&readies);
	for (i = 0; tables.group && i < tables.groups.count; i++)
		quantiles_free(&tables.group[i].ready_times);
	map_free(&tables.groups);
	free(tables.of);
	free(tables.group);
	free(tables.members);
	free(tables.readier);
	free(tables.times);
	return code;
}
