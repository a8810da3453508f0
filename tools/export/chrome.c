// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* etw export --chrome: goes through the records of a trace. */
#include <string.h>
#include "libetl/buffer_writer.h"
#include "libetl/given_time.h"
#include "libetl/guids.h"
#include "libetl/losses.h"
#include "etw_hooks.h"
#include "export.h"

static int take_hook(struct export *export, const struct etl_record *record, uint32_t cpu)
{
	switch (record->hook_id) {
	case PERFINFO_LOG_TYPE_CONTEXTSWAP:
		return is_context_swap(record) ? export_switch(export, record, cpu) : 0;
	case PERFINFO_LOG_TYPE_READYTHREAD:
		return record->payload_size >= 4 ? export_ready(export, record, cpu) : 0;
	case PERFINFO_LOG_TYPE_SAMPLED_PROFILE:
	case PERFINFO_LOG_TYPE_PMC_INTERRUPT:
		return export->chains.selected ? export_sample(export, record, cpu) : 0;
	}
	return export->chains.selected ? export_instant(export, record, cpu) : 0;
}

/*
 * The last state of a processor is known up to its last record. In the file of one session it is
 * known up to the end of the last buffer, because a buffer ends when it is handed over. Buffers of
 * merged files end at another time.
 */
static void note_end(struct export *export, const struct etl_buffer *buffer,
		     const struct etl_record *record)
{
	const struct etl_logfile *log = &export->trace->log;
	uint64_t *known = &export->known_of[buffer->processor % ETL_PROCESSORS];
	uint64_t stamp = buffer->header.time_stamp;

	/* what a program says of the future does not go on until then */
	if (!time_may_be_given(log, record) || (int64_t)(record->time - stamp) <= 0) {
		export->last = record->time;
		*known = record->time;
	}
	if (!(log->log_file_mode & EVENT_TRACE_RELOG_MODE) && (int64_t)(stamp - *known) > 0)
		*known = stamp;
}

/* Of a whole session: buffers of all processors have come that began before a flush or the stop */
static void note_known(struct export *export, const struct etl_record *record)
{
	struct etw_flushed flushed;
	struct etw_anchor anchor;

	if (export->trace->log.log_file_mode & EVENT_TRACE_RELOG_MODE || !etl_is_ours(record))
		return;
	if (record->id == ETW_LINUX_EVENT_FLUSHED && record->payload_size >= sizeof(flushed)) {
		memcpy(&flushed, record->payload, sizeof(flushed));
		export->known = flushed.time;
	} else if (record->id == ETW_LINUX_EVENT_ANCHOR && record->payload_size >= sizeof(anchor)) {
		memcpy(&anchor, record->payload, sizeof(anchor));
		if (anchor.reason == ETW_ANCHOR_STOP)
			export->known = record->time;
	}
}

static int take_record(void *context, const struct etl_buffer *buffer,
		       const struct etl_record *record)
{
	struct export *export = context;
	uint32_t cpu = buffer->processor % ETL_PROCESSORS;
	struct etw_loss loss;

	if (export->buffer[cpu] != buffer->at)
		export_mark_buffer(export, buffer, record->time);
	export->buffer[cpu] = buffer->at;
	note_end(export, buffer, record);
	note_known(export, record);
	if (loss_of(record, &loss))
		export_mark_loss(export, &loss);
	if (export_note_names(export, record, false))
		return -1;
	if (etl_has_hook(record))
		return take_hook(export, record, cpu);
	return export->chains.selected ? export_instant(export, record, cpu) : 0;
}

/* Its memory: the threads, the processes, the processors; of the file, what is read */
int export_chrome(struct export *export)
{
	int err = export_begin(export);

	if (!err) {
		export->last = export->begin;
		export->known = export->begin;
		export->chains.take = export_interval;
		export->chains.see = take_record;
		export->chains.context = export;
		export_head(export);
		err = chains_walk(&export->chains);
	}
	if (!err) {
		export_cut(export);
		export_mark_damage(export);
		export_tail(export);
	}
	export_finish(export);
	return err;
}
