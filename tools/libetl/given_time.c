// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Time stamps that a program may have made up. */
#include "given_time.h"

static void look_behind(struct given_time *given, const struct etl_logfile *log,
			const struct etl_buffer *buffer, const struct etl_record *record)
{
	struct etl_record next;

	given->sure = buffer->header.time_stamp;
	given->sure_at = etl_next_record(record);
	while (etl_record_at(buffer, given->sure_at, &next) == ETL_RECORD_OK) {
		if (next.has_time && !time_may_be_given(log, &next)) {
			given->sure = next.time;
			return;
		}
		given->sure_at = etl_next_record(&next);
	}
}

uint64_t time_of_given(struct given_time *given, const struct etl_logfile *log,
		       const struct etl_buffer *buffer, const struct etl_record *record,
		       uint64_t last)
{
	if (record->at >= given->sure_at)
		look_behind(given, log, buffer, record);
	if ((int64_t)(record->time - last) < 0 ||
	    (given->sure && (int64_t)(record->time - given->sure) > 0))
		return last;
	return record->time;
}
