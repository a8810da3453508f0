// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The options that say what a session is: their table, their parsing, their help. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "session_options.h"
#include "common/verb_options.h"

static int set_file(struct session_options *options, const char *value)
{
	options->file = value;
	return 0;
}

/* xperf's -on: see spelling.c */
static int set_default_file(struct session_options *options, const char *value)
{
	options->default_file = value;
	return 0;
}

static int set_name(struct session_options *options, const char *value)
{
	options->request.name = value;
	return 0;
}

static int set_no_rundown(struct session_options *options, const char *value)
{
	(void)value;
	options->request.flags |= ETW_START_NO_RUNDOWN;
	return 0;
}

static int set_unwind(struct session_options *options, const char *value)
{
	if (strcmp(value, "tables") && strcmp(value, "fp"))
		return option_error(options, "--unwind %s: tables or fp", value);
	options->no_tables = !strcmp(value, "fp");
	return 0;
}

static int set_dry_run(struct session_options *options, const char *value)
{
	(void)value;
	options->dry_run = true;
	return 0;
}

static int set_quiet(struct session_options *options, const char *value)
{
	(void)value;
	options->quiet = true;
	return 0;
}

static int set_dotnet(struct session_options *options, const char *value)
{
	(void)value;
	options->dotnet = true;
	return 0;
}

static int set_dotnet_provider(struct session_options *options, const char *value)
{
	size_t name = strcspn(value, ":");
	const char *at = value + name;
	char *end;

	if (!name || strchr(value, ','))
		return option_error(options, "--dotnet-provider %s: one provider, as "
				    "NAME[:KEYWORDS[:LEVEL]]", value);
	if (*at) {
		strtoull(at + 1, &end, 0);
		if (end == at + 1 || (*end && *end != ':') || at[1] == '-')
			return option_error(options, "--dotnet-provider %s: the keywords are no "
					    "number", value);
		if (*end && (end[1] < '0' || end[1] > '5' || end[2]))
			return option_error(options, "--dotnet-provider %s: the level is no "
					    "number from 0 to 5", value);
	}
	if (options->nr_dotnet_providers == MOST_DOTNET_PROVIDERS)
		return option_error(options, "--dotnet-provider: more than %u",
				    MOST_DOTNET_PROVIDERS);
	options->dotnet_providers[options->nr_dotnet_providers++] = value;
	options->dotnet = true;
	return 0;
}

static int set_finalize(struct session_options *options, const char *value)
{
	(void)value;
	options->finalize = true;
	return 0;
}

static int set_no_module(struct session_options *options, const char *value)
{
	(void)value;
	options->no_module = true;
	return 0;
}

static int set_raw(struct session_options *options, const char *value)
{
	(void)value;
	options->raw = true;
	return 0;
}

#define ALL	(FOR_START | FOR_RECORD | FOR_UPDATE)
#define NEW	(FOR_START | FOR_RECORD)

