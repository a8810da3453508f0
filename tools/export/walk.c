// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* etw export: what the formats do before they go through the records, and after. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "libetl/messages.h"
#include "libetl/trace_losses.h"
#include "export.h"

int export_begin(struct export *export)
{
	sample_fields_find(&export->samples);
	if (trace_events_lost(export->trace, &export->events_lost) || export_survey(export) ||
	    gaps_find(&export->gaps, export->trace))
		return -1;
	export->chains = (struct chains){
		.trace = export->trace, .filter = export->filter, .gaps = &export->gaps,
		.counters = export->perf.counters, .pebs = export->perf.pebs,
		.columns = export->perf.counters + export->perf.pebs,
		.cpu = calloc(ETL_PROCESSORS, sizeof(*export->chains.cpu)),
	};
	if (!export->chains.cpu)
		return failed("%s", strerror(ENOMEM)), -1;
	return chains_find_filter(&export->chains) ? -1 : 0;
}

void export_finish(struct export *export)
{
	free(export->chains.cpu);
	export->chains.cpu = NULL;
	gaps_free(&export->gaps);
}
