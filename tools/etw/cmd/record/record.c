// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* etw record: a session, its file, and the command that runs meanwhile. */
#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "etw.h"
#include "cmd/finalize/finalize.h"
#include "cmd/finalize/process_cgroups.h"
#include "options/spelling.h"
#include "probes/probe_guard.h"
#include "record.h"
#include "record_dotnet.h"
#include "record_perf.h"

static const char help[] =
	"record [options] [--] [COMMAND...]\n\n"
	"Records events while COMMAND runs, for a --duration, or until Ctrl-C, into a closed ETL\n"
	"file with names of functions. With '-o -' the stream has standard output; COMMAND writes\n"
	"to standard error then.\n\n";

static const char notes[] =
	"Exit status: that of COMMAND (128 + N when signal N ended it, 126 or 127 when it\n"
	"could not be run); 1 when recording failed, 2 for wrong usage.\n";

static void print_options(void)
{
	session_options_help(FOR_RECORD);
}

static int run(const struct session_options *options, char **command)
{
	struct process_cgroups cgroups = { };
	struct recording recording;
	int code = EXIT_FAILED;

	if (!options->raw)
		process_cgroups_read(&cgroups);
	recording_init(&recording, options);
	recording.command = command;
	if (!recording_open(&recording))
		code = recording_run(&recording);
	recording_close(&recording);
	probes_end();
	/* those of an 'etw update' of this session */
	probes_sweep();
	if (!options->raw && recording.writer.buffers && !recording.writer.error &&
	    finalize_recorded("record", options->file, options->target, options->finalize,
			      options->quiet, &cgroups) && !code)
		code = EXIT_FAILED;
	process_cgroups_free(&cgroups);
	return code;
}

static int show_block(const struct session_options *options)
{
	static struct block block;

	request_block(&options->request, &block);
	return dry_run(&block, options->request.flags);
}

/* Return: an exit code */
static int record_events(const struct session_options *options, char **command)
{
	if (options->no_module)
		return record_by_perf(options, command);
	return options->dry_run ? show_block(options) : run(options, command);
}

static int record(int argc, char **argv)
{
	struct session_options options = { .verb = &verb_record, .for_verb = FOR_RECORD };
	char **command, name[32];
	int code;

	snprintf(name, sizeof(name), "etw-record-%d", getpid());
	options.request.name = name;
	options.request.flags = ETW_START_TIED;
	argv = spelling_of_verb(&argc, argv, FOR_RECORD);
	code = session_options_parse(&options, argc, argv);
	if (code)
		return code < 0 ? print_help(&verb_record) : code;
	if (!options.file)
		options.file = "trace.etl";
	code = session_options_finish(&options);
	if (code)
		return code;
	if (options.finalize && options.raw)
		return option_error(&options, "--finalize and --raw are mutually exclusive");
	if (options.finalize && (!strcmp(options.file, "-") || strchr(options.file, '%')))
		return option_error(&options, "--finalize: of one file, not of '%s'",
				    options.file);
	command = argv[optind] ? argv + optind : NULL;
	if (options.dotnet)
		return record_dotnet(&options, command, record_events);
	return record_events(&options, command);
}

const struct verb verb_record = {
	.name = "record", .summary = "record events into a file while a command runs",
	.help = help, .run = record, .print_options = print_options, .notes = notes,
};
