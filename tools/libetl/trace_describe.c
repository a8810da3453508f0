// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Collects the descriptions of events that a file contains. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include "buffer_writer.h"
#include "event_info.h"
#include "messages.h"
#include "trace.h"

static int describe_buffer(struct event_infos *infos, const struct etl_buffer *buffer)
{
	struct etl_record record;
	uint32_t at;
	int err = 0;

	for (at = ETL_FIRST_RECORD;
	     !err && buffer && etl_record_at(buffer, at, &record) == ETL_RECORD_OK;
	     at = etl_next_record(&record))
		if (event_info_is_one(&record))
			err = event_infos_add(infos, &record);
	return err;
}

int trace_describe(struct trace *trace)
{
	struct decompressed decompressed = { .method = trace->log.compression };
	const bool merged = trace->log.log_file_mode & EVENT_TRACE_RELOG_MODE;
	size_t i;
	int err = 0;

	/* Only merging writes descriptions: other files need no pass of their own. */
	if (!merged && !trace->infos)
		return 0;
	if (!trace->infos)
		trace->infos = calloc(1, sizeof(*trace->infos));
	if (!trace->infos)
		return no_memory();
	for (i = 0; merged && !err && i < trace->count; i++) {
		err = describe_buffer(trace->infos, buffer_decompress(&decompressed,
								      &trace->buffers[i]));
		trace_release(trace, &trace->buffers[i]);
	}
	decompressed_free(&decompressed);
	if (err || event_infos_finish(trace->infos))
		return no_memory();
	if (trace->infos->ignored)
		warn("%s: %" PRIu64 " descriptions of events ignored: more than %u MB", trace->name,
		     trace->infos->ignored, EVENT_INFO_BYTES >> 20);
	trace->log.infos = trace->infos;
	return 0;
}
