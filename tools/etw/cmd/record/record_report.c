// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* What etw record says: progress on a terminal, a summary, losses. */
#include <inttypes.h>
#include <stdio.h>
#include "libetl/event_names.h"
#include "etw.h"
#include "common/memory_text.h"
#include "common/progress_line.h"
#include "record.h"

/* A command shares the terminal, and its output would mix with the line. */
static bool shows_progress(const struct recording *recording)
{
	return !recording->quiet && !recording->command && progress_line_possible();
}

void report_progress(const struct recording *recording)
{
	struct etw_statistics statistics;

	if (!shows_progress(recording) ||
	    control_try_statistics(recording->control, recording->id, ETW_ALL_PROCESSORS,
				   &statistics))
		return;
	progress_line("%.1f MB, %" PRIu64 " buffers, %" PRIu64 " events, %" PRIu64 " lost",
		      recording->writer.written / 1e6, (uint64_t)statistics.buffers_read,
		      (uint64_t)statistics.read, statistics_lost(&statistics));
}

/* With what helps */
static void report_no_buffer(const struct recording *recording, uint64_t lost)
{
	warn("lost %" PRIu64 " events: %s; more or larger buffers help (-n, -b)", lost,
	     loss_cause_name(ETW_LOSS_NO_BUFFER));
	if (recording->priority_error)
		warn("the reader had normal priority: %s (CAP_SYS_NICE or 'ulimit -r 1' allows a "
		     "real-time one)", strerror(recording->priority_error));
}

static void report_losses(const struct recording *recording,
			  const struct etw_statistics *statistics)
{
	const char *name;
	unsigned int i;

	for (i = 0; i < sizeof(statistics->lost) / sizeof(statistics->lost[0]); i++) {
		if (!statistics->lost[i])
			continue;
		name = loss_cause_name(i);
		if (i == ETW_LOSS_NO_BUFFER)
			report_no_buffer(recording, statistics->lost[i]);
		else if (name)
			warn("lost %" PRIu64 " events: %s", (uint64_t)statistics->lost[i], name);
		else
			warn("lost %" PRIu64 " events: cause %u", (uint64_t)statistics->lost[i],
			     i);
	}
	if (statistics->uncounted)
		warn("%" PRIu64 " events without the counters or the PEBS index that they should "
		     "have", (uint64_t)statistics->uncounted);
	if (statistics->overwritten)
		warn("%" PRIu64 " events in %" PRIu64 " buffers were overwritten",
		     (uint64_t)statistics->overwritten,
		     (uint64_t)statistics->buffers_overwritten);
}

/* What perf did not sample is no event, and no loss of the session. */
static void report_throttling(const struct recording *recording)
{
	struct etw_counting counting;

	if (!control_try_counting(recording->control, recording->id, ETW_ALL_PROCESSORS,
				  &counting) && counting.throttled)
		warn("perf held samples back %u times: they come too fast for it",
		     counting.throttled);
}

static void report_memory(const struct recording *recording,
			  const struct etw_statistics *statistics)
{
	static struct session_information session;

	if (!control_try_query(recording->control, recording->id, &session))
		memory_report(statistics, session.info.maximum_buffers);
}

/* Losses are reported even with --quiet: an incomplete trace must not look complete. */
void report_summary(const struct recording *recording, const struct etw_statistics *statistics)
{
	if (!recording->quiet)
		fprintf(stderr, "etw: %s: %.1f MB, %" PRIu64 " buffers, %" PRIu64 " events, %"
			PRIu64 " lost\n", recording->writer.path, recording->writer.bytes / 1e6,
			recording->writer.buffers,
			(uint64_t)statistics->read - recording->writer.unwritten.events,
			statistics_lost(statistics) + recording->writer.unwritten.events);
	if (!recording->quiet)
		report_memory(recording, statistics);
	report_losses(recording, statistics);
	report_throttling(recording);
}
