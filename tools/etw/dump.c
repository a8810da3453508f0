// SPDX-License-Identifier: GPL-2.0
/* etw dump: the events of a file as text, JSON lines or CSV. */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "decode.h"
#include "etw.h"
#include "names.h"
#include "text.h"
#include "trace.h"

static const char help[] =
	"dump [--json|--csv|--count] [--unordered] FILE|-\n\n"
	"Prints the events of a trace, merged by time over all processors: one line each with\n"
	"seconds since the start, processor, name and fields. '-' is standard input.\n\n"
	"      --json        one JSON object a line\n"
	"      --csv         comma-separated: time, cpu, pid, tid, name, fields\n"
	"      --count       only count them, by name\n"
	"      --unordered   in the order of the file\n"
	"  -h, --help        this text\n";

static const struct option options[] = {
	{ "json", no_argument, NULL, 'j' },
	{ "csv", no_argument, NULL, 'c' },
	{ "count", no_argument, NULL, 'n' },
	{ "unordered", no_argument, NULL, 'u' },
	{ "help", no_argument, NULL, 'h' },
	{ }
};

/* An event with everything that is printed of it */
struct line {
	const struct trace *trace;
	const struct etl_record *record;
	const struct etl_buffer *buffer;
	char name[EVENT_NAME];
	char seconds[32];
	struct fields fields;
};

/* Exact to the nanosecond where a double is not. */
static void put_seconds(int64_t ns, char *to, size_t room)
{
	uint64_t size = ns < 0 ? -(uint64_t)ns : (uint64_t)ns;

	snprintf(to, room, "%s%" PRIu64 ".%09" PRIu64, ns < 0 ? "-" : "", size / 1000000000,
		 size % 1000000000);
}

/* What the header says of the event, beyond what a line shows of all */
static void header_fields(struct line *line)
{
	const struct etl_record *record = line->record;
	struct fields *fields = &line->fields;
	unsigned int i;
	static const char *const counter[ETL_MAX_COUNTERS] = {
		"Counter0", "Counter1", "Counter2", "Counter3", "Counter4", "Counter5", "Counter6",
	};

	if (record->header == ETL_EVENT && !etl_is_ours(record)) {
		fields_unsigned(fields, "Level", record->level);
		fields_unsigned(fields, "Opcode", record->opcode);
		fields_unsigned(fields, "Task", record->task);
		fields_hex(fields, "Keyword", record->keyword);
	}
	if (record->has_pebs)
		fields_unsigned(fields, "PebsIndex", record->pebs);
	for (i = 0; i < record->counters; i++)
		fields_unsigned(fields, counter[i], record->counter[i]);
}

static void prepare(struct line *line)
{
	const struct etl_record *record = line->record;

	event_name(record, line->name, sizeof(line->name));
	put_seconds(etl_nanoseconds(&line->trace->log, record->time), line->seconds,
		    sizeof(line->seconds));
	fields_reset(&line->fields);
	header_fields(line);
	decode_payload(record, &line->fields);
}

static void print_text(struct line *line)
{
	printf("%14s %3u %s", line->seconds, line->buffer->processor, line->name);
	if (line->record->has_ids)
		printf(" [%u/%u]", line->record->process_id, line->record->thread_id);
	fields_print(&line->fields, stdout);
	puts(line->fields.truncated ? " (payload too short)" : "");
}

static void print_json(struct line *line)
{
	const struct etl_record *record = line->record;
	json_t *event = json_object(), *fields = json_object();

	json_object_set_new(event, "ns", json_integer(etl_nanoseconds(&line->trace->log,
								       record->time)));
	json_object_set_new(event, "cpu", json_integer(line->buffer->processor));
	json_object_set_new(event, "event", json_string(line->name));
	json_object_set_new(event, "header", json_string(header_name(record->header)));
	json_object_set_new(event, "version", json_integer(record->version));
	if (record->has_ids) {
		json_object_set_new(event, "pid", json_integer(record->process_id));
		json_object_set_new(event, "tid", json_integer(record->thread_id));
	}
	fields_json(&line->fields, fields);
	json_object_set_new(event, "fields", fields);
	if (line->fields.truncated)
		json_object_set_new(event, "truncated", json_true());
	json_dumpf(event, stdout, JSON_COMPACT);
	putchar('\n');
	json_decref(event);
}

