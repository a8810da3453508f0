/* SPDX-License-Identifier: GPL-2.0 */
/* Time stamps that a program may have made up. */
#ifndef ETW_GIVEN_TIME_H
#define ETW_GIVEN_TIME_H

#include "reader.h"

/*
 * A program may say when its event was (USE_TIMESTAMP), and a private logger takes
 * whole records of any kind (NO_HEADER).
 */
bool time_may_be_given(const struct etl_logfile *log, const struct etl_record *record);

/*
 * What a record was surely written before: the time of the next one behind it in its buffer that
 * is surely its own, else the buffer's, 0 if it has none.
 * @at: out: where that is; it is the same for all records before it
 */
uint64_t time_surely_behind(const struct etl_logfile *log, const struct etl_buffer *buffer,
			    const struct etl_record *record, uint32_t *at);

#endif /* ETW_GIVEN_TIME_H */
