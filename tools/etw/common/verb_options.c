// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Option tables of verbs: parsing and --help use the same table. */
#include <stdio.h>
#include <string.h>
#include "verb_options.h"
#include "etw.h"

/* An option whose left part is longer than this has its text on the next line. */
#define WIDEST	24
#define MOST_OPTIONS	32
/* Above all letters: getopt_long() returns this + index for long options */
#define FIRST_INDEX	0x100

static const struct verb_option shared[] = {
	{ OPTION_CONTAINER, 0, "container", "GLOB,..",
	  "only events that concern processes in these containers" },
	{ OPTION_CPU, 0, "cpu", "CPU,..", "only events on these processors: 0,4-7" },
	{ OPTION_CSV, 0, "csv", NULL, "comma-separated values" },
	{ OPTION_FILTERED, 0, "filtered", NULL,
	  "the session had a filter by process: switches of other\n"
	  "processes are missing" },
	{ OPTION_FINALIZE, 0, "finalize", NULL,
	  "add build-ids and kernel symbols to the file: 'etw finalize'" },
	{ OPTION_FOLDED, 0, "folded", NULL,
	  "one line for each stack: 'process;caller;function weight'" },
	{ OPTION_GUID, 'g', "guid", "GUID", "control GUID of the provider" },
	{ OPTION_HELP, 'h', "help", NULL, "this text" },
	{ OPTION_HOOK, 0, "hook", "ID", "stacks of these events instead of the samples" },
	{ OPTION_IDLE, 0, "idle", NULL, "samples of the idle thread, too" },
	{ OPTION_INLINE, 0, "inline", NULL,
	  "functions that the compiler inlined as frames of their own; needs\n"
	  "debug information" },
	{ OPTION_JSON, 0, "json", NULL, "as JSON" },
	{ OPTION_KALLSYMS, 0, "kallsyms", "FILE",
	  "the kernel's symbols, instead of those in the trace" },
	{ OPTION_LEVEL, 'l', "level", "LEVEL",
	  "critical, error, warning, information, verbose, or 0 to 255 (0)" },
	{ OPTION_MANIFEST, 0, "manifest", "FILE",
	  "names and fields of manifest events, by the manifest of their\n"
	  "provider: XML, a template of 'etw mc -b', or a DLL; may be given\n"
	  "several times" },
	{ OPTION_OURS, 0, "ours", NULL, "the module wrote it, whatever it looks like" },
	{ OPTION_OUTPUT, 'o', "output", "OUT", "the file to write; - is standard output" },
	{ OPTION_PID, 'p', "pid", "PID,..", "only events that concern these processes" },
	{ OPTION_PROCESS, 0, "process", "NAME,..",
	  "only events that concern processes with these names" },
	{ OPTION_QUIET, 'q', "quiet", NULL, "no progress and no summary" },
	{ OPTION_RANGE, 'r', "range", "FROM-TO",
	  "only events in this range, in seconds since the start; either\n"
	  "end may be left out" },
	{ OPTION_RAW, 0, "raw", NULL,
	  "leave the file as it was recorded: without names of functions,\n"
	  "build-ids and the system's name, which 'etw finalize' adds" },
	{ OPTION_SYSROOT, 0, "sysroot", "DIR", "files with symbols are below DIR" },
	{ OPTION_TID, 0, "tid", "TID,..", "only events that concern these threads" },
	{ OPTION_WAITING, 0, "waiting", NULL,
	  "how long threads waited, by the stacks of context switches, in\n"
	  "microseconds" },
};

/* The row with the texts of a shared option */
static struct verb_option whole(const struct verb_option *option)
{
	struct verb_option row = *option;
	size_t i;

	for (i = 0; i < sizeof(shared) / sizeof(shared[0]); i++) {
		if (shared[i].code != option->code)
			continue;
		row = shared[i];
		if (option->argument)
			row.argument = option->argument;
		if (option->help)
			row.help = option->help;
	}
	return row;
}

static const struct verb_option help_option = { .code = OPTION_HELP };
static const struct verb_option no_options[1];

static int code_of(const struct verb_option *options, int got)
{
	size_t i;

	for (i = 0; options[i].code; i++)
		if (got == (int)(FIRST_INDEX + i) || got == whole(&options[i]).letter)
			return options[i].code;
	return OPTION_HELP;
}

static void add(const struct verb_option *option, size_t index, struct option *table,
		char **letters)
{
	const struct verb_option row = whole(option);

	table[index] = (struct option){
		.name = row.name, .has_arg = !!row.argument, .val = FIRST_INDEX + index,
	};
	if (!row.letter)
		return;
	*(*letters)++ = row.letter;
	if (row.argument)
		*(*letters)++ = ':';
}

int next_verb_option(const struct verb *verb, int argc, char **argv)
{
	const struct verb_option *options = verb->options ? verb->options : no_options;
	struct option getopt_table[MOST_OPTIONS + 2] = { };
	char letters[2 * MOST_OPTIONS + 4] = ":", *end = letters + 1;
	size_t i;
	int c;

	for (i = 0; options[i].code && i < MOST_OPTIONS; i++)
		add(&options[i], i, getopt_table, &end);
	add(&help_option, i, getopt_table, &end);
	*end = 0;
	c = next_option(verb, argc, argv, letters, getopt_table);
	return c == -1 || c == '?' ? c : code_of(options, c);
}

bool has_verb_option(const struct verb *verb, const char *name)
{
	const struct verb_option *option = verb->options ? verb->options : no_options;

	for (; option->code; option++)
		if (!strcmp(whole(option).name, name))
			return true;
	return false;
}

/* Return: the length */
static int put_left(const struct verb_option *row, char *to, size_t size)
{
	int n = snprintf(to, size, row->letter ? "  -%c, " : "      ", row->letter);

	return n + snprintf(to + n, size - n, "--%s%s%s", row->name, row->argument ? " " : "",
			    row->argument ? row->argument : "");
}

void print_option(const struct verb_option *option, int column)
{
	const struct verb_option row = whole(option);
	const char *at = row.help, *end;
	char left[64];

	if (put_left(&row, left, sizeof(left)) < column)
		printf("%-*s", column, left);
	else
		printf("%s\n%*s", left, column, "");
	while ((end = strchr(at, '\n'))) {
		printf("%.*s\n%*s", (int)(end - at), at, column, "");
		at = end + 1;
	}
	puts(at);
}

void print_verb_options(const struct verb_option *options)
{
	const struct verb_option *option;
	int column = 0, width;
	char left[64];

	if (!options)
		options = no_options;
	for (option = options; option->code; option++) {
		const struct verb_option row = whole(option);

		width = put_left(&row, left, sizeof(left));
		if (width <= WIDEST && width > column)
			column = width;
	}
	if (column < 12)
		column = 12;
	for (option = options; option->code; option++)
		print_option(option, column + 2);
	print_option(&help_option, column + 2);
}
