// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* An interval of etw top, as a table or as JSON. */
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include "cmd/stat/terminal.h"
#include "libetl/event_names.h"
#include "top.h"

/* Lines above the table */
#define HEAD_LINES	4
/* Columns in front of the name, of them those of ready times and disks; least ones of a name */
#define COLUMNS		106
#define COLUMNS_TID	8
#define COLUMNS_WIDE	40
#define COLUMNS_NAME	14

static const struct {
	const char *name;
	char letter;
} keys[TOP_KEYS] = {
	[TOP_CPU] = { "cpu", 'c' }, [TOP_SWITCHES] = { "switches", 's' },
	[TOP_WAIT] = { "wait", 'w' }, [TOP_READY] = { "ready", 'r' },
	[TOP_IPC] = { "ipc", 'i' }, [TOP_DISK] = { "disk", 'd' },
};

bool top_key_of(const char *name, enum top_key *key)
{
	for (*key = 0; *key < TOP_KEYS; ++*key)
		if (!strcmp(name, keys[*key].name))
			return true;
	return false;
}

bool top_key_of_letter(char letter, enum top_key *key)
{
	for (*key = 0; *key < TOP_KEYS; ++*key)
		if (letter == keys[*key].letter)
			return true;
	return false;
}

/* Ends a line, and on a terminal erases what an earlier one left behind it. */
static void end_line(unsigned int lines)
{
	fputs(lines ? "\033[K\n" : "\n", stdout);
}

static double per_second(const struct top *top, uint64_t number)
{
	return top->ns ? number * 1e9 / top->ns : 0;
}

static double percent(const struct top *top, uint64_t ns)
{
	return top->ns ? ns * 100.0 / top->ns : 0;
}

static void print_head(const struct top *top, unsigned int lines)
{
	uint32_t cpus = top->log->number_of_processors;
	char read[TERMINAL_NUMBER], written[TERMINAL_NUMBER];

	terminal_bytes(per_second(top, top->all.read), read);
	terminal_bytes(per_second(top, top->all.written), written);
	printf("etw top: %.2f s; %u CPUs %.1f %% busy; %.0f switches/s; disk %s/s read, "
	       "%s/s written", top->ns / 1e9, cpus,
	       cpus ? percent(top, top->all.cpu_ns) / cpus : 0.0,
	       per_second(top, top->all.switches), read, written);
	end_line(lines);
	if (top->incomplete || top->lost_all)
		printf("LOST: %" PRIu64 " events in this interval, %" PRIu64
		       " in all: numbers are too low", top->lost, top->lost_all);
	else
		printf("0 events lost; sorted by %s%s", keys[top->key].name,
		       lines ? "; keys: c s w r i d sort, p processes, q quit" : "");
	end_line(lines);
	end_line(lines);
}

static void print_row(const struct top *top, const struct top_row *row, bool wide, size_t width)
{
	const struct top_counts *counts = &row->counts;
	const char *reason = counts->waits ? wait_reason_name(counts->reason) : NULL;

	if (row->has_pid)
		printf("%7u ", row->pid);
	else
		printf("%7s ", "?");
	if (!top->processes)
		printf("%7u ", row->tid);
	printf("%6.1f ", percent(top, counts->cpu_ns));
	if (!top->counters || !counts->cycles)
		printf("%5s ", "-");
	else
		printf("%5.2f ", (double)counts->instructions / counts->cycles);
	printf("%8.0f %10.3f %-16.16s ", per_second(top, counts->switches),
	       counts->longest_ns / 1e6, reason ? reason : "");
	if (wide)
		printf("%9.3f %9.3f %9.1f %9.1f ", counts->ready_ns / 1e6,
		       counts->ready_longest_ns / 1e6, per_second(top, counts->read) / 1024,
		       per_second(top, counts->written) / 1024);
	terminal_print(row->name, width, false);
}

/* Threads that did nothing are no lines. */
static bool has_counts(const struct top_row *row)
{
	static const struct top_counts none;

	return memcmp(&row->counts, &none, sizeof(none));
}

