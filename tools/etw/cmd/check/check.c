// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* etw check: strict verification of a file. */
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "check.h"
#include "common/verb_options.h"
#include "export/export.h"
#include "libetl/text.h"
#include "etw.h"

static const char help[] =
	"check [--ours] [--filtered] [--all] [--json] FILE|- | check --rules [--json]\n\n"
	"Verifies the structure of a trace and prints every violation with the offset of its\n"
	"buffer, that of the record in it, and the rule's number. Files that the etw module\n"
	"wrote are held to stricter rules; for others those are notes.\n\n";

static const struct verb_option options[] = {
	{ .code = OPTION_OURS },
	{ .code = OPTION_FILTERED, .help = "the session had filters: events may be missing" },
	{ 'a', 0, "all", NULL, "every finding, not only the first 20 of each rule" },
	{ 'r', 0, "rules", NULL, "list the rules" },
	{ .code = OPTION_JSON, .help = "findings and counts, or the rules, as JSON" },
	{ }
};

static const char notes[] = "Exit status: 0 no violation, 3 violations, 1 the file could not be read.\n";

static void check_walk_end(struct checker *checker, enum etl_record_result result, uint32_t at)
{
	static const enum check_rule rule[] = {
		[ETL_RECORD_RAGGED] = RULE_RECORDS_END,
		[ETL_RECORD_FILL] = RULE_RECORDS_END,
		[ETL_RECORD_MARKER] = RULE_RECORD_FLAG,
		[ETL_RECORD_TYPE] = RULE_RECORD_TYPE,
		[ETL_RECORD_SHORT] = RULE_RECORD_ROOM,
		[ETL_RECORD_LONG] = RULE_RECORD_ROOM,
		[ETL_RECORD_CHAIN] = RULE_ITEM_CHAIN,
	};

	uint32_t end = checker->buffer->end;

	checker->record_at = at;
	/* Padding of the last record is part of the records. */
	if (may_end_unaligned(checker, checker->buffer))
		end = (end + ETW_RECORD_ALIGN - 1) / ETW_RECORD_ALIGN * ETW_RECORD_ALIGN;
	if (result == ETL_RECORD_NONE && at != end)
		finding(checker, RULE_RECORDS_END, "they end at 0x%x, Offset is 0x%x", at,
			checker->buffer->end);
	else if (result != ETL_RECORD_NONE)
		finding(checker, rule[result], "%s", etl_record_result_text(result));
	checker->record_at = 0;
}

static void check_buffer_records(struct checker *checker, struct check_cpu *cpu,
				 const struct etl_buffer *buffer)
{
	enum etl_record_result result;
	struct etl_record record;
	uint32_t at = ETL_FIRST_RECORD;

	checker->buffer = buffer_decompress(&checker->plain, buffer);
	if (!checker->buffer)
		return;
	if (checker->plain.damaged)
		finding(checker, RULE_RECORDS_END, "the compression is broken from 0x%x on",
			checker->buffer->end);
	while ((result = etl_record_at(checker->buffer, at, &record)) == ETL_RECORD_OK) {
		etl_record_of_file(&record, &checker->trace->log);
		check_record(checker, cpu, &record);
		at = etl_next_record(&record);
	}
	check_walk_end(checker, result, at);
	checker->buffer = NULL;
	trace_release(checker->trace, buffer);
}

/* Processor by processor, its buffers in sequence */
static int check_records(struct checker *checker)
{
	struct check_cpu cpu;
	struct merge merge;
	size_t i, k;

	if (merge_begin(&merge, checker->trace, false))
		return -1;
	for (i = 0; i < merge.cursors; i++) {
		memset(&cpu, 0, sizeof(cpu));
		for (k = 0; k < merge.cursor[i].count; k++)
			check_buffer_records(checker, &cpu,
				&checker->trace->buffers[merge.cursor[i].order[k]]);
	}
	merge_end(&merge);
	return 0;
}

