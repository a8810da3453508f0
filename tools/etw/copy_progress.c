// SPDX-License-Identifier: GPL-2.0
/* What is told on a terminal of a copy of a stream: progress, a summary. */
#include <inttypes.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>
#include "copy_progress.h"

static void show_progress(const struct stream_copy *copy, bool last)
{
	static time_t shown;

	if (!isatty(STDERR_FILENO) || (!last && time(NULL) == shown))
		return;
	shown = time(NULL);
	if (last)
		fprintf(stderr, "\r\033[K");
	else
		fprintf(stderr, "\r\033[K%.1f MB, %" PRIu64 " of %u buffers",
			copy->writer.written / 1e6, copy->buffers,
			copy->header.buffers_written);
	fflush(stderr);
}

static void show_summary(const struct stream_copy *copy)
{
	fprintf(stderr, "etw: %s: %.1f MB, %" PRIu64 " buffers, %" PRIu64 " events, %u lost\n",
		copy->writer.name, copy->writer.bytes / 1e6, copy->buffers, copy->events,
		copy->header.events_lost);
}

void copy_progress_show(struct stream_copy *copy)
{
	copy->progress = show_progress;
	copy->summary = show_summary;
}
