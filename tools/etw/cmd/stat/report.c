// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Groups the numbers of threads by thread, process or processor, and sorts them. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "libetl/text.h"
#include "etw.h"
#include "report.h"

/* Key of a cell: kind 1 bit, id 32 bits, processor 16 bits */
enum cell_kind cell_kind(uint64_t key)
{
	return key >> 48;
}

uint32_t cell_id(uint64_t key)
{
	return key >> 16;
}

uint16_t cell_processor(uint64_t key)
{
	return key;
}

uint64_t *cells_of(struct cells *cells, enum cell_kind kind, uint32_t id, uint16_t processor)
{
	size_t n = cells->map.count, bytes = cells->width * sizeof(*cells->values);
	size_t i = map_add(&cells->map, (uint64_t)kind << 48 | (uint64_t)id << 16 | processor);

	if (i == MAP_NONE)
		return NULL;
	if (i == n) {
		if (!map_make_room((void **)&cells->values, n, bytes))
			return NULL;
		memset(cells->values + i * cells->width, 0, bytes);
	}
	return cells->values + i * cells->width;
}

uint64_t *cells_of_thread(struct cells *cells, const struct statistics *statistics, uint32_t tid,
			  uint64_t time, uint16_t processor)
{
	const struct thread *thread = lifetimes_thread(statistics->lifetimes, tid, time);

	return thread ? cells_of(cells, CELL_THREAD, thread->life.index, processor) : NULL;
}

void cells_free(struct cells *cells)
{
	map_free(&cells->map);
	free(cells->values);
	cells->values = NULL;
}

void report_column(struct report *report, enum column_kind kind, unsigned int a, unsigned int b,
		   const char *name)
{
	struct column *column = &report->column[report->columns];
	unsigned int again = 1;
	size_t i;

	if (report->columns == REPORT_COLUMNS)
		return;
	*column = (struct column){ .kind = kind, .a = a, .b = b };
	snprintf(column->name, sizeof(column->name), "%.*s", COUNTER_NAME, name);
	text_escape_control(column->name);
	for (i = 0; i < report->columns; i++) {
		if (strcmp(report->column[i].name, column->name))
			continue;
		snprintf(column->name, sizeof(column->name), "%.*s#%u", COUNTER_NAME - 8, name,
			 ++again);
		text_escape_control(column->name);
		i = -1;
	}
	report->columns++;
}

static const struct thread *thread_of(const struct report *report, uint64_t key)
{
	return lifetimes_thread_at(report->statistics->lifetimes, cell_id(key));
}

/* What a line of the first part stands for; threads without a process by themselves */
static uint64_t group_of(const struct report *report, uint64_t key)
{
	const struct process *process = thread_of(report, key)->process;

	if (report->by == BY_CPU)
		return cell_processor(key);
	if (report->by == BY_CONTAINER)
		return container_index(process);
	if (report->by == BY_PROCESS && process)
		return process->life.index;
	return (uint64_t)1 << 32 | cell_id(key);
}

static void describe(const struct report *report, struct row *row, uint64_t key)
{
	const struct thread *thread;

	row->tid = cell_id(key);
	row->process = "";
	row->thread = "";
	if (cell_kind(key) == CELL_UNATTRIBUTED) {
		row->kind = ROW_UNATTRIBUTED;
		row->label = report->reasons[row->tid];
		return;
	}
	if (report->by == BY_CPU) {
		row->kind = ROW_CPU;
		row->tid = cell_processor(key);
		return;
	}
	thread = thread_of(report, key);
	if (report->by == BY_CONTAINER) {
		row->kind = ROW_CONTAINER;
		row->tid = container_index(thread->process);
		row->label = container_label(thread->process);
		return;
	}
	row->kind = report->by == BY_THREAD ? ROW_THREAD : ROW_PROCESS;
	row->tid = thread->life.id;
	row->has_pid = thread->process;
	row->pid = thread->process ? thread->process->life.id : 0;
	row->process = process_name(thread->process);
	row->thread = thread_name(thread);
}

static struct row *add_row(struct report *report)
{
	struct row *row = &report->rows[report->nr_rows];

	row->values = calloc(report->cells->width, sizeof(*row->values));
	if (!row->values)
		return NULL;
	row->process = "";
	row->thread = "";
	report->nr_rows++;
	return row;
}

static void add_cell(const struct report *report, struct row *row, size_t cell)
{
	unsigned int i;

	for (i = 0; i < report->cells->width; i++)
		row->values[i] += report->cells->values[cell * report->cells->width + i];
}

