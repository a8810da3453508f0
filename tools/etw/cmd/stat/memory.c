// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* etw stat FILE memory: which processes and callers got memory and kept it (see report.h). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "libetl/array.h"
#include "libetl/events/events.h"
#include "libetl/guids.h"
#include "libetl/text.h"
#include "etw.h"
#include "etw_hooks.h"
#include "groups.h"
#include "memory.h"
#include "stacks.h"
#include "wait_reason.h"

#define HOW	"-e PROC_THREAD+LOADER+VIRT_ALLOC --stackwalk VirtualAlloc"

/**
 * struct owner - a process, or callers
 * @gets: times that it got memory
 * @got: bytes
 * @returns: times that it gave memory back
 * @returned: bytes
 * @kept: bytes that it got and did not give back
 * @most: the largest difference of @got and @returned in the course of the trace
 * @before: bytes that it had at the start of the trace, by the rundown
 * @counted: the trace has its counters:
 * @resident: bytes in memory
 * @peak_resident: the most at any time
 * @kernel: of callers: frames of their stack that are the kernel's
 */
struct owner {
	uint64_t gets;
	uint64_t got;
	uint64_t returns;
	uint64_t returned;
	uint64_t kept;
	uint64_t most;
	uint64_t before;
	bool counted;
	uint64_t resident;
	uint64_t peak_resident;
	uint32_t kernel;
};

/**
 * struct numbers - where the fields of a kind of record are
 */
struct numbers {
	struct event_number process;
	struct event_number base;
	struct event_number size;
};

/**
 * struct memory - all of it
 * @numbers: of the event of memory that is got, of that of memory given back, and of the rundown
 * @change: @changes of them, in the order of time
 * @lines: struct owner of processes, or containers
 * @callers: struct owner by node of the tree of stacks
 * @change_of: index of a change + 1 by its time and thread; a thread that the record does not
 *	contain is ETW_NO_THREAD
 */
struct memory {
	const struct trace *trace;
	const struct statistics *statistics;
	struct numbers got;
	struct numbers returned;
	struct numbers before;
	struct event_number counted_process;
	struct event_number resident;
	struct event_number peak_resident;
	struct memory_change *change;
	size_t changes;
	size_t room;
	struct groups lines;
	struct keyed callers;
	struct keyed change_of;
};

static void find_numbers(struct numbers *numbers, uint16_t hook)
{
	event_number_find(&numbers->process, hook, "ProcessId");
	event_number_find(&numbers->base, hook, "BaseAddress");
	event_number_find(&numbers->size, hook, "RegionSize");
}

static uint64_t process_of(const struct memory *memory, uint32_t pid, uint64_t time)
{
	const struct process *process = lifetimes_process(memory->statistics->lifetimes, pid, time);

	return process ? process->life.index + 1ull : 0;
}

static uint64_t key_of(uint64_t time, uint32_t tid)
{
	return map_mix(time * MAP_MIX, &tid, sizeof(tid));
}

/* Return: false: the record has no such fields, or no bytes */
static bool read_change(const struct memory *memory, const struct numbers *numbers,
			const struct etl_record *record, struct memory_change *change)
{
	uint64_t pid, size;

	if (!event_number(&numbers->process, record, &pid) ||
	    !event_number(&numbers->base, record, &change->from) ||
	    !event_number(&numbers->size, record, &size) || !size ||
	    __builtin_add_overflow(change->from, size, &change->to))
		return false;
	change->process = process_of(memory, pid, record->time);
	change->time = record->time;
	change->tid = record->has_ids ? record->thread_id : ETW_NO_THREAD;
	return true;
}

static void add_change(struct owner *owner, const struct memory_change *change)
{
	uint64_t size = change->to - change->from;

	if (change->freed) {
		owner->returns++;
		owner->returned += size;
		return;
	}
	owner->gets++;
	owner->got += size;
	if (owner->got > owner->returned && owner->got - owner->returned > owner->most)
		owner->most = owner->got - owner->returned;
}

static int note_change(struct memory *memory, const struct numbers *numbers,
		       const struct etl_record *record, bool freed)
{
	struct memory_change change = { .freed = freed };
	struct owner *owner;
	size_t *index;

	if (!read_change(memory, numbers, record, &change))
		return 0;
	owner = groups_of(&memory->lines, change.process);
	if (!owner || !array_grow((void **)&memory->change, &memory->room, memory->changes + 1,
				  sizeof(change)))
		return no_memory();
	add_change(owner, &change);
	memory->change[memory->changes++] = change;
	if (freed)
		return 0;
	index = keyed_of(&memory->change_of, key_of(change.time, change.tid));
	if (!index)
		return no_memory();
	*index = memory->changes;
	return 0;
}

static int note_before(struct memory *memory, const struct etl_record *record)
{
	struct memory_change change = { };
	struct owner *owner;

	if (!read_change(memory, &memory->before, record, &change))
		return 0;
	owner = groups_of(&memory->lines, change.process);
	if (!owner)
		return no_memory();
	owner->before += change.to - change.from;
	return 0;
}