static int check_all(struct checker *checker, struct trace *trace)
{
	const char *wrong;

	if (!check_first_buffer(checker))
		return 0;
	wrong = etl_logfile_of(trace->bytes, trace->size, &trace->log);
	if (wrong) {
		if (!checker->violations)
			finding(checker, RULE_HEADER_EVENT_STRINGS, "%s", wrong);
		return 0;
	}
	if (trace_index(trace) || trace_describe(trace))
		return -1;
	checker->closed = trace->log.end_time && trace->log.buffers_written;
	if (survey_records(checker))
		return no_memory();
	check_header_event(checker);
	check_buffers(checker);
	if (check_records(checker))
		return -1;
	check_losses(checker);
	return 0;
}

static const char *result_name(int code)
{
	return code == EXIT_OK ? "good" : code == EXIT_FAILED ? "not checked to the end" : "bad";
}

/* A file's name may be any bytes; JSON has text. */
static void print_begin(const struct checker *checker)
{
	const char *name = checker->trace->name;
	char text[2 * PATH_MAX];

	if (!checker->json)
		return;
	text_from_bytes((const uint8_t *)name, strlen(name), text, sizeof(text));
	fputs("{\"file\":", stdout);
	export_string(stdout, text);
	fputs(",\"findings\":[", stdout);
}

static void print_end(const struct checker *checker, int code)
{
	const struct trace *trace = checker->trace;

	if (checker->json)
		fputs("],\n\"left_out\":[", stdout);
	print_findings_left_out(checker);
	if (checker->json)
		printf("],\n\"result\":\"%s\",\"ours\":%s,\"buffers\":%zu,\"records\":%" PRIu64
		       ",\"violations\":%" PRIu64 ",\"notes\":%" PRIu64 "}\n", result_name(code),
		       checker->ours ? "true" : "false", trace->count, checker->records,
		       checker->violations, checker->notes);
	else
		printf("%s: %s: %zu buffers, %" PRIu64 " records, %" PRIu64 " violations, %" PRIu64
		       " notes%s\n", trace->name, result_name(code), trace->count,
		       checker->records, checker->violations, checker->notes,
		       checker->ours ? "" : " (not written by the etw module)");
}

static int check_file(struct checker *checker, const char *name)
{
	struct trace trace;
	int code = EXIT_OK;

	if (trace_load(&trace, name))
		return EXIT_FAILED;
	checker->trace = &trace;
	checker->tids = calloc(1, KNOWN_TIDS / 8);
	print_begin(checker);
	if (check_all(checker, &trace))
		code = EXIT_FAILED;
	else if (checker->violations)
		code = EXIT_VIOLATIONS;
	print_end(checker, code);
	free(checker->tids);
	execs_free(&checker->execs);
	losses_free(&checker->losses);
	decompressed_free(&checker->plain);
	trace_close(&trace);
	return code;
}

static int check(int argc, char **argv)
{
	static struct checker checker;
	bool rules = false;
	int c;

	while ((c = next_verb_option(&verb_check, argc, argv)) != -1) {
		switch (c) {
		case OPTION_OURS:
			checker.ours = true;
			break;
		case OPTION_FILTERED:
			checker.filtered = true;
			break;
		case 'a':
			checker.all = true;
			break;
		case 'r':
			rules = true;
			break;
		case OPTION_JSON:
			checker.json = true;
			break;
		case OPTION_HELP:
			return print_help(&verb_check);
		default:
			return EXIT_USAGE;
		}
	}
	if (rules) {
		print_rules(checker.json);
		return EXIT_OK;
	}
	if (argc - optind != 1)
		return usage_error(&verb_check, "check: exactly one file is needed");
	return check_file(&checker, argv[optind]);
}

const struct verb verb_check = {
	.name = "check", .summary = "verify the structure of a file",
	.help = help, .options = options, .notes = notes, .run = check,
};
