// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* etw stat FILE stacks --ends: how many stacks there are, how long they are, where they end. */
#include <inttypes.h>
#include <stdio.h>
#include "libetl/event_names.h"
#include "libetl/guids.h"
#include "libetl/images.h"
#include "libetl/samples.h"
#include "etw.h"
#include "etw_hooks.h"
#include "keyed.h"
#include "stack_ends.h"

/* Ranges of lengths: 1, 2 to 3, 4 to 7 and so on; parts of Windows have up to 192 frames */
#define LENGTHS		17

/**
 * struct kind - the stacks of one kind of events
 * @name: of the events
 * @stacks: how many
 * @kernel: of them, with a kernel part
 * @user: of them, with a user part
 * @whole: of them, whole
 * @frames: of the user parts
 * @longest: frames of the longest user part
 */
struct kind {
	char name[EVENT_NAME];
	uint64_t stacks;
	uint64_t kernel;
	uint64_t user;
	uint64_t whole;
	uint64_t frames;
	uint64_t longest;
};

/**
 * struct counting - all of it
 * @stacks: events with their stacks; their weight is the number of their kind, from 1
 * @samples: where the fields of samples are
 * @kinds: struct kind by event_kind()
 * @ends: stacks by enum stack_end and number of the module
 * @lengths: parts by power of two of their frames: kernel, user
 * @all: stacks
 */
struct counting {
	const struct trace *trace;
	const struct statistics *statistics;
	struct stacks stacks;
	struct sample_fields samples;
	struct end_finder *finder;
	struct keyed kinds;
	struct keyed ends;
	uint64_t lengths[LENGTHS][2];
	uint64_t all;
	bool no_memory;
};

/* Of an event with a stack: the thread that the filter decides about */
static bool set_thread(const struct counting *counting, const struct etl_record *record,
		       struct stack_event *event)
{
	struct sample sample;
	uint16_t hook;

	if (record->has_ids && record->thread_id != UINT32_MAX) {
		event->tid = record->thread_id;
		event->has_tid = true;
	}
	if (!hook_of(record, &hook))
		return true;
	event->hook_id = hook;
	if (hook == PERFINFO_LOG_TYPE_CONTEXTSWAP && record->payload_size >= 4)
		event->tid = get32(record->payload);
	else if (sample_of(&counting->samples, record, hook, &sample))
		event->tid = sample.thread_id;
	else
		return true;
	event->has_tid = true;
	return hook == PERFINFO_LOG_TYPE_CONTEXTSWAP || event->tid ||
	       counting->statistics->filter->idle;
}

static bool weigh(void *context, const struct etl_record *record, uint16_t processor,
		  struct stack_event *event)
{
	struct counting *counting = context;
	uint64_t key = event_kind(record);
	struct kind *kind;

	(void)processor;
	if (!counting->stacks.selected || !set_thread(counting, record, event) ||
	    (event->has_tid && !event_filter_wants_id(counting->statistics->filter, event->tid,
						      record->time)))
		return false;
	kind = keyed_of(&counting->kinds, key);
	if (!kind) {
		counting->no_memory = true;
		return false;
	}
	if (!kind->name[0])
		event_name(record, kind->name, sizeof(kind->name));
	event->weight = map_find(&counting->kinds.map, key) + 1;
	return true;
}

static unsigned int length_of(uint32_t count)
{
	unsigned int power = 31 - __builtin_clz(count);

	return power < LENGTHS ? power : LENGTHS - 1;
}

static uint64_t key_of(enum stack_end end, size_t module)
{
	return (uint64_t)end << 32 | (uint32_t)(module + 1);
}

