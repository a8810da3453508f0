// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* etw export --speedscope: stacks with weights, as https://www.speedscope.app reads them. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include "cmd/stat/stacks.h"
#include "etw.h"
#include "export/export.h"
#include "stack_formats.h"

static void put_frames(const struct call_tree *tree)
{
	size_t i;

	/* the first name is the root's, which is in no stack */
	fputs("\"shared\":{\"frames\":[", stdout);
	for (i = 1; i < tree->hashes.count; i++) {
		fputs(i > 1 ? ",\n{\"name\":" : "\n{\"name\":", stdout);
		export_string(stdout, tree->name[i].text);
		putchar('}');
	}
	fputs("]}", stdout);
}

static void put_samples(const struct call_tree *tree)
{
	uint32_t path[CALL_TREE_DEEPEST];
	unsigned int depth, k;
	bool first = true;
	size_t i;

	fputs("\"samples\":[", stdout);
	for (i = 1; i < tree->nodes; i++) {
		if (!(tree->node[i].self / tree->unit))
			continue;
		depth = call_tree_path(tree, i, path);
		fputs(first ? "\n" : ",\n", stdout);
		first = false;
		for (k = 0; k < depth; k++)
			printf("%c%u", k ? ',' : '[', tree->node[path[k]].name - 1);
		putchar(']');
	}
	fputs("],\n\"weights\":[", stdout);
	for (i = 1, first = true; i < tree->nodes; i++) {
		if (!(tree->node[i].self / tree->unit))
			continue;
		printf("%s%" PRIu64, first ? "" : ",", tree->node[i].self / tree->unit);
		first = false;
	}
	putchar(']');
}

int export_speedscope(const struct stack_report *report)
{
	const struct call_tree *tree = report->tree;
	const char *file = strrchr(report->trace->name, '/');
	uint64_t total = 0;
	size_t i;

	for (i = 1; i < tree->nodes; i++)
		total += tree->node[i].self / tree->unit;
	file = file ? file + 1 : report->trace->name;
	fputs("{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\n"
	      "\"exporter\":\"etw " ETW_VERSION "\",\"name\":", stdout);
	export_string(stdout, file);
	fputs(",\"activeProfileIndex\":0,\n", stdout);
	put_frames(tree);
	fputs(",\n\"profiles\":[{\"type\":\"sampled\",\"name\":", stdout);
	export_string(stdout, file);
	printf(",\"unit\":\"%s\",\"startValue\":0,\"endValue\":%" PRIu64 ",\n",
	       report->weight == WEIGH_WAITING ? "microseconds" : "none", total);
	put_samples(tree);
	puts("}]}");
	return 0;
}
