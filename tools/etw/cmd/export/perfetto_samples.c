// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* etw export --perfetto: samples with their stacks. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "export/perfetto.h"
#include "export/perfetto_fields.h"
#include "cmd/stat/stacks.h"
#include "libetl/array.h"
#include "libetl/images.h"
#include "etw.h"
#include "etw_extension.h"
#include "perfetto_samples.h"

/* Packets of a merged sample; more would make a small trace a huge file */
#define MOST_PACKETS	64

/**
 * struct perfetto_source - the packets of one source of samples are a sequence of their own
 * @begun: its first packet is written
 * @strings: names of functions, paths and build-ids; the number of each is its place, from 1
 * @mappings: by image of the trace, or by name
 * @frames: by mapping, function and address
 * @callstacks: by frames
 */
struct perfetto_source {
	bool begun;
	struct map strings;
	struct map mappings;
	struct map frames;
	struct map callstacks;
};

/**
 * struct perfetto_samples - while samples are written
 * @perfetto: where to
 * @report: the stacks
 * @source: by index of the report's sources
 * @path: frames of the sample at hand, the outermost first
 * @skipped: samples that are not written, because their record stands for too many
 */
struct perfetto_samples {
	struct perfetto *perfetto;
	struct stack_report *report;
	struct perfetto_source source[SOURCES];
	uint64_t *path;
	size_t frames;
	size_t path_room;
	uint64_t skipped;
	bool no_memory;
};

/* Return: the number of a key, from 1; @new: it has none yet. 0: no memory */
static uint64_t number_of(struct perfetto_samples *samples, struct map *map, uint64_t key,
			  bool *new)
{
	size_t known = map->count, i = map_add(map, key);

	*new = i == known;
	samples->no_memory |= i == MAP_NONE;
	return i == MAP_NONE ? 0 : i + 1;
}

/* @field: of InternedData: which kind of string */
static uint64_t intern_bytes(struct perfetto_samples *samples, struct perfetto_source *source,
			     unsigned int field, const void *bytes, size_t size)
{
	struct protobuf *to = &samples->perfetto->packet;
	uint64_t key = map_mix(map_mix(MAP_MIX, &field, sizeof(field)), bytes, size);
	bool new;
	uint64_t id = number_of(samples, &source->strings, key, &new);

	if (new) {
		protobuf_begin(to, field);
		protobuf_number(to, INTERNED_ID, id);
		protobuf_bytes(to, INTERNED_TEXT, bytes, size);
		protobuf_end(to);
	}
	return id;
}

static uint64_t intern_text(struct perfetto_samples *samples, struct perfetto_source *source,
			    unsigned int field, const char *text)
{
	return intern_bytes(samples, source, field, text, strlen(text));
}

/* Code without an image, such as a JIT compiler's, has a mapping of that name without addresses */
static uint64_t intern_mapping(struct perfetto_samples *samples, struct perfetto_source *source,
			       const struct symbol *symbol)
{
	const struct images *images = symbols_images(samples->report->symbols);
	const struct image *image = symbol->image;
	const struct module *module = image ? &images->module[image->module] : NULL;
	const char *name = module ? module->path : symbol->module ? symbol->module : "?";
	struct protobuf *to = &samples->perfetto->packet;
	uint64_t key = map_mix(MAP_MIX, name, strlen(name)), id, path, build_id = 0;
	bool new;

	if (image)
		key = map_mix(key, &image, sizeof(image));
	id = number_of(samples, &source->mappings, key, &new);
	if (!new)
		return id;
	path = intern_text(samples, source, INTERNED_PATHS, name);
	if (module && module->has_id)
		build_id = intern_bytes(samples, source, INTERNED_BUILD_IDS, module->id,
					sizeof(module->id));
	protobuf_begin(to, INTERNED_MAPPINGS);
	protobuf_number(to, INTERNED_ID, id);
	if (build_id)
		protobuf_number(to, MAPPING_BUILD_ID, build_id);
	protobuf_number(to, MAPPING_START, image ? image->base : 0);
	protobuf_number(to, MAPPING_END, image ? image->end : 0);
	protobuf_number(to, MAPPING_PATH, path);
	protobuf_end(to);
	return id;
}

