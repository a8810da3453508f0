// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* etw export --perfetto: tracks of disks, interrupts, counters, and of all other events. */
#include <stdlib.h>
#include <string.h>
#include "libetl/decode.h"
#include "libetl/event_names.h"
#include "libetl/losses.h"
#include "libetl/messages.h"
#include "etw_hooks.h"
#include "perfetto.h"
#include "perfetto_fields.h"

/* Numbers of tracks: a kind, and what the kind counts */
enum track {
	TRACK_CPU_EVENTS = 1,
	TRACK_CPU_COUNTER,
	TRACK_DISK,
	TRACK_THREAD_EVENTS,
	TRACK_MARKS,
	TRACK_LABELS,
};

#define TRACK(kind, a, b) ((uint64_t)(kind) << 56 ^ (uint64_t)(a) << 28 ^ (b))

#define CPU_NAME	32

/* Return: whether the track is new; then it is described up to what is special of its kind */
static bool begin_track(struct perfetto *perfetto, uint64_t track, const char *name)
{
	size_t known = perfetto->tracks.count, i = map_add(&perfetto->tracks, track);
	struct protobuf *packet;

	if (i == MAP_NONE && !perfetto->failed) {
		no_memory();
		perfetto->failed = true;
	}
	if (i != known)
		return false;
	packet = perfetto_packet(perfetto, PERFETTO_SEQUENCE);
	protobuf_begin(packet, PACKET_TRACK_DESCRIPTOR);
	protobuf_number(packet, TRACK_UUID, track);
	if (name)
		protobuf_string(packet, TRACK_NAME, name);
	return true;
}

static void end_track(struct perfetto *perfetto)
{
	protobuf_end(&perfetto->packet);
	perfetto_end_packet(perfetto);
}

static uint64_t track_named(struct perfetto *perfetto, uint64_t track, const char *name)
{
	if (begin_track(perfetto, track, name))
		end_track(perfetto);
	return track;
}

static uint64_t track_of_cpu(struct perfetto *perfetto, uint32_t cpu)
{
	char name[CPU_NAME];

	snprintf(name, sizeof(name), "Events of CPU %u", cpu);
	return track_named(perfetto, TRACK(TRACK_CPU_EVENTS, cpu, 0), name);
}

/* The track of a thread; of a processor if the thread is unknown, or idle */
static uint64_t track_of_thread(struct perfetto *perfetto, uint32_t tid, uint32_t cpu)
{
	struct export_thread *thread = tid ? export_thread_of(&perfetto->export, tid) : NULL;
	uint64_t track;

	if (!thread || !thread->has_pid)
		return track_of_cpu(perfetto, cpu);
	track = TRACK(TRACK_THREAD_EVENTS, thread->pid, tid);
	if (begin_track(perfetto, track, NULL)) {
		protobuf_begin(&perfetto->packet, TRACK_THREAD);
		protobuf_number(&perfetto->packet, TRACK_THREAD_PID, thread->pid);
		protobuf_number(&perfetto->packet, TRACK_THREAD_TID, tid);
		protobuf_end(&perfetto->packet);
		end_track(perfetto);
	}
	return track;
}

void perfetto_label(struct perfetto *perfetto, uint32_t pid, const char *label)
{
	if (!begin_track(perfetto, TRACK(TRACK_LABELS, pid, 0), NULL))
		return;
	protobuf_begin(&perfetto->packet, TRACK_PROCESS);
	protobuf_number(&perfetto->packet, TRACK_PROCESS_PID, pid);
	protobuf_string(&perfetto->packet, TRACK_PROCESS_LABELS, label);
	protobuf_end(&perfetto->packet);
	end_track(perfetto);
}

static struct protobuf *begin_event(struct perfetto *perfetto, int64_t ns, unsigned int type,
				    uint64_t track)
{
	struct protobuf *packet = perfetto_packet(perfetto, PERFETTO_SEQUENCE);

	protobuf_number(packet, PACKET_TIMESTAMP, ns < 0 ? 0 : ns);
	protobuf_begin(packet, PACKET_TRACK_EVENT);
	protobuf_number(packet, EVENT_TYPE, type);
	protobuf_number(packet, EVENT_TRACK, track);
	return packet;
}

static void put_name(struct protobuf *packet, const char *category, const char *name)
{
	protobuf_string(packet, EVENT_CATEGORY, category);
	protobuf_string(packet, EVENT_NAME_TEXT, name);
}

static void end_event(struct perfetto *perfetto)
{
	protobuf_end(&perfetto->packet);
	perfetto_end_packet(perfetto);
}

static void put_number(struct protobuf *packet, const char *name, uint64_t value)
{
	protobuf_begin(packet, EVENT_ANNOTATION);
	protobuf_string(packet, ANNOTATION_NAME, name);
	protobuf_number(packet, ANNOTATION_UNSIGNED, value);
	protobuf_end(packet);
}

