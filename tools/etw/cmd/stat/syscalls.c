// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* etw stat FILE syscalls: how often system calls were made, failed and how long they took. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "libetl/array.h"
#include "libetl/system_calls.h"
#include "libetl/text.h"
#include "etw.h"
#include "etw_hooks.h"
#include "groups.h"
#include "syscalls.h"

/**
 * struct tally - calls of a number, or of a process
 * @calls: how many began
 * @errors: of them, that ended with one
 * @open: of them, without an end
 * @spans: of them, with an end
 * @last: time of the last one, session clock
 */
struct tally {
	uint64_t calls;
	uint64_t errors;
	uint64_t open;
	struct spans spans;
	uint64_t last;
};

/**
 * struct syscalls - all of it
 * @symbols: names of functions; NULL: no call has an address
 * @machine: of the trace
 * @calls: struct tally by number or address
 * @processes: by index of the process + 1, 0: unknown
 * @failed: those with a path that failed
 * @least: ns: shorter ones are not in @slow
 * @slow: @nr_slow of them, with their paths
 */
struct syscalls {
	const struct trace *trace;
	const struct statistics *statistics;
	struct symbols *symbols;
	uint16_t machine;
	struct keyed calls;
	struct keyed processes;
	struct keyed failed;
	uint64_t least;
	struct syscall *slow;
	size_t nr_slow;
	size_t room;
};

static uint64_t length_of(const struct syscalls *syscalls, const struct syscall *call)
{
	return ns_of_ticks(&syscalls->trace->log, call->to - call->from);
}

static int keep(struct syscalls *syscalls, struct syscall *call)
{
	if (!array_grow((void **)&syscalls->slow, &syscalls->room, syscalls->nr_slow + 1,
			sizeof(*syscalls->slow)))
		return no_memory();
	syscalls->slow[syscalls->nr_slow++] = *call;
	call->paths.path = NULL;
	call->paths.second = NULL;
	return 0;
}

static int add(struct keyed *tallies, uint64_t key, const struct syscall *call, uint64_t ns)
{
	struct tally *tally = keyed_of(tallies, key);

	if (!tally)
		return no_memory();
	tally->calls++;
	tally->last = call->from;
	if (!call->ended) {
		tally->open++;
		return 0;
	}
	tally->errors += call->failed;
	spans_add(&tally->spans, ns);
	return 0;
}

static int take(void *context, struct syscall *call)
{
	struct syscalls *syscalls = context;
	uint64_t ns = call->ended ? length_of(syscalls, call) : 0;

	if (failed_paths_add(&syscalls->failed, call) ||
	    add(&syscalls->calls, call->call, call, ns) ||
	    add(&syscalls->processes, call->process, call, ns))
		return -1;
	return call->ended && ns >= syscalls->least ? keep(syscalls, call) : 0;
}

/* "openat" of "__x64_sys_openat"; Windows' names stay */
static const char *bare_name(const char *function)
{
	const char *sys = strstr(function, "sys_");

	return sys && (sys == function || sys[-1] == '_') ? sys + strlen("sys_") : function;
}

static void name_of_address(const struct syscalls *syscalls, uint64_t address, uint64_t time,
			    char to[SYMBOL_TEXT])
{
	uint64_t compat = (address - ETW_SYSCALL_IMAGE_COMPAT) / 16;
	struct symbol symbol = { };

	if (address >= ETW_SYSCALL_IMAGE_COMPAT && compat < SYSCALL_NUMBERS) {
		snprintf(to, SYMBOL_TEXT, "32-bit call %" PRIu64, compat);
		return;
	}
	if (syscalls->symbols)
		symbols_find(syscalls->symbols, 0, address, time, 0, &symbol);
	if (symbol.function)
		snprintf(to, SYMBOL_TEXT, "%s", bare_name(symbol.function));
	else
		snprintf(to, SYMBOL_TEXT, "0x%" PRIx64, address);
}

static void call_name(const void *context, uint64_t call, uint64_t time, char to[SYMBOL_TEXT])
{
	const struct syscalls *syscalls = context;
	const struct system_call *known = system_call_of(syscalls->machine, call);

	if (known)
		snprintf(to, SYMBOL_TEXT, "%s", known->name);
	else if (call < SYSCALL_NUMBERS)
		snprintf(to, SYMBOL_TEXT, "call %" PRIu64, call);
	else
		name_of_address(syscalls, call, time, to);
}

static size_t tally_columns(struct sheet *sheet)
{
	size_t first = sheet_column(sheet, SHEET_COUNT, SHEET_EVERYWHERE, "calls");

	sheet_column(sheet, SHEET_COUNT, SHEET_EVERYWHERE, "errors");
	sheet_column(sheet, SHEET_COUNT, SHEET_EVERYWHERE, "no end");
	spans_columns(sheet, "time");
	return first;
}