/* The latest ones count: those of the end of the process, or of the trace. */
static int note_counters(struct memory *memory, const struct etl_record *record)
{
	uint64_t pid, resident, peak;
	struct owner *owner;

	if (!event_number(&memory->counted_process, record, &pid) ||
	    !event_number(&memory->resident, record, &resident) ||
	    !event_number(&memory->peak_resident, record, &peak))
		return 0;
	owner = groups_of(&memory->lines, process_of(memory, pid, record->time));
	if (!owner)
		return no_memory();
	owner->counted = true;
	owner->resident = resident;
	owner->peak_resident = peak;
	return 0;
}

static int note(struct memory *memory, const struct etl_record *record)
{
	uint16_t hook;

	if (!hook_of(record, &hook))
		return 0;
	switch (hook) {
	case PERFINFO_LOG_TYPE_VIRTUAL_ALLOC:
		return note_change(memory, &memory->got, record, false);
	case PERFINFO_LOG_TYPE_VIRTUAL_FREE:
		return note_change(memory, &memory->returned, record, true);
	case PERFINFO_LOG_TYPE_VIRTUAL_ALLOC_DC_START:
		return note_before(memory, record);
	case WMI_LOG_TYPE_PROCESS_PERFCTR:
	case WMI_LOG_TYPE_PROCESS_PERFCTR_RUNDOWN:
		return note_counters(memory, record);
	}
	return 0;
}

/* Return: 0, or -1 after a message */
static int collect(struct memory *memory)
{
	const struct etl_record *record;
	const struct etl_buffer *buffer;
	struct memory_change *change;
	struct owner *owner;
	struct merge merge;
	int err = 0;

	if (merge_begin(&merge, memory->trace, false))
		return -1;
	while (!err && merge_next(&merge, &record, &buffer))
		if (event_filter_selects(memory->statistics->filter, &merge, buffer, record))
			err = note(memory, record);
	merge_end(&merge);
	if (err)
		return -1;
	if (!memory_find_kept(memory->change, memory->changes))
		return no_memory();
	for (change = memory->change; change < memory->change + memory->changes; change++) {
		owner = groups_of(&memory->lines, change->process);
		if (!owner)
			return no_memory();
		owner->kept += change->kept;
	}
	return 0;
}

/* Of a stack of the event of memory that is got */
static int take_stack(struct stack_report *report, const struct stack_event *event)
{
	struct memory *memory = report->context;
	const struct memory_change *change;
	const size_t *index;
	struct owner *owner;

	if (!event->kernel.count && !event->user.count)
		return 0;
	index = keyed_find(&memory->change_of,
			   key_of(event->time, event->has_tid ? event->tid : ETW_NO_THREAD));
	if (!index)
		return 0;
	change = &memory->change[*index - 1];
	owner = keyed_of(&memory->callers, report->tree->at);
	if (!owner)
		return no_memory();
	add_change(owner, change);
	owner->kept += change->kept;
	owner->kernel = event->kernel.count;
	return 0;
}

/* The counters are those of a process */
static void put_counters(struct sheet *sheet, size_t column, const struct owner *owner)
{
	if (!owner->counted)
		return;
	sheet_number(sheet, column, owner->resident);
	sheet_number(sheet, column + 1, owner->peak_resident);
}

static void fill_lines(const struct memory *memory, struct sheet *sheet)
{
	const struct groups *lines = &memory->lines;
	enum sheet_where where = lines->by == BY_CONTAINER ? SHEET_NOWHERE : SHEET_EVERYWHERE;
	size_t pid = groups_first_column(sheet, lines->by);
	size_t kept = sheet_column(sheet, SHEET_BYTES, SHEET_EVERYWHERE, "kept");
	size_t gets = sheet_column(sheet, SHEET_COUNT, SHEET_EVERYWHERE, "gets");
	size_t got = sheet_column(sheet, SHEET_BYTES, SHEET_EVERYWHERE, "bytes got");
	size_t returns = sheet_column(sheet, SHEET_COUNT, SHEET_EVERYWHERE, "returns");
	size_t returned = sheet_column(sheet, SHEET_BYTES, SHEET_EVERYWHERE, "bytes returned");
	size_t most = sheet_column(sheet, SHEET_PART, SHEET_EVERYWHERE, "peak growth");
	size_t before = sheet_column(sheet, SHEET_BYTES, SHEET_EVERYWHERE, "before");
	size_t resident = sheet_column(sheet, SHEET_PART, where, "resident"), name, i;
	const struct owner *owner;

	sheet_column(sheet, SHEET_PART, where, "peak resident");
	name = groups_last_columns(sheet, lines->by);
	for (i = 0; i < lines->values.map.count; i++) {
		owner = keyed_at(&lines->values, i);
		sheet_row(sheet);
		sheet_number(sheet, kept, owner->kept);
		sheet_number(sheet, gets, owner->gets);
		sheet_number(sheet, got, owner->got);
		sheet_number(sheet, returns, owner->returns);
		sheet_number(sheet, returned, owner->returned);
		sheet_number(sheet, most, owner->most);
		sheet_number(sheet, before, owner->before);
		put_counters(sheet, resident, owner);
		groups_put(lines, i, sheet, pid, name);
	}
	sheet_sort(sheet, kept);
}