static void put_field(struct protobuf *packet, const struct field *field)
{
	protobuf_begin(packet, EVENT_ANNOTATION);
	protobuf_string(packet, ANNOTATION_NAME, field->name);
	switch (field->kind) {
	case FIELD_UNSIGNED:
	case FIELD_TIME:
		protobuf_number(packet, ANNOTATION_UNSIGNED, field->number);
		break;
	case FIELD_SIGNED:
		protobuf_signed(packet, ANNOTATION_SIGNED, field->number);
		break;
	case FIELD_HEX:
		protobuf_number(packet, ANNOTATION_POINTER, field->number);
		break;
	case FIELD_REAL:
		protobuf_real(packet, ANNOTATION_REAL, field->real);
		break;
	case FIELD_STRING:
	case FIELD_LIST:
		protobuf_string(packet, ANNOTATION_STRING, field->string);
		break;
	}
	protobuf_end(packet);
}

static void put_fields(struct perfetto *perfetto)
{
	const struct fields *fields = &perfetto->export.fields;
	unsigned int i;

	for (i = 0; i < fields->count; i++)
		put_field(&perfetto->packet, &fields->field[i]);
}

static void put_slice(struct perfetto *perfetto, uint64_t track, int64_t from, int64_t to,
		      const char *category, const char *name)
{
	put_name(begin_event(perfetto, from, EVENT_SLICE_BEGIN, track), category, name);
	put_fields(perfetto);
	end_event(perfetto);
	begin_event(perfetto, to, EVENT_SLICE_END, track);
	end_event(perfetto);
}

static struct perfetto_disk *disk_of(struct perfetto *perfetto, uint64_t number)
{
	size_t known = perfetto->disks.count, i = map_find(&perfetto->disks, number);

	if (i != MAP_NONE)
		return perfetto->disk[i];
	if (!map_make_room((void **)&perfetto->disk, known, sizeof(*perfetto->disk)))
		return NULL;
	perfetto->disk[known] = calloc(1, sizeof(**perfetto->disk));
	if (!perfetto->disk[known])
		return NULL;
	if (map_add(&perfetto->disks, number) == MAP_NONE) {
		free(perfetto->disk[known]);
		return NULL;
	}
	return perfetto->disk[known];
}

/* Requests come by their ends: the lane in use the latest that is free when this one begins */
static unsigned int lane_of(struct perfetto_disk *disk, int64_t from, int64_t to)
{
	unsigned int i, best = disk->lanes;

	for (i = 0; i < disk->lanes; i++)
		if (disk->end[i] <= from &&
		    (best == disk->lanes || disk->end[i] > disk->end[best]))
			best = i;
	if (best == disk->lanes && disk->lanes < PERFETTO_LANES)
		disk->lanes++;
	if (best < disk->lanes)
		disk->end[best] = to;
	return best;
}

/* A request from its begin to its end; an instant if more overlap than there are lanes */
static int put_request(struct perfetto *perfetto, const struct etl_record *record,
		       const char *name, uint32_t cpu)
{
	const struct field *number = fields_find(&perfetto->export.fields, "DiskNumber");
	const struct field *took = fields_find(&perfetto->export.fields, "HighResResponseTime");
	struct perfetto_disk *disk;
	int64_t from, to = perfetto_time(perfetto, record->time);
	unsigned int lane;
	char text[CPU_NAME];

	if (!number || !took || took->number > record->time)
		return 0;
	disk = disk_of(perfetto, number->number);
	if (!disk)
		return no_memory();
	from = perfetto_time(perfetto, record->time - took->number);
	lane = lane_of(disk, from, to);
	if (lane == PERFETTO_LANES) {
		put_name(begin_event(perfetto, to, EVENT_INSTANT, track_of_cpu(perfetto, cpu)),
			 "disk", name);
		put_fields(perfetto);
		end_event(perfetto);
		return 0;
	}
	snprintf(text, sizeof(text), "Disk %u", (uint32_t)number->number);
	put_slice(perfetto, track_named(perfetto, TRACK(TRACK_DISK, (uint32_t)number->number, lane),
					text), from, to, "disk", name);
	return 0;
}

/* Interrupts and deferred work: from InitialTime to the time of the record */
static void put_interrupt(struct perfetto *perfetto, const struct etl_record *record,
			  const char *name, uint32_t cpu)
{
	const struct field *begin = fields_find(&perfetto->export.fields, "InitialTime");
	const struct field *routine = fields_find(&perfetto->export.fields, "Routine");
	char text[EVENT_NAME], track[CPU_NAME];

	if (!begin || (int64_t)(record->time - begin->number) < 0)
		return;
	if (routine && routine->number && perfetto->export.name_address)
		name = perfetto->export.name_address(perfetto->export.names, routine->number,
						     record->time, text, sizeof(text));
	snprintf(track, sizeof(track), "Interrupts of CPU %u", cpu);
	put_slice(perfetto, track_named(perfetto, TRACK(TRACK_CPU_EVENTS, cpu, 1), track),
		  perfetto_time(perfetto, begin->number), perfetto_time(perfetto, record->time),
		  "interrupt", name);
}

