// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Events and losses of CTF traces, by time. */
#include "ctf.h"
#if defined(ETW_HAVE_BABELTRACE) && defined(ETW_HAVE_DLOPEN)
#include <stdio.h>
#include <string.h>
#include "import.h"
#include "import_source.h"
#include "libetl/messages.h"

#define SECOND	1000000000ll
/* CLOCK_MONOTONIC */
#define MONOTONIC	1

/* The traces' times begin with their clock, as perf's do. All clocks have one origin. */
static int read_clock(struct ctf_reading *reading, const bt_stream *stream)
{
	const struct ctf_library *ctf = reading->ctf;
	struct perf_file *file = &reading->importing->file;
	const bt_clock_class *clock = ctf->stream_class_borrow_default_clock_class_const(
		ctf->stream_borrow_class_const(stream));
	uint64_t cycles, frequency;
	int64_t seconds;

	if (!clock) {
		failed("import: %s: a stream has no clock: its events have no time", file->name);
		return -1;
	}
	if (reading->has_offset)
		return 0;
	ctf->clock_class_get_offset(clock, &seconds, &cycles);
	frequency = ctf->clock_class_get_frequency(clock);
	if (seconds < 0 || seconds > INT64_MAX / SECOND / 2)
		seconds = 0;
	reading->offset = seconds * SECOND;
	if (cycles < frequency)
		reading->offset += (unsigned __int128)cycles * SECOND / frequency;
	reading->has_offset = true;
	file->has_clock = reading->offset && ctf->clock_class_origin_is_unix_epoch(clock);
	file->clock = MONOTONIC;
	file->wall = reading->offset;
	return 0;
}

static int begin_stream(struct ctf_reading *reading, const bt_stream *stream)
{
	ctf_find_machine(reading, stream);
	return read_clock(reading, stream);
}

/* Return: false: the time is before that of the clock's begin, or too large */
static bool time_of(struct ctf_reading *reading, const bt_clock_snapshot *snapshot, uint64_t *time)
{
	int64_t ns;

	if (reading->ctf->clock_snapshot_get_ns_from_origin(snapshot, &ns) !=
	    BT_CLOCK_SNAPSHOT_GET_NS_FROM_ORIGIN_STATUS_OK || ns < reading->offset)
		return false;
	*time = ns - reading->offset;
	return true;
}

static uint32_t *cpu_of(struct ctf_reading *reading, const bt_stream *stream)
{
	size_t i = map_add(&reading->streams, (uintptr_t)stream);

	if (i == MAP_NONE)
		return NULL;
	if (i == reading->cpus_known) {
		if (!map_make_room((void **)&reading->cpus, i, sizeof(*reading->cpus)))
			return NULL;
		reading->cpus[reading->cpus_known++] = 0;
	}
	return &reading->cpus[i];
}

static int begin_packet(struct ctf_reading *reading, const bt_message *message)
{
	const struct ctf_library *ctf = reading->ctf;
	const bt_packet *packet = ctf->message_packet_beginning_borrow_packet_const(message);
	const bt_field *context = ctf->packet_borrow_context_field_const(packet), *cpu = NULL;
	uint32_t *known = cpu_of(reading, ctf->packet_borrow_stream_const(packet));

	if (!known)
		return no_memory();
	if (context)
		cpu = ctf->field_structure_borrow_member_field_by_name_const(context, "cpu_id");
	if (cpu && bt_field_class_type_is(ctf->field_get_class_type(cpu),
					  BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER))
		*known = ctf->field_integer_unsigned_get_value(cpu);
	return 0;
}

/* Events with the same fields are of one kind. */
static size_t kind_of(struct ctf_reading *reading, const bt_event_class *class)
{
	const struct ctf_values *values = &reading->values;
	struct importing *importing = reading->importing;
	const struct trace_format *format;
	const char *name = reading->ctf->event_class_get_name(class);
	size_t i = map_add(&reading->kinds, ctf_values_key(values, class));
	char number[32];

	if (i < importing->file.count)
		return i;
	if (!name) {
		snprintf(number, sizeof(number), "event %llu",
			 (unsigned long long)reading->ctf->event_class_get_id(class));
		name = number;
	}
	format = i == MAP_NONE ? NULL : trace_formats_add(&importing->file.formats, name,
							  values->fields, values->count);
	if (format)
		return import_add_kind(importing, format);
	no_memory();
	return MAP_NONE;
}

static int read_event(struct ctf_reading *reading, const bt_message *message)
{
	const struct ctf_library *ctf = reading->ctf;
	const bt_event *event = ctf->message_event_borrow_event_const(message);
	const struct ctf_values *values = &reading->values;
	struct import_moment moment = { .comm = values->comm };
	uint32_t *cpu = cpu_of(reading, ctf->event_borrow_stream_const(event));
	size_t kind;

	if (!cpu)
		return no_memory();
	moment.cpu = *cpu;
	if (!time_of(reading, ctf->message_event_borrow_default_clock_snapshot_const(message),
		     &moment.time)) {
		reading->importing->counts.skipped++;
		return 0;
	}
	ctf_values_read(&reading->values, event);
	if (values->too_large) {
		reading->importing->counts.cut++;
		return 0;
	}
	moment.tid = values->tid;
	moment.pid = values->pid;
	kind = kind_of(reading, ctf->event_borrow_class_const(event));
	return kind == MAP_NONE ? -1 : import_source_event(reading->importing, kind, &moment,
							   values->raw, values->size);
}

