// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* etw stat FILE --csv: the summary, a line for each number and text (declared in summary.h). */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include "common/print_fields.h"
#include "etw.h"
#include "summary.h"

/**
 * struct line - the columns before a name and its value
 * @row: what the line is of
 * @of: the processor, or the thread; NULL: neither
 * @cpu: a processor of the thread; NULL: there is none
 */
struct line {
	const char *row;
	const json_t *of;
	const json_t *cpu;
};

static void put_value(const json_t *value)
{
	if (json_is_string(value))
		text_print_csv(json_string_value(value), stdout);
	else if (json_is_integer(value))
		printf("%" JSON_INTEGER_FORMAT, json_integer_value(value));
	else if (json_is_boolean(value))
		printf("%d", json_is_true(value));
}

static const char *const ids[] = { "cpu", "pid", "tid", "process", "thread" };

static bool is_id(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(ids) / sizeof(ids[0]); i++)
		if (!strcmp(ids[i], name))
			return true;
	return false;
}

static void put_line(const struct line *line, const char *name, const json_t *value)
{
	const json_t *id;
	size_t i;

	fputs(line->row, stdout);
	for (i = 0; i < sizeof(ids) / sizeof(ids[0]); i++) {
		putchar(',');
		id = i || !line->cpu ? json_object_get(line->of, ids[i]) :
		     json_object_get(line->cpu, ids[i]);
		put_value(id);
	}
	putchar(',');
	text_print_csv(name, stdout);
	putchar(',');
	put_value(value);
	putchar('\n');
}

/* The numbers and texts of an object that are no ids */
static void put_object(const struct line *line, json_t *object)
{
	const char *name;
	json_t *value;

	json_object_foreach(object, name, value)
		if (!is_id(name) && !json_is_object(value) && !json_is_array(value))
			put_line(line, name, value);
}

static void put_threads(const json_t *threads)
{
	struct line line = { .row = "thread" };
	json_t *thread, *cpu;
	size_t i, k;

	json_array_foreach(threads, i, thread) {
		line.of = thread;
		put_object(&line, thread);
		json_array_foreach(json_object_get(thread, "cpus"), k, cpu) {
			line.cpu = cpu;
			put_object(&line, cpu);
		}
		line.cpu = NULL;
	}
}

static void put_lists(const json_t *all)
{
	const json_t *counters = json_object_get(json_object_get(all, "perf"), "counters");
	struct line line = { .row = "perf" };
	json_t *one;
	size_t i;

	json_array_foreach(counters, i, one)
		put_line(&line, "counter", one);
	line.row = "type";
	json_array_foreach(json_object_get(all, "types"), i, one)
		put_line(&line, json_string_value(json_object_get(one, "name")) ?: "",
			 json_object_get(one, "events"));
	line.row = "cpu";
	json_array_foreach(json_object_get(all, "cpus"), i, one) {
		line.of = one;
		put_object(&line, one);
	}
	put_threads(json_object_get(all, "threads"));
}

int summary_csv(const struct trace *trace, const struct statistics *statistics)
{
	json_t *all = summary_object(trace, statistics);
	struct line session = { .row = "session" }, system = { .row = "system" };
	struct line perf = { .row = "perf" };

	if (!all)
		return failed("%s", strerror(ENOMEM));
	puts("row,cpu,pid,tid,process,thread,name,value");
	put_object(&session, all);
	put_object(&system, json_object_get(all, "system"));
	put_object(&perf, json_object_get(all, "perf"));
	put_lists(all);
	json_decref(all);
	return EXIT_OK;
}