static void put_instant(struct perfetto *perfetto, const struct etl_record *record,
			const char *category, const char *name, uint32_t cpu)
{
	const struct chain_cpu *running = &perfetto->export.chains.cpu[cpu];
	const struct field *text = NULL;
	uint64_t track;

	if (!strcmp(category, "mark")) {
		text = fields_find(&perfetto->export.fields, "Text");
		track = track_named(perfetto, TRACK(TRACK_MARKS, 0, 0), "Marks");
	} else if (record->has_ids && record->thread_id != UINT32_MAX) {
		track = track_of_thread(perfetto, record->thread_id, cpu);
	} else {
		track = track_of_thread(perfetto, running->seen && !running->hole ?
					running->running : 0, cpu);
	}
	put_name(begin_event(perfetto, perfetto_time(perfetto, record->time), EVENT_INSTANT, track),
		 category, text && text->string && text->string[0] ? text->string : name);
	put_fields(perfetto);
	end_event(perfetto);
}

int perfetto_event(struct perfetto *perfetto, const struct etl_record *record, uint32_t cpu)
{
	const char *category = export_category(record);
	char name[EVENT_NAME];

	if (!category || !record->has_time)
		return 0;
	event_name(record, name, sizeof(name));
	fields_reset(&perfetto->export.fields);
	decode_payload(record, &perfetto->export.fields);
	if (etl_has_hook(record) && export_is_interrupt(record->hook_id)) {
		put_interrupt(perfetto, record, name, cpu);
		return 0;
	}
	if (etl_has_hook(record) &&
	    fields_find(&perfetto->export.fields, "HighResResponseTime"))
		return put_request(perfetto, record, name, cpu);
	put_instant(perfetto, record, category, name, cpu);
	return 0;
}

/* What was counted, as events a microsecond, from the begin of the interval on */
void perfetto_counters(struct perfetto *perfetto, const struct interval *interval)
{
	const struct export *export = &perfetto->export;
	char name[COUNTER_NAME + CPU_NAME];
	struct protobuf *packet;
	unsigned int i;

	for (i = 0; i < export->chains.counters && interval->ns; i++) {
		uint64_t track = TRACK(TRACK_CPU_COUNTER, interval->processor, i);

		snprintf(name, sizeof(name), "CPU %u %s", interval->processor, export->column[i]);
		if (begin_track(perfetto, track, name)) {
			protobuf_begin(&perfetto->packet, TRACK_COUNTER);
			protobuf_string(&perfetto->packet, COUNTER_UNIT_NAME, "per us");
			protobuf_end(&perfetto->packet);
			end_track(perfetto);
		}
		packet = begin_event(perfetto, perfetto_time(perfetto, interval->from),
				     EVENT_COUNTER, track);
		protobuf_real(packet, EVENT_REAL_COUNTER,
			      1000.0 * interval->delta[i] / interval->ns);
		end_event(perfetto);
	}
}

void perfetto_break(struct perfetto *perfetto, const struct interval *interval)
{
	uint32_t cpu = interval->processor;

	perfetto->lost[cpu] = true;
	put_name(begin_event(perfetto, perfetto_time(perfetto, interval->to), EVENT_INSTANT,
			     track_of_cpu(perfetto, cpu)), "gap", export_break_name(interval->why));
	put_number(&perfetto->packet, "from", perfetto_time(perfetto, interval->from));
	end_event(perfetto);
}

void perfetto_loss(struct perfetto *perfetto, const struct etl_record *record,
		   const struct etw_loss *loss)
{
	const char *cause = loss_cause_name(loss->cause);

	if (loss->processor >= ETL_PROCESSORS)
		return;
	perfetto->lost[loss->processor] = true;
	put_name(begin_event(perfetto, perfetto_time(perfetto, record->time), EVENT_INSTANT,
			     track_of_cpu(perfetto, loss->processor)), "loss", "events lost");
	put_number(&perfetto->packet, "count", loss->count);
	put_number(&perfetto->packet, "total", loss->total);
	protobuf_begin(&perfetto->packet, EVENT_ANNOTATION);
	protobuf_string(&perfetto->packet, ANNOTATION_NAME, "cause");
	protobuf_string(&perfetto->packet, ANNOTATION_STRING, cause ? cause : "unknown");
	protobuf_end(&perfetto->packet);
	end_event(perfetto);
}
