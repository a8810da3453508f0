// SPDX-License-Identifier: GPL-2.0
/* Time stamps that a program may have made up. */
#include "etw_abi.h"
#include "given_time.h"

bool time_may_be_given(const struct etl_logfile *log, const struct etl_record *record)
{
	return record->header == ETL_FULL || record->header == ETL_INSTANCE ||
	       record->header == ETL_WNODE ||
	       (log->log_file_mode & EVENT_TRACE_PRIVATE_LOGGER_MODE && !etl_is_ours(record));
}

uint64_t time_surely_behind(const struct etl_logfile *log, const struct etl_buffer *buffer,
			    const struct etl_record *record, uint32_t *at)
{
	struct etl_record next;

	*at = etl_next_record(record);
	while (etl_record_at(buffer, *at, &next) == ETL_RECORD_OK) {
		if (next.has_time && !time_may_be_given(log, &next))
			return next.time;
		*at = etl_next_record(&next);
	}
	return buffer->header.time_stamp;
}