/* The outermost function first, as in folded stacks; what does not fit is left out */
static void stack_text(const struct call_tree *tree, uint32_t node, char *to, size_t room)
{
	static uint32_t path[CALL_TREE_DEEPEST];
	unsigned int count = call_tree_path(tree, node, path), i;
	size_t used = 0;

	to[0] = '\0';
	for (i = 0; i < count && used < room; i++)
		used += snprintf(to + used, room - used, "%s%s", i ? ";" : "",
				 tree->name[tree->node[path[i]].name].text);
	/* the last name may be cut inside a character */
	to[text_fit(to, room)] = '\0';
}

static void fill_callers(const struct memory *memory, const struct call_tree *tree,
			 struct sheet *sheet)
{
	size_t kept = sheet_column(sheet, SHEET_BYTES, SHEET_EVERYWHERE, "kept");
	size_t gets = sheet_column(sheet, SHEET_COUNT, SHEET_EVERYWHERE, "gets");
	size_t got = sheet_column(sheet, SHEET_BYTES, SHEET_EVERYWHERE, "bytes got");
	size_t caller = sheet_column(sheet, SHEET_TEXT, SHEET_EVERYWHERE, "caller");
	size_t stack = sheet_column(sheet, SHEET_TEXT, SHEET_EVERYWHERE, "stack"), i;
	static char text[16384];
	const struct owner *owner;
	uint32_t node;

	for (i = 0; i < memory->callers.map.count; i++) {
		node = memory->callers.map.keys[i];
		owner = keyed_at(&memory->callers, i);
		sheet_row(sheet);
		sheet_number(sheet, kept, owner->kept);
		sheet_number(sheet, gets, owner->gets);
		sheet_number(sheet, got, owner->got);
		sheet_text(sheet, caller, wait_caller_of(tree, node, owner->kernel));
		stack_text(tree, node, text, sizeof(text));
		sheet_text(sheet, stack, text);
	}
	sheet_sort(sheet, kept);
}

static int print(struct memory *memory, const struct stat_options *options)
{
	struct stack_report report = {
		.trace = memory->trace, .statistics = memory->statistics,
		.where = &options->where, .hook_id = PERFINFO_LOG_TYPE_VIRTUAL_ALLOC,
		.each = take_stack, .context = memory,
	};
	struct sheet lines = { .name = groups_name(options->by) }, callers = { .name = "callers" };
	struct sheet *const all[] = { &lines, &callers };
	int code = EXIT_FAILED;

	if (!stack_report_make(&report)) {
		if (memory->changes && !memory->callers.map.count)
			report_lacks_part(memory->trace, "stacks of VirtualAlloc",
					  "the callers are unknown", HOW);
		fill_lines(memory, &lines);
		fill_callers(memory, report.tree, &callers);
		code = sheets_report(all, sizeof(all) / sizeof(all[0]), options);
		symbols_warn(report.symbols, false);
	}
	stack_report_free(&report);
	return code;
}

int stat_memory(const struct trace *trace, const struct statistics *statistics,
		const struct stat_options *options)
{
	struct memory memory = {
		.trace = trace, .statistics = statistics,
		.callers.size = sizeof(struct owner), .change_of.size = sizeof(size_t),
	};
	int code = EXIT_FAILED;

	groups_begin(&memory.lines, statistics, options->by, sizeof(struct owner), NULL);
	find_numbers(&memory.got, PERFINFO_LOG_TYPE_VIRTUAL_ALLOC);
	find_numbers(&memory.returned, PERFINFO_LOG_TYPE_VIRTUAL_FREE);
	find_numbers(&memory.before, PERFINFO_LOG_TYPE_VIRTUAL_ALLOC_DC_START);
	event_number_find(&memory.counted_process, WMI_LOG_TYPE_PROCESS_PERFCTR, "ProcessId");
	event_number_find(&memory.resident, WMI_LOG_TYPE_PROCESS_PERFCTR, "WorkingSetSize");
	event_number_find(&memory.peak_resident, WMI_LOG_TYPE_PROCESS_PERFCTR,
			  "PeakWorkingSetSize");
	if (!collect(&memory))
		code = memory.lines.values.map.count ? print(&memory, options) :
		       report_lacks(trace, statistics->filter, "events of virtual memory", HOW);
	free(memory.change);
	groups_end(&memory.lines);
	keyed_free(&memory.callers);
	keyed_free(&memory.change_of);
	return code;
}
