// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* etw export: samples, and what is missing, as instant events. */
#include <inttypes.h>
#include <stdio.h>
#include "config/profile_sources.h"
#include "libetl/event_names.h"
#include "export.h"

/* Up to where "args":{ stands; @scope: t of a track, g of all */
static void begin_mark(struct export *export, const char *name, const char *category, char scope,
		       uint32_t pid, uint32_t tid, int64_t ns)
{
	export_event(export, "i", name, pid, tid, ns);
	fprintf(export->to, ",\"cat\":\"%s\",\"s\":\"%c\",\"args\":{", category, scope);
}

static void end_mark(struct export *export)
{
	putc('}', export->to);
	export_end_event(export);
}

int export_sample(struct export *export, const struct etl_record *record, uint32_t cpu)
{
	struct export_thread *thread;
	struct sample sample;
	const char *known;
	uint32_t pid, tid, frame;
	char name[64];

	if (!sample_of(&export->samples, record, record->hook_id, &sample))
		return 0;
	known = export_source_name(export, sample.source);
	if (!known)
		known = sample.timer ? "Timer" : etw_profile_source_name(sample.source);
	snprintf(name, sizeof(name), "Source%u", sample.source);
	export_track_of_cpu(export, cpu, &pid, &tid);
	if (sample.thread_id) {
		thread = export_thread_of(export, sample.thread_id);
		if (!thread)
			return -1;
		export_track_of_thread(export, thread, &pid, &tid);
	}
	begin_mark(export, known ? known : name, "sample", 't', pid, tid,
		   export_ns(export, record->time));
	fprintf(export->to, "\"cpu\":%u,\"address\":\"0x%" PRIx64 "\",\"count\":%u", cpu,
		sample.address, sample.count);
	putc('}', export->to);
	frame = export->stack_of ? export->stack_of(export->stacks, record, cpu) : 0;
	if (frame)
		fprintf(export->to, ",\"sf\":\"%u\"", frame);
	export_end_event(export);
	return 0;
}

const char *export_break_name(enum chain_break why)
{
	static const char *const name[CHAIN_BREAKS] = {
		[CHAIN_BACK] = "a counter went back", [CHAIN_LOST] = "records are missing",
		[CHAIN_PAUSED] = "switches were not recorded",
		[CHAIN_OFFLINE] = "the processor was offline",
		[CHAIN_HIDDEN] = "switches are missing",
	};

	return name[why];
}

void export_mark_break(struct export *export, const struct interval *interval)
{
	uint32_t pid, tid;

	export_track_of_cpu(export, interval->processor, &pid, &tid);
	begin_mark(export, export_break_name(interval->why), "gap", 't', pid, tid,
		   export_ns(export, interval->to));
	fputs("\"from\":", export->to);
	export_microseconds(export->to, export_ns(export, interval->from));
	fputs(",\"to\":", export->to);
	export_microseconds(export->to, export_ns(export, interval->to));
	end_mark(export);
}

void export_mark_loss(struct export *export, const struct etw_loss *loss)
{
	const char *cause = loss_cause_name(loss->cause);
	uint32_t pid, tid;

	if (loss->processor >= ETL_PROCESSORS)
		return;
	export_track_of_cpu(export, loss->processor, &pid, &tid);
	begin_mark(export, "events lost", "loss", 't', pid, tid, export_ns(export, loss->last));
	fprintf(export->to, "\"count\":%" PRIu64 ",\"total\":%" PRIu64 ",\"cause\":",
		(uint64_t)loss->count, (uint64_t)loss->total);
	export_string(export->to, cause ? cause : "unknown");
	end_mark(export);
}

/* The first record of a buffer: what the header says of the time before it */
void export_mark_buffer(struct export *export, const struct etl_buffer *buffer, uint64_t time)
{
	uint16_t flags = buffer->header.buffer_flag;
	uint32_t pid, tid;

	if (!(flags & ETL_BUFFER_LOST))
		return;
	export_track_of_cpu(export, buffer->processor % ETL_PROCESSORS, &pid, &tid);
	begin_mark(export, flags & ETW_BUFFER_FLAG_BUFFER_LOST ? "buffers lost" :
		   "events lost", "loss", 't', pid, tid, export_ns(export, time));
	fprintf(export->to, "\"buffer\":%" PRIu64, (uint64_t)buffer->header.sequence_number);
	end_mark(export);
}

void export_mark_damage(struct export *export)
{
	const struct trace *trace = export->trace;
	uint32_t pid, tid;

	if (!trace->torn && !trace->gaps)
		return;
	export_track_of_cpu(export, 0, &pid, &tid);
	begin_mark(export, "parts of the file are no buffers", "damage", 'g', pid, tid,
		   export_ns(export, export->last));
	fprintf(export->to, "\"bytes\":%" PRIu64, trace->gap_bytes + trace->size - trace->end);
	end_mark(export);
}
