// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* etw export --sqlite: samples and waits with their stacks. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include "cmd/stat/stacks.h"
#include "etw.h"
#include "etw_hooks.h"
#include "sqlite.h"

static void put_frames(struct sqlite_export *export, const struct call_tree *tree)
{
	struct database *database = &export->database;
	const char *function;
	char module[SYMBOL_TEXT];
	size_t i;

	for (i = 1; i < tree->hashes.count; i++) {
		function = strchr(tree->name[i].text, '!');
		snprintf(module, sizeof(module), "%.*s",
			 function ? (int)(function - tree->name[i].text) : 0, tree->name[i].text);
		database_row(database, TABLE_FRAMES);
		database_number(database, export->frames + i);
		database_text(database, tree->name[i].text);
		database_text(database, function ? module : NULL);
		database_text(database, function ? function + 1 : NULL);
		database_number(database, tree->name[i].is_kernel);
		database_end_row(database);
	}
}

void sqlite_tree(struct sqlite_export *export, const struct call_tree *tree)
{
	struct database *database = &export->database;
	const struct call_node *node;
	size_t i;

	put_frames(export, tree);
	for (i = 1; i < tree->nodes; i++) {
		node = &tree->node[i];
		database_row(database, TABLE_STACKS);
		database_number(database, export->stacks + i);
		sqlite_maybe(export, node->parent, export->stacks + node->parent);
		database_number(database, export->frames + node->name);
		database_end_row(database);
	}
	export->stacks += tree->nodes;
	export->frames += tree->hashes.count;
}

static void begin_event(struct sqlite_export *export, enum sqlite_table table,
			const struct stack_event *event)
{
	struct database *database = &export->database;

	database_row(database, table);
	database_number(database, etl_nanoseconds(&export->trace->log, event->time));
	database_number(database, event->processor);
	sqlite_thread(export, event->has_tid ? event->tid : ETW_NO_THREAD, event->time);
}

static int take_sample(struct stack_report *report, const struct stack_event *event)
{
	struct sqlite_export *export = report->context;
	struct database *database = &export->database;
	const struct source *source = source_of(&report->sources, event->source);
	char name[32];

	snprintf(name, sizeof(name), "Source%u", event->source);
	begin_event(export, TABLE_SAMPLES, event);
	database_text(database, source ? source->name : name);
	database_number(database, event->weight);
	database_number(database, event->ip);
	database_number(database, export->stacks + report->tree->at);
	database_end_row(database);
	return database->failed ? -1 : 0;
}

static int take_wait(struct stack_report *report, const struct stack_event *event)
{
	struct sqlite_export *export = report->context;
	struct database *database = &export->database;

	begin_event(export, TABLE_OFF_CPU, event);
	database_number(database, event->weight);
	database_number(database, export->stacks + report->tree->at);
	database_end_row(database);
	return database->failed ? -1 : 0;
}

static int put_report(struct sqlite_export *export, struct stack_report *report)
{
	int err;

	report->trace = export->trace;
	report->statistics = export->statistics;
	report->where = &export->options->where;
	report->context = export;
	err = stack_report_make(report);
	if (!err && report->unsure)
		warn("%s: %" PRIu64 " waits are left out: switches may be missing in them",
		     report->trace->name, report->unsure);
	if (!err)
		sqlite_tree(export, report->tree);
	stack_report_free(report);
	return err || export->database.failed ? -1 : 0;
}

int sqlite_samples(struct sqlite_export *export)
{
	struct stack_report report = { .all_samples = true, .each = take_sample };

	return put_report(export, &report);
}

int sqlite_off_cpu(struct sqlite_export *export)
{
	struct stack_report report = {
		.hook_id = PERFINFO_LOG_TYPE_CONTEXTSWAP, .weight = WEIGH_WAITING,
		.each = take_wait,
	};

	return put_report(export, &report);
}
