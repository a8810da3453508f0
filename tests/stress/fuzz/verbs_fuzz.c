// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/*
 * libFuzzer target: any bytes as a trace, through the verbs that read all of one: stat with
 * its reports, check, export, dump with names, merge, finalize.
 *
 * The verbs are the tool's own, with words like those of a command line; the input is what
 * they find under the name of a trace. None of them may take it for wrong usage, sums must add
 * up, and a merged file has the records of its parts. check.c is part of this file: what it
 * knows of a trace lasts as long as the tool runs.
 */
#define _GNU_SOURCE
#include <getopt.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include "cmd/check/check.c"
#include "export/export.h"
#include "must.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int __real_trace_load(struct trace *trace, const char *name);
int __real_trace_open(struct trace *trace, const char *name);
int __wrap_trace_load(struct trace *trace, const char *name);
int __wrap_trace_open(struct trace *trace, const char *name);
int __wrap_failed(const char *format, ...);
void __wrap_warn(const char *format, ...);

#define INPUT	"fuzz"
#define NOWHERE	"--sysroot /nonexistent"

static const uint8_t *input;
static size_t input_size;
static char output[32];

/* The tool's messages: a fuzzer makes too many. */
int __wrap_failed(const char *format, ...)
{
	MUST(!strstr(format, "error of the tool"));
	return EXIT_FAILED;
}

void __wrap_warn(const char *format, ...)
{
	(void)format;
}

/* In memory of its own, so that a byte too far is seen */
int __wrap_trace_load(struct trace *trace, const char *name)
{
	if (strcmp(name, INPUT))
		return __real_trace_load(trace, name);
	*trace = (struct trace){ .name = INPUT, .size = input_size };
	trace->bytes = malloc(input_size ? input_size : 1);
	MUST(trace->bytes);
	memcpy((void *)trace->bytes, input, input_size);
	return 0;
}

int __wrap_trace_open(struct trace *trace, const char *name)
{
	if (strcmp(name, INPUT))
		return __real_trace_open(trace, name);
	__wrap_trace_load(trace, name);
	if (!etl_logfile_of(trace->bytes, trace->size, &trace->log) && !trace_index(trace))
		return 0;
	trace_close(trace);
	return -1;
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	MUST(freopen("/dev/null", "w", stdout));
	snprintf(output, sizeof(output), "/proc/self/fd/%d", memfd_create("output", 0));
	return 0;
}

/* Return: its exit code */
static int run(const struct verb *verb, const char *words)
{
	char *copy = strdup(words), *rest = copy, *argv[16];
	int argc = 0, code;

	MUST(copy);
	while (rest)
		argv[argc++] = strsep(&rest, " ");
	argv[argc] = NULL;
	optind = 0;
	code = verb->run(argc, argv);
	MUST(code == EXIT_OK || code == EXIT_FAILED || code == EXIT_VIOLATIONS);
	free(copy);
	return code;
}

static void run_check(bool ours)
{
	static struct checker checker;

	memset(&checker, 0, sizeof(checker));
	checker.ours = ours;
	checker.filtered = !ours;
	checker.all = true;
	MUST(check_file(&checker, INPUT) != EXIT_USAGE);
}

static void run_export(void)
{
	struct export *export = calloc(1, sizeof(*export));
	struct event_filter filter = EVENT_FILTER_ALL;
	struct trace trace;

	MUST(export);
	if (!__wrap_trace_open(&trace, INPUT)) {
		export->trace = &trace;
		export->to = stdout;
		export->filter = &filter;
		if (!event_filter_select(&filter, &trace))
			export_chrome(export);
		export_names_free(export);
		event_filter_free(&filter);
		trace_close(&trace);
	}
	free(export);
}

static uint64_t records_of(const char *name)
{
	const struct etl_record *record;
	const struct etl_buffer *buffer;
	struct trace trace;
	struct merge merge;
	uint64_t count = 0;

	MUST(!__wrap_trace_open(&trace, name));
	MUST(!merge_begin(&merge, &trace, false));
	while (merge_next(&merge, &record, &buffer))
		count++;
	merge_end(&merge);
	trace_close(&trace);
	return count;
}

static void run_merge(void)
{
	char words[128];

	snprintf(words, sizeof(words), "merge -o %s " INPUT " " INPUT, output);
	if (run(&verb_merge, words) == EXIT_OK)
		MUST(records_of(output) == 2 * records_of(INPUT));
	snprintf(words, sizeof(words), "finalize -q --no-kallsyms -o %s " NOWHERE " " INPUT, output);
	if (run(&verb_finalize, words) == EXIT_OK)
		MUST(records_of(output) >= records_of(INPUT));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const stats[] = {
		"stat --cpus " INPUT, "stat --json " INPUT " counters",
		"stat --by process " INPUT " counters", "stat --csv " INPUT " profile",
		"stat --json " INPUT " cpu", "stat --filtered --by process " INPUT " cpu",
		"stat " INPUT " faults", "stat " INPUT " disk", "stat --json " INPUT " dpc",
		"stat " INPUT " processes", "stat " NOWHERE " " INPUT " stacks",
		"stat --hook ReadyThread --json " NOWHERE " " INPUT " stacks",
		"stat --waiting --folded " NOWHERE " " INPUT " stacks",
		"stat --by function " NOWHERE " " INPUT " profile",
		"stat --at-least 0 --process a,System " NOWHERE " " INPUT " waits",
		"stat --json --tid 0,100 --range 0-1 " INPUT " cpu",
	};
	static const char *const exports[] = {
		"export --perfetto " NOWHERE " " INPUT, "export --firefox " NOWHERE " " INPUT,
		"export --flamegraph --waiting " NOWHERE " " INPUT,
		"export --pprof --hook ReadyThread " NOWHERE " " INPUT,
		"export --speedscope " NOWHERE " " INPUT,
		"export --firefox --pid 0,5 " NOWHERE " " INPUT,
	};
	size_t i;

	input = data;
	input_size = size;
	for (i = 0; i < sizeof(stats) / sizeof(stats[0]); i++)
		run(&verb_stat, stats[i]);
	run(&verb_dump, "dump --json --pid 0,5,100 --symbols " NOWHERE " " INPUT);
	run(&verb_dump, "dump --names --cpu 0 " INPUT);
	run_check(size & 8);
	run_export();
	for (i = 0; i < sizeof(exports) / sizeof(exports[0]); i++)
		run(&verb_export, exports[i]);
	run_merge();
	return 0;
}