static int take(void *context, const struct stack_event *event)
{
	const uint32_t kernel = event->kernel.count, user = event->user.count;
	struct counting *counting = context;
	struct kind *kind = keyed_at(&counting->kinds, event->weight - 1);
	enum stack_end end;
	uint64_t *ends;
	size_t module;

	if (!kernel && !user)
		return 0;
	if (stack_end_of(counting->finder, event, &end, &module))
		return no_memory();
	ends = keyed_of(&counting->ends, key_of(end, module));
	if (!ends)
		return no_memory();
	++*ends;
	counting->all++;
	kind->stacks++;
	kind->kernel += !!kernel;
	kind->user += !!user;
	kind->whole += end == STACK_WHOLE;
	kind->frames += user;
	if (kind->longest < user)
		kind->longest = user;
	if (kernel)
		counting->lengths[length_of(kernel)][0]++;
	if (user)
		counting->lengths[length_of(user)][1]++;
	return 0;
}

/* Hundredths of a percent */
static uint64_t share(uint64_t part, uint64_t all)
{
	return all ? (part * 10000 + all / 2) / all : 0;
}

static void fill_kinds(const struct counting *counting, struct sheet *sheet)
{
	size_t stacks = sheet_column(sheet, SHEET_COUNT, SHEET_EVERYWHERE, "stacks");
	size_t kernel = sheet_column(sheet, SHEET_COUNT, SHEET_EVERYWHERE, "kernel");
	size_t user = sheet_column(sheet, SHEET_COUNT, SHEET_EVERYWHERE, "user");
	size_t whole = sheet_column(sheet, SHEET_COUNT, SHEET_EVERYWHERE, "whole");
	size_t part = sheet_column(sheet, SHEET_SHARE, SHEET_EVERYWHERE, "whole %");
	size_t frames = sheet_column(sheet, SHEET_COUNT, SHEET_IN_EXPORT, "user frames");
	size_t mean = sheet_column(sheet, SHEET_PART, SHEET_EVERYWHERE, "mean frames");
	size_t longest = sheet_column(sheet, SHEET_PART, SHEET_EVERYWHERE, "most frames");
	size_t name = sheet_column(sheet, SHEET_TEXT, SHEET_EVERYWHERE, "event"), i;
	const struct kind *kind;

	for (i = 0; i < counting->kinds.map.count; i++) {
		kind = keyed_at(&counting->kinds, i);
		if (!kind->stacks)
			continue;
		sheet_row(sheet);
		sheet_number(sheet, stacks, kind->stacks);
		sheet_number(sheet, kernel, kind->kernel);
		sheet_number(sheet, user, kind->user);
		sheet_number(sheet, whole, kind->whole);
		if (kind->user) {
			sheet_number(sheet, part, share(kind->whole, kind->user));
			sheet_number(sheet, mean, (kind->frames + kind->user / 2) / kind->user);
		}
		sheet_number(sheet, frames, kind->frames);
		sheet_number(sheet, longest, kind->longest);
		sheet_text(sheet, name, kind->name);
	}
	sheet_sort(sheet, stacks);
}

static const char *const end_names[STACK_ENDS] = {
	[STACK_WHOLE] = "whole", [STACK_KERNEL] = "kernel only", [STACK_LIMIT] = "limit of frames",
	[STACK_HAS_RULE] = "no table in session, or page not present",
	[STACK_NO_RULE] = "no rule for the code", [STACK_NO_TABLE] = "file without unwind table",
	[STACK_UNREADABLE] = "file is not here", [STACK_NO_FILE] = "code in no file",
};

static void fill_ends(const struct counting *counting, const struct images *images,
		      struct sheet *sheet)
{
	size_t stacks = sheet_column(sheet, SHEET_COUNT, SHEET_EVERYWHERE, "stacks");
	size_t part = sheet_column(sheet, SHEET_PERCENT, SHEET_EVERYWHERE, "%");
	size_t end = sheet_column(sheet, SHEET_TEXT, SHEET_EVERYWHERE, "end");
	size_t file = sheet_column(sheet, SHEET_TEXT, SHEET_EVERYWHERE, "last frame in"), i;
	const uint64_t *count;
	uint64_t key;

