// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* etw snapshot: what a session holds in memory, as a closed file; it goes on meanwhile. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "cmd/finalize/finalize.h"
#include "control/control_calls.h"
#include "common/copy_progress.h"
#include "common/verb_options.h"
#include "etw.h"
#include "snapshot.h"

static const char help[] =
	"snapshot NAME|ID -o FILE\n\n"
	"Writes what a session in mode buffering holds into a closed file. The session goes on\n"
	"and keeps its events. The summary reports how far back the file is complete, on each\n"
	"processor and on all of them. The file gets names of functions.\n\n";

static const struct verb_option options[] = {
	{ .code = OPTION_OUTPUT, .argument = "FILE", .help = "the file; - is standard output" },
	{ .code = OPTION_QUIET },
	{ .code = OPTION_RAW },
	{ }
};

/* How far back the copy goes; an older module does not report it. */
static void show_reach(const struct etw_statistics *all, int fd)
{
	struct etw_statistics one;
	const char *before = " (";
	uint32_t cpu;

	if (!all->reach)
		return;
	fprintf(stderr, "etw: reaches back %.1f s", all->reach / 1e7);
	for (cpu = 0; cpu < all->processors; cpu++) {
		if (control_try_statistics(fd, all->logger_id, cpu, &one))
			continue;
		fprintf(stderr, "%sCPU %u: %.1f s", before, cpu, one.reach / 1e7);
		before = ", ";
	}
	fprintf(stderr, "); %" PRIu64 " events were overwritten before\n",
		(uint64_t)all->overwritten);
}

static int take(const char *name, const char *path, bool quiet)
{
	int fd = control_open(), stream, code = EXIT_FAILED;
	struct stream_copy copy = { .writer.keep_old = true };
	struct etw_statistics all;
	uint32_t id;

	if (fd < 0)
		return EXIT_FAILED;
	if (!quiet)
		copy_progress_show(&copy);
	if (!control_find(fd, "snapshot", name, &id) && !stream_copy_open(&copy, path)) {
		stream = control_snapshot(fd, id);
		if (stream >= 0) {
			/* before the file is written, which takes its time */
			if (control_try_statistics(fd, id, ETW_ALL_PROCESSORS, &all))
				all.reach = 0;
			code = stream_copy_run(&copy, stream) ? EXIT_FAILED : EXIT_OK;
			close(stream);
			if (!quiet && code == EXIT_OK)
				show_reach(&all, fd);
		} else {
			stream_copy_abandon(&copy);
		}
	}
	close(fd);
	return code;
}

int snapshot_take(const char *name, const char *path, bool quiet, bool raw)
{
	int code = take(name, path, quiet);

	return code || raw ? code :
	       finalize_recorded("snapshot", path, EVENT_TRACE_BUFFERING_MODE, false,
				 quiet, NULL);
}

static int snapshot(int argc, char **argv)
{
	const char *path = NULL;
	bool quiet = false, raw = false;
	int c;

	while ((c = next_verb_option(&verb_snapshot, argc, argv)) != -1) {
		if (c == '?')
			return EXIT_USAGE;
		if (c == OPTION_HELP)
			return print_help(&verb_snapshot);
		if (c == OPTION_OUTPUT)
			path = optarg;
		else if (c == OPTION_RAW)
			raw = true;
		else
			quiet = true;
	}
	if (argc - optind != 1)
		return usage_error(&verb_snapshot, "snapshot: exactly one session is needed");
	if (!path)
		return usage_error(&verb_snapshot, "snapshot: missing -o FILE");
	return snapshot_take(argv[optind], path, quiet, raw);
}

const struct verb verb_snapshot = {
	.name = "snapshot", .summary = "write what a session holds into a file",
	.help = help, .options = options,
	.run = snapshot,
};
