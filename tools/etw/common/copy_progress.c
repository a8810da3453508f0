// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Copies of a stream or of traces: progress and summary on a terminal. */
#include <inttypes.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>
#include "copy_progress.h"

/**
 * struct progress - the line of one kind of work
 * @at: second in which it was shown last
 * @shown: it is there
 */
struct progress {
	time_t at;
	bool shown;
};

/* A line each second is enough. @last: none follows; the line goes, if it is there */
static bool is_due(struct progress *progress, bool last)
{
	if (last && progress->shown)
		fprintf(stderr, "\r\033[K");
	if (last || time(NULL) == progress->at) {
		progress->shown &= !last;
		return false;
	}
	progress->at = time(NULL);
	progress->shown = isatty(STDERR_FILENO);
	return progress->shown;
}

static void show(uint64_t bytes, uint64_t buffers, uint64_t all, bool last)
{
	static struct progress progress;

	if (is_due(&progress, last))
		fprintf(stderr, "\r\033[K%.1f MB, %" PRIu64 " of %" PRIu64 " buffers",
			bytes / 1e6, buffers, all);
}

static void show_progress(const struct stream_copy *copy, bool last)
{
	show(copy->writer.written, copy->buffers, copy->header.buffers_written, last);
}

static void show_summary(const struct stream_copy *copy)
{
	fprintf(stderr, "etw: %s: %.1f MB, %" PRIu64 " buffers, %" PRIu64 " events, %u lost\n",
		copy->writer.name, copy->writer.bytes / 1e6, copy->buffers, copy->events,
		copy->header.events_lost);
}

void names_progress(uint64_t addresses, bool last)
{
	static struct progress progress;

	if (is_due(&progress, last))
		fprintf(stderr, "\r\033[K%" PRIu64 " addresses looked up", addresses);
}

void merging_progress(const struct merging *merging, uint64_t all, bool last)
{
	static uint64_t read;

	/* records are many */
	if (last || merging->read != read)
		show(merging->at, merging->read, all, last);
	read = merging->read;
}

void copy_progress_show(struct stream_copy *copy)
{
	copy->progress = show_progress;
	copy->summary = show_summary;
}