/* The first column by which the sheet is sorted is the time */
static void tally_put(struct sheet *sheet, size_t column, const struct tally *tally)
{
	sheet_number(sheet, column, tally->calls);
	sheet_number(sheet, column + 1, tally->errors);
	sheet_number(sheet, column + 2, tally->open);
	spans_put(sheet, column + 3, &tally->spans);
}

static void fill_calls(const struct syscalls *syscalls, struct sheet *sheet)
{
	size_t number = sheet_column(sheet, SHEET_ID, SHEET_IN_EXPORT, "number");
	size_t first = tally_columns(sheet);
	size_t name = sheet_column(sheet, SHEET_TEXT, SHEET_EVERYWHERE, "call"), i;
	const struct tally *tally;
	char text[SYMBOL_TEXT];
	uint64_t call;

	for (i = 0; i < syscalls->calls.map.count; i++) {
		call = syscalls->calls.map.keys[i];
		tally = keyed_at(&syscalls->calls, i);
		sheet_row(sheet);
		if (call < SYSCALL_NUMBERS)
			sheet_number(sheet, number, call);
		tally_put(sheet, first, tally);
		call_name(syscalls, call, tally->last, text);
		sheet_text(sheet, name, text);
	}
	sheet_sort(sheet, first + 3);
}

static const struct process *process_of(const struct syscalls *syscalls, const struct syscall *call)
{
	return call->process ? lifetimes_process_at(syscalls->statistics->lifetimes,
						    call->process - 1) : NULL;
}

static void put_process(struct sheet *sheet, const struct process *process, size_t pid,
			size_t image)
{
	if (!process)
		return;
	sheet_number(sheet, pid, process->life.id);
	if (process->life.name)
		sheet_text(sheet, image, process->life.name);
}

static void release_tally(void *value)
{
	spans_free(&((struct tally *)value)->spans);
}

static void add_tally(void *to, const void *from)
{
	const struct tally *tally = from;
	struct tally *all = to;

	all->calls += tally->calls;
	all->errors += tally->errors;
	all->open += tally->open;
	spans_merge(&all->spans, &tally->spans);
}

/* Processes or containers. Return: 0, or -1 after a message */
static int fill_groups(const struct syscalls *syscalls, struct sheet *sheet, enum report_by by)
{
	size_t pid = groups_first_column(sheet, by), first = tally_columns(sheet);
	size_t name = groups_last_columns(sheet, by), i;
	struct groups groups;
	int err;

	groups_begin(&groups, syscalls->statistics, by, sizeof(struct tally), release_tally);
	err = groups_add(&groups, &syscalls->processes, add_tally);
	for (i = 0; !err && i < groups.values.map.count; i++) {
		sheet_row(sheet);
		tally_put(sheet, first, keyed_at(&groups.values, i));
		groups_put(&groups, i, sheet, pid, name);
	}
	groups_end(&groups);
	sheet_sort(sheet, first + 3);
	return err;
}

/* No more than the call takes, where that is known: other registers mean nothing */
static void arguments_text(const struct syscalls *syscalls, const struct syscall *call,
			   char *to, size_t room)
{
	const struct system_call *known = system_call_of(syscalls->machine, call->call);
	unsigned int i, count = call->paths.nr_arguments;
	size_t used = 0;

	if (known && known->arguments < count)
		count = known->arguments;
	to[0] = 0;
	for (i = 0; i < count; i++)
		used += snprintf(to + used, room - used, "%s0x%" PRIx64, i ? " " : "",
				 call->paths.arguments[i]);
}

/* An error with its name; "-2 ENOENT" */
static void result_text(const struct syscall *call, char *to, size_t room)
{
	const char *name = call->failed ? syscall_error_name(call->result) : NULL;

	snprintf(to, room, "%" PRId64 "%s%s", call->result, name ? " " : "", name ? name : "");
}

