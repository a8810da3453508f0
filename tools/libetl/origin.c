// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Whether the module or Windows wrote a trace. */
#include "origin.h"

bool trace_is_ours(const struct trace *trace)
{
	const struct etl_record *record;
	const struct etl_buffer *buffer;
	struct merge merge;
	bool ours = false;

	if (trace->log.provider_version != ETW_OS_BUILD || merge_begin(&merge, trace, true))
		return false;
	while (!ours && merge_next(&merge, &record, &buffer))
		ours = etl_is_ours(record);
	merge_end(&merge);
	return ours;
}
