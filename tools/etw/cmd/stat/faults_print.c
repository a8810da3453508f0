// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* etw stat FILE faults: its tables. */
#include "etw.h"
#include "faults.h"
#include "groups.h"

static size_t add_columns(struct sheet *sheet, bool kinds)
{
	size_t first = sheet->columns, i;

	if (kinds)
		sheet_column(sheet, SHEET_COUNT, SHEET_EVERYWHERE, "faults");
	for (i = 0; kinds && i < FAULT_KINDS; i++)
		sheet_column(sheet, SHEET_COUNT, SHEET_EVERYWHERE, fault_kinds[i]);
	sheet_column(sheet, SHEET_COUNT, SHEET_EVERYWHERE, "waits");
	sheet_column(sheet, SHEET_TIME, SHEET_EVERYWHERE, "waited");
	sheet_column(sheet, SHEET_LONGEST, SHEET_EVERYWHERE, "longest");
	sheet_column(sheet, SHEET_BYTES, SHEET_EVERYWHERE, "bytes");
	return first;
}

static void put_sums(struct sheet *sheet, size_t column, const struct fault_sums *sums, bool kinds)
{
	/* a hard fault has one kind of record, or both */
	uint64_t hard = sums->faults[FAULT_HARD];
	uint64_t total = sums->waits > hard ? sums->waits - hard : 0;
	size_t i, all = column;

	column += kinds;
	for (i = 0; kinds && i < FAULT_KINDS; total += sums->faults[i++])
		sheet_number(sheet, column++, sums->faults[i]);
	if (kinds)
		sheet_number(sheet, all, total);
	sheet_number(sheet, column++, sums->waits);
	sheet_number(sheet, column++, sums->ns);
	if (sums->waits)
		sheet_number(sheet, column, sums->longest);
	sheet_number(sheet, column + 1, sums->bytes);
}

static void put_process(struct sheet *sheet, size_t column, const struct process *process)
{
	if (!process)
		return;
	sheet_number(sheet, column, process->life.id);
	if (process->life.name)
		sheet_text(sheet, column + 1, process->life.name);
}

static void add_sums(void *to, const void *from)
{
	const struct fault_sums *sums = from;
	struct fault_sums *all = to;
	size_t i;

	for (i = 0; i < FAULT_KINDS; i++)
		all->faults[i] += sums->faults[i];
	all->waits += sums->waits;
	all->ns += sums->ns;
	all->bytes += sums->bytes;
	if (sums->longest > all->longest)
		all->longest = sums->longest;
}

/* The longest waits first; without any, the most faults: new memory is faulted in */
static void fill_threads(const struct faults *faults, struct sheet *sheet)
{
	size_t pid = sheet_column(sheet, SHEET_ID, SHEET_EVERYWHERE, "pid");
	size_t image = sheet_column(sheet, SHEET_TEXT, SHEET_EVERYWHERE, "process");
	size_t tid = sheet_column(sheet, SHEET_ID, SHEET_EVERYWHERE, "tid");
	const struct lifetimes *lifetimes = faults->statistics->lifetimes;
	size_t first = add_columns(sheet, true), i;
	uint64_t key, waited = 0;

	(void)image;
	for (i = 0; i < faults->threads.map.count; i++) {
		key = faults->threads.map.keys[i];
		sheet_row(sheet);
		put_process(sheet, pid, faults->processes[i]);
		sheet_number(sheet, tid, lifetimes_thread_at(lifetimes, key)->life.id);
		put_sums(sheet, first, &faults->threads.sums[i], true);
		waited += faults->threads.sums[i].ns;
	}
	sheet_sort(sheet, waited ? first + FAULT_KINDS + 2 : first);
}

static int group_threads(const struct faults *faults, struct groups *groups)
{
	const struct process *process;
	void *sums;
	size_t i;

	for (i = 0; i < faults->threads.map.count; i++) {
		process = faults->processes[i];
		sums = groups_of(groups, process ? process->life.index + 1ull : 0);
		if (!sums)
			return no_memory();
		add_sums(sums, &faults->threads.sums[i]);
	}
	return 0;
}

/* Return: 0, or -1 after a message */
static int fill_containers(const struct faults *faults, struct sheet *sheet)
{
	size_t pid = groups_first_column(sheet, BY_CONTAINER);
	size_t first = add_columns(sheet, true);
	size_t container = groups_last_columns(sheet, BY_CONTAINER), i;
	const struct fault_sums *sums;
	struct groups groups;
	uint64_t waited = 0;
	int err;

	groups_begin(&groups, faults->statistics, BY_CONTAINER, sizeof(*sums), NULL);
	err = group_threads(faults, &groups);
	for (i = 0; !err && i < groups.values.map.count; i++) {
		sums = keyed_at(&groups.values, i);
		sheet_row(sheet);
		put_sums(sheet, first, sums, true);
		groups_put(&groups, i, sheet, pid, container);
		waited += sums->ns;
	}
	groups_end(&groups);
	sheet_sort(sheet, waited ? first + FAULT_KINDS + 2 : first);
	return err;
}

static void fill_files(const struct faults *faults, struct sheet *sheet)
{
	size_t key = sheet_column(sheet, SHEET_HEX, SHEET_EVERYWHERE, "file");
	size_t name = sheet_column(sheet, SHEET_TEXT, SHEET_EVERYWHERE, "name");
	size_t first = add_columns(sheet, false), i;

	for (i = 0; i < faults->files.map.count; i++) {
		if (!faults->files.sums[i].waits)
			continue;
		sheet_row(sheet);
		sheet_number(sheet, key, faults->files.map.keys[i]);
		if (faults->names[i])
			sheet_text(sheet, name, faults->names[i]);
		put_sums(sheet, first, &faults->files.sums[i], false);
	}
	sheet_sort(sheet, first + 1);
}

static void fill_ranges(const struct faults *faults, struct sheet *sheet)
{
	size_t pid = sheet_column(sheet, SHEET_ID, SHEET_EVERYWHERE, "pid");
	size_t image = sheet_column(sheet, SHEET_TEXT, SHEET_EVERYWHERE, "process");
	size_t range = sheet_column(sheet, SHEET_HEX, SHEET_EVERYWHERE, "from");
	const struct lifetimes *lifetimes = faults->statistics->lifetimes;
	size_t first = add_columns(sheet, true), i;
	uint64_t key;

	(void)image;
	for (i = 0; i < faults->ranges.map.count; i++) {
		key = faults->ranges.map.keys[i];
		sheet_row(sheet);
		put_process(sheet, pid, key >> 32 ?
			    lifetimes_process_at(lifetimes, (key >> 32) - 1) : NULL);
		sheet_number(sheet, range, faults->places.keys[(uint32_t)key] * FAULT_RANGE);
		put_sums(sheet, first, &faults->ranges.sums[i], true);
	}
	sheet_sort(sheet, first);
}

int faults_print(const struct faults *faults, const struct stat_options *options)
{
	bool grouped = options->by == BY_CONTAINER;
	struct sheet lines = { .name = grouped ? groups_name(options->by) : "threads" };
	struct sheet files = { .name = "files" }, ranges = { .name = "ranges" };
	struct sheet *all[] = { &lines, &files, &ranges };

	if (!grouped) {
		fill_threads(faults, &lines);
	} else if (fill_containers(faults, &lines)) {
		sheet_free(&lines);
		return EXIT_FAILED;
	}
	fill_files(faults, &files);
	fill_ranges(faults, &ranges);
	return sheets_report(all, sizeof(all) / sizeof(all[0]), options);
}