static void fill_slow(const struct syscalls *syscalls, struct sheet *sheet, enum report_by by)
{
	size_t at = sheet_column(sheet, SHEET_MOMENT, SHEET_EVERYWHERE, "at");
	size_t took = sheet_column(sheet, SHEET_TIME, SHEET_EVERYWHERE, "time");
	size_t pid = sheet_column(sheet, SHEET_ID, SHEET_EVERYWHERE, "pid");
	size_t tid = sheet_column(sheet, SHEET_ID, SHEET_EVERYWHERE, "tid");
	size_t image = sheet_column(sheet, SHEET_TEXT, SHEET_EVERYWHERE, "process");
	size_t name = sheet_column(sheet, SHEET_TEXT, SHEET_EVERYWHERE, "call");
	size_t result = sheet_column(sheet, SHEET_TEXT, SHEET_EVERYWHERE, "result");
	size_t arguments = sheet_column(sheet, SHEET_TEXT, SHEET_EVERYWHERE, "arguments");
	size_t paths = sheet_column(sheet, SHEET_TEXT, SHEET_IN_TEXT, "path");
	size_t path = sheet_column(sheet, SHEET_TEXT, SHEET_IN_EXPORT, "path");
	size_t second = sheet_column(sheet, SHEET_TEXT, SHEET_IN_EXPORT, "second path");
	size_t container = sheet_column(sheet, SHEET_TEXT, by == BY_CONTAINER ? SHEET_EVERYWHERE :
					SHEET_NOWHERE, "container"), i;
	static char both[SYSCALL_PATHS];
	const struct syscall *call;
	char text[SYMBOL_TEXT];

	for (i = 0; i < syscalls->nr_slow; i++) {
		call = &syscalls->slow[i];
		sheet_row(sheet);
		sheet_number(sheet, at, etl_nanoseconds(&syscalls->trace->log, call->from));
		sheet_number(sheet, took, length_of(syscalls, call));
		put_process(sheet, process_of(syscalls, call), pid, image);
		sheet_number(sheet, tid, call->tid);
		call_name(syscalls, call->call, call->from, text);
		sheet_text(sheet, name, text);
		result_text(call, text, sizeof(text));
		sheet_text(sheet, result, text);
		arguments_text(syscalls, call, text, sizeof(text));
		sheet_text(sheet, arguments, text);
		if (call->paths.path)
			sheet_text(sheet, path, call->paths.path);
		if (call->paths.second)
			sheet_text(sheet, second, call->paths.second);
		if (syscall_paths_text(call, both))
			sheet_text(sheet, paths, both);
		if (by == BY_CONTAINER)
			sheet_text(sheet, container, container_label(process_of(syscalls, call)));
	}
	sheet_sort(sheet, took);
}

/* Return: 0, or -1 after a message */
static int find_symbols(struct syscalls *syscalls, const struct symbol_options *where)
{
	size_t i;

	for (i = 0; i < syscalls->calls.map.count; i++)
		if (syscalls->calls.map.keys[i] >= SYSCALL_NUMBERS)
			break;
	if (i == syscalls->calls.map.count)
		return 0;
	syscalls->symbols = symbols_of_trace(syscalls->trace, where);
	return syscalls->symbols ? 0 : -1;
}

static int print(struct syscalls *syscalls, const struct stat_options *options)
{
	struct sheet calls = { .name = "calls" }, slow = { .name = "slowest" };
	struct sheet groups = { .name = groups_name(options->by) };
	struct sheet failed = { .name = "failed" };
	struct sheet *all[] = { &calls, &groups, &slow, &failed };
	/* only JSON has the table of failed calls if it is empty */
	size_t count = 3 + (syscalls->failed.map.count || options->as == AS_JSON);

	if (find_symbols(syscalls, &options->where))
		return EXIT_FAILED;
	if (fill_groups(syscalls, &groups, options->by)) {
		sheet_free(&groups);
		return EXIT_FAILED;
	}
	fill_calls(syscalls, &calls);
	fill_slow(syscalls, &slow, options->by);
	if (count > 3)
		failed_paths_fill(&syscalls->failed, &failed, syscalls, call_name);
	groups_order(all, 1, options->by);
	return sheets_report(all, count, options);
}

static void end(struct syscalls *syscalls)
{
	size_t i;

	for (i = 0; i < syscalls->nr_slow; i++) {
		call_paths_free(&syscalls->slow[i].paths);
	}
	free(syscalls->slow);
	symbols_free(syscalls->symbols);
	keyed_free(&syscalls->calls);
	keyed_free(&syscalls->processes);
	keyed_free(&syscalls->failed);
}

int stat_syscalls(const struct trace *trace, const struct statistics *statistics,
		  const struct stat_options *options)
{
	struct syscalls syscalls = {
		.trace = trace, .statistics = statistics, .machine = system_call_machine(),
		.calls = { .size = sizeof(struct tally), .release = release_tally },
		.processes = { .size = sizeof(struct tally), .release = release_tally },
		.least = options->least,
	};
	const struct syscall_observer observer = { .context = &syscalls, .take = take };
	int code = EXIT_FAILED;

	failed_paths_begin(&syscalls.failed);
	if (syscalls_find(trace, statistics, &observer, &syscalls.machine)) {
		end(&syscalls);
		return EXIT_FAILED;
	}
	if (!syscalls.calls.map.count)
		report_lacks(trace, statistics->filter, "system calls", "--syscalls");
	else
		code = print(&syscalls, options);
	end(&syscalls);
	return code;
}
