// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* etw stat FILE waits: each wait of a thread (declared in report.h). */
#include <stdlib.h>
#include "etw.h"
#include "waits.h"

#define HOW	"-e PROC_THREAD+LOADER+CSWITCH+DISPATCHER --stackwalk CSwitch+ReadyThread"

void waits_free(struct waits *waits)
{
	size_t i;

	for (i = 0; i < waits->nr_idle; i++) {
		if (waits->idle[i].times)
			spans_free(waits->idle[i].times);
		free(waits->idle[i].times);
	}
	for (i = 0; i < RECORDED_REASONS; i++) {
		spans_free(&waits->left_out[i].waiting);
		spans_free(&waits->left_out[i].ready);
	}
	cpu_work_free(&waits->work);
	gaps_free(&waits->gaps);
	symbols_free(waits->symbols);
	stacks_free(&waits->stacks);
	call_tree_free(&waits->tree);
	map_free(&waits->idles);
	wait_keys_free(&waits->ends);
	wait_keys_free(&waits->readies);
	free(waits->wait);
	free(waits->idle);
	free(waits->thread);
	free(waits->causes);
}

static void warn_of_stacks(const struct waits *waits)
{
	size_t i, with = 0;

	for (i = 0; i < waits->nr_waits; i++)
		with += waits->wait[i].stack.node != 0;
	if (waits->nr_waits && !with)
		report_lacks_part(waits->trace, "stacks of context switches",
				  "the reasons are those that the kernel recorded", HOW);
}

/* Whether the filter leaves nothing; without a filter, the heads of the tables are shown. */
static bool is_empty(const struct waits *waits)
{
	size_t i;

	for (i = 0; i < waits->nr_waits; i++)
		if (waits->wait[i].listed)
			return false;
	return !waits->nr_idle && event_filter_leaves_out(waits->filter);
}

int stat_waits(const struct trace *trace, const struct statistics *statistics,
	       const struct stat_options *options)
{
	struct waits waits = {
		.trace = trace, .statistics = statistics, .filter = statistics->filter,
		.least = options->least,
	};
	int code = EXIT_FAILED;

	if (!statistics->switches)
		return report_lacks(trace, NULL, "context switches", HOW);
	if (waits_survey(&waits, &options->where))
		goto end;
	/* a stack gives a wait another reason than the recorded one */
	waits.bounded = options->longest && !options->has_by && !waits.has_stacks;
	if (!waits_find(&waits) && !waits_add_stacks(&waits)) {
		warn_of_stacks(&waits);
		code = is_empty(&waits) ? report_lacks(trace, waits.filter, "waits", HOW) :
					  waits_report(&waits, options);
		symbols_warn(waits.symbols, false);
	}
end:
	waits_free(&waits);
	return code;
}