static uint64_t intern_frame(struct perfetto_samples *samples, struct perfetto_source *source,
			     const struct stack_event *event, uint64_t address,
			     unsigned int how)
{
	struct protobuf *to = &samples->perfetto->packet;
	unsigned int back = how & SYMBOL_CALLER && address ? 1 : 0;
	struct symbol symbol;
	uint64_t parts[3], id;
	bool new;

	symbols_find(samples->report->symbols, event->pid, address - back, event->time, how,
		     &symbol);
	parts[0] = intern_mapping(samples, source, &symbol);
	parts[1] = intern_text(samples, source, INTERNED_FUNCTIONS,
			       symbol.function ? symbol.function : "?");
	parts[2] = address - (symbol.image ? symbol.image->base : 0);
	id = number_of(samples, &source->frames, map_mix(MAP_MIX, parts, sizeof(parts)), &new);
	if (!new)
		return id;
	protobuf_begin(to, INTERNED_FRAMES);
	protobuf_number(to, INTERNED_ID, id);
	protobuf_number(to, FRAME_FUNCTION, parts[1]);
	protobuf_number(to, FRAME_MAPPING, parts[0]);
	protobuf_number(to, FRAME_ADDRESS, parts[2]);
	protobuf_number(to, FRAME_KIND, is_kernel_address(address, how & SYMBOL_NARROW ? 4 : 8) ?
			FRAME_KIND_KERNEL : FRAME_KIND_NATIVE);
	protobuf_end(to);
	return id;
}

static void add_frame(struct perfetto_samples *samples, struct perfetto_source *source,
		      const struct stack_event *event, uint64_t address, uint8_t width,
		      unsigned int how)
{
	if (width == 4)
		how |= SYMBOL_NARROW;
	if (!array_grow((void **)&samples->path, &samples->path_room, samples->frames + 1,
			sizeof(*samples->path))) {
		samples->no_memory = true;
		return;
	}
	samples->path[samples->frames++] = intern_frame(samples, source, event, address, how);
}

static void add_frames(struct perfetto_samples *samples, struct perfetto_source *source,
		       const struct stack_event *event, const struct stack_frames *frames)
{
	uint32_t i;

	for (i = frames->count; i-- > 0;)
		add_frame(samples, source, event, stack_frame(frames, i), frames->width,
			  i ? SYMBOL_CALLER : 0);
}

/* The frames are those of the call tree, in the same order. Return: 0: there are none */
static uint64_t intern_callstack(struct perfetto_samples *samples, struct perfetto_source *source,
				 const struct stack_event *event)
{
	struct protobuf *to = &samples->perfetto->packet;
	bool kernel = event->ip && is_kernel_address(event->ip, event->width), new;
	uint64_t id;
	size_t i;

	samples->frames = 0;
	add_frames(samples, source, event, &event->user);
	add_frames(samples, source, event, &event->kernel);
	if (event->ip && !(kernel ? event->kernel.count : event->user.count))
		add_frame(samples, source, event, event->ip, event->width, 0);
	if (!samples->frames)
		return 0;
	id = number_of(samples, &source->callstacks,
		       map_mix(MAP_MIX, samples->path, samples->frames * sizeof(*samples->path)),
		       &new);
	if (!new)
		return id;
	protobuf_begin(to, INTERNED_CALLSTACKS);
	protobuf_number(to, INTERNED_ID, id);
	for (i = 0; i < samples->frames; i++)
		protobuf_number(to, CALLSTACK_FRAMES, samples->path[i]);
	protobuf_end(to);
	return id;
}

/* What a sample of the source stands for: a time, in events a second, or so many events */
static void put_defaults(struct protobuf *to, const struct source *source)
{
	protobuf_begin(to, PACKET_DEFAULTS);
	protobuf_begin(to, DEFAULTS_PERF_SAMPLE);
	protobuf_begin(to, DEFAULTS_TIMEBASE);
	if (source->number == ETW_PROFILE_SOURCE_TIME) {
		protobuf_number(to, TIMEBASE_COUNTER, TIMEBASE_CPU_CLOCK);
		if (source->before)
			protobuf_number(to, TIMEBASE_FREQUENCY, 10000000 / source->before);
	} else if (source->before) {
		protobuf_number(to, TIMEBASE_PERIOD, source->before);
	}
	protobuf_string(to, TIMEBASE_NAME, source->name);
	protobuf_end(to);
	protobuf_end(to);
	protobuf_end(to);
}