static const struct session_option table[] = {
	{ "events", 'e', ALL, "EVENTS", option_events,
	  "names joined by '+' or ',', or none;\n"
	  "NAME?: if the module has it;\n"
	  "SYSTEM:NAME, also as a glob: an event of Linux, several times;\n"
	  "'etw list events'. Default: PROC_THREAD+CSWITCH+DISPATCHER;\n"
	  "'etw start' records no kernel events by default, unless an\n"
	  "option needs them" },
	{ "pid", 0, ALL, "PID,...", option_pid, "only events of these processes, at most 64" },
	{ "children", 0, ALL, NULL, option_children, "and events of their children" },
	{ "exclude-self", 0, ALL, NULL, option_exclude_self,
	  "no events of this tool, nor of the file's writer" },
	{ "filter", 0, ALL, "EXPRESSION", option_filter,
	  "only events of the last -e SYSTEM:NAME whose fields are so:\n"
	  "'prev_prio < 100 && next_pid != 0'" },
	{ "hook", 0, ALL, "ID,...", option_hook,
	  "only these events: numbers, or names of 'etw list hooks'" },
	{ "probe", 0, ALL, "PROBE", option_probe,
	  "an event at a function of the kernel, as perf and tracefs spell\n"
	  "it: 'FUNCTION dfd=%di file=+0(%si):ustring', r:FUNCTION" },
	{ "uprobe", 0, ALL, "FILE:FUNCTION", option_uprobe,
	  "an event at a function of programs, with +OFFSET or %return" },
	{ "usdt", 0, ALL, "FILE:PROVIDER:NAME", option_usdt,
	  "events of USDT probes in a file; PROVIDER:NAME may be a glob" },
	{ "stackwalk", 0, ALL, "EVENT+...", option_stackwalk,
	  "events that get a stack: names of 'etw list hooks', numbers" },
	{ "stack-caching", 0, ALL, "SIZE:N", option_stack_caching,
	  "each stack is written once: bytes of the cache, buckets" },
	{ "syscalls", 0, ALL, NULL, option_syscalls,
	  "each system call with its number, arguments, result, paths and\n"
	  "the address of its socket, as -e raw_syscalls:sys_enter,\n"
	  "raw_syscalls:sys_exit and probes" },
	{ "unwind", 0, NEW, "HOW", set_unwind,
	  "stacks of programs: tables, where there are some, or fp: frame\n"
	  "pointers alone (tables)" },
	{ "pool-tags", 0, ALL, "TAG,...", option_pool_tags, "only these pools, at most 4" },
	{ "counters", 'c', NEW, "LIST@EVENTS", option_counters,
	  "counters in the records of these events (CSWITCH), at most 7:\n"
	  "cycles,instructions@CSWITCH+READYTHREAD; 'etw list counters'" },
	{ "sample", 0, NEW, "LIST", option_sample,
	  "a record after every N of these events: cache-misses@10000" },
	{ "pebs", 0, NEW, "EVENT|index", option_pebs,
	  "samples of this event by PEBS, and its index in context\n"
	  "switches; index: the index only" },
	{ "frequency", 'F', ALL, "HZ", option_frequency,
	  "samples per second of what runs; adds PROFILE" },
	{ "interval", 0, ALL, "N|NAME=N", option_interval,
	  "--frequency as a time (1ms; without a unit 100 ns); or events\n"
	  "between two samples of a source of --sample" },
	{ "no-pid", 0, FOR_UPDATE, NULL, option_no_pid, "record all processes" },
	{ "no-children", 0, FOR_UPDATE, NULL, option_no_children, "do not record their children" },
	{ "no-exclude-self", 0, FOR_UPDATE, NULL, option_no_exclude_self,
	  "record this tool, too" },
	{ "no-linux-events", 0, FOR_UPDATE, NULL, option_no_linux_events,
	  "record no events of -e SYSTEM:NAME" },
	{ "no-hook", 0, FOR_UPDATE, NULL, option_no_hook, "record all events" },
	{ "no-stackwalk", 0, FOR_UPDATE, NULL, option_no_stackwalk, "record no stacks" },
	{ "no-stack-caching", 0, FOR_UPDATE, NULL, option_no_stack_caching,
	  "write each stack whole" },
	{ "no-pool-tags", 0, FOR_UPDATE, NULL, option_no_pool_tags, "record all pools" },
	{ "buffer-size", 'b', NEW, "KB", option_buffer_size,
	  "size of a buffer, 4 to 16384, a multiple of 4 (64)" },
	{ "buffers", 'n', NEW, "MIN:MAX", option_buffers,
	  "buffers of all CPUs together; or MAX alone (16 for each CPU,\n"
	  "up to 5 % of the memory while events come too fast)" },
	{ "min-buffers", 0, NEW, "N", option_min_buffers, "number of buffers at the start" },
	{ "max-buffers", 0, ALL, "N", option_max_buffers, "maximum number of buffers" },
	{ "flush-timer", 0, ALL, "S", option_flush_timer,
	  "hand over part-filled buffers every S seconds (1; 0: never);\n"
	  "200ms: milliseconds; mode buffering: only read all clocks" },
	{ "mode", 0, NEW, "MODE", option_mode,
	  "realtime: events are lost without a reader; buffering: the\n"
	  "oldest are overwritten in memory. Files: sequential ends at\n"
	  "--max-file, circular keeps the newest, newfile begins\n"
	  "another (name with %d)" },
	{ "max-file", 0, NEW, "MB", option_max_file, "size of a file, also as 64M or 2G (no limit)" },
	{ "flight", 0, NEW, "SIZE", option_flight,
	  "mode buffering, with this much memory: 64M" },
	{ "clock", 0, NEW, "CLOCK", option_clock, "qpc, system or cycle (qpc)" },
	{ "file", 'f', FOR_START, "FILE", set_file,
	  "written in the background until the session is stopped" },
	{ "output", 'o', FOR_RECORD, "FILE", set_file, "the file (trace.etl)" },
	{ "name", 'N', NEW, "NAME", set_name, "name of the session" },
	{ "owner", 0, NEW, "USER[:GROUP]", option_owner, "owner of the stream's node (root)" },
	{ "reader-mode", 0, NEW, "MODE", option_reader_mode,
	  "permissions of the node, octal (0400)" },
	{ "allow-user", 0, NEW, "USER,...", option_allow_user,
	  "users that may write events by their programs" },
	{ "allow-group", 0, NEW, "GROUP,...", option_allow_group,
	  "groups that may do so" },
	{ "providers", 0, NEW, "USER,@GROUP", option_providers,
	  "users and groups in one list" },
	{ "provider-rate", 0, NEW, "N|none", option_provider_rate,
	  "events per second of each user, in pieces of 256 bytes (10000\n"
	  "if other users may write, or beside kernel events)" },
	{ "provider-timestamps", 0, NEW, NULL, option_provider_timestamps,
	  "programs may set the time of events (default without kernel\n"
	  "events)" },
	{ "no-provider-timestamps", 0, NEW, NULL, option_no_provider_timestamps,
	  "programs may not set it" },
	{ "provider-wnodes", 0, NEW, NULL, option_provider_wnodes, "programs may log WNODEs" },
	{ "provider-kernel", 0, NEW, NULL, option_provider_kernel,
	  "programs may write beside kernel events (if root starts the\n"
	  "session, and its name is not NT Kernel Logger)" },
	{ "no-provider-kernel", 0, NEW, NULL, option_no_provider_kernel,
	  "programs may not write beside kernel events" },
	{ "sequence", 0, NEW, "WHICH", option_sequence,
	  "number messages: local, global (of all such sessions), none" },
	{ "no-addresses", 0, NEW, NULL, option_no_addresses, "no kernel addresses in records" },
	{ "no-rundown", 0, NEW, NULL, set_no_rundown,
	  "do not record existing processes, files etc. at start and stop" },
	{ "profile", 'p', ALL, "PROFILE", option_profile,
	  "options from a file; later ones override; 'etw list profiles'" },
	{ "dry-run", 0, ALL, NULL, set_dry_run, "show what would be sent to the kernel" },
	{ "duration", 0, FOR_RECORD, "TIME", option_duration,
	  "end after this time: 500ms, 10s, 5m, 1h; waits for a COMMAND\n"
	  "that still runs" },
	{ "dotnet", 0, FOR_RECORD, NULL, set_dotnet,
	  "with the events of .NET programs that COMMAND runs: garbage\n"
	  "collections, compiled methods, exceptions, threads" },
	{ "dotnet-provider", 0, FOR_RECORD, "NAME[:KEYWORDS[:LEVEL]]", set_dotnet_provider,
	  "and those of this EventSource, at most 32 times (all: 5)" },
	{ "finalize", 0, FOR_RECORD, NULL, set_finalize,
	  "fail if the file is standard output, numbered, appended to, or\n"
	  "no ordinary file: such a file is not finalized" },
	{ "raw", 0, FOR_RECORD, NULL, set_raw,
	  "leave the file as it was recorded: without names of functions,\n"
	  "build-ids and the system's name, which 'etw finalize' adds" },
	{ "no-module", 0, FOR_RECORD, NULL, set_no_module,
	  "let perf record, and import the recording: for machines that\n"
	  "may load no module; --dry-run shows the command" },
	{ "quiet", 'q', FOR_RECORD, NULL, set_quiet, "no progress and no summary" },
	/* the other verb's letter for the same */
	{ "output", 'o', FOR_START, "FILE", set_file, NULL },
	{ "file", 'f', FOR_RECORD, "FILE", set_file, NULL },
	{ "xperf-file", 0, FOR_START, "FILE", set_default_file, NULL },
};

