// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* etw export --chrome: the stacks of samples (declared in chrome_stacks.h). */
#include <inttypes.h>
#include <stdlib.h>
#include "export/export.h"
#include "cmd/stat/stacks.h"
#include "libetl/array.h"
#include "chrome_stacks.h"
#include "perfetto_samples.h"
#include "etw.h"

/**
 * struct chrome_stacks - where the stack of each sample ends in the tree
 * @samples: by time and processor
 * @node: by index of the sample; room for @room
 */
struct chrome_stacks {
	struct stack_report report;
	struct map samples;
	uint32_t *node;
	size_t room;
};

static uint64_t key_of(uint64_t time, uint16_t processor)
{
	return map_mix(time * MAP_MIX, &processor, sizeof(processor));
}

static int keep(struct stack_report *report, const struct stack_event *event)
{
	struct chrome_stacks *stacks = report->context;
	size_t i = map_add(&stacks->samples, key_of(event->time, event->processor));

	if (i == MAP_NONE || !array_grow((void **)&stacks->node, &stacks->room, i + 1,
					 sizeof(*stacks->node)))
		return no_memory();
	stacks->node[i] = report->tree->at;
	return 0;
}

static uint32_t stack_of(void *context, const struct etl_record *record, uint32_t cpu)
{
	const struct chrome_stacks *stacks = context;
	size_t i = map_find(&stacks->samples, key_of(record->time, cpu));

	return i == MAP_NONE ? 0 : stacks->node[i];
}

/* A frame has its caller as "parent"; the outermost is the process. */
static void put_frames(void *context, FILE *to)
{
	const struct chrome_stacks *stacks = context;
	const struct call_tree *tree = stacks->report.tree;
	size_t i;

	if (tree->nodes < 2)
		return;
	fputs(",\n\"stackFrames\":{", to);
	for (i = 1; i < tree->nodes; i++) {
		fprintf(to, "%s\n\"%zu\":{\"name\":", i > 1 ? "," : "", i);
		export_string(to, tree->name[tree->node[i].name].text);
		if (tree->node[i].parent)
			fprintf(to, ",\"parent\":\"%" PRIu32 "\"", tree->node[i].parent);
		putc('}', to);
	}
	putc('}', to);
}

int export_chrome_with_stacks(struct export *export, struct stat_options *options)
{
	static struct statistics statistics;
	static struct chrome_stacks stacks;
	bool idle = options->filter.idle;
	int err;

	stacks = (struct chrome_stacks){
		.report = {
			.trace = export->trace, .statistics = &statistics,
			.where = &options->where, .all_samples = true,
			.each = keep, .context = &stacks,
		},
	};
	/* what is idle has samples on the timeline, too */
	options->filter.idle = true;
	err = statistics_collect(&statistics, export->trace, false, &options->filter) ||
	      stack_report_make(&stacks.report);
	options->filter.idle = idle;
	if (!err) {
		export->stacks = &stacks;
		export->stack_of = stack_of;
		export->put_frames = put_frames;
		export->name_address = name_of_routine;
		export->names = stacks.report.symbols;
		err = export_chrome(export);
	}
	if (!err && stacks.report.events)
		symbols_warn(stacks.report.symbols, false);
	stack_report_free(&stacks.report);
	map_free(&stacks.samples);
	free(stacks.node);
	statistics_free(&statistics);
	return err ? -1 : 0;
}