	for (i = 0; i < counting->ends.map.count; i++) {
		key = counting->ends.map.keys[i];
		count = keyed_at(&counting->ends, i);
		sheet_row(sheet);
		sheet_number(sheet, stacks, *count);
		sheet_number(sheet, part, share(*count, counting->all));
		sheet_text(sheet, end, end_names[key >> 32]);
		if ((uint32_t)key)
			sheet_text(sheet, file, images->module[(uint32_t)key - 1].path);
	}
	sheet_sort(sheet, stacks);
}

static void fill_lengths(const struct counting *counting, struct sheet *sheet)
{
	size_t from = sheet_column(sheet, SHEET_ID, SHEET_EVERYWHERE, "frames from");
	size_t to = sheet_column(sheet, SHEET_ID, SHEET_EVERYWHERE, "to");
	size_t kernel = sheet_column(sheet, SHEET_COUNT, SHEET_EVERYWHERE, "kernel parts");
	size_t user = sheet_column(sheet, SHEET_COUNT, SHEET_EVERYWHERE, "user parts"), i;

	for (i = 0; i < LENGTHS; i++) {
		if (!counting->lengths[i][0] && !counting->lengths[i][1])
			continue;
		sheet_row(sheet);
		sheet_number(sheet, from, 1u << i);
		sheet_number(sheet, to, (2u << i) - 1);
		sheet_number(sheet, kernel, counting->lengths[i][0]);
		sheet_number(sheet, user, counting->lengths[i][1]);
	}
}

static int survey(struct counting *counting, struct symbols *symbols)
{
	const struct etl_record *record;
	const struct etl_buffer *buffer;
	struct merge merge;

	if (merge_begin(&merge, counting->trace, false))
		return -1;
	while (merge_next(&merge, &record, &buffer)) {
		symbols_note(symbols, record);
		stacks_note(&counting->stacks, record);
	}
	merge_end(&merge);
	symbols_ready(symbols);
	return 0;
}

static int count(struct counting *counting, struct symbols *symbols, const char *sysroot)
{
	if (survey(counting, symbols))
		return -1;
	counting->finder = end_finder_new(symbols, sysroot);
	if (!counting->finder)
		return no_memory();
	if (stacks_walk(&counting->stacks))
		return -1;
	return counting->no_memory ? no_memory() : 0;
}

static int print(const struct counting *counting, const struct images *images,
		 const struct stat_options *options)
{
	struct sheet kinds = { .name = "events" }, ends = { .name = "ends" };
	struct sheet lengths = { .name = "lengths" };
	struct sheet *const all[] = { &kinds, &ends, &lengths };

	if (!counting->all)
		return report_lacks(counting->trace, counting->statistics->filter, "stacks",
				    "-e PROC_THREAD+LOADER+PROFILE --stackwalk Profile");
	if (counting->stacks.unresolved)
		warn("%s: %" PRIu64 " parts of stacks have keys that nothing defines: they are "
		     "left out", counting->trace->name, counting->stacks.unresolved);
	fill_kinds(counting, &kinds);
	fill_ends(counting, images, &ends);
	fill_lengths(counting, &lengths);
	return sheets_report(all, sizeof(all) / sizeof(all[0]), options);
}

int stat_stack_ends(const struct trace *trace, const struct statistics *statistics,
		    const struct stat_options *options)
{
	struct counting counting = {
		.trace = trace, .statistics = statistics,
		.stacks = { .trace = trace, .filter = statistics->filter, .weigh = weigh,
			    .take = take },
		.kinds.size = sizeof(struct kind), .ends.size = sizeof(uint64_t),
	};
	struct symbols *symbols = symbols_new(trace, &options->where);
	int code = EXIT_FAILED;

	counting.stacks.context = &counting;
	sample_fields_find(&counting.samples);
	if (!symbols)
		no_memory();
	else if (!count(&counting, symbols, options->where.sysroot))
		code = print(&counting, symbols_images(symbols), options);
	end_finder_free(counting.finder);
	stacks_free(&counting.stacks);
	keyed_free(&counting.kinds);
	keyed_free(&counting.ends);
	symbols_free(symbols);
	return code;
}