static void put_sample(struct protobuf *to, const struct stack_event *event, uint64_t callstack)
{
	protobuf_begin(to, PACKET_PERF_SAMPLE);
	protobuf_number(to, SAMPLE_CPU, event->processor);
	protobuf_number(to, SAMPLE_PID, event->has_pid ? event->pid : 0);
	protobuf_number(to, SAMPLE_TID, event->has_tid ? event->tid : 0);
	if (callstack)
		protobuf_number(to, SAMPLE_CALLSTACK, callstack);
	protobuf_number(to, SAMPLE_CPU_MODE, is_kernel_address(event->ip, event->width) ?
			SAMPLE_MODE_KERNEL : SAMPLE_MODE_USER);
	protobuf_end(to);
}

/* A merged sample stands for several, each of which Perfetto counts as a packet */
static int take_sample(struct stack_report *report, const struct stack_event *event)
{
	struct perfetto_samples *samples = report->context;
	struct perfetto *perfetto = samples->perfetto;
	struct source *of = source_of(&report->sources, event->source);
	size_t index = of - report->sources.source;
	struct perfetto_source *source = &samples->source[index];
	uint64_t callstack = 0, count = event->weight, i;
	struct protobuf *to;

	if (count > MOST_PACKETS) {
		samples->skipped += count - MOST_PACKETS;
		count = MOST_PACKETS;
	}
	for (i = 0; i < count && !samples->no_memory; i++) {
		to = perfetto_packet(perfetto, PERFETTO_SAMPLES + index);
		protobuf_number(to, PACKET_TIMESTAMP, perfetto_time(perfetto, event->time));
		protobuf_number(to, PACKET_SEQUENCE_FLAGS,
				SEQUENCE_NEEDED | (source->begun ? 0 : SEQUENCE_CLEARED));
		if (!source->begun)
			put_defaults(to, of);
		source->begun = true;
		if (!i) {
			protobuf_begin(to, PACKET_INTERNED_DATA);
			callstack = intern_callstack(samples, source, event);
			protobuf_end(to);
		}
		put_sample(to, event, callstack);
		perfetto_end_packet(perfetto);
	}
	if (samples->no_memory)
		return no_memory();
	return perfetto->failed ? -1 : 0;
}

const char *name_of_routine(void *symbols, uint64_t address, uint64_t time, char *text,
			    size_t room)
{
	return symbols_name(symbols, 0, address, time, 0, text, room);
}

static void free_samples(struct perfetto_samples *samples)
{
	size_t i;

	for (i = 0; i < SOURCES; i++) {
		map_free(&samples->source[i].strings);
		map_free(&samples->source[i].mappings);
		map_free(&samples->source[i].frames);
		map_free(&samples->source[i].callstacks);
	}
	free(samples->path);
}

int export_perfetto_with_samples(struct perfetto *perfetto, struct stat_options *options)
{
	static struct statistics statistics;
	struct stack_report report = {
		.trace = perfetto->export.trace, .statistics = &statistics,
		.where = &options->where, .all_samples = true, .by_source = true,
	};
	struct perfetto_samples samples = { .perfetto = perfetto, .report = &report };
	struct symbols *symbols = symbols_of_trace(perfetto->export.trace, &options->where);
	int err;

	/* what is idle has samples on the timeline, too */
	options->filter.idle = true;
	if (!symbols)
		return -1;
	perfetto->export.name_address = name_of_routine;
	perfetto->export.names = symbols;
	err = export_perfetto(perfetto);
	symbols_free(symbols);
	if (err)
		return -1;
	report.each = take_sample;
	report.context = &samples;
	err = statistics_collect(&statistics, perfetto->export.trace, false,
				 &options->filter) ||
	      stack_report_make(&report);
	if (!err && report.left_out)
		warn("%s: %" PRIu64 " samples of more than %u sources are left out",
		     perfetto->export.trace->name, report.left_out, SOURCES);
	if (!err && samples.skipped)
		warn("%s: %" PRIu64 " samples are left out: a record stands for more than %u",
		     perfetto->export.trace->name, samples.skipped, MOST_PACKETS);
	if (!err)
		symbols_warn(report.symbols, false);
	free_samples(&samples);
	stack_report_free(&report);
	statistics_free(&statistics);
	return err ? -1 : 0;
}
