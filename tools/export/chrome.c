// SPDX-License-Identifier: GPL-2.0
/* etw export --chrome: goes through the records of a trace. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "../libetl/given_time.h"
#include "../libetl/guids.h"
#include "../libetl/losses.h"
#include "../libetl/messages.h"
#include "../libetl/trace_losses.h"
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
		return export_sample(export, record, cpu);
	}
	return 0;
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
	/* what a program says of the future does not go on until then */
	if (!time_may_be_given(&export->trace->log, record) ||
	    (int64_t)(record->time - buffer->header.time_stamp) <= 0)
		export->last = record->time;
	if (loss_of(record, &loss))
		export_mark_loss(export, &loss);
	if (export_note_names(export, record, false))
		return -1;
	return etl_has_hook(record) ? take_hook(export, record, cpu) : 0;
}

/* Its memory: the threads, the processes, the processors; of the file, what is read */
int export_chrome(struct export *export)
{
	struct gaps gaps;
	int err;

	sample_fields_find(&export->samples);
	if (trace_events_lost(export->trace, &export->events_lost) || export_survey(export) ||
	    gaps_find(&gaps, export->trace))
		return -1;
	export->last = export->trace->log.t0;
	export->chains = (struct chains){
		.trace = export->trace, .gaps = &gaps, .counters = export->perf.counters,
		.pebs = export->perf.pebs, .columns = export->perf.counters + export->perf.pebs,
		.cpu = calloc(ETL_PROCESSORS, sizeof(*export->chains.cpu)),
		.take = export_interval, .see = take_record, .context = export,
	};
	err = export->chains.cpu ? 0 : failed("%s", strerror(ENOMEM));
	if (!err) {
		export_head(export);
		err = chains_find_filter(&export->chains) || chains_walk(&export->chains);
	}
	if (!err) {
		export_cut(export);
		export_mark_damage(export);
		export_tail(export);
	}
	free(export->chains.cpu);
	gaps_free(&gaps);
	return err ? -1 : 0;
}
