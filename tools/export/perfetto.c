// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* etw export --perfetto: goes through the records of a trace, and writes packets. */
#include <stdlib.h>
#include "libetl/buffer_writer.h"
#include "libetl/guids.h"
#include "libetl/losses.h"
#include "libetl/messages.h"
#include "libetl/text.h"
#include "etw_hooks.h"
#include "perfetto.h"
#include "perfetto_fields.h"

int64_t perfetto_time(const struct perfetto *perfetto, uint64_t time)
{
	int64_t ns = export_boottime(&perfetto->export, time);

	/* only a damaged stamp is before the boot, and Perfetto refuses negative ones */
	return ns < 0 ? 0 : ns;
}

struct protobuf *perfetto_packet(struct perfetto *perfetto, uint32_t sequence)
{
	struct protobuf *packet = &perfetto->packet;

	packet->used = 0;
	packet->depth = 0;
	protobuf_begin(packet, TRACE_PACKET);
	protobuf_number(packet, PACKET_SEQUENCE_ID, sequence);
	return packet;
}

void perfetto_end_packet(struct perfetto *perfetto)
{
	struct protobuf *packet = &perfetto->packet;

	protobuf_end(packet);
	if (packet->no_memory && !perfetto->failed) {
		no_memory();
		perfetto->failed = true;
	}
	if (perfetto->failed)
		return;
	fwrite(packet->bytes, 1, packet->used, perfetto->export.to);
	perfetto->export.events++;
}

static void put_clock(struct protobuf *packet, uint32_t clock, uint64_t ns)
{
	protobuf_begin(packet, SNAPSHOT_CLOCKS);
	protobuf_number(packet, CLOCK_ID, clock);
	protobuf_number(packet, CLOCK_TIMESTAMP, ns);
	protobuf_end(packet);
}

/* The clocks at a time; @anchor: a reading of them, or NULL: what the header has */
static void put_clocks(struct perfetto *perfetto, uint64_t time, const struct etw_anchor *anchor)
{
	const struct etl_logfile *log = &perfetto->export.trace->log;
	uint64_t filetime = anchor ? anchor->filetime : etl_filetime(log, time);
	struct protobuf *packet = perfetto_packet(perfetto, PERFETTO_SEQUENCE);

	protobuf_begin(packet, PACKET_CLOCK_SNAPSHOT);
	put_clock(packet, PERFETTO_BOOTTIME, perfetto_time(perfetto, time));
	if (filetime > FILETIME_OF_UNIX)
		put_clock(packet, PERFETTO_REALTIME, (filetime - FILETIME_OF_UNIX) * 100);
	if (anchor) {
		put_clock(packet, PERFETTO_MONOTONIC, anchor->monotonic);
		put_clock(packet, PERFETTO_MONOTONIC_RAW, anchor->monotonic_raw);
	}
	protobuf_number(packet, SNAPSHOT_PRIMARY_CLOCK, PERFETTO_BOOTTIME);
	protobuf_end(packet);
	perfetto_end_packet(perfetto);
}

/* The first packet: nothing is interned in the sequence */
static void put_head(struct perfetto *perfetto)
{
	struct protobuf *packet = perfetto_packet(perfetto, PERFETTO_SEQUENCE);

	protobuf_number(packet, PACKET_SEQUENCE_FLAGS, SEQUENCE_CLEARED);
	perfetto_end_packet(perfetto);
	if (!perfetto->export.distances)
		put_clocks(perfetto, perfetto->export.begin, NULL);
	perfetto_tree(perfetto);
}

static int take_event(struct perfetto *perfetto, const struct etl_record *record, uint32_t cpu)
{
	if (!perfetto->export.chains.selected)
		return 0;
	switch (etl_has_hook(record) ? record->hook_id : 0) {
	case PERFINFO_LOG_TYPE_CONTEXTSWAP:
		return is_context_swap(record) ? perfetto_switch(perfetto, record, cpu) : 0;
	case PERFINFO_LOG_TYPE_READYTHREAD:
		return record->payload_size >= 4 ? perfetto_waking(perfetto, record, cpu) : 0;
	}
	return perfetto_event(perfetto, record, cpu);
}

static int take_record(void *context, const struct etl_buffer *buffer,
		       const struct etl_record *record)
{
	struct perfetto *perfetto = context;
	struct export *export = &perfetto->export;
	uint32_t cpu = buffer->processor % ETL_PROCESSORS;
	struct etw_anchor anchor;
	struct etw_loss loss;

	if (export->buffer[cpu] != buffer->at && buffer->header.buffer_flag & ETL_BUFFER_LOST)
		perfetto->lost[cpu] = true;
	export->buffer[cpu] = buffer->at;
	if (export_anchor_of(record, &anchor))
		put_clocks(perfetto, record->time, &anchor);
	if (loss_of(record, &loss))
		perfetto_loss(perfetto, record, &loss);
	if (export_note_names(export, record, false))
		return -1;
	perfetto_note_task(perfetto, record, cpu);
	if (take_event(perfetto, record, cpu))
		return -1;
	return perfetto->failed ? -1 : 0;
}

/* A part of the interval is enough: its counters hold for the whole of it. */
static bool wants_interval(const struct export *export, const struct interval *interval)
{
	const struct etl_logfile *log = &export->trace->log;

	return event_filter_wants_cpu(export->filter, interval->processor) &&
	       etl_nanoseconds(log, interval->from) <= export->filter->to &&
	       etl_nanoseconds(log, interval->to) >= export->filter->from;
}

/* Gaps are marked whatever the filter is: otherwise a gap would look like idle time. */
static int take_interval(void *context, const struct interval *interval)
{
	struct perfetto *perfetto = context;

	if (interval->why == CHAIN_WHOLE) {
		if (wants_interval(&perfetto->export, interval))
			perfetto_counters(perfetto, interval);
	} else if (interval->why != CHAIN_UNCOUNTED) {
		perfetto_break(perfetto, interval);
	}
	return 0;
}

int export_perfetto(struct perfetto *perfetto)
{
	struct export *export = &perfetto->export;
	int err;

	lifetimes_begin(&perfetto->lifetimes);
	export->lifetimes = &perfetto->lifetimes;
	err = export_begin(export);
	if (!err) {
		export->chains.take = take_interval;
		export->chains.see = take_record;
		export->chains.context = perfetto;
		put_head(perfetto);
		err = chains_walk(&export->chains);
	}
	if (!err)
		perfetto_flush(perfetto);
	export_finish(export);
	return err || perfetto->failed ? -1 : 0;
}

void export_perfetto_free(struct perfetto *perfetto)
{
	size_t i;

	for (i = 0; i < ETL_PROCESSORS; i++) {
		if (perfetto->bundles[i])
			protobuf_free(perfetto->bundles[i]);
		free(perfetto->bundles[i]);
	}
	for (i = 0; i < perfetto->disks.count; i++)
		free(perfetto->disk[i]);
	free(perfetto->disk);
	map_free(&perfetto->disks);
	map_free(&perfetto->tracks);
	lifetimes_free(&perfetto->lifetimes);
	protobuf_free(&perfetto->packet);
	export_names_free(&perfetto->export);
}