static int lose_events(struct ctf_reading *reading, const bt_message *message)
{
	const struct ctf_library *ctf = reading->ctf;
	const bt_stream *stream = ctf->message_discarded_events_borrow_stream_const(message);
	uint32_t *cpu = cpu_of(reading, stream);
	uint64_t count = 1, time = 0;

	if (!cpu)
		return no_memory();
	if (ctf->message_discarded_events_get_count(message, &count) !=
	    BT_PROPERTY_AVAILABILITY_AVAILABLE)
		count = 1;
	if (ctf->stream_class_discarded_events_have_default_clock_snapshots(
	    ctf->stream_borrow_class_const(stream)))
		time_of(reading, ctf->
			message_discarded_events_borrow_beginning_default_clock_snapshot_const(
			message), &time);
	return import_source_loss(reading->importing, count, time, *cpu);
}

static int lose_packets(struct ctf_reading *reading, const bt_message *message)
{
	const struct ctf_library *ctf = reading->ctf;
	const bt_stream *stream = ctf->message_discarded_packets_borrow_stream_const(message);
	uint32_t *cpu = cpu_of(reading, stream);
	uint64_t count = 1, time = 0;

	if (!cpu)
		return no_memory();
	if (ctf->message_discarded_packets_get_count(message, &count) !=
	    BT_PROPERTY_AVAILABILITY_AVAILABLE)
		count = 1;
	if (ctf->stream_class_discarded_packets_have_default_clock_snapshots(
	    ctf->stream_borrow_class_const(stream)))
		time_of(reading, ctf->
			message_discarded_packets_borrow_beginning_default_clock_snapshot_const(
			message), &time);
	reading->importing->counts.lost_packets += count;
	return import_source_loss(reading->importing, count, time, *cpu);
}

static int read_message(struct ctf_reading *reading, const bt_message *message)
{
	switch (reading->ctf->message_get_type(message)) {
	case BT_MESSAGE_TYPE_STREAM_BEGINNING:
		return begin_stream(reading,
			reading->ctf->message_stream_beginning_borrow_stream_const(message));
	case BT_MESSAGE_TYPE_PACKET_BEGINNING:
		return begin_packet(reading, message);
	case BT_MESSAGE_TYPE_EVENT:
		return read_event(reading, message);
	case BT_MESSAGE_TYPE_DISCARDED_EVENTS:
		return lose_events(reading, message);
	case BT_MESSAGE_TYPE_DISCARDED_PACKETS:
		return lose_packets(reading, message);
	default:
		return 0;
	}
}

bt_graph_simple_sink_component_initialize_func_status
ctf_initialize(bt_message_iterator *iterator, void *context)
{
	(void)iterator;
	(void)context;
	return BT_GRAPH_SIMPLE_SINK_COMPONENT_INITIALIZE_FUNC_STATUS_OK;
}

bt_graph_simple_sink_component_consume_func_status
ctf_consume(bt_message_iterator *iterator, void *context)
{
	struct ctf_reading *reading = context;
	bt_message_array_const messages;
	uint64_t count, i;

	switch (reading->ctf->message_iterator_next(iterator, &messages, &count)) {
	case BT_MESSAGE_ITERATOR_NEXT_STATUS_OK:
		break;
	case BT_MESSAGE_ITERATOR_NEXT_STATUS_END:
		return BT_GRAPH_SIMPLE_SINK_COMPONENT_CONSUME_FUNC_STATUS_END;
	case BT_MESSAGE_ITERATOR_NEXT_STATUS_AGAIN:
		return BT_GRAPH_SIMPLE_SINK_COMPONENT_CONSUME_FUNC_STATUS_AGAIN;
	case BT_MESSAGE_ITERATOR_NEXT_STATUS_MEMORY_ERROR:
		return BT_GRAPH_SIMPLE_SINK_COMPONENT_CONSUME_FUNC_STATUS_MEMORY_ERROR;
	default:
		return BT_GRAPH_SIMPLE_SINK_COMPONENT_CONSUME_FUNC_STATUS_ERROR;
	}
	for (i = 0; i < count; i++) {
		if (!reading->failed && read_message(reading, messages[i]))
			reading->failed = true;
		reading->ctf->message_put_ref(messages[i]);
	}
	return reading->failed ? BT_GRAPH_SIMPLE_SINK_COMPONENT_CONSUME_FUNC_STATUS_ERROR :
				 BT_GRAPH_SIMPLE_SINK_COMPONENT_CONSUME_FUNC_STATUS_OK;
}

#endif