void top_print(const struct top *top, size_t most, unsigned int lines)
{
	struct terminal terminal = terminal_of_stdout();
	size_t fixed = COLUMNS - (top->processes ? COLUMNS_TID : 0);
	bool wide = !terminal.width || terminal.width >= fixed + COLUMNS_NAME;
	size_t i, shown = 0, width;

	fixed -= wide ? 0 : COLUMNS_WIDE;
	width = terminal.width > fixed + COLUMNS_NAME ? terminal.width - fixed :
		terminal.width ? COLUMNS_NAME : LIVE_NAME;
	print_head(top, lines);
	terminal_begin_head(&terminal);
	printf("%7s %s%6s %5s %8s %10s %-16s ", "PID", top->processes ? "" : "    TID ", "CPU %",
	       "IPC", "SW/s", "LONGEST ms", "WAIT");
	if (wide)
		printf("%9s %9s %9s %9s ", "READY ms", "MAX ms", "READ KB/s", "WRIT KB/s");
	fputs("NAME", stdout);
	terminal_end_head(&terminal);
	end_line(lines);
	if (lines && (!most || most + HEAD_LINES >= lines))
		most = lines > HEAD_LINES + 1 ? lines - HEAD_LINES - 1 : 1;
	for (i = 0; i < top->rows && (!most || shown < most); i++) {
		if (!has_counts(&top->row[i]))
			continue;
		print_row(top, &top->row[i], wide, width);
		end_line(lines);
		shown++;
	}
}

static void put(json_t *to, const char *name, uint64_t number)
{
	json_object_set_new(to, name, json_integer(number));
}

static void put_counts(json_t *to, const struct top *top, const struct top_counts *counts)
{
	const char *reason = counts->waits ? wait_reason_name(counts->reason) : NULL;

	put(to, "cpu_ns", counts->cpu_ns);
	put(to, "switches", counts->switches);
	put(to, "waits", counts->waits);
	put(to, "wait_ns", counts->wait_ns);
	put(to, "longest_wait_ns", counts->longest_ns);
	json_object_set_new(to, "longest_wait_reason",
			    reason ? json_string(reason) : json_null());
	put(to, "ready_ns", counts->ready_ns);
	put(to, "longest_ready_ns", counts->ready_longest_ns);
	if (top->counters) {
		put(to, "cycles", counts->cycles);
		put(to, "instructions", counts->instructions);
	}
	put(to, "bytes_read", counts->read);
	put(to, "bytes_written", counts->written);
}

static json_t *json_row(const struct top *top, const struct top_row *row)
{
	json_t *to = json_object();

	if (!top->processes)
		put(to, "tid", row->tid);
	json_object_set_new(to, "pid", row->has_pid ? json_integer(row->pid) : json_null());
	json_object_set_new(to, "name", json_string(row->name));
	put_counts(to, top, &row->counts);
	return to;
}

void top_print_json(const struct top *top, size_t most)
{
	json_t *to = json_object(), *rows = json_array();
	size_t i, shown = 0;

	put(to, "interval_ns", top->ns);
	put(to, "processors", top->log->number_of_processors);
	put(to, "idle_ns", top->idle_ns);
	put(to, "events_lost", top->lost);
	put(to, "events_lost_since_start", top->lost_all);
	json_object_set_new(to, "incomplete", json_boolean(top->incomplete));
	json_object_set_new(to, "sorted_by", json_string(keys[top->key].name));
	put_counts(to, top, &top->all);
	for (i = 0; i < top->rows && (!most || shown < most); i++) {
		if (!has_counts(&top->row[i]))
			continue;
		json_array_append_new(rows, json_row(top, &top->row[i]));
		shown++;
	}
	json_object_set_new(to, top->processes ? "processes" : "threads", rows);
	json_dumpf(to, stdout, JSON_COMPACT);
	putchar('\n');
	json_decref(to);
}