static int by_first(const void *left, const void *right)
{
	const struct row *a = left, *b = right;

	if (a->values[0] != b->values[0])
		return a->values[0] > b->values[0] ? -1 : 1;
	if (a->pid != b->pid)
		return a->pid < b->pid ? -1 : 1;
	if (a->tid != b->tid)
		return a->tid < b->tid ? -1 : 1;
	return strcmp(a->process, b->process);
}

static int by_id(const void *left, const void *right)
{
	const struct row *a = left, *b = right;

	return a->tid < b->tid ? -1 : a->tid > b->tid;
}

/* One line for each group of the cells that are of this kind */
static int add_groups(struct report *report, enum cell_kind kind)
{
	const struct cells *cells = report->cells;
	size_t i, group, begin = report->nr_rows;
	struct map groups = { };
	struct row *row;
	uint64_t key;

	for (i = 0; i < cells->map.count; i++) {
		key = cells->map.keys[i];
		if (cell_kind(key) != kind)
			continue;
		group = map_add(&groups, kind == CELL_THREAD ? group_of(report,
									key) : cell_id(key));
		if (group == MAP_NONE)
			break;
		row = &report->rows[begin + group];
		if (begin + group == report->nr_rows) {
			if (!add_row(report))
				break;
			describe(report, row, key);
		}
		add_cell(report, row, i);
	}
	map_free(&groups);
	if (report->nr_rows > begin)
		qsort(report->rows + begin, report->nr_rows - begin, sizeof(*row),
		      kind == CELL_THREAD ? by_first : by_id);
	return i < cells->map.count ? -1 : 0;
}

/* The processors, each with its unattributed time, and their sum */
static int add_totals(struct report *report)
{
	const struct cells *cells = report->cells;
	size_t i, cpu, begin = report->nr_rows;
	struct map cpus = { };
	struct row *row;

	for (i = 0; i < cells->map.count; i++) {
		cpu = map_add(&cpus, cell_processor(cells->map.keys[i]));
		if (cpu == MAP_NONE)
			break;
		row = &report->rows[begin + cpu];
		if (begin + cpu == report->nr_rows) {
			if (!add_row(report))
				break;
			row->kind = ROW_CPU;
			row->tid = cell_processor(cells->map.keys[i]);
		}
		add_cell(report, row, i);
	}
	map_free(&cpus);
	if (i < cells->map.count)
		return -1;
	if (report->nr_rows > begin)
		qsort(report->rows + begin, report->nr_rows - begin, sizeof(*row), by_id);
	row = add_row(report);
	if (!row)
		return -1;
	row->kind = ROW_TOTAL;
	for (i = 0; i < cells->map.count; i++)
		add_cell(report, row, i);
	return 0;
}

int report_make(struct report *report)
{
	/* a line for each cell at most in each of the three parts, and the last one */
	report->rows = calloc(3 * report->cells->map.count + 1, sizeof(*report->rows));
	if (report->rows && !add_groups(report, CELL_THREAD)) {
		report->first = report->nr_rows;
		if (!add_groups(report, CELL_UNATTRIBUTED) && !add_totals(report))
			return 0;
	}
	failed("%s", strerror(ENOMEM));
	report_free(report);
	return -1;
}

void report_free(struct report *report)
{
	size_t i;

	for (i = 0; i < report->nr_rows; i++)
		free(report->rows[i].values);
	free(report->rows);
	report->rows = NULL;
	report->nr_rows = 0;
}

void report_print(struct report *report, const struct stat_options *options)
{
	if (options->as == AS_JSON)
		report_json(report);
	else if (options->as == AS_CSV)
		report_csv(report);
	else
		report_text(report);
}

static bool lacked;

bool report_lacked(void)
{
	bool before = lacked;

	lacked = false;
	return before;
}

/* see report.h */
int report_lacks(const struct trace *trace, const struct event_filter *filter, const char *what,
		 const char *how)
{
	lacked = true;
	if (filter && event_filter_leaves_out(filter))
		return failed("%s: there are no %s that the filters select", trace->name, what);
	return failed("%s: there are no %s (etw record %s)", trace->name, what, how);
}

/* see report.h */
void report_lacks_part(const struct trace *trace, const char *what, const char *unknown,
		       const char *how)
{
	warn("%s: there are no %s: %s (etw record %s)", trace->name, what, unknown, how);
}
