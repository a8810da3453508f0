// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* A report as JSON and as CSV: all of it, exact. */
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include "common/print_fields.h"
#include "report.h"

const char *row_kind_name(enum row_kind kind)
{
	static const char *const name[] = {
		[ROW_THREAD] = "thread", [ROW_PROCESS] = "process", [ROW_CPU] = "cpu",
		[ROW_CONTAINER] = "container",
		[ROW_UNATTRIBUTED] = "unattributed", [ROW_OTHERS] = "others", [ROW_TOTAL] = "total",
	};

	return name[kind];
}

/* Times are ns here: "on CPU s" would say something else. */
static const char *export_name(const struct column *column)
{
	return column->kind == COLUMN_TIME ? "ns" : column->name;
}

static json_t *cell_json(const struct report *report, const struct column *column,
			 const struct row *row)
{
	uint64_t value = row->values[column->a];
	bool valid;
	double ratio = column_value(report, column, row, &valid);

	if (column->kind == COLUMN_COUNT || column->kind == COLUMN_TIME)
		return value <= INT64_MAX ? json_integer(value) : json_real(value);
	return valid ? json_real(ratio) : json_null();
}

static json_t *row_json(const struct report *report, const struct row *row)
{
	json_t *object = json_object(), *values = json_object();
	size_t i;

	switch (row->kind) {
	case ROW_THREAD:
	case ROW_PROCESS:
		json_object_set_new(object, "pid",
				    row->has_pid ? json_integer(row->pid) : json_null());
		json_object_set_new(object, "process", json_string(row->process));
		if (row->kind == ROW_PROCESS && row->has_pid)
			break;
		json_object_set_new(object, "tid", json_integer(row->tid));
		json_object_set_new(object, "thread", json_string(row->thread));
		break;
	case ROW_CONTAINER:
		json_object_set_new(object, "container", json_string(row->label));
		break;
	case ROW_CPU:
		json_object_set_new(object, "cpu", json_integer(row->tid));
		break;
	case ROW_UNATTRIBUTED:
		json_object_set_new(object, "why", json_string(row->label));
		break;
	default:
		break;
	}
	for (i = 0; i < report->columns; i++)
		json_object_set_new(values, export_name(&report->column[i]),
				    cell_json(report, &report->column[i], row));
	json_object_set_new(object, "values", values);
	return object;
}

void report_json(const struct report *report)
{
	json_t *all = json_object(), *columns = json_array(), *rows = json_array();
	json_t *unattributed = json_array(), *cpus = json_array();
	size_t i;

	for (i = 0; i < report->columns; i++)
		json_array_append_new(columns, json_string(export_name(&report->column[i])));
	for (i = 0; i + 1 < report->nr_rows; i++)
		json_array_append_new(i < report->first ? rows :
				      report->rows[i].kind == ROW_CPU ? cpus : unattributed,
				      row_json(report, &report->rows[i]));
	json_object_set_new(all, "columns", columns);
	json_object_set_new(all, "rows", rows);
	json_object_set_new(all, "unattributed", unattributed);
	json_object_set_new(all, "cpus", cpus);
	json_object_set_new(all, "total", row_json(report, &report->rows[i]));
	json_object_set_new(all, "damage", json_integer(report->damage));
	json_object_set_new(all, "filtered", json_boolean(report->filtered));
	json_dumpf(all, stdout, JSON_COMPACT);
	putchar('\n');
	json_decref(all);
}

static void csv_cell(const struct report *report, const struct column *column,
		     const struct row *row)
{
	bool valid;
	double value = column_value(report, column, row, &valid);

	if (column->kind == COLUMN_COUNT || column->kind == COLUMN_TIME)
		printf(",%" PRIu64, row->values[column->a]);
	else if (valid)
		printf(",%.6f", value);
	else
		putchar(',');
}

static void csv_row(const struct report *report, const struct row *row, const char *kind)
{
	bool runs = row->kind == ROW_THREAD || row->kind == ROW_PROCESS;
	size_t i;

	printf("%s,", kind);
	if (row->kind == ROW_CPU)
		printf("%u", row->tid);
	putchar(',');
	if (runs && row->has_pid)
		printf("%u", row->pid);
	putchar(',');
	if (row->kind == ROW_THREAD || (runs && !row->has_pid))
		printf("%u", row->tid);
	putchar(',');
	text_print_csv(row->kind == ROW_UNATTRIBUTED || row->kind == ROW_CONTAINER ? row->label :
		       row->process, stdout);
	putchar(',');
	text_print_csv(row->kind == ROW_THREAD || (runs && !row->has_pid) ? row->thread : "",
		       stdout);
	for (i = 0; i < report->columns; i++)
		csv_cell(report, &report->column[i], row);
	putchar('\n');
}

void report_csv(const struct report *report)
{
	size_t i;

	fputs("row,cpu,pid,tid,process,thread", stdout);
	for (i = 0; i < report->columns; i++) {
		putchar(',');
		text_print_csv(export_name(&report->column[i]), stdout);
	}
	putchar('\n');
	for (i = 0; i < report->nr_rows; i++)
		csv_row(report, &report->rows[i],
			i >= report->first && report->rows[i].kind == ROW_CPU ?
			"cpu total" : row_kind_name(report->rows[i].kind));
}
