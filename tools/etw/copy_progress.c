// SPDX-License-Identifier: GPL-2.0
/* What is told on a terminal of a copy of a stream: progress, a summary. */
#include <inttypes.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>
#include "copy_progress.h"

static void show_progress(const struct saving *saving, bool last)
{
	static time_t shown;

	if (!isatty(STDERR_FILENO) || (!last && time(NULL) == shown))
		return;
	shown = time(NULL);
	if (last)
		fprintf(stderr, "\r\033[K");
	else
		fprintf(stderr, "\r\033[K%.1f MB, %" PRIu64 " of %u buffers",
			saving->writer.written / 1e6, saving->buffers,
			saving->header.buffers_written);
	fflush(stderr);
}

static void show_summary(const struct saving *saving)
{
	fprintf(stderr, "etw: %s: %.1f MB, %" PRIu64 " buffers, %" PRIu64 " events, %u lost\n",
		saving->writer.name, saving->writer.bytes / 1e6, saving->buffers, saving->events,
		saving->header.events_lost);
}

void copy_progress_show(struct saving *saving)
{
	saving->progress = show_progress;
	saving->summary = show_summary;
}
