// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Copies of a stream or of traces: progress and summary on a terminal. */
#include <inttypes.h>
#include <stdio.h>
#include <time.h>
#include "copy_progress.h"
#include "progress_line.h"

/*
 * A line each second is enough. @at: second in which it was shown last; @last: none follows, and
 * the line is removed
 */
static bool is_due(time_t *at, bool last)
{
	time_t now = time(NULL);

	if (last)
		progress_line_clear();
	if (last || now == *at)
		return false;
	*at = now;
	return true;
}

static void show(uint64_t bytes, uint64_t buffers, uint64_t all, bool last)
{
	static time_t at;

	if (is_due(&at, last))
		progress_line("%.1f MB, %" PRIu64 " of %" PRIu64 " buffers", bytes / 1e6, buffers,
			      all);
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
	static time_t at;

	if (is_due(&at, last))
		progress_line("%" PRIu64 " addresses looked up", addresses);
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
