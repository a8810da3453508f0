// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* A trace that is merged into another file: the buffers its records come from. */
#include <string.h>
#include "losses.h"
#include "merging_source.h"
#include "origin.h"

int merging_source_begin(struct merging_source *source, const struct trace *trace)
{
	memset(source, 0, sizeof(*source));
	source->trace = trace;
	source->ours = trace_is_ours(trace);
	source->session = loss_session_id(&trace->log, trace->buffers[0].header.logger_id);
	source->marks = !(trace->log.log_file_mode & EVENT_TRACE_RELOG_MODE);
	return holes_find(&source->holes, trace);
}

/* True, after a message, where there is no memory to look, too */
static bool has_losses(const struct trace *trace)
{
	const struct etl_record *record;
	const struct etl_buffer *buffer;
	struct merge merge;
	struct etw_loss loss;
	bool found = false;

	if (merge_begin(&merge, trace, true))
		return true;
	while (!found && merge_next(&merge, &record, &buffer))
		found = loss_of(record, &loss);
	merge_end(&merge);
	return found;
}

/* Whether the file was closed, reports no loss, and contains each of its buffers once */
static bool is_whole(const struct merging_source *source)
{
	const struct trace *trace = source->trace;
	size_t i;

	if (!trace->log.end_time || trace->log.buffers_written != trace->count ||
	    trace->log.events_lost || trace->log.buffers_lost)
		return false;
	for (i = 0; i < trace->count; i++)
		if (source->holes.sequence[i] != i ||
		    (trace->buffers[i].header.buffer_flag & ETL_BUFFER_LOST))
			return false;
	return !has_losses(trace);
}

/*
 * Where nothing is missing between two buffers it does not matter which of them a record was in,
 * and small ones need not become as many large ones.
 */
void merging_source_pack(struct merging_source *source)
{
	source->packed = is_whole(source);
}

/*
 * The output numbers its buffers anew. So a flag has to say that some were missing between
 * this one and the one before it of its processor; on each buffer of the output that has
 * records of it, as the other sources' may stand between them.
 */
int merging_source_take(struct merging_source *source, struct merging *merging,
			const struct etl_buffer *buffer, uint64_t time)
{
	uint64_t *sequence = &source->sequence[buffer->processor];
	uint64_t *last = &source->time[buffer->processor];
	bool late = (int64_t)(time - *last) < 0;

	if (source->seen[buffer->processor] != buffer->at + 1) {
		/* readers rely on the order inside of a buffer, too */
		if ((!source->packed || late) && merging_begin_buffer(merging, buffer))
			return -1;
		source->lost[buffer->processor] = source->ours &&
			holes_between(&source->holes, *sequence, buffer->header.sequence_number) ?
			ETW_BUFFER_FLAG_BUFFER_LOST : 0;
		source->seen[buffer->processor] = buffer->at + 1;
		merging->read++;
		*sequence = buffer->header.sequence_number;
	}
	merging->cpu[buffer->processor].lost = source->lost[buffer->processor];
	merging->session = source->marks ? &source->session : NULL;
	*last = time;
	if ((int64_t)(time - merging->last) > 0)
		merging->last = time;
	return 0;
}

/* Buffers missing behind a processor's last one show in the file's last sequence number. */
void merging_source_finish(const struct merging_source *source, struct merging *merging)
{
	const struct trace *trace = source->trace;
	uint64_t last = trace->buffers[trace->count - 1].header.sequence_number;
	size_t i;

	for (i = 0; source->ours && i < ETL_PROCESSORS; i++)
		if ((source->seen[i] || i < trace->log.number_of_processors) &&
		    holes_between(&source->holes, source->sequence[i], last))
			merging->last_flags |= ETW_BUFFER_FLAG_BUFFER_LOST;
}

void merging_source_end(struct merging_source *source)
{
	holes_free(&source->holes);
}