#define OPTIONS	(sizeof(table) / sizeof(table[0]))
/* Above all letters */
#define FIRST_CODE	0x100

int option_error(const struct session_options *options, const char *format, ...)
{
	char text[512];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	return usage_error(options->verb, "%s: %s", options->verb->name, text);
}

/* The tables of getopt_long(), for the verb */
static void make_tables(unsigned int for_verb, struct option *options, char *letters)
{
	size_t i;

	/* a command that follows has options of its own */
	if (for_verb & FOR_RECORD)
		*letters++ = '+';
	*letters++ = ':';
	*letters++ = 'h';
	for (i = 0; i < OPTIONS; i++) {
		if (!(table[i].verbs & for_verb))
			continue;
		*options++ = (struct option){
			.name = table[i].name, .has_arg = !!table[i].argument,
			.val = FIRST_CODE + i,
		};
		if (!table[i].letter)
			continue;
		*letters++ = table[i].letter;
		if (table[i].argument)
			*letters++ = ':';
	}
	*options++ = (struct option){ .name = "help", .val = 'h' };
	*options = (struct option){ };
	*letters = 0;
}

static const struct session_option *of_code(int code, unsigned int for_verb)
{
	size_t i;

	if (code >= FIRST_CODE)
		return &table[code - FIRST_CODE];
	for (i = 0; i < OPTIONS; i++)
		if (table[i].letter == code && (table[i].verbs & for_verb))
			return &table[i];
	return NULL;
}

