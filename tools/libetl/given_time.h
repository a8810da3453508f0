/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Time stamps that a program may have made up. */
#ifndef ETW_GIVEN_TIME_H
#define ETW_GIVEN_TIME_H

#include "etw_abi.h"
#include "reader.h"

/*
 * A program may say when its event was (USE_TIMESTAMP), and a private logger takes
 * whole records of any kind (NO_HEADER).
 */
static inline bool time_may_be_given(const struct etl_logfile *log,
				     const struct etl_record *record)
{
	return record->header == ETL_FULL || record->header == ETL_INSTANCE ||
	       record->header == ETL_WNODE ||
	       (log->log_file_mode & EVENT_TRACE_PRIVATE_LOGGER_MODE && !etl_is_ours(record));
}

/**
 * struct given_time - what times that a program gave are up to
 * @sure: the time of the next record behind them in their buffer that is surely its own, else
 *	the buffer's, 0 if it has none
 * @sure_at: where that is; 0 in another buffer
 */
struct given_time {
	uint64_t sure;
	uint32_t sure_at;
};

/* time_in_order() of a record with a time that may be given */
uint64_t time_of_given(struct given_time *given, const struct etl_logfile *log,
		       const struct etl_buffer *buffer, const struct etl_record *record,
		       uint64_t last);
/*
 * The place of a record in the order of time: its own time; one that a program may have made up
 * and that is older than the record before it (@last: that one's place), or later than what is
 * surely behind it, has come between these two all the same. It must not hold back what follows:
 * it stands beside its neighbour.
 */
static inline uint64_t time_in_order(struct given_time *given, const struct etl_logfile *log,
				     const struct etl_buffer *buffer,
				     const struct etl_record *record, uint64_t last)
{
	if (!time_may_be_given(log, record))
		return record->time;
	return time_of_given(given, log, buffer, record, last);
}

#endif /* ETW_GIVEN_TIME_H */
