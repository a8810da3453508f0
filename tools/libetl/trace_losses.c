// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* How many events a trace lost, closed or not. */
#include "losses.h"
#include "messages.h"
#include "trace_losses.h"

int trace_events_lost(const struct trace *trace, uint32_t *events_lost)
{
	const struct etl_record *record;
	const struct etl_buffer *buffer;
	struct losses losses = { };
	struct merge merge;
	int err = 0;

	*events_lost = trace->log.events_lost;
	if (trace->log.end_time)
		return 0;
	if (merge_begin(&merge, trace, true))
		return -1;
	while (!err && merge_next(&merge, &record, &buffer))
		err = losses_note(&losses, record, &trace->log);
	merge_end(&merge);
	*events_lost = losses_with(&losses, *events_lost);
	losses_free(&losses);
	return err ? no_memory() : 0;
}
