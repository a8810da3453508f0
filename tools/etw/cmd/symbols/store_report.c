// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Progress of a symbol store, and what is in it: as text, as JSON. */
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include "common/progress_line.h"
#include "etw.h"
#include "libetl/text.h"
#include "store.h"

void store_progress(const struct store *store, size_t at, size_t all, const char *name)
{
	static time_t shown;
	char text[64];

	if (at == all)
		progress_line_clear();
	if (store->options->quiet || at == all || time(NULL) == shown)
		return;
	shown = time(NULL);
	snprintf(text, sizeof(text), "%s", name);
	text_escape_control(text);
	progress_line("%zu of %zu images: %s", at, all, text);
}

static uint64_t lines_left_out(const struct stored *image)
{
	return image->counts.unlined + image->left.rows;
}

static json_t *json_image(const struct stored *image)
{
	json_t *to = json_object();

	json_object_set_new(to, "path", json_string(image->path));
	json_object_set_new(to, "build_id", json_string(image->id));
	json_object_set_new(to, "file", json_boolean(image->has_file));
	json_object_set_new(to, "debug_file", json_boolean(image->has_debug));
	if (image->why) {
		json_object_set_new(to, "why", json_string(image->why));
		return to;
	}
	json_object_set_new(to, "pdb", json_string(image->guid));
	json_object_set_new(to, "functions", json_integer(image->counts.functions));
	json_object_set_new(to, "outside", json_integer(image->counts.outside + image->outside));
	json_object_set_new(to, "cut_names", json_integer(image->counts.cut));
	json_object_set_new(to, "lines", json_integer(image->counts.lines));
	if (image->why_no_lines)
		json_object_set_new(to, "why_no_lines", json_string(image->why_no_lines));
	json_object_set_new(to, "lines_left_out", json_integer(lines_left_out(image)));
	json_object_set_new(to, "line_tables_left_out", json_integer(image->left.tables));
	return to;
}

static int report_json(const struct store *store)
{
	json_t *all = json_object(), *images = json_array();
	size_t i;
	int err;

	for (i = 0; i < store->done.count; i++)
		json_array_append_new(images, json_image(&store->image[i]));
	json_object_set_new(all, "images", images);
	json_object_set_new(all, "pdbs", json_integer(store->written));
	err = json_dumpf(all, stdout, JSON_INDENT(2));
	putchar('\n');
	json_decref(all);
	return err ? failed("symbols: the summary could not be written as JSON") : EXIT_OK;
}

/* One warning for each reason, at the first image that has it */
static void warn_no_lines(const struct store *store, size_t first)
{
	const char *why = store->image[first].why_no_lines;
	size_t i, images = 0;

	for (i = 0; i < store->done.count; i++) {
		if (store->image[i].why || !store->image[i].why_no_lines ||
		    strcmp(store->image[i].why_no_lines, why))
			continue;
		if (i < first)
			return;
		images++;
	}
	warn("symbols: PDBs without source lines: %zu: %s", images, why);
}

static void report_text(const struct store *store)
{
	uint64_t functions = 0, lines = 0, outside = 0, cut = 0, unlined = 0, tables = 0;
	const struct stored *image;
	size_t i;

	for (i = 0; i < store->done.count; i++) {
		image = &store->image[i];
		functions += image->counts.functions;
		lines += image->counts.lines;
		outside += image->counts.outside + image->outside;
		cut += image->counts.cut;
		unlined += lines_left_out(image);
		tables += image->left.tables;
		if (image->why)
			warn("symbols: %s: %s", image->path, image->why);
		else if (image->why_no_lines && !store->options->no_lines)
			warn_no_lines(store, i);
	}
	if (outside + cut + unlined)
		warn("symbols: %" PRIu64 " functions outside of code left out, %" PRIu64
		     " names cut, %" PRIu64 " lines left out", outside, cut, unlined);
	if (tables)
		warn("symbols: line tables that cannot be read: %" PRIu64, tables);
	fprintf(stderr, "etw: %s: %zu images, %zu PDBs with %" PRIu64 " functions and %" PRIu64
		" lines\n", store->options->directory, store->done.count, store->written,
		functions, lines);
}

int store_report(const struct store *store)
{
	if (store->options->json)
		return report_json(store);
	if (!store->options->quiet)
		report_text(store);
	return EXIT_OK;
}
