// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* etw start: a session that stays until it is stopped. */
#include <getopt.h>
#include <stdio.h>
#include <unistd.h>
#include "background.h"
#include "control/control_calls.h"
#include "etw.h"
#include "options/session_options.h"
#include "options/spelling.h"

static const char help[] =
	"start NAME [options]\n\n"
	"Starts a session and prints its logger id and the node of its stream. It runs until\n"
	"'etw stop'; with -f its stream goes to a file meanwhile, else it is read from the node:\n"
	"cat /dev/etw/sessionN > FILE.\n\n";

static void print_options(void)
{
	session_options_help(FOR_START);
}

static int run(const struct session_options *options)
{
	uint32_t id = 0;
	int fd = control_open(), code;

	if (fd < 0)
		return EXIT_FAILED;
	code = control_start(fd, &options->request, &id) ? EXIT_FAILED : EXIT_OK;
	close(fd);
	if (!code)
		printf("%u " ETW_SESSION_NODE "\n", id, id);
	return code;
}

static int start(int argc, char **argv)
{
	struct session_options options = { .verb = &verb_start, .for_verb = FOR_START };
	static struct block block;
	int code;

	argv = spelling_of_verb(&argc, argv, FOR_START);
	code = session_options_parse(&options, argc, argv);
	if (code)
		return code < 0 ? print_help(&verb_start) : code;
	if (argc - optind + !!options.request.name != 1)
		return usage_error(&verb_start, "start: exactly one name is needed");
	if (!options.request.name)
		options.request.name = argv[optind];
	if (options.file)
		code = background_prepare(&options);
	if (!code)
		code = session_options_finish(&options);
	if (code)
		return code;
	if (!options.dry_run)
		return options.file ? background_run(&options) : run(&options);
	request_block(&options.request, &block);
	return dry_run(&block, options.request.flags);
}

const struct verb verb_start = {
	.name = "start", .summary = "start a session", .help = help, .run = start,
	.print_options = print_options,
};
