/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* A trace that is merged into another file: the buffers its records come from. */
#ifndef ETW_MERGING_SOURCE_H
#define ETW_MERGING_SOURCE_H

#include "buffer_writer.h"
#include "holes.h"

/**
 * struct merging_source - a trace that is read
 * @trace: which
 * @ours: its buffers' numbers are dense where none is missing
 * @session: what marks its loss records in the output
 * @marks: and whether they need it: those of a merged file are marked
 * @holes: numbers that are missing
 * @packed: a buffer of the output may have records of several buffers of it
 * @seen: by processor: 1 + the place of the last buffer that records were taken from
 * @sequence: its number
 * @lost: by processor: ETW_BUFFER_FLAG_BUFFER_LOST: some before that buffer are missing
 * @time: by processor: of the last record
 */
struct merging_source {
	const struct trace *trace;
	bool ours;
	struct etw_guid session;
	bool marks;
	struct holes holes;
	bool packed;
	uint64_t seen[ETL_PROCESSORS];
	uint64_t sequence[ETL_PROCESSORS];
	uint16_t lost[ETL_PROCESSORS];
	uint64_t time[ETL_PROCESSORS];
};

/* What returns an int returns 0, or -1 after a message. */
int merging_source_begin(struct merging_source *source, const struct trace *trace);
/* Before the first record: of a trace that lacks nothing, buffers are filled. */
void merging_source_pack(struct merging_source *source);
/* Before merging_add(): a record of the source; @time: merge_time() of it */
int merging_source_take(struct merging_source *source, struct merging *merging,
			const struct etl_buffer *buffer, uint64_t time);
/* Before merging_finish() */
void merging_source_finish(const struct merging_source *source, struct merging *merging);
void merging_source_end(struct merging_source *source);

#endif /* ETW_MERGING_SOURCE_H */