/* The fields of an event differ by kind: they share the last column. */
static void print_csv(struct line *line)
{
	char *text = NULL, *at;
	size_t size = 0;
	FILE *memory = open_memstream(&text, &size);

	if (!memory)
		return;
	fields_print(&line->fields, memory);
	fclose(memory);
	printf("%s,%u,", line->seconds, line->buffer->processor);
	if (line->record->has_ids)
		printf("%u,%u,", line->record->process_id, line->record->thread_id);
	else
		fputs(",,", stdout);
	printf("%s,\"", line->name);
	for (at = text + (*text == ' '); *at; at++) {
		if (*at == '"')
			putchar('"');
		putchar(*at);
	}
	puts("\"");
	free(text);
}

struct count {
	char name[EVENT_NAME];
	uint64_t events;
};

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct count *)a)->name, ((const struct count *)b)->name);
}

static struct count *counts;
static size_t nr_counts;

static void count_event(struct line *line)
{
	struct count *more;
	size_t i;

	event_name(line->record, line->name, sizeof(line->name));
	for (i = 0; i < nr_counts; i++) {
		if (strcmp(counts[i].name, line->name))
			continue;
		counts[i].events++;
		return;
	}
	more = reallocarray(counts, nr_counts + 1, sizeof(*counts));
	if (!more)
		return;
	counts = more;
	strcpy(counts[nr_counts].name, line->name);
	counts[nr_counts++].events = 1;
}

static void print_counts(void)
{
	size_t i;

	qsort(counts, nr_counts, sizeof(*counts), by_name);
	for (i = 0; i < nr_counts; i++)
		printf("%10" PRIu64 " %s\n", counts[i].events, counts[i].name);
	free(counts);
}

static int dump_trace(const struct trace *trace, int format, bool unordered)
{
	static struct line line;
	struct merge merge;
	uint64_t events = 0;

	if (trace_readable(trace) || merge_begin(&merge, trace, unordered))
		return EXIT_FAILED;
	line.trace = trace;
	if (format == 'c')
		puts("seconds,cpu,pid,tid,event,fields");
	while (merge_next(&merge, &line.record, &line.buffer) && !ferror(stdout)) {
		events++;
		if (format == 'n') {
			count_event(&line);
			continue;
		}
		prepare(&line);
		if (format == 'j')
			print_json(&line);
		else if (format == 'c')
			print_csv(&line);
		else
			print_text(&line);
	}
	if (format == 'n') {
		printf("%10" PRIu64 " events in %zu buffers\n", events, trace->count);
		print_counts();
	}
	if (merge.broken)
		warn("%s: the rest of %zu buffers is unreadable ('etw check')", trace->name,
		     merge.broken);
	merge_end(&merge);
	return EXIT_OK;
}

static int dump(int argc, char **argv)
{
	struct trace trace;
	bool unordered = false;
	int c, code, format = 0;

	while ((c = next_option(&verb_dump, argc, argv, ":h", options)) != -1) {
		if (c == '?')
			return EXIT_USAGE;
		if (c == 'h')
			return print_help(&verb_dump);
		if (c == 'u')
			unordered = true;
		else if (format && format != c)
			return usage_error(&verb_dump, "dump: --json, --csv, --count: only one");
		else
			format = c;
	}
	if (argc - optind != 1)
		return usage_error(&verb_dump, "dump: exactly one file is needed");
	if (trace_open(&trace, argv[optind]))
		return EXIT_FAILED;
	if (trace.torn)
		warn("%s: the last %" PRIu64 " bytes are no whole buffer ('etw close' cuts them)",
		     trace.name, trace.size - trace.end);
	code = dump_trace(&trace, format, unordered);
	trace_close(&trace);
	return code;
}

const struct verb verb_dump = { "dump", "print the events of a file", help, dump };