static void choose_file(struct session_options *options)
{
	if (!options->file && !options->flight &&
	    options->target != EVENT_TRACE_BUFFERING_MODE)
		options->file = options->default_file;
}

int session_options_parse(struct session_options *options, int argc, char **argv)
{
	struct option getopt_table[OPTIONS + 2];
	char letters[2 * OPTIONS + 4];
	int c, code;

	make_tables(options->for_verb, getopt_table, letters);
	while ((c = next_option(options->verb, argc, argv, letters, getopt_table)) != -1) {
		if (c == '?')
			return EXIT_USAGE;
		if (c == 'h')
			return -1;
		code = of_code(c, options->for_verb)->set(options, optarg);
		if (code)
			return code;
	}
	choose_file(options);
	return 0;
}

const struct session_option *session_option_of(const char *argument, unsigned int for_verb)
{
	size_t i;

	for (i = 0; i < OPTIONS; i++) {
		if (!(table[i].verbs & for_verb))
			continue;
		if (!strncmp(argument, "--", 2) ? !strcmp(argument + 2, table[i].name) :
		    argument[1] == table[i].letter && table[i].letter && !argument[2])
			return &table[i];
	}
	return NULL;
}

int session_option_set(struct session_options *options, const char *name, const char *value)
{
	const struct session_option *option = NULL;
	size_t i;

	for (i = 0; i < OPTIONS; i++) {
		if (strcmp(table[i].name, name))
			continue;
		option = &table[i];
		if (option->verbs & options->for_verb)
			break;
	}
	if (!option)
		return option_error(options, "there is no option '%s'", name);
	if (!option->argument != !value)
		return option_error(options, "option %s %s", name,
				    value ? "has no value" : "needs a value");
	/* What can't be changed is as it is: an update takes the rest. */
	return option->verbs & options->for_verb ? option->set(options, value) : 0;
}

void session_options_help(unsigned int for_verb)
{
	struct verb_option row;
	size_t i;

	for (i = 0; i < OPTIONS; i++) {
		if (!(table[i].verbs & for_verb) || !table[i].help)
			continue;
		row = (struct verb_option){
			.letter = table[i].letter, .name = table[i].name,
			.argument = table[i].argument, .help = table[i].help,
		};
		print_option(&row, 26);
	}
	print_option(&(struct verb_option){ .code = OPTION_HELP }, 26);
}
